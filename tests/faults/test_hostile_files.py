"""Files from strangers: none is executed, fills the memory, blocks, or makes Sapper write elsewhere."""

from __future__ import annotations

import io
import json
import os
import resource
import shutil
import struct
import subprocess
import sys
import tracemalloc
import zipfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from editing import edited_events
from said import Said, Sapper, refused, run_process, run_sapper

from bot.plugins import find_plugins
from bot.recording.recorder import Recorder
from bot.recording.recording import Recording
from bot.show.page import report_page
from bot.show.story import tell_story
from bot.simulation.tournament import ResultTable
from games.errors import InvalidFile, MissingRequirement, SapperError, UsageError
from games.external import entry_points, parse_json
from strategies import load_strategies
from strategies.hookspecs import ENTRY_POINTS
from vision import params
from vision.frame import Frame
from vision.skins import LARGEST_SKIN

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
STRATEGY = "from strategies import hookimpl\n\n\n@hookimpl\ndef deduce(knowledge):\n    return []\n"


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FIXTURES / "recordings" / "kmines-001", tmp_path / "game"))


def run_limited(*words: str | Path, megabytes: int = 2500) -> Said:
    """Run Sapper in a process with little memory."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    return run_sapper(*words, preexec_fn=limit, env=os.environ | {"OPENBLAS_NUM_THREADS": "1"})


@pytest.mark.parametrize("as_pair", [True, False])
def test_replay_recorded_file_is_not_executed(
    as_pair: bool, recording: Path, tmp_path: Path, sapper: Sapper
) -> None:
    evil = tmp_path / "evil.py"
    evil.write_text(f"open({str(tmp_path / 'executed')!r}, 'w').close()\n{STRATEGY}")
    meta = json.loads((recording / "meta.json").read_text())
    names = [*meta["strategies"], [str(evil) if as_pair else "./evil.py", "1"]]
    (recording / "meta.json").write_text(json.dumps(meta | {"strategies": names}))
    said = sapper("replay", recording)
    assert said.code == 0
    assert "evil.py: name them with --strategy" in said.err
    assert not (tmp_path / "executed").exists()


def jpeg_with_forged_size() -> bytes:
    """A JPEG of 30000x30000 pixels. A reader that takes TEM for a segment finds 64x64 in a comment."""
    real = bytes(cv2.imencode(".jpg", np.zeros((64, 64, 3), np.uint8))[1])
    start = real.index(b"\xff\xc0")
    forged = bytearray(real)
    struct.pack_into(">HH", forged, start + 5, 30_000, 30_000)
    comments = bytearray(b"\xff\xfe" + struct.pack(">H", 60_000) + bytes(59_998))
    comments += b"\xff\xfe" + struct.pack(">H", 10_000) + bytes(9_998)
    comments[0xFFFE : 0xFFFE + 19] = real[
        start : start + 19
    ]  # the length that such a reader takes from FF FE
    return bytes(forged[:2] + b"\xff\x01" + comments + forged[2:])


def test_jpeg_with_forged_size_is_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("decoded"))
    with pytest.raises(InvalidFile):
        Frame.decode(jpeg_with_forged_size(), "bomb.jpg")


@pytest.mark.parametrize("chunk", [b"IDAT", b"IEND"])
def test_png_with_chunk_beyond_end_is_not_decoded(chunk: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenCV reserves memory for the stated length of a chunk, here 2 GB."""
    png = bytes(cv2.imencode(".png", np.zeros((64, 64, 3), np.uint8))[1])
    place = png.index(chunk)
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("decoded"))
    with pytest.raises(InvalidFile):
        Frame.decode(png[: place - 4] + b"\x7f\xff\xff\xff" + png[place:], "bomb.png")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, zipfile.ZIP_DEFLATED])
def test_skin_with_forged_entry_size_refused(method: int, tmp_path: Path, sapper: Sapper) -> None:
    """No more is unpacked than a skin may contain, whatever the archive states: 48 MB as 100 bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method, compresslevel=1) as archive:
        archive.writestr("tiles.png", b"")
        with archive.open("skin.json", "w", force_zip64=True) as entry:
            for _ in range(6):
                entry.write(bytes(LARGEST_SKIN))
    data = bytearray(file.getvalue())
    central = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02") + 1)
    struct.pack_into("<I", data, central + 24, 100)
    (tmp_path / "bomb.skin").write_bytes(data)
    tracemalloc.start()
    try:
        refused(sapper("skins", "import", tmp_path / "bomb.skin"), 7, "bomb.skin")
        assert tracemalloc.get_traced_memory()[1] < 4 * LARGEST_SKIN
    finally:
        tracemalloc.stop()


def test_report_link_out_of_folder_not_followed(recording: Path, tmp_path: Path, sapper: Sapper) -> None:
    victim, report = tmp_path / "victim", recording / "report.html"
    victim.write_text("precious")
    report.symlink_to(victim)
    refused(sapper("report", recording), 7, "report.html", "a link that leaves the folder")
    report.unlink()
    (recording / "inside").write_text("inside")
    report.symlink_to("inside")
    assert sapper("report", recording).code == 0
    assert (recording / "inside").read_text() == "inside"
    assert "<html" in report.read_text()
    (tmp_path / "mine.html").symlink_to("real.html")  # a link that the user names
    assert sapper("report", recording, "--out", tmp_path / "mine.html").code == 0
    assert (tmp_path / "mine.html").is_symlink()
    assert "<html" in (tmp_path / "real.html").read_text()
    assert victim.read_text() == "precious"


@pytest.mark.parametrize(
    ("command", "damage"),
    [
        ("replay", "device"), ("review", "device"),
        ("report", "device"), ("report", "sparse"), ("report", "fifo"), ("report", "nested"),
    ],
)  # fmt: skip
def test_damaged_recording_refused(command: str, damage: str, recording: Path) -> None:
    if damage == "device":
        (recording / "first.png").unlink()
        (recording / "first.png").symlink_to("/dev/zero")
    elif damage == "sparse":
        os.truncate(recording / "cells.png.bin", 6 << 30)
    elif damage == "fifo":
        (recording / "events.jsonl").unlink()
        os.mkfifo(recording / "events.jsonl")
    else:
        (recording / "meta.json").write_text("[" * 100_000)
    refused(run_limited(command, recording), 7, "game")


@pytest.mark.parametrize(
    "words",
    [
        "read",
        "skins import",
        "play --virtual --program .toml",
        "bench --boards",
        "explain",
        "clue",
        "strategies --strategy .py",
    ],
)
def test_device_instead_of_file_refused(words: str, tmp_path: Path) -> None:
    *names, last = words.split()
    if last.startswith("."):  # the ending decides what the file is
        (tmp_path / f"zero{last}").symlink_to("/dev/zero")
        names.append(str(tmp_path / f"zero{last}"))
    else:
        names += [last, "/dev/zero"]
    said = run_limited(*names)
    assert said.code in {2, 7}, said
    assert said.err.count("\n") == 1
    assert "Traceback" not in said.err


def test_strategy_with_taken_name_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.py").write_text(f'NAME = "best"\n{STRATEGY}')
    with pytest.raises(UsageError, match=r"mine\.py: its name best is that of a built-in strategy"):
        load_strategies([str(tmp_path / "mine.py")])
    files = [tmp_path / folder / "same.py" for folder in ("a", "b")]
    for file in files:
        file.parent.mkdir()
        file.write_text(STRATEGY)
    with pytest.raises(UsageError, match=r"two strategies are called same: .*a/same\.py and .*b/same\.py"):
        load_strategies([str(file) for file in files])
    declare_strategies(monkeypatch, ("twin", "here"), ("twin", "there"))
    with pytest.raises(UsageError, match="two packages declare a strategy twin"):
        load_strategies(["twin"])


@pytest.mark.parametrize("kind", ["folder", "broken link"])
def test_skin_without_content_refused(kind: str, tmp_path: Path, sapper: Sapper) -> None:
    path = tmp_path / "mine.skin"
    path.mkdir() if kind == "folder" else path.symlink_to("nowhere")
    refused(sapper("read", "--skin", path, FIXTURES / "screens/kmines/fresh.png"), 7, "mine.skin")


def test_escape_sequences_are_printed_visibly(recording: Path, sapper: Sapper) -> None:
    meta = json.loads((recording / "meta.json").read_text())
    meta["strategies"] = [["\x1b]0;evil\x07", "1"], *meta["strategies"]]
    (recording / "meta.json").write_text(json.dumps(meta))
    said = sapper("replay", recording)
    assert r"\x1b]0;evil\x07" in said.err
    assert "\x1b" not in said.err + said.out


def test_strategy_process_skips_modules_in_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(STRATEGY)
    for name in ("games.py", "random.py", "socket.py"):
        (tmp_path / name).write_text("raise SystemExit('imported')\n")
    (tmp_path / "strategies").mkdir()
    (tmp_path / "strategies/__init__.py").write_text("raise SystemExit('imported')\n")
    command = [str(Path(sys.executable).with_name("sapper")), "bench", "--games", "1", "--level", "beginner"]
    done = run_process(*command, "--strategy", "./mine.py", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")


def test_strategy_process_sees_no_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "precious")
    (tmp_path / "mine.py").write_text(f"import os\nassert 'SECRET_TOKEN' not in os.environ\n{STRATEGY}")
    (strategy, *_) = load_strategies([str(tmp_path / "mine.py")])
    assert not strategy.fault


@pytest.mark.parametrize("uses_sapper", [True, False])
def test_pytest_in_project_with_own_strategies_package(uses_sapper: bool, tmp_path: Path) -> None:
    (tmp_path / "strategies").mkdir()
    (tmp_path / "strategies/__init__.py").write_text("")
    (tmp_path / "games.py").write_text("")
    (tmp_path / "test_own.py").write_text("import games, strategies\n\n\ndef test_own():\n    pass\n")
    words = ["--sapper-strategy", "best"] if uses_sapper else []
    done = run_process(
        *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "sapper_pytest", *words),
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(FIXTURES.parent), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )
    said = done.out + done.err
    assert done.code == (4 if uses_sapper else 0), said
    assert "Traceback" not in said
    assert ("games.py hides Sapper's package games: rename it" in said) == uses_sapper


def test_recording_deleted_during_game_stops_it(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    recorder = Recorder(folder, Recording(FIXTURES / "recordings/kmines-001").meta, None)
    recorder.on_note("kept")
    shutil.rmtree(folder)
    with pytest.raises(MissingRequirement, match="it was deleted"):
        recorder.on_note("lost")
    recorder.close({"result": "stopped"})


def declare_strategies(monkeypatch: pytest.MonkeyPatch, *points: tuple[str, str]) -> None:
    """Pretend that the package `other` declares these strategies: name and module."""

    def declared(group: str) -> list[metadata.EntryPoint]:
        found = [metadata.EntryPoint(name, module, group) for name, module in points]
        for point in found:
            vars(point).update(dist=SimpleNamespace(name="other", version="1"))
        return found if group == ENTRY_POINTS else []

    monkeypatch.setattr(metadata, "entry_points", declared)


@pytest.mark.parametrize(
    ("name", "module", "message"),
    [
        ("best", "json", "but Sapper already has a strategy best"),
        ("mine", "nowhere", "its entry point mine cannot be loaded (ModuleNotFoundError"),
    ],
)
def test_install_unusable_entry_point_refused(
    name: str, module: str, message: str, sapper: Sapper, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = subprocess.run

    def run_without_pip(command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        done = subprocess.CompletedProcess(command, 0, "", "")
        return done if "install" in command else real(command, **options)

    declare_strategies(monkeypatch, (name, module))
    monkeypatch.setattr(subprocess, "run", run_without_pip)
    refused(sapper("install", "other"), 7, message)


@pytest.mark.slow  # half a minute
@pytest.mark.campaign
def test_read_largest_image_memory_limited(tmp_path: Path) -> None:
    """Lines everywhere need the most memory."""
    pixels = np.full((4320, 7680, 3), 255, np.uint8)
    pixels[::20] = pixels[:, ::20] = 0
    assert cv2.imwrite(str(tmp_path / "lines.png"), pixels)
    code = "import resource, sys; from bot.cli.main import main; main(sys.argv[1:]); "
    code += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    done = run_process(sys.executable, "-c", code, "read", tmp_path / "lines.png", cwd=FIXTURES.parent)
    assert int(done.printed.split()[-1]) < 1 << 20  # kB


# --- damage that the fuzzer found -----------------------------------------------------------------------


def test_parameters_nested_too_deeply_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "params").mkdir()
    (tmp_path / "params/table.json").write_text('{"a":' * 100_000)
    monkeypatch.setattr(params, "resources", SimpleNamespace(files=lambda _: tmp_path))
    with pytest.raises(MissingRequirement, match="it is no table of parameters"):
        params.load_table("table")


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


def move_board(**lattice: list[int]) -> Callable[[Events], object]:
    """The board has other lines from the first changed cells on."""
    return lambda events: next(event for event in events if "strip" in event).update(lattice=lattice)


BEYOND_MEMORY = [*range(0, 512, 32), 60_000]
TOO_MANY = list(range(300))


@pytest.mark.parametrize(
    "damage",
    [
        move_board(x=BEYOND_MEMORY, y=BEYOND_MEMORY),
        move_board(x=TOO_MANY, y=TOO_MANY),
        move_board(x=[3, 2, 1], y=[0, 9]),
        move_board(x=[0, 9, 18], y=[0, 9]),  # another size
        move_board(z=[0], y=[0, 9]),
        lambda events: events[0]["board"].pop(),
        lambda events: events[0].update(board=2 * events[0]["board"]),
        lambda events: events[-1]["result"].update(seconds="x"),
        lambda events: events[-1]["result"].update(seconds=10**400),
    ],
)
def test_recording_impossible_event_refused(
    damage: Callable[[Events], object], recording: Path, sapper: Sapper
) -> None:
    with edited_events(recording) as events:
        damage(events)
    refused(sapper("report", recording), 7, "game", "damaged")


def test_recording_stop_reason_of_wrong_type_shown(recording: Path, sapper: Sapper) -> None:
    with edited_events(recording) as events:
        events[-1] |= {"result": {"result": "stopped"}, "stopped": 5}
    assert ": 5." in sapper("report", recording).printed


def test_report_large_first_image_memory_limited(recording: Path) -> None:
    """The report of a small board in a large image keeps few of its 12 images in memory."""
    first = Frame.load(recording / "first.png").pixels
    large = np.zeros((1600, 1600, 3), np.uint8)
    large[: first.shape[0], : first.shape[1]] = first
    cv2.imwrite(str(recording / "first.png"), large)
    loaded, strategies = Recording(recording), load_strategies(["single-cell"])
    tracemalloc.start()
    try:
        assert "<html" in report_page(tell_story(loaded, strategies))
        assert tracemalloc.get_traced_memory()[1] < 6 * large.nbytes
    finally:
        tracemalloc.stop()
