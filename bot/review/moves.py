"""What was done between two boards: the moves that were recorded, or those that explain what changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games.logic import bits
from games.minesweeper import DIGITS, EXPLODED, FLAG, HIDDEN, MINE, Board, Move

HIT = MINE + EXPLODED  # what a cell shows that was opened and is a mine


@dataclass(frozen=True, slots=True)
class Made:
    """A move that was made.

    `opened` are the cells (a set) that it opened, a mine that it hit among them. `clicked` are those on one
    of which it was made: one where that was recorded; all zeros of an opening where only boards are known;
    none where it did nothing.
    """

    move: Move
    opened: int
    clicked: int

    @property
    def has_effect(self) -> bool:
        """Whether anything came of it: a click on an open number mostly does nothing."""
        return bool(self.clicked)


def played(board: Board, after: Board, moves: Iterable[Move]) -> tuple[list[Made], list[Move]]:
    """These moves, made on `board` one after the other, with what each opened as `after` shows.

    Also the moves that open a cell which does not show yet. A click on a number that opens what is around it
    is a chord.
    """
    made, late = [], []
    for move in moves:
        if move.kind == "open" and (_shut(board) & _shut(after)) >> move.cell & 1:
            late.append(move)
            continue
        opened = _opened_by(move, board, after)
        if move.kind == "open" and board.open >> move.cell & 1 and opened:
            move = Move("chord", move.cell)  # noqa: PLW2901 - that is what the click was
        is_mark = {"flag": _shut(board), "unflag": board.flagged}.get(move.kind, 0) >> move.cell & 1
        one = Made(move, opened, 1 << move.cell if opened or is_mark else 0)
        made.append(one)
        board = shown(board, after, one)
    return made, late


def inferred(board: Board, after: Board, chords: bool = True) -> list[Made]:
    """The fewest moves that lead from `board` to `after`, flags first; a chord where it explains two or more.

    Flags that appear when a game ends are its program's and left out. Which zero of an opening was clicked on
    cannot be seen.
    """
    made = []
    if after.closed and not after.shown_mines:
        made += [Made(Move("unflag", k), 0, 1 << k) for k in bits(board.flagged & ~after.flagged)]
        made += [Made(Move("flag", k), 0, 1 << k) for k in bits(after.flagged & board.closed)]
    opened = _parts(board, after)
    if chords and opened:
        found, opened = _chords(shown(board, after, *made), after, opened)
        made += found
    return made + opened


def shown(board: Board, after: Board, *made: Made) -> Board:
    """The board once these moves were made; `after` is a later one of the same game."""
    for one in made:
        if one.move.kind in ("flag", "unflag") and one.clicked:
            board = board.showing({one.move.cell: _mark(one.move)})
        elif one.opened:
            board = board.showing({k: after[k] for k in bits(one.opened)})
    return board


def _mark(move: Move) -> str:
    return FLAG if move.kind == "flag" else HIDDEN


def _shut(board: Board) -> int:
    """The cells (a set) that a click may open: closed ones, and those of which nobody knows."""
    return board.closed | board.unread


def _opened_by(move: Move, board: Board, after: Board) -> int:
    if move.kind in ("flag", "unflag"):
        return 0
    if board[move.cell] not in DIGITS:
        return _spread(1 << move.cell, board, after) if move.kind == "open" else 0
    around = board.around[move.cell]
    cells, flags = around & _shut(board), (around & board.flagged).bit_count()
    is_shown = not cells & ~(after.open | after.having(HIT))
    return _spread(cells, board, after) if flags == int(board[move.cell]) and is_shown else 0


def _spread(cells: int, board: Board, after: Board) -> int:
    """What opens when these closed cells are opened, as far as `after` shows it open."""
    showing = after.open | after.having(HIT)
    opened, wave = 0, cells & _shut(board) & showing
    while wave:
        opened |= wave
        spread = 0
        for k in bits(wave & after.having("0")):
            spread |= board.around[k]
        wave = spread & _shut(board) & after.open & ~opened
    return opened


def _parts(board: Board, after: Board) -> list[Made]:
    """An `open` for each part of what was opened that one click opens: an opening, or one cell."""
    left = (_shut(board) | board.flagged) & (after.open | after.having(EXPLODED))
    board = board.showing(dict.fromkeys(bits(left), HIDDEN))
    found = []
    for candidates in (left & after.having("0"), left):
        while cells := candidates & left:
            opened = _spread(cells & -cells, board, after)
            zeros = opened & after.having("0")
            clicked = zeros or opened
            found.append(Made(Move("open", (clicked & -clicked).bit_length() - 1), opened, clicked))
            left &= ~opened
    return found


def _chords(board: Board, after: Board, parts: Sequence[Made]) -> tuple[list[Made], list[Made]]:
    """The chords that explain two or more of these parts each, most first; and the parts that are left."""
    possible = {}
    for clue in bits(board.open & ~board.having("0")):
        around = board.around[clue]
        closed = around & _shut(board)
        is_met = (around & board.flagged).bit_count() == int(board[clue])
        if closed and is_met and not closed & ~(after.open | after.having(HIT)):
            possible[clue] = closed
    made, left = [], list(parts)
    while possible:
        clue = max(possible, key=lambda k: sum(bool(one.clicked & possible[k]) for one in left))
        closed = possible.pop(clue)
        explained = [one for one in left if one.clicked & closed]
        if len(explained) < 2:
            break
        opened = 0
        for one in explained:
            opened |= one.opened
        made.append(Made(Move("chord", clue), opened, 1 << clue))
        left = [one for one in left if one not in explained]
    return made, left
