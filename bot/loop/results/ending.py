"""How a game ended, by what was seen and by reasoning: which acts end a game, and what they leave behind.

A board that shows its mines, or every safe cell open, has ended before everybody's eyes. Of one that is out
of sight, or takes no more acts, the rules decide: after the last safe cells it was won; after a guess it was
lost, unless that guess may have been the last that was needed. What neither shows stays unknown.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.loop.planning import may_be_zeros, opened_beside
from bot.loop.ports import Aftermath, Known, Plan, Result, Rules
from games.logic import Knowledge, bits, cell_set
from games.minesweeper import EXPLODED, MINE, WRONG_FLAG, Board

UNASKED = "unknown", "needed"  # what a win needs, and where flags are set: nobody says that it needs flags
MOST_AT_ONCE = 24  # cells: with more left, one click does not open all that is safe (chosen, with room)

SHOWN_BY = {
    "window": "a window of the program came over the board",
    "message": "something stays over the board",
    "fresh": "a new game lies in its place",
    "gone": "the board is gone",
    "closed": "the window is gone",
}


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended, how that is known, and what shows it (""  where the board shows it)."""

    result: Result
    known: Known
    why: str = ""


MINE_OPENED = Ending("lost", "inferred", "a cell that was opened is certainly a mine")
ALL_FLAGGED = Ending("won", "inferred", "every mine has its flag, and nothing is shut")


def ending_of(board: Board, rules: Rules, knowledge: Knowledge, opened: int = 0) -> Ending | None:
    """How the game on this board ended, as far as the board shows; None while it goes on.

    `knowledge` is what reasoning knows of the board, or of the one before it; `opened` the cells (a set) that
    moves of ours opened. A shown mine means lost, unless nothing is left closed and only mines known as such
    are shown: some programs show the mines of a won game. A flag on a cell that is known to be safe keeps the
    game going: the cell has yet to be opened. A cell that was opened and shows no number is no mine of a won
    game; where it is certainly a mine, the game was lost there.
    """
    if board.having(EXPLODED + WRONG_FLAG):
        return Ending("lost", "seen")
    if shown := board.having(MINE):
        return Ending("lost" if board.closed or shown & ~knowledge.true else "won", "seen")
    if ending := _of_unread(board, rules.mines, knowledge, opened):
        return ending
    decided = knowledge.true | knowledge.false
    has_doubts = opened & board.unread & ~knowledge.false or board.flagged & knowledge.false
    if not is_swept(board, knowledge) or has_doubts or not board.not_open & ~knowledge.false:
        return None  # no game is without a mine: what has no room for one is no board
    won = Ending("won", "inferred" if board.unread else "seen")
    if rules.win_needs == "open" or rules.flags == "none" or (rules.win_needs, rules.flags) == UNASKED:
        return won
    # what cannot be read has been opened, or is a mine as only a won game draws it
    excused = board.unread & (decided if rules.win_needs == "unknown" else knowledge.false)
    return None if board.not_open & ~board.flagged & ~excused else won


def _of_unread(board: Board, mines: int | None, knowledge: Knowledge, opened: int) -> Ending | None:
    """How a game ended, where that follows from what was opened and shows no number.

    One that is certainly a mine was hit. Where nothing is shut and as many flags as mines are shown, none of
    them is: many programs flag what is left when a game is won.
    """
    if opened & board.unread & knowledge.true:
        return MINE_OPENED
    is_all_flagged = board.flagged.bit_count() == mines and not (board.closed | board.unread & ~opened)
    return ALL_FLAGGED if board.unread and is_all_flagged else None


def is_swept(board: Board, knowledge: Knowledge) -> bool:
    """Whether every cell that is not a certain mine has been opened."""
    return not board.unread & ~(knowledge.true | knowledge.false) and not board.closed & ~knowledge.true


def may_end(board: Board, plan: Plan, knowledge: Knowledge) -> bool:
    """Whether these moves can end the game: a guess, and the last safe cells, with what opens around them."""
    return plan.guess is not None or _rest(board, plan, knowledge).bit_count() <= MOST_AT_ONCE


def _rest(board: Board, plan: Plan, knowledge: Knowledge) -> int:
    """The shut cells (a set) that these moves do not open by themselves, and that are no certain mines."""
    return board.closed & ~_opened(plan) & ~knowledge.true


def finishes(board: Board, plan: Plan, knowledge: Knowledge) -> bool:
    """Whether nothing is left to open once these certain moves are made, or was before."""
    opened = _opened(plan)
    if plan.guess is not None or board.unread & ~opened & ~knowledge.false & ~knowledge.true:
        return False
    return not _rest(board, plan, knowledge) or is_complete(board, opened)


def is_complete(board: Board, opened: int = 0) -> bool:
    """Whether all that is shut can be mines: each number has just so many shut cells beside it.

    `opened` are cells (a set) that are open by now, whatever they show. Where the total is known, and another
    number of cells is shut, there is more to open.
    """
    shut = board.not_open & ~opened
    if not board.open or board.mines not in (None, shut.bit_count()):
        return False
    return all((board.around[k] & shut).bit_count() == int(board[k]) for k in bits(board.open))


def may_finish(board: Board, cell: int, knowledge: Knowledge) -> bool:
    """Whether a guess that opened this cell, and what is around zeros, may have opened all that is safe.

    What it cannot have reached would be mines: no number and no total may speak against that.
    """
    shut, mines = board.closed & ~knowledge.true, board.not_open & knowledge.true
    if shut.bit_count() > MOST_AT_ONCE + 1:
        return False
    reached = _reached(board, cell, shut, mines)
    sure, possible = mines | shut & ~reached, mines | shut & ~(1 << cell)
    if board.mines is not None and not sure.bit_count() <= board.mines <= possible.bit_count():
        return False
    return all(
        (board.around[k] & sure).bit_count() <= int(board[k]) <= (board.around[k] & possible).bit_count()
        for k in bits(board.open)
    )


def _reached(board: Board, cell: int, shut: int, mines: int) -> int:
    """The shut cells (a set) that may be opened with this one, through cells beside no certain mine."""
    reached, edge = 1 << cell, 1 << cell
    while edge:
        opened = 0
        for k in bits(edge):
            opened |= 0 if board.around[k] & mines else board.around[k]
        edge = opened & shut & ~reached
        reached |= edge
    return reached


def ending_without_board(
    board: Board, plan: Plan, knowledge: Knowledge, aftermath: Aftermath
) -> Ending | None:
    """How a game ended whose board went out of sight after this plan; None where nobody knows, or it goes on.

    `board` is what the plan was made for. A cell that visibly is as it was has not been opened.
    """
    why = SHOWN_BY.get(aftermath.what)
    if why is None:
        return None
    if plan.guess is None:
        is_won = not aftermath.same & _opened(plan) and (
            finishes(board, plan, knowledge) or _has_finished(board, plan, knowledge, aftermath)
        )
        return Ending("won", "inferred", why) if is_won else None
    if aftermath.what == "closed" or aftermath.same >> plan.guess.cell & 1:
        return None
    shut = (board.closed & ~knowledge.true & aftermath.same).bit_count()
    mines = mines_left(board, knowledge)
    has_safe_ones_shut = mines is not None and shut > mines
    if not has_safe_ones_shut and may_finish(board, plan.guess.cell, knowledge):
        return None
    return Ending("lost", "inferred", why)


def _has_finished(board: Board, plan: Plan, knowledge: Knowledge, aftermath: Aftermath) -> bool:
    """Whether certain moves ended the game by what opened around them: they cannot lose it.

    A window or a new game says that it is over, and so does a board that is gone where all that is left to
    open may have opened; nothing that is still shut may speak against it.
    """
    rest, shut = _rest(board, plan, knowledge), board.closed & aftermath.same
    if aftermath.what == "gone":
        mines = mines_left(board, knowledge)
        beyond = rest & ~opened_beside(_opened(plan), may_be_zeros(board, knowledge), board.around)
        if not board.open or mines is None or beyond.bit_count() > mines:
            return False
    elif aftermath.what not in ("window", "fresh"):
        return False
    if rest.bit_count() > MOST_AT_ONCE or shut & knowledge.false:
        return False
    beside = {k: board.around[k] & board.not_open & ~_opened(plan) for k in bits(board.open)}
    return all(cells & ~shut or cells.bit_count() == int(board[k]) for k, cells in beside.items())


def mines_left(board: Board, knowledge: Knowledge) -> int | None:
    """How many mines lie in cells that are not certainly mines; None where the total is not known."""
    return None if board.mines is None else board.mines - (board.not_open & knowledge.true).bit_count()


def _opened(plan: Plan) -> int:
    return cell_set(move.cell for move in plan.moves if move.kind == "open")
