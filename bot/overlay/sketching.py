"""What is marked on a board: by how much a person wants to hear."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from bot.advice import Advice, Mark, Pointed, ProvenCell
from bot.loop import Plan
from games.logic import bits
from games.minesweeper import Board

# nothing; is there a safe cell? which? and why?
Level = Literal["off", "any", "which", "why"]
KEYS: Mapping[str, Level] = MappingProxyType({"F6": "any", "F7": "which", "F8": "why"})


@dataclass(frozen=True, slots=True)
class Sketch:
    """What is drawn over a board.

    `frame`: whether there is a safe cell, drawn around the board; None draws nothing. `risks` are those of
    single cells (0 to 1). `pointed` is the cell that a proof is about, and the clues that it takes.
    """

    frame: bool | None = None
    marks: Mapping[int, Mark] = field(default_factory=dict)
    risks: Mapping[int, float] = field(default_factory=dict)
    pointed: Pointed | None = None


def sketch_of(advice: Advice, level: Level, proof: ProvenCell | None = None) -> Sketch:
    """What is drawn of an advice; `proof` is that of the cell under the pointer.

    Where nothing is said of a board (it is over, or it cannot be), nothing is drawn.
    """
    board = advice.board
    if level == "off" or advice.trouble or not board.closed | board.flagged:
        return Sketch()
    is_safe = bool(advice.safe | advice.wrong_flags)
    if level == "any":
        return Sketch(is_safe)
    risks = {cell: advice.risks[cell] for cell in bits(_spoken_of(advice)) if cell in advice.risks}
    pointed = Pointed.of(board, proof.cell, proof.because) if proof and level == "why" else None
    return Sketch(is_safe, advice.marks, risks, pointed)


def plan_sketch(board: Board, plan: Plan) -> Sketch:
    """What is about to be done."""
    opens: Mark = "guess" if plan.guess else "safe"
    marks: dict[int, Mark] = {
        move.cell: "mine" if move.kind == "flag" else opens for move in plan.moves if move.kind != "unflag"
    }
    marks |= dict.fromkeys(bits(plan.wrong_flags), "wrong flag")
    return Sketch(marks=marks, risks={plan.guess.cell: 1 - plan.guess.safe} if plan.guess else {})


def _spoken_of(advice: Advice) -> int:
    """The cells (a set) whose risk is drawn: those beside a clue, and the one to guess.

    All others have one and the same risk.
    """
    board = advice.board
    frontier = 0
    for clue in bits(board.open):
        frontier |= board.around[clue]
    return frontier | (1 << advice.guess.cell if advice.guess else 0)
