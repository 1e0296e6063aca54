"""Which clicks to make of what is certain: one sweep, with flags and chords where they pay."""

from __future__ import annotations

from collections.abc import Sequence

from bot.loop.planning.reach import may_be_zeros, opened_beside
from bot.loop.ports import Rules
from games.logic import Knowledge, bits
from games.minesweeper import DIGITS, Board, Move


def sweep(board: Board, knowledge: Knowledge, rules: Rules) -> tuple[Move, ...]:
    """The moves that act on everything certain, in the order in which to make them.

    First flags that the clues refute come off, then new flags go on, then chords, then single opens. Empty
    when nothing is left to do. While a flag stands that nothing proves, only one cell is opened: in many
    programs a click on a cell that a cascade has just opened is a chord, and would trust that flag. Where
    such a click may do still more, no cell is opened that an earlier act may have opened by then: it waits
    for the next look.
    """
    safe = board.closed & knowledge.false
    mines = knowledge.true & board.not_open
    refuted = board.flagged & knowledge.false
    unflags = [Move("unflag", k) for k in bits(refuted)]
    if unflags:
        return tuple(unflags)
    flags = _flags_for_their_own_sake(board, mines, rules)
    if board.flagged & ~mines:
        return (*(Move("flag", k) for k in bits(flags)), *(Move("open", k) for k in bits(safe & -safe)))
    chords: list[Move] = []
    if rules.can_chord and rules.flags != "none":
        chords, flags, safe = _chords(board, mines, safe, flags)
    setting = [Move("flag", k) for k in bits(flags)]
    if rules.clicked_number == "harmless":
        return (*setting, *chords, *(Move("open", k) for k in bits(safe)))
    return (*setting, *_apart(board, knowledge, chords, flags | board.flagged, safe))


def without_chords(moves: Sequence[Move], board: Board, knowledge: Knowledge) -> tuple[Move, ...]:
    """The same moves with single opens in place of chords: what a program does not take is done otherwise."""
    cells = 0
    for move in moves:
        cells |= board.around[move.cell] if move.kind == "chord" else 0
    single = [Move("open", k) for k in bits(cells & board.closed & knowledge.false)]
    return (*(move for move in moves if move.kind != "chord"), *single)


def _apart(board: Board, knowledge: Knowledge, chords: Sequence[Move], flagged: int, safe: int) -> list[Move]:
    """Chords, and those cells of `safe` to open that are still closed when their turn comes, in that order.

    First what can be no zero: it opens nothing else.
    """
    zeros = may_be_zeros(board, knowledge)
    moves = [Move("open", k) for k in bits(safe & ~zeros)]
    reached = 0
    for chord in chords:
        opened = board.around[chord.cell] & board.not_open & ~flagged
        reached |= opened_beside(opened, zeros, board.around)
        moves.append(chord)
    for k in bits(safe & zeros):
        if not reached >> k & 1:
            reached |= opened_beside(1 << k, zeros, board.around)
            moves.append(Move("open", k))
    return moves


def _flags_for_their_own_sake(board: Board, mines: int, rules: Rules) -> int:
    """The mines to flag whether or not a chord wants them.

    None to find out whether a win needs them: there are programs whose right button opens a mine.
    """
    is_wanted = rules.flags == "all" or (rules.flags == "needed" and rules.win_needs == "flags")
    return mines & board.closed if is_wanted else 0


def _chords(board: Board, mines: int, safe: int, flags: int) -> tuple[list[Move], int, int]:
    """Replace opens by chords while that saves clicks; (chords, all flags to set, cells left to open).

    Never on a zero: in programs that leave its neighbours shut it takes no chord.
    """
    chords: list[Move] = []
    numbers = board.open & ~board.having(DIGITS[0])
    shut = {k: around for k in bits(numbers) if (around := board.around[k] & board.not_open) & safe}
    # a chord opens all that is not flagged, so every neighbour must be decided
    shut = {k: cells for k, cells in shut.items() if not cells & ~(mines | safe)}
    while shut:
        saving = {
            k: (cells & safe).bit_count() - 1 - (cells & mines & ~board.flagged & ~flags).bit_count()
            for k, cells in shut.items()
        }
        best = max(saving, key=saving.__getitem__)
        if saving[best] <= 0:
            break
        cells = shut.pop(best)
        chords.append(Move("chord", best))
        flags |= cells & mines & ~board.flagged
        safe &= ~cells
    return chords, flags, safe
