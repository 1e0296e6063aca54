"""Moves between two boards of a game: recorded ones with their effect, or inferred from the changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games.logic import bits
from games.minesweeper import DIGITS, EXPLODED, FLAG, HIDDEN, MINE, Board, Move

HIT = MINE + EXPLODED  # states of an opened mine


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """An executed move.

    `opened` are the cells that it opened, including a mine; `clicked` are the possible clicked cells (cell
    sets). An inferred click on an opening can be on any of its zeros. A click that lost the game can be on
    any mine if none looks exploded. A move without effect has no cell.
    """

    move: Move
    opened: int
    clicked: int

    @property
    def has_effect(self) -> bool:
        """Whether the move changed anything; most clicks on open numbers do not."""
        return bool(self.clicked)

    @property
    def is_ambiguous(self) -> bool:
        """Whether several cells may have been clicked."""
        return self.clicked.bit_count() > 1


def recorded_moves(board: Board, after: Board, moves: Iterable[Move]) -> tuple[list[PlayedMove], list[Move]]:
    """Derive what each recorded move opened; return executed moves, and those without effect in `after` yet.

    A click on a number that opens its neighbours is a chord.
    """
    made, late = [], []
    for move in moves:
        if move.kind == "open" and (openable(board) & openable(after)) >> move.cell & 1:
            late.append(move)
            continue
        opened = _opened_by(move, board, after)
        if move.kind == "open" and board.open >> move.cell & 1 and opened:
            move = Move("chord", move.cell)  # noqa: PLW2901 - the effect of the click
        is_mark = {"flag": openable(board), "unflag": board.flagged}.get(move.kind, 0) >> move.cell & 1
        one = PlayedMove(move, opened, 1 << move.cell if opened or is_mark else 0)
        made.append(one)
        board = board_after(board, after, one)
    return made, late


def inferred_moves(board: Board, after: Board, chords: bool = True) -> list[PlayedMove]:
    """Infer the fewest moves from `board` to `after`: flags first, chords if they explain two or more.

    Flags at the end of a game are ignored, because the program sets them. The clicked zero of an opening is
    unknown.
    """
    made = []
    if after.closed and not after.shown_mines:
        made += [PlayedMove(Move("unflag", k), 0, 1 << k) for k in bits(board.flagged & ~after.flagged)]
        made += [PlayedMove(Move("flag", k), 0, 1 << k) for k in bits(after.flagged & board.closed)]
    opened = single_clicks(board, after)
    if chords and opened:
        found, opened = _chords(board_after(board, after, *made), after, opened)
        made += found
    return made + opened


def board_after(board: Board, after: Board, *made: PlayedMove) -> Board:
    """The board after these moves; `after` is a later board of the same game."""
    for one in made:
        if one.move.kind in ("flag", "unflag") and one.clicked:
            board = board.with_states({one.move.cell: FLAG if one.move.kind == "flag" else HIDDEN})
        elif one.opened:
            board = board.with_states({k: after[k] for k in bits(one.opened)})
    return board


def openable(board: Board) -> int:
    """The cells that a click may open: closed and unknown ones (a cell set)."""
    return board.closed | board.unread


def _opened_by(move: Move, board: Board, after: Board) -> int:
    if move.kind in ("flag", "unflag"):
        return 0
    if board[move.cell] not in DIGITS:
        return opened_with(1 << move.cell, board, after) if move.kind == "open" else 0
    around = board.around[move.cell]
    cells, flags = around & openable(board), (around & board.flagged).bit_count()
    is_shown = not cells & ~(after.open | after.cells_showing(HIT))
    return opened_with(cells, board, after) if flags == int(board[move.cell]) and is_shown else 0


def opened_with(cells: int, board: Board, after: Board) -> int:
    """The cells that open with these closed cells, limited to those open in `after`."""
    showing = after.open | after.cells_showing(HIT)
    opened, wave = 0, cells & openable(board) & showing
    while wave:
        opened |= wave
        spread = 0
        for k in bits(wave & after.cells_showing("0")):
            spread |= board.around[k]
        wave = spread & openable(board) & after.open & ~opened
    return opened


def single_clicks(board: Board, after: Board) -> list[PlayedMove]:
    """One `open` for each newly opened opening or single cell."""
    left = (openable(board) | board.flagged) & (after.open | after.cells_showing(EXPLODED))
    board = board.with_states(dict.fromkeys(bits(left), HIDDEN))
    found = []
    for candidates in (left & after.cells_showing("0"), left):
        while cells := candidates & left:
            opened = opened_with(cells & -cells, board, after)
            zeros = opened & after.cells_showing("0")
            clicked = zeros or opened
            found.append(PlayedMove(Move("open", (clicked & -clicked).bit_length() - 1), opened, clicked))
            left &= ~opened
    return found


def split_move(made: PlayedMove, cell: int, board: Board, after: Board) -> list[PlayedMove]:
    """A click on one of the cells that an inferred move opened, and the moves that open the others."""
    opened = opened_with(1 << cell, board, after) & made.opened
    click = PlayedMove(Move("open", cell), opened, 1 << cell)
    rest = made.opened & ~opened
    return (
        [click, *single_clicks(board, board.with_states({k: after[k] for k in bits(rest)}))]
        if rest
        else [click]
    )


def _chords(
    board: Board, after: Board, parts: Sequence[PlayedMove]
) -> tuple[list[PlayedMove], list[PlayedMove]]:
    """The chords that explain two or more of these moves, most first; and the remaining moves."""
    possible = {}
    for clue in bits(board.open & ~board.cells_showing("0")):
        around = board.around[clue]
        closed = around & openable(board)
        is_met = (around & board.flagged).bit_count() == int(board[clue])
        if closed and is_met and not closed & ~(after.open | after.cells_showing(HIT)):
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
        made.append(PlayedMove(Move("chord", clue), opened, 1 << clue))
        left = [one for one in left if one not in explained]
    return made, left
