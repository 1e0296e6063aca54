"""Guessing: the risk of every cell, where to begin, which cell, why this one, which question is worth most.

`situation` is a position as arrays, `probabilities` the risks, `weighing` what the compiled look-ahead says
of each candidate, in figures and words, `winning` the chance to win with one; Clue asks `questions`, too.
"""

from strategies.guessing.certainty import may_be_certain
from strategies.guessing.comparing import instead
from strategies.guessing.first_click import promised
from strategies.guessing.probabilities import risks_of
from strategies.guessing.questions import Question, Reply, opening, worths
from strategies.guessing.situation import Situation
from strategies.guessing.weighing import MOST_GUESSES, weighed_guesses
from strategies.guessing.winning import chance_to_win

__all__ = [
    "MOST_GUESSES",
    "Question",
    "Reply",
    "Situation",
    "chance_to_win",
    "instead",
    "may_be_certain",
    "opening",
    "promised",
    "risks_of",
    "weighed_guesses",
    "worths",
]
