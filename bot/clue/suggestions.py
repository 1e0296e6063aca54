"""Probabilities of open marks (shares of the remaining deals), and suggestions by expected information."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import sqrt
from random import Random

from games.clue.log import Seating
from games.clue.sheet import DeductionSheet
from games.errors import Contradiction, UsageError
from games.logic import Constraint, Knowledge, bits, cell_set
from games.logic.model_count import MAX_STEPS, ModelGraph, build_model_graph
from games.names import UnknownName
from strategies.probability.information import Question, Reply, expected_information

SAMPLED_DEALS = 4_000  # sample size if the deals cannot be counted
SURE = 1.96  # standard deviations of a 95 % interval


@dataclass(frozen=True, slots=True)
class MarkProbabilities:
    """The probability of each open variable; all remaining deals are equally likely.

    `deals` is the number of remaining deals. If `drawn` is not 0, the values are estimates from a random
    sample of this size, and `error` is the half-width of the widest 95 % interval.
    """

    chances: Mapping[int, float]
    deals: int
    drawn: int = 0
    error: float = 0.0

    @property
    def is_exact(self) -> bool:
        """Whether the deals were counted."""
        return not self.drawn

    def __str__(self) -> str:
        number = "1 deal remains" if self.deals == 1 else f"{self.deals:,} deals remain"
        if self.is_exact:
            return f"{number}, counted exactly"
        return (
            f"about {number}; shares of {self.drawn:,} drawn at random, "
            f"within {100 * self.error:.1f} points (95 %)"
        )


def mark_probabilities(knowledge: Knowledge, cap: int = MAX_STEPS) -> MarkProbabilities:
    """Count the deals; if that exceeds `cap` steps, sample them, always in the same way.

    Raises Contradiction if there is no deal, or none could be sampled.
    """
    layouts = build_model_graph(knowledge.stated, cap)
    if layouts is None or not layouts.count:
        raise Contradiction("no deal could be counted: correct the log")
    if layouts.is_exact:
        chances = {cell: true / layouts.count for cell, true in layouts.true_counts().items()}
        return MarkProbabilities(chances, layouts.count)
    return _estimated(layouts)


def _estimated(layouts: ModelGraph) -> MarkProbabilities:
    rng = Random(0)  # noqa: S311 - an estimate must be repeatable, not secret
    deals, tries = layouts.draw_counting(SAMPLED_DEALS, rng)
    if not deals:
        raise Contradiction("too many deals to count, and none could be drawn: correct the log")
    share = {cell: sum(deal >> cell & 1 for deal in deals) / len(deals) for cell in layouts.cells}
    error = max(SURE * sqrt(p * (1 - p) / len(deals)) for p in share.values())
    return MarkProbabilities(
        share, layouts.count * len(deals) // tries, len(deals), max(error, 1 / len(deals))
    )


LATER = 0.1  # weight of information about hands, relative to the envelope
MAX_DEALS = 500  # deals examined; all if there are fewer


@dataclass(frozen=True, slots=True)
class RankedSuggestion:
    """A suggestion (card numbers) and its expected information about the envelope and all hands, in bits."""

    cards: tuple[int, ...]
    envelope: float
    everything: float

    @property
    def worth(self) -> float:
        """The value of the suggestion: hands count less, because they reveal the envelope only later."""
        return round(self.envelope + LATER * self.everything, 9)


def rank_suggestions(
    sheet: DeductionSheet, knowledge: Knowledge, only: Iterable[int] = ()
) -> list[RankedSuggestion]:
    """Rank all possible suggestions, best first; the ranking is deterministic.

    `only` restricts the choice in the kinds of these cards, such as rooms in reach. Raises UsageError if the
    sheet belongs to no player.
    """
    seating = sheet.seating
    if seating.me is None:
        raise UsageError(
            "only a player can suggest: say who you are with a line such as 'me Ann: Plum, Rope, …'"
        )
    trios = list(product(*choices(seating, only)))
    questions = [suggestion(seating, seating.me, trio) for trio in trios]
    deals, are_all = _deals(knowledge)
    envelope = cell_set(seating.cell(card, seating.envelope) for card in range(len(seating.cards.cards)))
    worth = expected_information(deals, questions, envelope, are_all)
    found = [
        RankedSuggestion(trio, max(0.0, w.matters), max(0.0, w.everything))  # without rounding errors
        for trio, w in zip(trios, worth, strict=True)
    ]
    return sorted(found, key=lambda each: (-each.worth, each.cards))


def suggestion(seating: Seating, asker: int, cards: Sequence[int]) -> Question:
    """A suggestion as a question with its possible answers: who passes, who shows which card."""
    passed: list[Constraint] = []
    replies = []
    for player in seating.after(asker):
        held = cell_set(seating.cell(card, player) for card in cards)
        replies += [Reply((*passed, Constraint(1 << k, 1, 1)), held) for k in bits(held)]
        passed.append(Constraint(held, 0, 0))
    return Question(tuple(cards), (*replies, Reply(tuple(passed))))


def choices(seating: Seating, only: Iterable[int] = ()) -> list[list[int]]:
    """For each kind, the permitted cards."""
    wanted = set(only)
    found = []
    for kind in range(len(seating.cards.kinds)):
        numbers = seating.cards.numbers(kind)
        found.append([card for card in numbers if card in wanted] or list(numbers))
    return found


def parse_cards(text: str, seating: Seating) -> list[int]:
    """Parse cards, such as `hall, study`. Raises UsageError."""
    try:
        return [seating.cards.names.number(part.strip()) for part in text.split(",")]
    except UnknownName as error:
        raise UsageError(str(error)) from error


def _deals(knowledge: Knowledge) -> tuple[list[int], bool]:
    layouts = build_model_graph(knowledge.stated)
    if layouts is None:
        return [], False
    if layouts.is_exact and layouts.count <= MAX_DEALS:
        return [knowledge.true | layout for layout in layouts.iterate()], True
    rng = Random(0)  # noqa: S311 - a ranking must be repeatable, not secret
    return [knowledge.true | layout for layout in layouts.sample(MAX_DEALS, rng)], False
