"""Replay a recorded game offline with the same reader, strategies and game loop, and compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.game.plan import Planner
from bot.game.player import Player
from bot.game.types import BoardStatus, GameListener, Plan
from bot.readers import ReaderFactory
from bot.recording.recorder import encode_plan
from bot.recording.recording import Recording
from bot.spectator_reader import SpectatorReader
from games.errors import BoardUnplayable, GameStopped, ReplayMismatch
from games.minesweeper import Board, Move
from strategies import Reasoner
from vision.frame import Frame
from vision.reading import BoardReader, Reading
from vision.skins import Skin

Decided = dict[tuple[str, str], tuple[str, Sequence[str]]]  # (cell, what it is): (rule, clues)


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """Result of a replay: the number of observations and acts, and the differences, one sentence each.

    `proved_otherwise` counts certain cells that are now proved by another rule or other clues. That is no
    difference, because rules change.
    """

    looks: int
    acts: int
    differences: tuple[str, ...]
    proved_otherwise: int = 0


REPLAYED = ("look", "plan", "act", "witness", "answer")
UNREADABLE_EVENTS = ("witness", "answer")  # recorded while the board was unreadable


class _RecordingEnd(BoardUnplayable):
    """The recording has no further events."""


class _BoardLost(BoardUnplayable):
    """The board was unreadable or unresponsive at this point."""


class ReplayTable(GameListener):
    """A recording in the role of the game table: supplies recorded frames and compares everything else."""

    def __init__(self, recording: Recording, reader: BoardReader) -> None:
        self._recording = recording
        self._reader = reader
        self._events = [event for event in recording.events if event["event"] in REPLAYED]
        self._next = 0
        self._frame: Frame | None = None
        self._recorded: Board | None = None
        self.looks = self.acts = self.proved_otherwise = 0
        self.differences: list[str] = []

    def look(self) -> Reading:
        """Read the next recorded picture."""
        event = self._take("look")
        recording = self._recording
        before = self._frame
        self._frame = recording.first() if before is None else recording.after(before, event)
        self._recorded = recording.board(self._recorded, event)
        if "lattice" in event:  # the board was found again
            self._reader.set_lattice(recording.lattice_of(event))
        reading = self._reader.observe(self._frame)
        self.looks += 1
        self.differences += _misread(self.looks, self._recorded, reading.board)
        return reading

    def act(self, moves: Sequence[Move], certain: bool) -> Sequence[Move]:
        """Compare with the recorded act, inform the reader, and return the executed moves.

        Raises ReplayMismatch.
        """
        assert self._recorded is not None
        event = self._take("act")
        self.acts += 1
        made = moves[: len(event["moves"])]  # an act may be interrupted
        self._compare(f"act {self.acts}", event["moves"], [move.text(self._recorded) for move in made])
        if made:
            self._reader.notify_moves(made, certain)
        return made

    def status(self, waits: bool) -> BoardStatus:
        """Return the recorded state of an unreadable board; present if nothing was recorded."""
        if self.next_event.get("event") != "witness":
            return BoardStatus()
        event = self._take("witness")
        return BoardStatus(event["what"], int(event["same"], 16), self.look() if event["seen"] else None)

    def dismiss_dialog(self) -> bool:
        """Whether a message over the board was answered here."""
        if self.next_event.get("event") != "answer":
            return False
        self._take("answer")
        return True

    def on_plan(self, board: Board, plan: Plan) -> None:
        """Compare with the recorded plan. Raises ReplayMismatch."""
        event = self._take("plan")
        here = encode_plan(board, plan)
        where = f"plan at {event['t']} s"
        recorded, now = _decided(event["certain"]), _decided(here["certain"])
        self._compare(f"{where}, certain", *_only_in_one(recorded, now))
        self.proved_otherwise += sum(recorded[cell] != now[cell] for cell in now)
        for part in ("guess", "moves", "wrong_flags"):
            self._compare(f"{where}, {part}", event.get(part), here.get(part))

    @property
    def next_event(self) -> dict[str, Any]:
        """The next recorded event; empty at the end."""
        return {} if self.is_finished else self._events[self._next]

    def _take(self, kind: str) -> dict[str, Any]:
        event = self.next_event
        if not event:
            raise _RecordingEnd("the recording ends here")
        if event["event"] != kind and event["event"] in UNREADABLE_EVENTS:
            raise _BoardLost("the board was unreadable")
        if event["event"] != kind:
            raise ReplayMismatch(
                f"at {event.get('t')} s a {event['event']} was recorded, the replay does a {kind}"
            )
        self._next += 1
        return event

    def _compare(self, where: str, recorded: Any, here: Any) -> None:
        if recorded != here:
            raise ReplayMismatch(f"{where}: recorded {_short(recorded)}, now {_short(here)}")

    @property
    def is_finished(self) -> bool:
        """Whether everything recorded has been replayed."""
        return self._next == len(self._events)


def replay(recording: Recording, reasoner: Reasoner, skin: Skin | None = None) -> ReplayResult:
    """Replay a recording and compare; read it with `skin`, if given, instead of its own.

    Raises InvalidFile if an event of the recording is damaged.
    """
    meta = recording.meta
    if meta.is_watched:
        return _replay_watched(recording, recorded_reader(recording, skin or recording.skin))
    reader = recorded_reader(recording, skin or recording.skin)
    table = ReplayTable(recording, reader)
    player = Player(
        table,
        Planner(reasoner, meta.rules),
        [table],
        explain=reader.notify_no_response,
        probe=table,
        dismiss_dialog=table.dismiss_dialog,
    )
    with recording.naming_damage():
        outcome = _play(table, player)
        ended = next(
            (event["result"]["result"] for event in recording.events if event["event"] == "end"), None
        )
    if not table.differences and ended and ended != outcome:
        table.differences.append(f"it was {ended}, now it is {outcome}")
    return ReplayResult(table.looks, table.acts, tuple(table.differences), table.proved_otherwise)


def recorded_reader(recording: Recording, skin: Skin | None) -> BoardReader:
    """The reader of a recording: of a game by Sapper with its mine total, or of a watched game."""
    meta = recording.meta
    readers = ReaderFactory.load(variant=meta.rules.variant)
    if meta.is_watched:
        return SpectatorReader(readers, meta.lattice, skin)
    return readers.reader(meta.lattice, skin, meta.rules.mines)


def _replay_watched(recording: Recording, reader: BoardReader) -> ReplayResult:
    """Read the pictures of a watched game again; it has no plans."""
    differences: list[str] = []
    with recording.naming_damage():
        for number, seen in enumerate(recording.observations(), 1):
            if "lattice" in seen.look:
                reader.set_lattice(recording.lattice_of(seen.look))
            differences += _misread(number, seen.board, reader.observe(seen.frame).board)
    return ReplayResult(len(recording.turns()), 0, tuple(differences))


def _misread(look: int, recorded: Board, now: Board) -> list[str]:
    """What is read differently in an observation, in at most one sentence."""
    cells = [k for k in range(len(now)) if now[k] != recorded[k]]
    shown = ", ".join(f"{now.name(k)} {recorded[k]} -> {now[k]}" for k in cells[:5])
    return [f"look {look}: {len(cells)} cells read differently: {shown}"] if cells else []


def _play(table: ReplayTable, player: Player) -> str:
    """Play until the recording or the game ends; return the result."""
    try:
        outcome: str = player.play().result
    except _RecordingEnd:
        return "stopped"
    except (ReplayMismatch, GameStopped) as error:
        if isinstance(error, ReplayMismatch) or not table.is_finished:
            table.differences.append(str(error))
        return "stopped"
    if not table.is_finished:
        table.differences.append("the replay ends before the recording does")
    return outcome


def _decided(certain: Sequence[Mapping[str, Any]]) -> Decided:
    """Map each certain cell and its value to the rule and its clues."""
    return {(one["cell"], one["is"]): (one["rule"], one["because"]) for one in certain}


def _only_in_one(recorded: Decided, now: Decided) -> tuple[list[str], list[str]]:
    """Return the cells that are certain in only one of two plans, as text."""
    sides = (recorded.keys() - now.keys(), now.keys() - recorded.keys())
    left, right = ([f"{cell} {what}" for cell, what in sorted(side)] for side in sides)
    return left, right


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 160 else f"{text[:159]}…"
