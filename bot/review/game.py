"""A game as it was played, from its recording: board after board, the moves between them, how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from bot.loop.observing import carried_over
from bot.recording.recording import Recording
from bot.review.moves import Made, inferred, played, shown
from games.errors import Contradiction, InvalidFile
from games.logic import bits
from games.minesweeper import Board, Move, knowledge_of
from games.minesweeper.board import EXPLODED, MINE
from strategies import Reasoner, Strategy

Ended = Literal["won", "lost", "stopped"]


@dataclass(frozen=True, slots=True)
class Moment:
    """Two boards, one after the other, and the moves between them.

    `look` is the number of the look (from 0) that showed `board`. `seconds` is when the moves had been made.
    `is_exact`: the moves were recorded, in this order; else they are inferred.
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
    showed it. `mines` is the total: told, or counted at the end.
    """

    moments: tuple[Moment, ...]
    last: Board
    ended: Ended
    seconds: float
    truth: int | None

    @property
    def mines(self) -> int | None:
        """The mine total, None where nothing told it."""
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
    try:
        return _game_of(recording, strategies)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidFile(
            f"{recording.folder}: an event lacks something ({error!r}): record the game again"
        ) from error


def _game_of(recording: Recording, strategies: tuple[Strategy, ...]) -> Game:
    rules = recording.meta.rules
    boards: list[Board] = []
    seconds: list[float] = []
    done: list[tuple[float, tuple[Move, ...]]] = []
    raw: Board | None = None
    result: dict[str, object] = {}
    for look, *events in recording.turns():
        raw = recording.board(raw, look)
        now = raw.under(rules.variant).knowing(rules.mines)
        boards.append(carried_over(now, boards[-1] if boards else None))
        seconds.append(float(look["t"]))
        acts = [event for event in events if event["event"] == "act"]
        at = float(acts[-1]["t"]) if acts else 0.0
        done.append((at, tuple(Move.parse(text, now) for act in acts for text in act["moves"])))
        result = next((event["result"] for event in events if event["event"] == "end"), result)
    ended, total = _end(boards[-1], result.get("result"), strategies)
    boards = [board.knowing(total) for board in boards]
    is_exact = any(moves for _, moves in done)
    moments = []
    late: list[Move] = []  # moves that do not show yet
    for look, (board, after) in enumerate(pairwise(boards)):
        at, moves = done[look]
        made, late = played(board, after, (*late, *moves)) if is_exact else ([], [])
        made += inferred(shown(board, after, *made), after, rules.can_chord)
        if made:
            at = at if moves else seconds[look + 1]
            moments.append(Moment(look, at, board, after, tuple(made), is_exact))
    told = result.get("seconds")
    took = moments[-1].seconds - moments[0].seconds if moments else 0.0
    took = float(told) if isinstance(told, int | float) else took
    return Game(tuple(moments), boards[-1], ended, took, _truth(boards[-1], ended))


def _end(last: Board, told: object, strategies: tuple[Strategy, ...]) -> tuple[Ended, int | None]:
    """How a game ended whose last board this is, and its mine total as far as that shows it."""
    if told == "lost" or last.shown_mines:
        shown = last.having(MINE + EXPLODED) | last.flagged
        return "lost", last.mines if last.mines is not None else _counted(last, shown)
    if told == "won":
        return "won", last.not_open.bit_count()
    if not last.open:
        return "stopped", last.mines
    if last.mines is not None:
        return ("won" if last.not_open.bit_count() == last.mines else "stopped"), last.mines
    try:
        known = Reasoner(strategies).deduce(knowledge_of(last)).knowledge
    except Contradiction:
        return "stopped", None
    is_won = not last.not_open & ~known.true
    return ("won", last.not_open.bit_count()) if is_won else ("stopped", None)


def _counted(board: Board, mines: int) -> int | None:
    """How many mines these are, None where they are not all: where a number has others around it."""
    agree = all((board.around[k] & mines).bit_count() == int(board[k]) for k in bits(board.open))
    return mines.bit_count() if agree else None


def _truth(last: Board, ended: Ended) -> int | None:
    mines = last.not_open if ended == "won" else last.having(MINE + EXPLODED) | last.flagged
    if ended == "stopped" or _counted(last, mines) is None:
        return None
    return mines if last.mines in (None, mines.bit_count()) else None

