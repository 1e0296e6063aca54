"""A recorded game as its looks and acts: what benchmarks/playing/truth.py judges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bot.recording.recording import Recording
from games.logic import cell_set
from games.minesweeper import Board, Move


@dataclass(frozen=True)
class Look:
    """One look: what was read, a number for the picture of each cell, the flags that stood (a set of cells).

    Cells with the very same pixels have the same number, in all observations of a game. `is_last`: no act
    followed.
    """

    board: Board
    pictures: tuple[int, ...]
    flags: int
    is_last: bool


@dataclass(frozen=True)
class Act:
    """What was clicked, and the plan that it belongs to, as recorded: what did not show is clicked again."""

    plan: dict[str, Any]
    moves: tuple[Move, ...]

    @property
    def is_guess(self) -> bool:
        """Whether the plan was a guess."""
        return "guess" in self.plan

    @property
    def clicked(self) -> int:
        """The set of the cells that were clicked to be opened."""
        return cell_set(move.cell for move in self.moves if move.kind == "open")


class GameLog:
    """A recorded game. Raises InvalidFile when it is damaged."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self.turns = recording.turns()
        self.mines = recording.meta.rules.mines
        self.looks = tuple(self._looks())
        ends = (event["result"]["result"] for event in recording.events if event["event"] == "end")
        self.result = str(next(ends, "stopped"))

    @cached_property
    def acts(self) -> tuple[Act, ...]:
        """Everything that was clicked, in order."""
        found = []
        plan: dict[str, Any] = {}
        for event in (event for turn in self.turns for event in turn):
            if event["event"] == "plan":
                plan = event
            if event["event"] == "act":
                found.append(Act(plan, self._moves(event)))
        return tuple(found)

    def opened(self, act: Act) -> int:
        """The set of the cells that an act opens: what was clicked, and what a chord opens."""
        cells, board = act.clicked, self.looks[0].board
        for move in act.moves:
            if move.kind == "chord":
                cells |= board.around[move.cell] & ~self.looks[-1].flags
        return cells

    def _moves(self, event: dict[str, Any]) -> tuple[Move, ...]:
        board = self.looks[0].board
        return tuple(Move.parse(text, board) for text in event["moves"])

    def _looks(self) -> Iterator[Look]:
        numbers: dict[object, int] = {}
        pictures: list[int] = []
        flags = 0
        lattice = self._recording.meta.lattice
        acted = [any(event["event"] == "act" for event in turn) for turn in self.turns]
        last = max((i for i, has_act in enumerate(acted) if has_act), default=-1)
        for i, (turn, (frame, board)) in enumerate(zip(self.turns, self._recording.looks(), strict=True)):
            changed = turn[0].get("cells", ()) if i else board.names(board.everything)
            pictures = pictures or [0] * len(board)
            for k in map(board.cell, changed):
                left, top, right, bottom = lattice.rectangle(k)
                cell = frame.pixels[top:bottom, left:right]
                pictures[k] = numbers.setdefault((cell.shape, cell.tobytes()), len(numbers))
            yield Look(board, tuple(pictures), flags, i > last)
            for event in (event for event in turn if event["event"] == "act"):
                for move in (Move.parse(text, board) for text in event["moves"]):
                    if move.kind in {"flag", "unflag"}:
                        flags = flags | 1 << move.cell if move.kind == "flag" else flags & ~(1 << move.cell)
