"""Recordings: writing, reading, corrections, incomplete ones."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from drawing import SKIN, draw, lattice_for, record_game, skin_of
from tables import JumpingClock

from bot.game.types import GameRules
from bot.recording.compare import update
from bot.recording.recorder import Recorder
from bot.recording.recording import CELLS, EVENTS, Recording, RecordingMeta, apply_strip, cell_strip
from bot.recording.replay import replay
from bot.show.story import tell_story
from games.errors import InvalidFile
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


def test_recording_interrupted_is_complete(tmp_path: Path) -> None:
    """The process is killed at the third observation."""
    looks: list[Board] = []

    def cut(seen: Board, true: Board) -> None:
        looks.append(seen)
        if len(looks) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        record_game(tmp_path / "r", seed=1, watched=cut)
    recording = Recording(tmp_path / "r")
    assert [event["event"] for event in recording.events].count("look") == 3
    assert "end" not in [event["event"] for event in recording.events]
    replayed = replay(recording, Reasoner(load_strategies()))
    assert (replayed.looks, replayed.acts, replayed.differences) == (3, 2, ())


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
