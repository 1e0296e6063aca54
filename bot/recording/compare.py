"""Compare each recorded observation with what Sapper reads and concludes now, cell by cell.

A replay (`bot.recording.replay`) stops at the first difference in play. Here every recorded observation is
read and planned separately, so later changes are found as well. Annotated screenshots outside of recordings
are compared in the same way.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.game.board_change import keep_known_numbers
from bot.game.plan import Planner
from bot.game.types import Plan
from bot.readers import ReaderFactory
from bot.recording.recorder import encode_corrections, encode_plan
from bot.recording.recording import EVENTS, META, SKIN, Recording
from bot.recording.replay import recorded_reader, replay
from games.errors import Contradiction, InvalidFile, ReplayMismatch
from games.external import LARGEST_FILE, parse_json, read_external, read_external_text, replace_file
from games.logic import bits
from games.minesweeper import Board, Move, board_knowledge
from strategies import Reasoner, Strategy
from vision.annotations import format_labels, load_annotated
from vision.frame import Frame
from vision.skins import Skin

Certain = dict[str, str]  # cell -> "mine" or "safe"


@dataclass(frozen=True, slots=True)
class RecordedChange:
    """One difference between the recording and now.

    `look` is the observation, from 1. `what` is reading, certain, guess or moves; `cell` is empty if the
    difference concerns no single cell.
    """

    look: int
    what: str
    cell: str
    recorded: str
    now: str


@dataclass(frozen=True, slots=True)
class ComparedObservation:
    """A recorded observation with its recorded and its current reading."""

    look: int
    frame: Frame
    recorded: Board
    now: Board
    changes: tuple[RecordedChange, ...]


def compare(
    recording: Recording, strategies: Sequence[Strategy], skin: Skin | None
) -> Iterator[ComparedObservation]:
    """Yield each observation, read with this skin and planned with these strategies.

    Raises InvalidFile if the recording is damaged.
    """
    for compared, _, _ in _reread(recording, strategies, skin):
        yield compared


def update(recording: Recording, strategies: Sequence[Strategy], skin: Skin | None) -> None:
    """Replace the readings and plans of a recording by the current ones; keep the acts.

    Raises ReplayMismatch, and restores the recording, if the game would now be played differently.
    """
    folder = recording.folder
    before: Board | None = None
    known: Board | None = None
    updated: list[dict[str, Any]] = []
    for compared, events, plan in _reread(recording, strategies, skin):
        event, board = events[0], compared.now
        if before is None:
            event["board"] = list(board.grid)
        else:
            event["read"] = {board.name(k): s for k, s in enumerate(board.cells) if s != before[k]}
        cells, known = encode_corrections(board, known)
        events[:] = [each for each in events if each["event"] != "corrected"]
        if cells:
            events.insert(1, {"event": "corrected", "t": event["t"], "cells": cells})
        updated += events
        before = board
        for each in events:
            if each["event"] == "plan" and plan is not None:
                head = {name: each[name] for name in ("event", "t")}
                each.clear()
                each.update(head | encode_plan(board, plan))
    meta = parse_json(read_external_text(folder / META))
    if not recording.meta.is_watched:
        meta |= {"strategies": [(each.name, each.version) for each in strategies]}
    files = {
        EVENTS: "".join(json.dumps(event) + "\n" for event in updated).encode(),
        META: (json.dumps(meta, indent=1) + "\n").encode(),
    }
    backup = {
        name: read_external(folder / name, LARGEST_FILE)
        for name in (*files, SKIN)
        if (folder / name).exists()
    }
    try:
        for name, data in files.items():
            (folder / name).write_bytes(data)
        if skin is not None:
            skin.save(folder / SKIN)
        is_watched = recording.meta.is_watched  # then the readings are all there is
        differences = () if is_watched else replay(Recording(folder), Reasoner(strategies)).differences
    except OSError as error:
        raise InvalidFile(f"{folder}: {error.strerror}: --update requires a writable recording") from error
    if differences:
        (folder / SKIN).unlink(missing_ok=True)
        for name, data in backup.items():
            (folder / name).write_bytes(data)
        raise ReplayMismatch(
            f"{folder}: the game would be played differently now ({differences[0]}): record it again"
        )


def _reread(
    recording: Recording, strategies: Sequence[Strategy], skin: Skin | None
) -> Iterator[tuple[ComparedObservation, list[dict[str, Any]], Plan | None]]:
    """Yield each compared observation, its events (starting with the observation), and the current plan."""
    rules = recording.meta.rules
    reader = recorded_reader(recording, skin)
    planner = Planner(Reasoner(strategies), rules)
    board: Board | None = None
    certain: Certain = {}
    certain_now: Certain = {}
    with recording.naming_damage():
        for number, seen in enumerate(recording.observations(), 1):
            if "lattice" in seen.look:
                reader.set_lattice(recording.lattice_of(seen.look))
            reading = reader.observe(seen.frame)
            now = reading.board
            board = keep_known_numbers(now, board)
            changes = [
                RecordedChange(number, "reading", now.name(k), seen.board[k], now[k])
                for k in range(len(now))
                if seen.board[k] != now[k]
            ]
            planned = next((event for event in seen.events if event["event"] == "plan"), None)
            plan: Plan | None = None
            if planned is not None:
                try:
                    plan = planner.plan(board, reading.alternatives)
                except Contradiction as error:
                    changes.append(RecordedChange(number, "certain", "", "", str(error)))
                else:
                    changes += _plan_changes(number, planned, encode_plan(board, plan), certain, certain_now)
            is_guess = planned is not None and "guess" in planned
            for act in (event for event in seen.events if event["event"] == "act"):
                moves = [Move.parse(move, seen.board) for move in act["moves"]]
                if moves:
                    reader.notify_moves(moves, certain=not is_guess)
            frame = recording.as_first(seen.frame, seen.look)
            compared = ComparedObservation(number, frame, seen.board, now, tuple(changes))
            yield compared, [seen.look, *seen.events], plan


def _plan_changes(
    number: int, recorded: Mapping[str, Any], now: Mapping[str, Any], certain: Certain, certain_now: Certain
) -> Iterator[RecordedChange]:
    """Yield the differences between two plans; certain cells accumulate over the observations."""
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
    """Return the cells with different values: both values, a dash for none."""
    return {
        cell: (certain.get(cell, "-"), certain_now.get(cell, "-"))
        for cell in sorted({*certain, *certain_now})
        if certain.get(cell) != certain_now.get(cell)
    }


def _guess(guess: Mapping[str, Any] | None) -> str:
    """Format a guess, such as `r3c4, 81.25 % safe`; a dash for none."""
    return f"{guess['cell']}, {100 * guess['safe']:.2f} % safe" if guess else "-"


def compare_image(
    picture: Path, strategies: Sequence[Strategy], readers: ReaderFactory
) -> ComparedObservation:
    """Compare the annotation of a screenshot with the current reading and certain cells.

    The annotation gives the position of the board. Raises InvalidFile if there is no annotation.
    """
    labelled = load_annotated(picture)
    recorded = labelled.board
    now = readers.best_skin(labelled.frame, labelled.lattice)[1].board.with_mines(recorded.mines)
    changes = [
        RecordedChange(1, "reading", now.name(k), recorded[k], now[k])
        for k in range(len(now))
        if recorded[k] not in (now[k], "~")
    ]
    if changes:
        was, is_now = (_certain(board, strategies) for board in (recorded, now))
        changes += [
            RecordedChange(1, "certain", cell, *values) for cell, values in _only_in_one(was, is_now).items()
        ]
    return ComparedObservation(1, labelled.frame, recorded, now, tuple(changes))


def update_picture(picture: Path, compared: ComparedObservation) -> None:
    """Write the current reading into the annotation. Raises InvalidFile if it cannot be written."""
    lattice = load_annotated(picture).lattice
    try:
        replace_file(picture.with_suffix(".txt"), format_labels(lattice, compared.now).encode())
    except OSError as error:
        raise InvalidFile(f"{picture}: {error.strerror}: its text cannot be written") from error


def _certain(board: Board, strategies: Sequence[Strategy]) -> Certain:
    """Return the certain cells of a board; none if the board is contradictory."""
    try:
        known = Reasoner(strategies).deduce(board_knowledge(board)).knowledge
    except Contradiction:
        return {}
    mines = {board.name(k): "mine" for k in bits(known.true & board.not_open)}
    return mines | {board.name(k): "safe" for k in bits(known.false & board.not_open)}
