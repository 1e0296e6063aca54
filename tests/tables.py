"""Stand-ins for tests of the player: tables that misbehave, a clock that jumps."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from games.errors import Unsettled
from games.minesweeper import Board, Deal, Minefield, Move
from vision.reading import Reading


def field_of(truth: str, first_click: str = "none", win_needs: str = "open") -> Minefield:
    """A minefield from text, one line a row, `*` for a mine."""
    rows = [line.strip() for line in truth.strip().splitlines()]
    cells = "".join(rows)
    order = [k for k, letter in enumerate(cells) if letter == "*"]
    others = [k for k in range(len(cells)) if k not in order]
    return Minefield(Deal(len(rows), len(rows[0]), len(order), (*order, *others)), first_click, win_needs)


class Table:
    """A minefield as a table; `see` may spoil what it shows, `lose` swallows acts."""

    def __init__(
        self,
        field: Minefield,
        see: Callable[[int, Board], Board] | None = None,
        lose: Callable[[int, Move], bool] | None = None,
    ) -> None:
        self.field = field
        self.looks = 0
        self.acts: list[list[Move]] = []
        self._see = see
        self._lose = lose

    def look(self) -> Reading:
        self.looks += 1
        board = self.field.board
        return Reading.sure(self._see(self.looks, board) if self._see else board)

    def act(self, moves: Sequence[Move], certain: bool) -> None:
        self.acts.append(list(moves))
        kept = [m for m in moves if not (self._lose and self._lose(len(self.acts), m))]
        self.field.play(kept)


class RestlessTable(Table):
    """A table whose picture never comes to rest."""

    def look(self) -> Reading:
        self.looks += 1
        raise Unsettled("the picture did not come to rest")


class JumpingClock:
    """A clock that moves only when somebody sleeps, or asks."""

    def __init__(self, tick: float = 0.001) -> None:
        self.time = 0.0
        self._tick = tick

    def now(self) -> float:
        self.time += self._tick
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += seconds
