"""Choosing by compiled code: looking ahead, 50/50s, the endgame solved exactly."""

from strategies.compiled.guessing.candidates import FIGURES, IS_SAFE, PROGRESS, SCORE, SECOND
from strategies.compiled.guessing.choosing import CLOSED, FAILED, PLAYED, SOLVED, WEIGHED

__all__ = [
    "CLOSED",
    "FAILED",
    "FIGURES",
    "IS_SAFE",
    "PLAYED",
    "PROGRESS",
    "SCORE",
    "SECOND",
    "SOLVED",
    "WEIGHED",
]
