"""How a game stands and how it ended."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from bot.loop.ports import Outcome, Plan, Rules
from games.logic import Knowledge, bits, cell_set
from games.minesweeper import Board
from games.minesweeper.board import DIGITS, EXPLODED, FLAG, MINE, WRONG_FLAG
from games.minesweeper.bv3 import bv3


@dataclass(frozen=True)
class GameResult:
    """One finished game, as `play --json` prints it.

    `certain` counts certain moves made, `wrong_certain` those that hit a mine (must stay 0), `unread` the
    most cells that a settled look left unknown. Seconds are wall time. `bv3` is None when the board is not
    known at the end. `why` says what stopped a game that did not come to its end. `strategies` are those that
    were asked, in the order of trial; `faults` says which of them were quarantined, and why.
    """

    result: Outcome
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

    def as_json(self) -> dict[str, Any]:
        """A dictionary for one JSON line; seconds rounded to a tenth of a millisecond."""
        return {
            name: round(value, 4) if isinstance(value, float) else value
            for name, value in asdict(self).items()
        }


def outcome_of(board: Board, rules: Rules, knowledge: Knowledge) -> Outcome | None:
    """`won`, `lost`, or None while the game goes on.

    `knowledge` is what reasoning knows of the board, or of the one before it. A shown mine means lost, unless
    nothing is left closed and only mines known as such are shown: some programs show the mines of a won game.
    A flag on a cell that is known to be safe keeps the game going: the cell has yet to be opened.
    """
    if board.having(EXPLODED + WRONG_FLAG):
        return "lost"
    if shown := board.having(MINE):
        return "lost" if board.closed or shown & ~knowledge.true else "won"
    decided = knowledge.true | knowledge.false
    if board.unread & ~decided or board.closed & ~knowledge.true or board.flagged & knowledge.false:
        return None
    if rules.win_needs == "open" or rules.flags == "none":
        return "won"
    # what cannot be read has been opened, or is a mine in a look that only a won game shows
    excused = board.unread & (decided if rules.win_needs == "unknown" else knowledge.false)
    return None if board.not_open & ~board.flagged & ~excused else "won"


def outcome_without_board(board: Board, plan: Plan, knowledge: Knowledge) -> Outcome | None:
    """How a game ended whose board was gone after this plan, as with a program that goes back to its menu.

    Won when the plan opened the last safe cells, lost after any other guess, None where nothing explains it.
    """
    opened = cell_set(move.cell for move in plan.moves if move.kind == "open")
    if not board.unread and not board.closed & ~opened & ~knowledge.true:
        return None if plan.guess else "won"
    return "lost" if plan.guess else None


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
