"""Recorded games of real programs replay with the same readings, plans and acts."""

from __future__ import annotations

from pathlib import Path

import pytest
from drawing import skin_of
from places import FIXTURES

from bot.programs.program import FOLDER
from bot.recording.recording import Recording
from bot.recording.replay import replay
from strategies import Reasoner, load_strategies

RECORDINGS = FIXTURES / "recordings"
FOLDERS = sorted(path.parent for path in RECORDINGS.glob("*/meta.json"))
LARGEST = 3_000_000  # bytes of one recording


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
@pytest.mark.parametrize("with_program", [False, True], ids=["its own skin", "its program's skin"])
def test_fixture_recording_replays_same(folder: Path, with_program: bool) -> None:
    recording = Recording(folder)
    strategies = load_strategies([name for name, _ in recording.meta.strategies])
    skin = skin_of(str(recording.meta.program)) if with_program else None
    replayed = replay(recording, Reasoner(strategies), skin)
    assert replayed.differences == ()
    assert replayed.looks > 2
    assert replayed.acts > 1


def test_fixture_two_recordings_per_program() -> None:
    played = [Recording(folder).meta.program for folder in FOLDERS]
    assert all(played.count(path.stem) >= 2 for path in FOLDER.glob("*.toml"))  # of every system


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_recording_small_without_paths(folder: Path) -> None:
    assert sum(path.stat().st_size for path in folder.iterdir()) < LARGEST
    named = Recording(folder).events[-1]["result"]["recording"]
    assert named in (folder.name, f"recordings/{folder.name}")
