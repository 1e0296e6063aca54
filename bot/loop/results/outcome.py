"""What is known of a finished game: its result, and what a finished board shows of its mines."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from bot.loop.ports import Known, Result
from games.logic import bits
from games.minesweeper import DIGITS, EXPLODED, FLAG, MINE, WRONG_FLAG, Board
from games.minesweeper.measures import bv3


@dataclass(frozen=True)
class GameResult:
    """One finished game, as `play --json` prints it.

    `known` is how the result is known: the board showed it (`seen`), it follows from what was done and what
    the program did then (`inferred`), or nobody knows how the game ended, or that it did (`unknown`, of a
    game that was stopped).
    `certain` counts certain moves made, `wrong_certain` those that hit a mine (must stay 0), `unread` the
    most cells that a settled look left unknown. Seconds are wall time. `bv3` is None when the board is not
    known at the end. `why` says what stopped a game that did not come to its end. `strategies` are those that
    were asked, in the order of trial; `faults` says which of them were quarantined, and why.
    """

    result: Result
    program: str | None
    size: str
    mines: int | None
    certain: int
    guesses: int
    clicks: int
    wrong_certain: int
    unread: int
    seconds: float
    capture_s: float
    read_s: float
    reason_s: float
    act_s: float
    wait_s: float
    bv3: int | None
    recording: str | None = None
    why: str | None = None
    strategies: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    known: Known = "seen"

    def as_json(self) -> dict[str, Any]:
        """A dictionary for one JSON line; seconds rounded to a tenth of a millisecond."""
        return {
            name: round(value, 4) if isinstance(value, float) else value
            for name, value in asdict(self).items()
        }


def known_mines(board: Board) -> int | None:
    """The set of the mines of a finished board, None when the board does not show enough.

    They are known when every safe cell is open, or when the mines that a lost game shows are all of them.
    """
    shown = board.having(MINE + EXPLODED)
    if not shown and not board.having(WRONG_FLAG) and not board.unread:
        return board.not_open
    everything = shown | board.having(FLAG)
    return everything if everything.bit_count() == board.mines else None


def bv3_of(board: Board, won: bool) -> int | None:
    """The 3BV of a finished board, None when its mines are not all known."""
    if not won and not board.shown_mines:
        return None
    mines = known_mines(board)
    if mines is None or _disagrees(board, mines):
        return None
    return bv3(board.rows, board.columns, mines)


def _disagrees(board: Board, mines: int) -> bool:
    """Whether some open number counts other mines than these."""
    return any(DIGITS.index(board[k]) != (board.around[k] & mines).bit_count() for k in bits(board.open))
