"""What a player can do to a cell."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from games.errors import InvalidFile
from games.minesweeper.board import Board

MoveKind = Literal["open", "flag", "unflag", "chord"]


class Move(NamedTuple):
    """One act on one cell.

    `open` shows a closed cell; `flag` marks it as a mine; `unflag` takes the mark off; `chord` opens all
    unflagged neighbours of an open cell whose number of flags is right.
    """

    kind: MoveKind
    cell: int

    def text(self, board: Board) -> str:
        """`open r3c5`."""
        return f"{self.kind} {board.name(self.cell)}"

    @classmethod
    def parse(cls, text: str, board: Board) -> Move:
        """Read `open r3c5`. Raises InvalidFile."""
        match text.split():
            case [("open" | "flag" | "unflag" | "chord") as kind, name]:
                return cls(kind, board.cell(name))
        raise InvalidFile(f"'{text}' is no move: write one of {', '.join(get_args(MoveKind))} and a cell")
