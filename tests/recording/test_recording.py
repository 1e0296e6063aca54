"""Recordings: writing, reading, corrections, incomplete and damaged ones."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest
from drawing import SKIN, draw, lattice_for, skin_of
from fuzz_mutations import change_json
from places import FIXTURES
from tables import JumpingClock

from bot.game.types import GameRules
from bot.recording.compare import compare, update
from bot.recording.recorder import Recorder
from bot.recording.recording import (
    CELLS,
    EVENTS,
    FIRST,
    FORMAT,
    META,
    Recording,
    RecordingMeta,
    apply_strip,
    cell_strip,
)
from bot.recording.recording import SKIN as SKIN_FILE
from bot.recording.replay import replay
from bot.show.story import tell_story
from games.errors import InvalidFile, SapperError
from games.minesweeper import Board, Move
from strategies import Reasoner, load_strategies
from vision.frame import Frame
from vision.lattice import Lattice, changed_cells
from vision.reading import Reading

UNEVEN = Lattice((0, 7, 16, 20), (0, 9, 15))


def picture(seed: int, lattice: Lattice = UNEVEN) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.random.default_rng(seed).integers(0, 256, (lattice.ys[-1], lattice.xs[-1], 3), np.uint8)


@pytest.mark.parametrize("cells", [[0], [5], [0, 1, 2, 3, 4, 5], [2, 4], []])
def test_cells_cut_and_paste_round_trip(cells: list[int]) -> None:
    before, now = picture(1), picture(1)
    for k in cells:
        left, top, _, _ = UNEVEN.rectangle(k)
        now[top, left, 2] ^= 1  # one pixel
    assert changed_cells(UNEVEN, before, now) == cells
    if cells:
        apply_strip(UNEVEN, before, cell_strip(UNEVEN, now, cells), cells)
    assert np.array_equal(before, now)


def test_meta_round_trip() -> None:
    rules = GameRules(10, "zero", "flags", can_chord=True, flags="all")
    for meta in (
        RecordingMeta("kmines", UNEVEN, rules, (("linear", "1.0"), ("mine", "ab12")), "0.1"),
        RecordingMeta(None, UNEVEN, GameRules(), (), "unknown"),
    ):
        assert RecordingMeta.of_json(json.loads(json.dumps(meta.as_json()))) == meta


@pytest.mark.parametrize("name", ["mines", "assumed_mines"])
def test_meta_mine_total_must_be_whole(name: str) -> None:
    data = RecordingMeta(None, UNEVEN, GameRules(), (), "unknown").as_json()
    data["rules"][name] = 10.0
    with pytest.raises(ValueError, match=r"the mine total 10\.0 is not a whole number"):
        RecordingMeta.of_json(data)


def test_recording_has_every_look_plan_and_act(recorded: Path) -> None:
    recording = Recording(recorded)
    kinds = [event["event"] for event in recording.events]
    assert kinds[:4] == ["look", "plan", "act", "look"]
    assert kinds[-1] == "end"
    assert recording.events[-1]["result"]["result"] in ("won", "lost")
    assert [event["t"] for event in recording.events] == sorted(event["t"] for event in recording.events)
    assert recording.meta.program == SKIN
    assert recording.skin is not None
    assert recording.skin.states == skin_of(SKIN).states


def test_recording_pictures_equal_frames(recorded: Path) -> None:
    skin, looks = skin_of(SKIN), list(Recording(recorded).looks())
    assert looks
    for frame, board in looks:
        lattice = lattice_for(board, skin)
        drawn = draw(board, skin, 0, 0).pixels[: lattice.ys[-1], : lattice.xs[-1]]
        assert np.array_equal(frame.pixels, drawn)


def recorder_for(board: Board, folder: Path) -> tuple[Recorder, Frame]:
    """A recorder for a board of this size, and a frame of the board."""
    skin = skin_of(SKIN)
    lattice = lattice_for(board, skin)
    meta = RecordingMeta(None, lattice, GameRules(), (), "x")
    frame = Frame(draw(board, skin, 0, 0).pixels[: lattice.ys[-1], : lattice.xs[-1]])
    return Recorder(folder, meta, skin, JumpingClock().now), frame


def test_recording_unchanged_picture_takes_no_room(tmp_path: Path) -> None:
    board = Board.fresh(4, 4)
    recorder, frame = recorder_for(board, tmp_path / "r")
    for _ in range(2):
        recorder.on_frame(frame, Reading.sure(board))
    recorder.close()
    look = Recording(tmp_path / "r").events[1]
    assert ("strip" in look, look["read"]) == (False, {})
    assert (tmp_path / "r" / CELLS).stat().st_size == 0


def test_recording_acts_and_notes_written_at_once(tmp_path: Path) -> None:
    board = Board.fresh(4, 4)
    recorder, _ = recorder_for(board, tmp_path / "r")
    recorder.on_moves(board, [Move("open", 5), Move("flag", 0)])
    recorder.on_note("two\nlines")
    written = (tmp_path / "r" / EVENTS).read_text().splitlines()
    assert [json.loads(line)["event"] for line in written] == ["act", "note"]
    assert json.loads(written[0])["moves"] == ["open r1c1", "flag r0c0"]
    recorder.close()
    recorder.close({"result": "won"})  # ignored
    assert len((tmp_path / "r" / EVENTS).read_text().splitlines()) == 2


def test_report_unwritable_folder_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    skin = skin_of(SKIN)
    with pytest.raises(InvalidFile, match="--record"):
        Recorder(tmp_path / "file" / "r", RecordingMeta(None, UNEVEN, GameRules(), (), "x"), skin)


def test_recording_any_prefix_is_valid(recorded: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(recorded, tmp_path / "copy"))
    lines = (folder / EVENTS).read_text().splitlines(keepends=True)
    for count in range(1, len(lines)):
        (folder / EVENTS).write_text("".join(lines[:count]))
        assert replay(Recording(folder), Reasoner(load_strategies())).differences == (), count


def test_recording_corrected_reading_reported(tmp_path: Path) -> None:
    """A 2 is read as 1, then not at all."""
    shown = Board.parse("....\n.2..\n....")
    recorder, frame = recorder_for(shown, tmp_path / "r")
    for state in (".", "1", "~", "2"):
        recorder.on_frame(frame, Reading.sure(shown.with_states({shown.cell("r1c1"): state})))
    recorder.close()
    recording = Recording(tmp_path / "r")
    assert [event["event"] for event in recording.events] == ["look"] * 4 + ["corrected"]
    assert recording.events[-1]["cells"] == {"r1c1": ["1", "2"]}
    notes = [note for step in tell_story(recording, load_strategies()).steps for note in step.notes]
    assert notes == ["Misread before: r1c1 was read as 1, and is 2."]


def test_report_new_reading_current_errors(recorded: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(recorded, tmp_path / "copy"))
    first, rest = (folder / EVENTS).read_text().split("\n", 1)
    corrected = {"event": "corrected", "t": 0.1, "cells": {"r0c0": ["1", "2"]}}
    (folder / EVENTS).write_text(f"{first}\n{json.dumps(corrected)}\n{rest}")
    assert replay(Recording(folder), Reasoner(load_strategies())).differences == ()
    update(Recording(folder), load_strategies(), skin_of(SKIN))
    assert "corrected" not in {event["event"] for event in Recording(folder).events}


# --- damaged recordings: one line names the problem, never a traceback -------------------------------------

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
