"""A recorded game for review: its boards, the moves between them, and its end.

The moves are those that were recorded, or those that explain the changes of the board.
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

HIT = MINE + EXPLODED  # what a cell shows that was opened and is a mine


@dataclass(frozen=True, slots=True)
class PlayedMove:
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


def recorded_moves(board: Board, after: Board, moves: Iterable[Move]) -> tuple[list[PlayedMove], list[Move]]:
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
        one = PlayedMove(move, opened, 1 << move.cell if opened or is_mark else 0)
        made.append(one)
        board = board_after(board, after, one)
    return made, late


def inferred_moves(board: Board, after: Board, chords: bool = True) -> list[PlayedMove]:
    """The fewest moves that lead from `board` to `after`, flags first; a chord where it explains two or more.

    Flags that appear when a game ends are its program's and left out. Which zero of an opening was clicked on
    cannot be seen.
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
    """The board once these moves were made; `after` is a later one of the same game."""
    for one in made:
        if one.move.kind in ("flag", "unflag") and one.clicked:
            board = board.with_states({one.move.cell: _mark(one.move)})
        elif one.opened:
            board = board.with_states({k: after[k] for k in bits(one.opened)})
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
    is_shown = not cells & ~(after.open | after.cells_showing(HIT))
    return _spread(cells, board, after) if flags == int(board[move.cell]) and is_shown else 0


def _spread(cells: int, board: Board, after: Board) -> int:
    """What opens when these closed cells are opened, as far as `after` shows it open."""
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
    """An `open` for each part of what was opened that one click opens: an opening, or one cell."""
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
    """The chords that explain two or more of these parts each, most first; and the parts that are left."""
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
    """Two boards, one after the other, and the moves between them.

    `look` is the number of the observation (from 0) that showed `board`. `seconds` is when the moves had been
    made. `is_exact`: the moves were recorded, in this order; else they are inferred.
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

    `seconds` is how long it took from the first move to the last, `truth` the set of its mines where the end
    showed it. `mines` is the total: known, or counted at the end. `clicks` counts all clicks: those that were
    recorded, or else the fewest that explain what was seen.
    """

    moments: tuple[GameMoment, ...]
    last: Board
    ended: Ended
    seconds: float
    clicks: int
    truth: int | None

    @property
    def mines(self) -> int | None:
        """The mine total, None where nothing shows it."""
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
    """The game in a recording. Raises InvalidFile when that is damaged."""
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
    if ended == "won" and truth is not None:  # cells that could not be read, and can be nothing else
        around = boards[-1].around
        numbers = {k: str((around[k] & truth).bit_count()) for k in bits(boards[-1].unread & ~truth)}
        boards[-1] = boards[-1].with_states(numbers)
    boards = [board.with_mines(total) for board in boards]
    is_exact = any(moves for _, moves in done)
    moments = []
    late: list[Move] = []  # moves that do not show yet
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
    """What each observation showed, by all that is known now.

    A cell that could not be read shows what it showed later, if its picture did not change in between.
    """
    rules = recording.meta.rules
    found: list[Board] = []
    changed: list[int] = []  # by observation: the cells (a set) whose pictures were new
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
    """How a game ended whose last board this is, its mine total and its mines; None for what is not seen."""
    if recorded == "lost" or last.shown_mines:
        mines = last.cells_showing(MINE + EXPLODED) | last.flagged
        count = _counted(last, mines)
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


def _counted(board: Board, mines: int) -> int | None:
    """How many mines these are, None where they are not all: where a number has others around it."""
    agree = all((board.around[k] & mines).bit_count() == int(board[k]) for k in bits(board.open))
    return mines.bit_count() if agree else None
