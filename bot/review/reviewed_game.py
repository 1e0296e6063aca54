"""A recorded game for review: its boards, the moves between them, and its outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise
from typing import Any, Literal

from bot.game.board_change import keep_known_numbers
from bot.recording.recording import Recording
from bot.review.played_moves import (
    HIT,
    PlayedMove,
    board_after,
    inferred_moves,
    openable,
    opened_with,
    recorded_moves,
    single_clicks,
)
from games.errors import Contradiction
from games.logic import bits, cell_set
from games.minesweeper import EXPLODED, HIDDEN, MINE, WRONG_FLAG, Board, Move, board_knowledge
from strategies import Reasoner, Strategy

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
    it. `clicks` is the recorded number of clicks, otherwise the number of inferred moves. `is_assumed`:
    nothing confirms the mine total, which is a number next to the board. `is_inferred`: the result is
    inferred: a loss from a picture that cannot be read, a win because the board disappeared one certain move
    before its end. `is_gone`: the board disappeared at the end. `redrawn` are closed cells that look
    different since one observation, although others do not (a cell set): misread zeros, for example.
    """

    moments: tuple[GameMoment, ...]
    last: Board
    ended: Ended
    seconds: float
    clicks: int
    truth: int | None
    is_assumed: bool = False
    is_inferred: bool = False
    is_gone: bool = False
    redrawn: int = 0

    @property
    def mines(self) -> int | None:
        """The mine total: known from the start, counted at the end, or assumed; None if unknown."""
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
    ending = recording.turns()[-1]
    for (look, *events), now in zip(recording.turns(), boards, strict=True):
        seconds.append(float(look["t"]))
        acts = [event for event in events if event["event"] == "act"]
        at = float(acts[-1]["t"]) if acts else 0.0
        done.append((at, tuple(Move.parse(text, now) for act in acts for text in act["moves"])))
        result = next((event["result"] for event in events if event["event"] == "end"), result)
    is_exact = any(moves for _, moves in done)
    clicked = next((moves for _, moves in reversed(done) if moves), ())
    is_redrawn = not result and _is_redrawn_loss(boards, ending[0])
    named = _likely_mines(boards[-1], ending)
    start = _end_start(boards, named)
    hit = 0 if result or not start else _likely_hit(boards[start - 1], boards[-1], named, strategies)
    mines = dict.fromkeys(bits(hit), EXPLODED if hit.bit_count() == 1 else MINE)
    boards[start:] = [board.with_states(mines) for board in boards[start:]]
    shown = next((k for k, board in enumerate(boards) if board.shown_mines), len(boards) - 1)
    is_lost = result.get("result") == "lost" if result else bool(boards[-1].shown_mines) or is_redrawn
    if shown and is_lost:
        boards[shown:] = _mark_exploded(boards[shown - 1], boards[shown:], clicked)
    end = _end(boards[-1], boards[max(0, shown - 1)], result.get("result"), rules.assumed_mines, strategies)
    is_gone = any(event["event"] == "witness" and event["what"] == "gone" for event in ending)
    won = _win_out_of_view(boards[-1], rules.assumed_mines, strategies) if is_gone and not result else None
    end = won or end
    if end.ended == "won" and end.truth is not None:
        boards[-1] = _completed(boards[-1], end.truth)
    boards = [board.with_mines(end.total) for board in boards]
    moments = []
    late: list[Move] = []  # moves without visible effect so far
    for number, (board, after) in enumerate(pairwise(boards)):
        at, moves = done[number]
        made, late = recorded_moves(board, after, (*late, *moves)) if is_exact else ([], [])
        found = inferred_moves(board_after(board, after, *made), after, rules.can_chord)
        if end.ended == "lost" and number == shown - 1:
            found = _losing_moves(board, after, found, is_clicked=is_exact and bool(made))
        made += found
        if made:
            at = at if moves else seconds[number + 1]
            moments.append(GameMoment(number, at, board, after, tuple(made), is_exact))
    recorded = result.get("seconds")
    took = moments[-1].seconds - moments[0].seconds if moments else 0.0
    took = float(recorded) if isinstance(recorded, int | float) else took
    clicks = result.get("clicks")
    clicks = clicks if isinstance(clicks, int) else sum(len(one.made) for one in moments)
    return ReviewedGame(
        tuple(moments),
        boards[-1],
        end.ended,
        took,
        clicks,
        end.truth,
        end.is_assumed,
        is_redrawn or bool(hit) or won is not None,
        is_gone,
        _redrawn_cells(recording, boards),
    )


def _mark_exploded(before: Board, boards: Sequence[Board], clicked: Sequence[Move]) -> list[Board]:
    """The boards after the mines appeared, with the exploded mine marked in all of them.

    `before` is the board before them; `clicked` are the last recorded moves. A program may draw the exploded
    mine after the others, or in a way that cannot be read: then it is the only unread cell that can be one.
    """
    last = boards[-1]
    exploded = last.cells_showing(EXPLODED)
    if not exploded:
        mines = last.cells_showing(MINE) | last.flagged
        suspects = last.unread & ~before.open
        if clicked:
            suspects &= cell_set(move.cell for move in clicked)
        lacking = [k for k in bits(last.open) if (last.around[k] & mines).bit_count() < int(last[k])]
        complete = last.open & ~cell_set(lacking)
        suspects = cell_set(k for k in bits(suspects) if not last.around[k] & complete)
        exploded = suspects if suspects.bit_count() == 1 else 0
    return [board.with_states(dict.fromkeys(bits(exploded & ~board.open), EXPLODED)) for board in boards]


def _losing_moves(
    board: Board, after: Board, found: list[PlayedMove], *, is_clicked: bool
) -> list[PlayedMove]:
    """The inferred moves of a lost game up to the board `after` with the mines.

    `is_clicked`: the fatal click was recorded. If it was not and no mine looks exploded, any of them may have
    been clicked. If no cell is closed, the program has opened the others.
    """
    hits = [one for one in found if one.opened & after.cells_showing(HIT)]
    if not hits and not is_clicked:
        mines = after.cells_showing(MINE) & openable(board)
        hits = [PlayedMove(Move("open", next(bits(mines))), mines, mines)] if mines else []
    return hits + [one for one in found if one not in hits and (after.closed or not one.opened)]


def boards_of(recording: Recording) -> list[Board]:
    """The board of each observation, with known rules and mine total.

    An unread cell gets its later state if its image did not change in between. An opening that was still
    being drawn is completed; a zero that was none (a held button) is closed.
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
        board, after = found[k].with_states({cell: found[k + 1][cell] for cell in bits(same)}), found[k + 1]
        passing = board.unfinished_zeros & ~(after.cells_showing("0") | after.unread)
        board = board.with_states(dict.fromkeys(bits(passing), HIDDEN))
        zeros = bits(board.cells_showing("0"))
        opening = opened_with(reduce(int.__or__, (board.around[zero] for zero in zeros), 0), board, after)
        found[k] = board.with_states({cell: after[cell] for cell in bits(opening)})
    return found


def _redrawn_cells(recording: Recording, boards: Sequence[Board]) -> int:
    """The cells that are closed at the end and have changed an odd number of times.

    A highlight changes twice. Observations in which most closed cells change do not count.
    """
    redrawn = 0
    for (look, *_), board in zip(recording.turns(), boards, strict=True):
        changed = cell_set(board.cell(name) for name in look.get("cells", ())) & board.closed
        redrawn ^= changed if 2 * changed.bit_count() < board.closed.bit_count() else 0
    return redrawn & boards[-1].closed


def has_redrawn_loss(recording: Recording) -> bool:
    """Whether the last observation shows a lost game whose mine cannot be read."""
    return _is_redrawn_loss(boards_of(recording), recording.turns()[-1][0])


def _is_redrawn_loss(boards: Sequence[Board], look: Mapping[str, Any]) -> bool:
    """Whether the last observation shows a lost game whose mine cannot be read.

    One cell has changed to an unknown picture, and most closed cells look different since then: the program
    has redrawn them.
    """
    if len(boards) < 2:
        return False
    *_, before, last = boards
    changed = cell_set(last.cell(name) for name in look.get("cells", ()))
    is_redrawn = 2 * (changed & last.closed).bit_count() > last.closed.bit_count() > 0
    return is_redrawn and (last.unread & before.closed).bit_count() == 1 and not before.unread


def _likely_mines(board: Board, ending: Sequence[Mapping[str, Any]]) -> int:
    """The cells that are probably mines according to the last observation, with its events (a cell set)."""
    inferred = [event["mines"] for event in ending if event["event"] == "inferred"]
    return cell_set(board.cell(name) for mines in inferred for name in mines)


def _end_start(boards: Sequence[Board], named: int) -> int:
    """The number of the first board that shows the end: the numbers of the last one and the `named` cells."""
    opened = boards[-1].open
    other = (
        k for k in range(len(boards) - 2, -1, -1) if boards[k].open != opened or named & boards[k].closed
    )
    return next(other, -1) + 1


def _likely_hit(before: Board, last: Board, named: int, strategies: tuple[Strategy, ...]) -> int:
    """The `named` cells that the last click opened, unless the clues refute that they are mines (a cell set).

    `before` is the board before the end. If one click opened the last safe cells, or only one mine was left,
    the game was won: many programs draw its mines. A lost game opens everything at once.
    """
    if last.shown_mines:
        return 0
    if not (hit := named & (last.unread | last.flagged) & before.closed):
        return 0
    try:
        known = Reasoner(strategies).deduce(board_knowledge(last)).knowledge
    except Contradiction:
        return 0
    is_complete = not last.not_open & ~known.true
    is_won = is_complete and (hit.bit_count() == 1 or len(single_clicks(before, last)) <= 1)
    return 0 if is_won else hit & ~known.false


@dataclass(frozen=True, slots=True)
class _GameEnd:
    """The outcome of a game, its mine total and its mines (a cell set); None if unknown."""

    ended: Ended
    total: int | None
    truth: int | None
    is_assumed: bool = False


def _end(
    last: Board, before: Board, recorded: object, assumed: int | None, strategies: tuple[Strategy, ...]
) -> _GameEnd:
    """The outcome of a game with this last board; `before` is the last one without visible mines.

    A total that nothing confirms (`assumed`) counts unless the last board refutes it.
    """
    end = _end_of(last, before, recorded, strategies)
    if assumed is None or end.total is not None:
        return end
    try:
        Reasoner(strategies).deduce(board_knowledge(last.with_mines(assumed)))
    except Contradiction:
        return end
    return replace(_end_of(last.with_mines(assumed), before, recorded, strategies), is_assumed=True)


def _win_out_of_view(last: Board, assumed: int | None, strategies: tuple[Strategy, ...]) -> _GameEnd | None:
    """The win of a game whose board disappeared, if one certain move opens the last safe cells."""
    total = assumed if last.mines is None else last.mines
    if total is None or last.shown_mines:
        return None
    end = replace(_end_of(last.with_mines(total), last, "won", strategies), is_assumed=last.mines is None)
    is_one_move = end.truth is not None and len(single_clicks(last, _completed(last, end.truth))) == 1
    return end if is_one_move else None


def _completed(board: Board, mines: int) -> Board:
    """The board with all cells open that are not mines."""
    safe = bits(board.not_open & ~mines)
    return board.with_states({k: str((board.around[k] & mines).bit_count()) for k in safe})


def _end_of(last: Board, before: Board, recorded: object, strategies: tuple[Strategy, ...]) -> _GameEnd:
    if recorded == "lost" or (recorded != "won" and last.shown_mines and not _shows_win(last, before)):
        mines = last.cells_showing(MINE + EXPLODED) | last.flagged
        agree = all((last.around[k] & mines).bit_count() == int(last[k]) for k in bits(last.open))
        shows_all = agree and (last.cells_showing(MINE) or not last.closed)
        count = mines.bit_count() if shows_all else None  # None if some mines are missing
        is_all = count is not None and last.mines in (None, count)
        total = count if last.mines is None else last.mines
        return _GameEnd("lost", total, mines if is_all else None)
    if not last.open:
        return _GameEnd("stopped", last.mines, None)
    count = last.not_open.bit_count()
    if not last.unread and last.mines in ((None, count) if recorded == "won" else (count,)):
        return _GameEnd("won", count, last.not_open)
    try:
        known = Reasoner(strategies).deduce(board_knowledge(last)).knowledge
    except Contradiction:
        return _GameEnd("stopped", last.mines, None)
    left = last.not_open & ~known.true
    if left & ~known.false or (left & ~last.unread and recorded != "won"):
        return _GameEnd("won" if recorded == "won" else "stopped", last.mines, None)
    mines = last.not_open & known.true
    return _GameEnd("won", mines.bit_count(), mines)


def _shows_win(last: Board, before: Board) -> bool:
    """Whether visible mines belong to a won game: none exploded, and one move opened the last safe cells."""
    if last.cells_showing(EXPLODED + WRONG_FLAG) or last.closed:
        return False
    return len(single_clicks(before, last)) <= 1
