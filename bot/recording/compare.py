"""What changed since a game was recorded: every observation read and reasoned on again, cell by cell.

A replay (`bot.recording.replay`) plays the game again and stops where it would go another way. Here each
recorded observation is taken as it is, so what changed later in the game is named, too.

Screenshots that belong to no recording, each with a text beside it that says what it shows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.game.board_change import keep_known_numbers
from bot.game.plan import Planner
from bot.game.types import Plan
from bot.readers import ReaderFactory
from bot.recording.recorder import encode_corrections, encode_plan
from bot.recording.recording import EVENTS, META, SKIN, Recording
from bot.recording.replay import replay
from games.errors import Contradiction, InvalidFile, ReplayMismatch
from games.logic import bits
from games.minesweeper import Board, Move, board_knowledge
from strategies import Reasoner, Strategy
from strategies.compiled.kernels import kernels
from vision.annotations import format_labels, load_annotated
from vision.frame import Frame
from vision.skins import Skin

Certain = dict[str, str]  # cell -> "mine" or "safe"


@dataclass(frozen=True, slots=True)
class RecordedChange:
    """One thing that is not as it was recorded.

    `look` counts from 1. `what` is reading, certain, guess or moves; `cell` is empty where it is about no
    single cell.
    """

    look: int
    what: str
    cell: str
    recorded: str
    now: str


@dataclass(frozen=True, slots=True)
class ComparedObservation:
    """One recorded observation beside what is made of it now."""

    look: int
    frame: Frame
    recorded: Board
    now: Board
    changes: tuple[RecordedChange, ...]


def compare(
    recording: Recording, strategies: Sequence[Strategy], skin: Skin | None
) -> Iterator[ComparedObservation]:
    """Each observation of a recording, read with this skin and reasoned on with these strategies.

    Raises InvalidFile when the recording is damaged.
    """
    for look, _, _ in _reread(recording, strategies, skin):
        yield look


def update(recording: Recording, strategies: Sequence[Strategy], skin: Skin | None) -> None:
    """Write what is read and concluded now into the recording; what was done stays as it was.

    Raises Difference, and leaves the recording as it was, when the game would now be played otherwise.
    """
    folder = recording.folder
    before: Board | None = None
    known: Board | None = None
    certain: list[dict[str, Any]] = []
    for look, events, plan in _reread(recording, strategies, skin):
        event = events[0]
        if before is None:
            event["board"] = list(look.now.grid)
        else:
            event["read"] = {look.now.name(k): s for k, s in enumerate(look.now.cells) if s != before[k]}
        cells, known = encode_corrections(look.now, known)
        events[:] = [each for each in events if each["event"] != "corrected"]
        if cells:
            events.insert(1, {"event": "corrected", "t": event["t"], "cells": cells})
        certain += events
        before = look.now
        for each in events:
            if each["event"] == "plan" and plan is not None:
                about = {name: each[name] for name in ("event", "t")}
                each.clear()
                each.update(about | encode_plan(look.now, plan))
    meta = json.loads((folder / META).read_text(encoding="utf-8"))
    meta |= {"strategies": [(each.name, each.version) for each in strategies]}
    files = {
        EVENTS: "".join(json.dumps(event) + "\n" for event in certain).encode(),
        META: (json.dumps(meta, indent=1) + "\n").encode(),
    }
    kept = {name: (folder / name).read_bytes() for name in (*files, SKIN) if (folder / name).exists()}
    try:
        for name, data in files.items():
            (folder / name).write_bytes(data)
        if skin is not None:
            skin.save(folder / SKIN)
        differences = replay(Recording(folder), Reasoner(strategies)).differences
    except OSError as error:
        raise InvalidFile(
            f"{folder}: {error.strerror}: it can be updated only where it can be written"
        ) from error
    if differences:
        (folder / SKIN).unlink(missing_ok=True)
        for name, data in kept.items():
            (folder / name).write_bytes(data)
        raise ReplayMismatch(
            f"{folder}: the game would be played otherwise now ({differences[0]}): record it again"
        )


def _reread(
    recording: Recording, strategies: Sequence[Strategy], skin: Skin | None
) -> Iterator[tuple[ComparedObservation, list[dict[str, Any]], Plan | None]]:
    """Each observation compared, its events (itself the first), and what would be planned now."""
    with recording.naming_damage():
        yield from _looks_again(recording, strategies, skin)


def _looks_again(
    recording: Recording, strategies: Sequence[Strategy], skin: Skin | None
) -> Iterator[tuple[ComparedObservation, list[dict[str, Any]], Plan | None]]:
    reader = ReaderFactory.load().reader(recording.meta.lattice, skin, recording.meta.rules.mines)
    planner = Planner(Reasoner(strategies), recording.meta.rules)
    frame: Frame | None = None
    recorded: Board | None = None
    board: Board | None = None
    certain: Certain = {}
    certain_now: Certain = {}
    for number, events in enumerate(recording.turns(), 1):
        frame = recording.after(frame, events[0]) if frame else recording.first()
        recorded = recording.board(recorded, events[0])
        if "lattice" in events[0]:
            reader.set_lattice(recording.lattice_of(events[0]))
        reading = reader.observe(frame)
        now = reading.board
        board = keep_known_numbers(now, board)
        changes = [
            RecordedChange(number, "reading", now.name(k), recorded[k], now[k])
            for k in range(len(now))
            if recorded[k] != now[k]
        ]
        planned = next((event for event in events if event["event"] == "plan"), None)
        plan: Plan | None = None
        if planned is not None:
            try:
                with _as_recorded(planned):
                    plan = planner.plan(board, reading.alternatives)
            except Contradiction as error:
                changes.append(RecordedChange(number, "certain", "", "", str(error)))
            else:
                changes += _changes(number, planned, encode_plan(board, plan), certain, certain_now)
        for act in (event for event in events if event["event"] == "act"):
            is_guess = planned is not None and "guess" in planned
            reader.notify_moves([Move.parse(move, recorded) for move in act["moves"]], certain=not is_guess)
        shown = recording.as_first(frame, events[0])
        yield ComparedObservation(number, shown, recorded, now, tuple(changes)), events, plan


def _as_recorded(planned: Mapping[str, Any]) -> Any:
    """Guess by compiled code or by plain code, as it was: plain code does less work."""
    figures = (planned.get("guess") or {}).get("figures")
    return kernels().held(plain="plain" in figures) if figures else nullcontext()


def _changes(
    number: int, recorded: Mapping[str, Any], now: Mapping[str, Any], certain: Certain, certain_now: Certain
) -> Iterator[RecordedChange]:
    """What two plans for one observation differ in. What is certain may have been so at an earlier one."""
    before = _only_in_one(certain, certain_now)
    certain |= {each["cell"]: each["is"] for each in recorded["certain"]}
    certain_now |= {each["cell"]: each["is"] for each in now["certain"]}
    for cell, (was, is_now) in _only_in_one(certain, certain_now).items():
        if before.get(cell) != (was, is_now):
            yield RecordedChange(number, "certain", cell, was, is_now)
    guesses = [_guess(plan.get("guess")) for plan in (recorded, now)]
    if guesses[0] != guesses[1]:
        yield RecordedChange(number, "guess", "", *guesses)
    if recorded["moves"] != now["moves"]:
        moves = [", ".join(plan["moves"]) for plan in (recorded, now)]
        yield RecordedChange(number, "moves", "", *moves)


def _only_in_one(certain: Certain, certain_now: Certain) -> dict[str, tuple[str, str]]:
    """The cells of which two say different things: what each says, a dash for nothing."""
    return {
        cell: (certain.get(cell, "-"), certain_now.get(cell, "-"))
        for cell in sorted({*certain, *certain_now})
        if certain.get(cell) != certain_now.get(cell)
    }


def _guess(guess: Mapping[str, Any] | None) -> str:
    """`r3c4, 81.25 % safe`; a dash for none."""
    return f"{guess['cell']}, {100 * guess['safe']:.2f} % safe" if guess else "-"


def compare_image(picture: Path, strategies: Sequence[Strategy], sight: ReaderFactory) -> ComparedObservation:
    """A screenshot read and reasoned on again, and what its text says.

    The board is looked for where the text says. Raises InvalidFile for a picture without a text.
    """
    labelled = load_annotated(picture)
    recorded = labelled.board
    now = sight.best_skin(labelled.frame, labelled.lattice)[1].board.with_mines(recorded.mines)
    changes = [
        RecordedChange(1, "reading", now.name(k), recorded[k], now[k])
        for k in range(len(now))
        if recorded[k] not in (now[k], "~")
    ]
    if changes:
        was, is_now = (_certain(board, strategies) for board in (recorded, now))
        changes += [
            RecordedChange(1, "certain", cell, was.get(cell, "-"), is_now.get(cell, "-"))
            for cell in sorted({*was, *is_now})
            if was.get(cell) != is_now.get(cell)
        ]
    return ComparedObservation(1, labelled.frame, recorded, now, tuple(changes))


def update_picture(picture: Path, compared: ComparedObservation) -> None:
    """Write what is read now into the text. Raises InvalidFile where it cannot be written."""
    lattice = load_annotated(picture).lattice
    try:
        picture.with_suffix(".txt").write_text(format_labels(lattice, compared.now), encoding="utf-8")
    except OSError as error:
        raise InvalidFile(f"{picture}: {error.strerror}: its text cannot be written") from error


def _certain(board: Board, strategies: Sequence[Strategy]) -> dict[str, str]:
    """What is certain on a board; nothing on one that cannot be."""
    try:
        known = Reasoner(strategies).deduce(board_knowledge(board)).knowledge
    except Contradiction:
        return {}
    mines = {board.name(k): "mine" for k in bits(known.true & board.not_open)}
    return mines | {board.name(k): "safe" for k in bits(known.false & board.not_open)}
