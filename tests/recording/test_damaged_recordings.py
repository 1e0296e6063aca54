"""Damaged recordings: one line names the problem, never a traceback."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from fuzz_mutations import change_json
from places import FIXTURES

from bot.recording.compare import compare
from bot.recording.recording import CELLS, EVENTS, FIRST, FORMAT, META, Recording
from bot.recording.recording import SKIN as SKIN_FILE
from bot.recording.replay import replay
from games.errors import InvalidFile, SapperError
from strategies import Reasoner, load_strategies

FIXTURE = FIXTURES / "recordings" / "ace-minesweeper-001"
MOST_EVENTS = 14  # enough for every kind of event


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("name", [EVENTS, META])
def test_recording_strange_values_refused_or_read(name: str, seed: int, tmp_path: Path) -> None:
    """Any strange value is harmless, or an error in one line."""
    folder = Path(shutil.copytree(FIXTURE, tmp_path / "recording"))
    lines = (folder / EVENTS).read_text().splitlines()
    (folder / EVENTS).write_text("\n".join([*lines[:MOST_EVENTS], lines[-1]]) + "\n")
    (folder / name).write_bytes(change_json(Random(seed), (folder / name).read_bytes()))
    strategies = load_strategies(["single-cell"])
    said = ""
    try:
        recording = Recording(folder)
        replay(recording, Reasoner(strategies))
        list(compare(recording, strategies, recording.skin))
    except SapperError as error:
        said = str(error)
    assert "\n" not in said


def edit(name: str, change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        (folder / name).write_bytes(change((folder / name).read_bytes()))

    return damage


def edit_meta(**news: object) -> Callable[[Path], None]:
    return edit(META, lambda data: json.dumps(json.loads(data) | news).encode())


def edit_event(kind: str, **news: object) -> Callable[[Path], None]:
    """Change the last event of a kind with these fields."""

    def change(data: bytes) -> bytes:
        events = [json.loads(line) for line in data.decode().splitlines()]
        last = max(
            k for k, event in enumerate(events) if event["event"] == kind and news.keys() <= event.keys()
        )
        events[last] |= news
        return "".join(json.dumps(event) + "\n" for event in events).encode()

    return edit(EVENTS, change)


DAMAGE: dict[str, tuple[str, Callable[[Path], None]]] = {
    "no meta": (META, lambda folder: (folder / META).unlink()),
    "no events": (EVENTS, lambda folder: (folder / EVENTS).unlink()),
    "no first picture": (FIRST, lambda folder: (folder / FIRST).unlink()),
    "no strips": (CELLS, lambda folder: (folder / CELLS).unlink()),
    "meta cut off": (META, edit(META, lambda data: data[:-40])),
    "meta not text": (META, edit(META, lambda data: b"\xff\xfe" + data)),
    "meta is a list": (META, edit(META, lambda data: b"[]")),
    "another format": (META, edit_meta(format=FORMAT + 1)),
    "lines that fall": (META, edit_meta(lattice={"x": [9, 0], "y": [0, 9]})),
    "lines left of the picture": (FIRST, edit_meta(lattice={"x": [-9, 0, 9], "y": [0, 9]})),
    "lines beyond the picture": (FIRST, edit_meta(lattice={"x": [0, 9], "y": [0, 9000]})),
    "unknown rules": (META, edit_meta(rules={"bombs": 3})),
    "empty events": (EVENTS, edit(EVENTS, lambda data: b"")),
    "events cut off": (EVENTS, edit(EVENTS, lambda data: data[:-9])),
    "events not text": (EVENTS, edit(EVENTS, lambda data: data + b"\xff\n")),
    "an event that is a number": (EVENTS, edit(EVENTS, lambda data: data + b"7\n")),
    "first look lost": (EVENTS, edit(EVENTS, lambda data: data.split(b"\n", 1)[1])),
    "skin cut off": (SKIN_FILE, edit(SKIN_FILE, lambda data: data[:100])),
    "first picture cut off": (FIRST, edit(FIRST, lambda data: data[:20])),
    "first picture empty": (FIRST, edit(FIRST, lambda data: b"")),
    "strips cut off": (CELLS, edit(CELLS, lambda data: data[:-200])),
    "strips garbled": (CELLS, edit(CELLS, lambda data: bytes(len(data)))),
    "a strip for other cells": (CELLS, edit_event("look", cells=["r0c0"])),
    "a strip for no cells": (CELLS, edit_event("look", cells=[])),
    "a strip for a cell that is not there": (CELLS, edit_event("look", cells=["r99c0"])),
    "a strip without its place": (EVENTS, edit_event("look", strip=3)),
    "a reading of a cell that is not there": (EVENTS, edit_event("look", read={"r99c0": "1"})),
    "a reading of two letters": (EVENTS, edit_event("look", read={"r0c0": "11"})),
    "a reading that is a list": (EVENTS, edit_event("look", read=["r0c0"])),
    "an end without its result": ("", edit_event("end", result={})),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_damaged_recording_error_names_file(what: str, recorded: Path, tmp_path: Path) -> None:
    name, damage = DAMAGE[what]
    folder = Path(shutil.copytree(recorded, tmp_path / "copy"))
    damage(folder)
    with pytest.raises(InvalidFile) as caught:
        replay(Recording(folder), Reasoner(load_strategies()))
    assert str(folder / name) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_recording_folder_without_recording_refused(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        with pytest.raises(InvalidFile, match="name the folder of a recording"):
            Recording(folder)
