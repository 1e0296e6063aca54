"""Random damage to every kind of external file (`fuzz_readers`), and the damage that it found."""

from __future__ import annotations

import os
import shutil
import time
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import fuzz_readers
import numpy as np
import pytest
from editing import edited_events
from external_readers import READERS, Read, Reader
from fuzz_readers import fuzz
from places import FIXTURES
from said import Sapper, refused

from bot.play.hand import ClickProfileStore
from bot.play.next_game_actions import RestartMemory
from bot.plugins import find_plugins
from bot.programs.program import Program
from bot.recording.recording import Recording
from bot.show.page import report_page
from bot.show.story import tell_story
from bot.simulation.tournament import ResultTable
from games.errors import InvalidFile, MissingRequirement, SapperError
from games.external import entry_points, parse_json
from strategies import load_strategies
from vision import params
from vision.frame import Frame

CAMPAIGN = 20.0  # seconds for each reader
RECORDING = FIXTURES / "recordings/kmines-001"


def findings(reader: Reader, first: int, inputs: int, seconds: float) -> Sequence[str]:
    """Problems with some inputs of a reader."""
    done, found = fuzz(reader, first, inputs, seconds, lambda _: None)
    assert done > 0
    return [str(each[0]) for each in found.values()]


@pytest.mark.campaign
@pytest.mark.parametrize("name", READERS)
def test_readers_damaged_files_refused(name: str) -> None:
    """New inputs each time; the environment variable FUZZ_FIRST chooses the number of the first one."""
    first = int(os.environ.get("FUZZ_FIRST", time.time()))
    assert findings(READERS[name], first, 1_000_000, CAMPAIGN) == []


def raise_key_error(folder: Path) -> None:
    raise KeyError(folder.name)


def write_outside(folder: Path) -> None:
    (folder.parent.parent / "outside").write_text("x")


def follow_link(folder: Path) -> None:
    (folder / "link").symlink_to(folder.parent.parent / "victim")
    (folder / "link").write_text("x")


def fill_memory(_: Path) -> None:
    bytearray(b"x") * (400 << 20)


def refuse(_: Path) -> None:
    raise InvalidFile("damaged: delete it")


@pytest.mark.parametrize(
    ("read", "place"),
    [
        (raise_key_error, "KeyError"),
        (write_outside, "a change outside"),
        (follow_link, "a change outside"),
        (fill_memory, "MB of memory"),
        (lambda _: os._exit(3), "ended with code 3"),
        (refuse, None),
    ],
)
def test_fuzzer_problem_is_found(read: Read, place: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_readers, "MOST_MEMORY", 400 << 20)
    reader = Reader("test", lambda: [{"a.txt": b"text"}], read)
    monkeypatch.setattr(fuzz_readers, "READERS", {"test": reader})
    found = findings(reader, 0, 2, 120)
    assert bool(found) == bool(place)
    assert not place or place in found[0]


@pytest.mark.parametrize("text", ['{"kmines": [1e999, 0]}', '{"kmines": [0, Infinity]}', "[" * 5000])
def test_click_profiles_infinite_number_ignored(text: str, tmp_path: Path) -> None:
    (tmp_path / "touch.json").write_text(text)
    assert ClickProfileStore(tmp_path).of("kmines").level == 0


def test_parameters_nested_too_deeply_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "params").mkdir()
    (tmp_path / "params/table.json").write_text('{"a":' * 100_000)
    monkeypatch.setattr(params, "resources", SimpleNamespace(files=lambda _: tmp_path))
    with pytest.raises(MissingRequirement, match="it is no table of parameters"):
        params.load_table("table")


@pytest.mark.parametrize("number", ["1e999", "1" + "0" * 400, "NaN", "-2000"])
@pytest.mark.parametrize("name", ["x", "y", "width", "number"])
def test_restart_memory_impossible_number_refused(name: str, number: str, tmp_path: Path) -> None:
    values = {"x": "0", "y": "0", "width": "1", "number": "0"} | {name: number}
    numbers = ", ".join(f'"{key}": {value}' for key, value in values.items())
    action = f'{{"kind": "place", "key": "", "side": "above", {numbers}}}'
    (tmp_path / "new-games.json").write_text(f'{{"kmines": [{action}]}}')
    with pytest.raises(InvalidFile, match=r"new-games\.json: damaged"):
        RestartMemory(tmp_path).of("kmines")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *(
            (
                f'command = ["true"]\nwindow = "{pattern}"\n[board]\ndefault = "9x9/10"\n',
                "'window' is not a regular expression",
            )
            for pattern in ("(" * 2000, "a{99999999999}", "[")
        ),
        (f'like = "{"a" * 300}"', "'like' must be the name"),
    ],
)
def test_program_file_impossible_value_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidFile, match=message):
        Program.parse("mine", text, "mine.toml")


def test_clue_log_null_byte_in_name_refused(tmp_path: Path, sapper: Sapper) -> None:
    (tmp_path / "log.txt").write_text("cards \0.toml\nplayers Ann 6, Bob 6, Cat 6\n")
    refused(sapper("clue", tmp_path / "log.txt"), 7, "not a file name")


@pytest.mark.parametrize("words", ["read", "report", "replay", "review", "validate", "install", "learn x"])
def test_command_impossible_file_name_refused(words: str, sapper: Sapper) -> None:
    refused(sapper(*words.split(), "a" * 300), 7, "File name too long")


def test_project_impossible_module_name_refused(tmp_path: Path) -> None:
    points = f'[project.entry-points."sapper.strategies"]\nmine = "{"a" * 300}"\n'
    (tmp_path / "pyproject.toml").write_text(points)
    with pytest.raises(InvalidFile, match="does not exist"):
        find_plugins(str(tmp_path))


@pytest.mark.parametrize("text", [r'"\ud800"', b'{"\\uD800": 1}', r'["\\", "\udc00x"]'])
def test_json_half_surrogate_refused(text: str | bytes) -> None:
    with pytest.raises(ValueError, match="surrogates not allowed"):
        parse_json(text)
    assert parse_json(r'"\ud83d\udca3"') == "💣"


@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_result_table_not_regular_refused(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    {"pipe": os.mkfifo, "device": lambda p: p.symlink_to("/dev/zero"), "folder": os.mkdir}[kind](path)
    with pytest.raises(InvalidFile, match=r"a\.csv: not a regular file"):
        ResultTable(path, {})


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("entry_points.txt", b"[x]\nno value\n"),
        ("entry_points.txt", b"[x]\n\xf3 = a:b\n"),
        ("METADATA", b"\xff"),
    ],
)
def test_entry_points_damaged_package_refused(
    name: str, content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    about = tmp_path / "mine-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_bytes(b"Metadata-Version: 2.1\nName: mine\nVersion: 1\n")
    (about / "entry_points.txt").write_bytes(b"[x]\nmine = mine:plugin\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert [point.name for point in entry_points("x")] == ["mine"]
    (about / name).write_bytes(content)
    os.utime(tmp_path, (1, 1))  # importlib.metadata notices changes by the time of the folder
    with pytest.raises(SapperError, match="the metadata of an installed package is damaged"):
        entry_points("x")


Events = list[dict[str, Any]]


def locate_beyond_memory(events: Events) -> None:
    strip = next(event for event in events if "strip" in event)
    strip["lattice"] = {axis: [*range(0, 512, 32), 60_000] for axis in "xy"}


@pytest.mark.parametrize(
    "damage",
    [
        locate_beyond_memory,
        lambda events: events[1].update(lattice={axis: list(range(300)) for axis in "xy"}),  # too many cells
        lambda events: events[0]["board"].pop(),
        lambda events: events[0].update(board=2 * events[0]["board"]),
        lambda events: events[-1]["result"].update(seconds="x"),
        lambda events: events[-1]["result"].update(seconds=10**400),
    ],
)
def test_recording_impossible_event_refused(
    damage: Callable[[Events], object], tmp_path: Path, sapper: Sapper
) -> None:
    shutil.copytree(RECORDING, tmp_path / "game")
    with edited_events(tmp_path / "game") as events:
        damage(events)
    refused(sapper("report", tmp_path / "game"), 7, "game", "damaged")


def test_recording_stop_reason_of_wrong_type_shown(tmp_path: Path, sapper: Sapper) -> None:
    shutil.copytree(RECORDING, tmp_path / "game")
    with edited_events(tmp_path / "game") as events:
        events[-1] |= {"result": {"result": "stopped"}, "stopped": 5}
    assert ": 5." in sapper("report", tmp_path / "game").printed


def test_report_large_first_image_memory_limited(tmp_path: Path) -> None:
    """The report of a small board in a large image keeps few of its 12 images in memory."""
    shutil.copytree(RECORDING, tmp_path / "game")
    first = Frame.load(RECORDING / "first.png").pixels
    large = np.zeros((1600, 1600, 3), np.uint8)
    large[: first.shape[0], : first.shape[1]] = first
    cv2.imwrite(str(tmp_path / "game/first.png"), large)
    recording, strategies = Recording(tmp_path / "game"), load_strategies(["single-cell"])
    tracemalloc.start()
    try:
        assert "<html" in report_page(tell_story(recording, strategies))
        assert tracemalloc.get_traced_memory()[1] < 6 * large.nbytes
    finally:
        tracemalloc.stop()
