"""A recorded game for review: its boards, the moves between them, and its outcome.

Moves that are not recorded are inferred from the changes of the board.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from bot.game.board_change import keep_known_numbers
from bot.recording.recording import Recording
from games.errors import Contradiction
from games.logic import bits, cell_set
from games.minesweeper import DIGITS, EXPLODED, FLAG, HIDDEN, MINE, Board, Move, board_knowledge
from strategies import Reasoner, Strategy

HIT = MINE + EXPLODED  # states of an opened mine


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """An executed move.

    `opened` are the cells that it opened, including a mine; `clicked` are the possible clicked cells (cell
    sets). An inferred click on an opening can be on any of its zeros; a move without effect has no cell.
    """

    move: Move
    opened: int
    clicked: int

    @property
    def has_effect(self) -> bool:
        """Whether the move changed anything; most clicks on open numbers do not."""
        return bool(self.clicked)


def recorded_moves(board: Board, after: Board, moves: Iterable[Move]) -> tuple[list[PlayedMove], list[Move]]:
    """Derive what each recorded move opened; return executed moves, and those without effect in `after` yet.

    A click on a number that opens its neighbours is a chord.
    """
    made, late = [], []
    for move in moves:
        if move.kind == "open" and (_shut(board) & _shut(after)) >> move.cell & 1:
            late.append(move)
            continue
        opened = _opened_by(move, board, after)
        if move.kind == "open" and board.open >> move.cell & 1 and opened:
            move = Move("chord", move.cell)  # noqa: PLW2901 - the effect of the click
        is_mark = {"flag": _shut(board), "unflag": board.flagged}.get(move.kind, 0) >> move.cell & 1
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
    opened = _parts(board, after)
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


def _shut(board: Board) -> int:
    """The cells that a click may open: closed and unknown ones (a cell set)."""
    return board.closed | board.unread


def _opened_by(move: Move, board: Board, after: Board) -> int:
    if move.kind in ("flag", "unflag"):
        return 0
    if board[move.cell] not in DIGITS:
        return _spread(1 << move.cell, board, after) if move.kind == "open" else 0
    around = board.around[move.cell]
    cells, flags = around & _shut(board), (around & board.flagged).bit_count()
    is_shown = not cells & ~(after.open | after.cells_showing(HIT))
    return _spread(cells, board, after) if flags == int(board[move.cell]) and is_shown else 0


def _spread(cells: int, board: Board, after: Board) -> int:
    """The cells that open with these closed cells, limited to those open in `after`."""
    showing = after.open | after.cells_showing(HIT)
    opened, wave = 0, cells & _shut(board) & showing
    while wave:
        opened |= wave
        spread = 0
        for k in bits(wave & after.cells_showing("0")):
            spread |= board.around[k]
        wave = spread & _shut(board) & after.open & ~opened
    return opened


def _parts(board: Board, after: Board) -> list[PlayedMove]:
    """One `open` for each newly opened opening or single cell."""
    left = (_shut(board) | board.flagged) & (after.open | after.cells_showing(EXPLODED))
    board = board.with_states(dict.fromkeys(bits(left), HIDDEN))
    found = []
    for candidates in (left & after.cells_showing("0"), left):
        while cells := candidates & left:
            opened = _spread(cells & -cells, board, after)
            zeros = opened & after.cells_showing("0")
            clicked = zeros or opened
            found.append(PlayedMove(Move("open", (clicked & -clicked).bit_length() - 1), opened, clicked))
            left &= ~opened
    return found


def _chords(
    board: Board, after: Board, parts: Sequence[PlayedMove]
) -> tuple[list[PlayedMove], list[PlayedMove]]:
    """The chords that explain two or more of these moves, most first; and the remaining moves."""
    possible = {}
    for clue in bits(board.open & ~board.cells_showing("0")):
        around = board.around[clue]
        closed = around & _shut(board)
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


Ended = Literal["won", "lost", "stopped"]


@dataclass(frozen=True, slots=True)
class GameMoment:
    """Two successive boards and the moves between them.

    `look` is the number (from 0) of the observation of `board`; `seconds` is the time after the moves.
    `is_exact` is whether the moves were recorded in this order; otherwise they are inferred.
    """

    look: int
    seconds: float
    board: Board
    after: Board
    made: tuple[PlayedMove, ...]
    is_exact: bool


@dataclass(frozen=True, slots=True)
class ReviewedGame:
    """A whole game.

    `seconds` is the time from the first to the last move; `truth` is the set of mines, if the end revealed
    it. `clicks` is the recorded number of clicks, otherwise the number of inferred moves.
    """

    moments: tuple[GameMoment, ...]
    last: Board
    ended: Ended
    seconds: float
    clicks: int
    truth: int | None

    @property
    def mines(self) -> int | None:
        """The mine total: known from the start, or counted at the end; None if unknown."""
        return self.last.mines

    @property
    def is_exact(self) -> bool:
        """Whether every move was recorded."""
        return all(moment.is_exact for moment in self.moments)

    @property
    def moves(self) -> list[PlayedMove]:
        """All moves in order."""
        return [made for moment in self.moments for made in moment.made]


def game_of(recording: Recording, strategies: tuple[Strategy, ...]) -> ReviewedGame:
    """Derive the game of a recording. Raises InvalidFile if it is damaged."""
    with recording.naming_damage():
        return _game_of(recording, strategies)


def _game_of(recording: Recording, strategies: tuple[Strategy, ...]) -> ReviewedGame:
    rules = recording.meta.rules
    boards = boards_of(recording)
    seconds: list[float] = []
    done: list[tuple[float, tuple[Move, ...]]] = []
    result: dict[str, object] = {}
    for (look, *events), now in zip(recording.turns(), boards, strict=True):
        seconds.append(float(look["t"]))
        acts = [event for event in events if event["event"] == "act"]
        at = float(acts[-1]["t"]) if acts else 0.0
        done.append((at, tuple(Move.parse(text, now) for act in acts for text in act["moves"])))
        result = next((event["result"] for event in events if event["event"] == "end"), result)
    ended, total, truth = _end(boards[-1], result.get("result"), strategies)
    if ended == "won" and truth is not None:  # unread cells are numbers then
        around = boards[-1].around
        numbers = {k: str((around[k] & truth).bit_count()) for k in bits(boards[-1].unread & ~truth)}
        boards[-1] = boards[-1].with_states(numbers)
    boards = [board.with_mines(total) for board in boards]
    is_exact = any(moves for _, moves in done)
    moments = []
    late: list[Move] = []  # moves without visible effect so far
    for number, (board, after) in enumerate(pairwise(boards)):
        at, moves = done[number]
        made, late = recorded_moves(board, after, (*late, *moves)) if is_exact else ([], [])
        made += inferred_moves(board_after(board, after, *made), after, rules.can_chord)
        if made:
            at = at if moves else seconds[number + 1]
            moments.append(GameMoment(number, at, board, after, tuple(made), is_exact))
    recorded = result.get("seconds")
    took = moments[-1].seconds - moments[0].seconds if moments else 0.0
    took = float(recorded) if isinstance(recorded, int | float) else took
    clicks = result.get("clicks")
    clicks = clicks if isinstance(clicks, int) else sum(len(one.made) for one in moments)
    return ReviewedGame(tuple(moments), boards[-1], ended, took, clicks, truth)


def boards_of(recording: Recording) -> list[Board]:
    """The board of each observation, with known rules and mine total.

    An unread cell gets its later state if its image did not change in between.
    """
    rules = recording.meta.rules
    found: list[Board] = []
    changed: list[int] = []  # for each observation, the cell set with new images
    raw: Board | None = None
    for look, *_ in recording.turns():
        raw = recording.board(raw, look)
        now = raw.with_variant(rules.variant).with_mines(rules.mines)
        found.append(keep_known_numbers(now, found[-1] if found else None))
        changed.append(cell_set(raw.cell(name) for name in look.get("cells", ())))
    for k in range(len(found) - 2, -1, -1):
        same = found[k].unread & ~found[k + 1].unread & ~changed[k + 1]
        found[k] = found[k].with_states({cell: found[k + 1][cell] for cell in bits(same)})
    return found


def _end(
    last: Board, recorded: object, strategies: tuple[Strategy, ...]
) -> tuple[Ended, int | None, int | None]:
    """The outcome of a game with this last board, its mine total and its mines; None if unknown."""
    if recorded == "lost" or last.shown_mines:
        mines = last.cells_showing(MINE + EXPLODED) | last.flagged
        agree = all((last.around[k] & mines).bit_count() == int(last[k]) for k in bits(last.open))
        count = mines.bit_count() if agree else None  # None if some mines are missing
        is_all = count is not None and last.mines in (None, count)
        return "lost", count if last.mines is None else last.mines, mines if is_all else None
    if not last.open:
        return "stopped", last.mines, None
    if not last.unread and (recorded == "won" or last.mines == last.not_open.bit_count()):
        return "won", last.not_open.bit_count(), last.not_open
    try:
        known = Reasoner(strategies).deduce(board_knowledge(last)).knowledge
    except Contradiction:
        return "stopped", last.mines, None
    left = last.not_open & ~known.true
    if left & ~known.false or left & ~last.unread:
        return ("won" if recorded == "won" else "stopped"), last.mines, None
    mines = last.not_open & known.true
    return "won", mines.bit_count(), mines
