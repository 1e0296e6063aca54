"""A game as it was played, from its recording: board after board, the moves between them, how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from bot.loop import carried_over
from bot.recording import Recording
from bot.review.moves import Made, inferred, played, shown
from games.errors import Contradiction
from games.logic import bits, cell_set
from games.minesweeper import EXPLODED, MINE, Board, Move, knowledge_of
from strategies import Reasoner, Strategy

Ended = Literal["won", "lost", "stopped"]


@dataclass(frozen=True, slots=True)
class Moment:
    """Two boards, one after the other, and the moves between them.

    `look` is the number of the observation (from 0) that showed `board`. `seconds` is when the moves had been
    made. `is_exact`: the moves were recorded, in this order; else they are inferred.
    """

    look: int
    seconds: float
    board: Board
    after: Board
    made: tuple[Made, ...]
    is_exact: bool


@dataclass(frozen=True, slots=True)
class Game:
    """A whole game.

    `seconds` is how long it took from the first move to the last, `truth` the set of its mines where the end
    showed it. `mines` is the total: known, or counted at the end. `clicks` counts all clicks: those that were
    recorded, or else the fewest that explain what was seen.
    """

    moments: tuple[Moment, ...]
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
    def moves(self) -> list[Made]:
        """All moves in order."""
        return [made for moment in self.moments for made in moment.made]


def game_of(recording: Recording, strategies: tuple[Strategy, ...]) -> Game:
    """The game in a recording. Raises InvalidFile when that is damaged."""
    with recording.naming_damage():
        return _game_of(recording, strategies)


def _game_of(recording: Recording, strategies: tuple[Strategy, ...]) -> Game:
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
        boards[-1] = boards[-1].showing(numbers)
    boards = [board.knowing(total) for board in boards]
    is_exact = any(moves for _, moves in done)
    moments = []
    late: list[Move] = []  # moves that do not show yet
    for number, (board, after) in enumerate(pairwise(boards)):
        at, moves = done[number]
        made, late = played(board, after, (*late, *moves)) if is_exact else ([], [])
        made += inferred(shown(board, after, *made), after, rules.can_chord)
        if made:
            at = at if moves else seconds[number + 1]
            moments.append(Moment(number, at, board, after, tuple(made), is_exact))
    recorded = result.get("seconds")
    took = moments[-1].seconds - moments[0].seconds if moments else 0.0
    took = float(recorded) if isinstance(recorded, int | float) else took
    clicks = result.get("clicks")
    clicks = clicks if isinstance(clicks, int) else sum(len(one.made) for one in moments)
    return Game(tuple(moments), boards[-1], ended, took, clicks, truth)


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
        now = raw.under(rules.variant).knowing(rules.mines)
        found.append(carried_over(now, found[-1] if found else None))
        changed.append(cell_set(raw.cell(name) for name in look.get("cells", ())))
    for k in range(len(found) - 2, -1, -1):
        same = found[k].unread & ~found[k + 1].unread & ~changed[k + 1]
        found[k] = found[k].showing({cell: found[k + 1][cell] for cell in bits(same)})
    return found


def _end(
    last: Board, recorded: object, strategies: tuple[Strategy, ...]
) -> tuple[Ended, int | None, int | None]:
    """How a game ended whose last board this is, its mine total and its mines; None for what is not seen."""
    if recorded == "lost" or last.shown_mines:
        mines = last.having(MINE + EXPLODED) | last.flagged
        count = _counted(last, mines)
        is_all = count is not None and last.mines in (None, count)
        return "lost", count if last.mines is None else last.mines, mines if is_all else None
    if not last.open:
        return "stopped", last.mines, None
    if not last.unread and (recorded == "won" or last.mines == last.not_open.bit_count()):
        return "won", last.not_open.bit_count(), last.not_open
    try:
        known = Reasoner(strategies).deduce(knowledge_of(last)).knowledge
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
