"""The readers of external data, with undamaged inputs, for `fuzz_readers`."""

from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import cv2
from places import FIXTURES

import vision.params
from bot.cli import main as command_line
from bot.cli.clue import read_log
from bot.cli.inputs import read_board
from bot.desktop.portals.share import ConsentTokens
from bot.play.hand import ClickProfile, ClickProfileStore
from bot.play.next_game_actions import RestartAction, RestartMemory
from bot.plugins import find_plugins
from bot.programs.program import FOLDER, Program
from bot.recording.recording import Recording
from bot.review.importer import write_mine_total
from bot.review.replay_files import read_replay
from bot.simulation.boards import BoardSet
from bot.simulation.tournament import ResultTable, read_wins
from games.errors import SapperError
from strategies.provers import read_models, read_proof
from vision.annotations import load_annotated
from vision.frame import Frame, read_png_text
from vision.skins import Skin

Files = Mapping[str, bytes]  # an input: the files of one folder
Read = Callable[[Path], object]


@dataclass(frozen=True)
class Reader:
    """A reader of external data: undamaged inputs, and a function that reads the folder of an input.

    `kinds` may take the place of a file.
    """

    name: str
    seeds: Callable[[], Sequence[Files]]
    read: Read
    kinds: Sequence[str] = ("missing", "folder", "pipe", "device", "link")


def _named(name: str, *patterns: str) -> Callable[[], list[Files]]:
    """Each fixture that matches a pattern, under this name."""
    return lambda: [{name: file.read_bytes()} for p in patterns for file in sorted(FIXTURES.glob(p))]


def _texts(name: str, *texts: str) -> Callable[[], list[Files]]:
    return lambda: [{name: text.encode()} for text in texts]


def _recordings() -> list[Files]:
    """All recordings."""
    places = sorted(path for path in (FIXTURES / "recordings").iterdir() if path.is_dir())
    return [{file.name: file.read_bytes() for file in place.iterdir()} for place in places]


def _short_recordings() -> list[Files]:
    """The first 15 events and the end of each recording; the second observation located the board again."""
    found: list[Files] = []
    for files in _recordings():
        lines = files["events.jsonl"].splitlines()
        events = [json.loads(line) for line in [*lines[:15], *lines[15:][-1:]]]
        again = next(event for event in events if "strip" in event)
        again["lattice"] = json.loads(files["meta.json"])["lattice"]
        text = "".join(json.dumps(each) + "\n" for each in events)
        found.append({**files, "events.jsonl": text.encode()})
    return found


def _screens() -> list[Files]:
    """Six small screenshots with their labels, and one of them as JPEG and BMP."""
    found: list[Files] = []
    texts = [*FIXTURES.glob("screens/*/fresh.txt"), *FIXTURES.glob("screens/*/lost.txt")]
    for text in sorted(texts, key=lambda path: path.with_suffix(".png").stat().st_size)[:6]:
        picture = text.with_suffix(".png").read_bytes()
        found.append({"a.png": picture, "a.txt": text.read_bytes()})
    pixels = Frame.decode(picture, "a.png").pixels
    others = (bytes(cv2.imencode(ending, pixels)[1]) for ending in (".jpg", ".bmp"))
    return [*found, *({"a.png": other, "a.txt": text.read_bytes()} for other in others)]


def _videos() -> list[Files]:
    """A short video in two formats."""
    frames = [
        cv2.resize(Frame.load(p).pixels, (96, 96)) for p in sorted(FIXTURES.glob("screens/kmines/f*.png"))
    ]
    found: list[Files] = []
    with tempfile.TemporaryDirectory() as folder:
        for codec, name in (("MJPG", "a.avi"), ("mp4v", "a.mp4")):
            path = Path(folder) / name
            writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*codec), 10, (96, 96))
            for frame in frames * 3:
                writer.write(frame)
            writer.release()
            found.append({"a.avi": path.read_bytes()})
    return found


BOARDS = (
    "mines 10\n........\n..1111..\n..1001..\n..1011..\n..1F1...\n........\n",
    "# from outside\nmines 3\nvariant quad\n..1\n.F?\n*!x\n-~8\n",
    "..1\n11.\n",
    "mines 40\n" + ("." * 16 + "\n") * 16,
)
DEALS = (
    "# mine 4 3 2\n1 0 1 2 3 4 5 6 7 8 9 10 11\n2 3 1 2 0 4 5 6 7 8 9 10 11\n",
    "# 3x3, first click at r2c2\n*10\n110\n000\n\n# next\n*10\n110\n000\n",
)
OWN_LOG = """\
players Ann 6, Bob 6, Cat 6
me Ann: Green, Rope, Hall, Study, Dagger, White
Bob asks plum, wrench, kitchen: Cat shows
Cat asks scarlett, pipe, hall: Ann shows hall
Bob asks mustard, revolver, library: Cat passes, Ann passes
Cat accuses plum, wrench, study: wrong
"""
TABLE_LOG = """\
cards classic
table Hall, Rope, Plum
players Ann, Bob, Cat, Dee
me Bob
Ann has White # seen
Cat lacks Study
Ann asks plum, wrench, kitchen: nobody
"""
JSON_LOG = """\
{"players": [{"name": "Ann", "cards": 6}, "Bob 6", "Cat 6"], "me": "Ann", "hand": ["Green", "Rope"],
"log": [{"asks": "Bob", "cards": ["plum", "wrench", "kitchen"], "answers": ["Cat shows"]}]}
"""
CARDS = 'name = "mine"\n\n[kinds]\nwho = ["Ash", "Birch", "Cedar"]\nwhat = ["Lamp", "Book", "Clock"]\n'
RESTART = RestartAction("place", "", "above", 0.5, -1.5, True, 1.0)
RUN = {"boards": "x", "start": None, "strategies": ["best 1"]}
TABLE = "game,won,guesses,decisions,seconds\n0,1,2,30,0.100000\n1,0,1,20,0.200000\n"
PROJECT = """\
[project]
name = "mine"
version = "1"

[project.entry-points."sapper.strategies"]
mine = "mine:plugin"
"""


def _logs() -> list[Files]:
    own = {"cards.toml": CARDS.encode(), "a.txt": b"cards cards.toml\nplayers Ann 2, Bob 2\nAnn has Lamp\n"}
    return [*_texts("a.txt", OWN_LOG, TABLE_LOG, JSON_LOG)(), own]


def _settings() -> list[Files]:
    action = {name: getattr(RESTART, name) for name in RestartAction.__slots__}
    paths = {"kmines": [action], "old": action}
    return [
        {
            "new-games.json": json.dumps(paths).encode(),
            "touch.json": b'{"kmines": [1, 200], "other": [0, 3]}',
            "consent.json": b'{"ScreenCast": "token"}',
        }
    ]


def _tables() -> list[Files]:
    return [{"a.csv": TABLE.encode(), "a.csv.run": json.dumps({"run": RUN, "slowest_move_ms": 1.5}).encode()}]


def _params() -> list[Files]:
    folder = resources.files("vision").joinpath("params")
    return [{each.name: each.read_bytes() for each in folder.iterdir() if each.name != "cells.onnx"}]


def _packages() -> list[Files]:
    about = b"Metadata-Version: 2.1\nName: mine\nVersion: 1\n"
    return [
        {
            "pyproject.toml": PROJECT.encode(),
            "mine-1.dist-info/METADATA": about,
            "mine-1.dist-info/entry_points.txt": b"[sapper.strategies]\nmine = mine:plugin\n",
        }
    ]


def _read_image(folder: Path) -> None:
    data = Frame.read_file(folder / "a.png")
    read_png_text(data)
    Frame.decode(data, "a.png")


def _read_skin(folder: Path) -> None:
    skin = Skin.load(folder / "look.skin")
    skin.match(skin.tiles[0].pixels)
    skin.to_bytes()
    _ = skin.states, skin.sizes, str(skin.evidence)


def _read_recording(folder: Path) -> None:
    recording = Recording(folder)
    for _ in islice(recording.looks(), 3):
        pass


def _read_deals(folder: Path, name: str) -> None:
    boards = BoardSet.load(folder / name)
    for deal in islice(boards.deals.values(), 2):
        deal.lay(0, "safe")
    read_board(str(folder / name))


def _read_settings(folder: Path) -> None:
    memory = RestartMemory(folder)
    for action in memory.of("kmines"):
        _ = action.text, action.point((0, 0, 100, 100), 10), action.is_like(RESTART)
    profile = ClickProfileStore(folder).of("kmines")
    _ = profile.touch
    ClickProfileStore(folder).keep("kmines", ClickProfile(1, 0, (1, 0)))
    ConsentTokens(folder).get("ScreenCast")
    ConsentTokens(folder).keep("ScreenCast", "token")
    memory.remember("kmines", (RESTART,))


def _read_table(folder: Path) -> None:
    with contextlib.suppress(SapperError):
        read_wins(folder / "a.csv")
    with ResultTable(folder / "a.csv", RUN) as table:
        _ = table.scores


def _read_params(folder: Path) -> None:
    """Load all parameters from this folder instead of the package."""
    place = SimpleNamespace(files=lambda _: folder.parent)
    (folder.parent / "params").unlink(missing_ok=True)
    (folder.parent / "params").symlink_to(folder.name)
    with mock.patch.object(vision.params, "resources", place):
        for name in ("class_priors", "game", "links"):
            vision.params.load_table(name)
        vision.params.load_data_file("digits.npz")


def _read_package(folder: Path) -> None:
    with contextlib.suppress(SapperError):
        find_plugins(str(folder))
    with mock.patch.object(sys, "path", [str(folder), *sys.path]):
        _run("strategies", "--json")
        find_plugins("mine")


def _read_provers(folder: Path) -> None:
    output = (folder / "a.out").read_bytes().decode(errors="replace")
    read_models(output, 0)
    read_proof(output, {})


def _replay(ending: str) -> Read:
    return lambda folder: read_replay(folder / f"a.{ending}")


def _run(*words: str | Path) -> None:
    """Run a command in this process. Raises AssertionError for an internal error or unescaped output."""
    details: list[str] = []

    def write_details() -> str:
        details.append(traceback.format_exc())
        return "FILE"

    printed, said = io.BytesIO(), io.BytesIO()
    out, err = (io.TextIOWrapper(each, encoding="utf-8", newline="") for each in (printed, said))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), mock.patch.object(
        command_line, "_write_details", write_details
    ):  # fmt: skip
        command_line.main([str(word) for word in words])
        for stream in (out, err):
            stream.flush()
    assert not details, details[0]
    for text in (printed.getvalue().decode(), said.getvalue().decode()):
        strange = next((c for c in text if not c.isprintable() and c not in "\n\t"), "")
        assert not strange, f"unescaped {strange!r} in {text[max(0, text.find(strange) - 60) :][:120]!r}"


def _command(*words: str) -> Read:
    """A reader that runs a command; names of the folder's files begin with `@`, "@" is the folder itself."""
    return lambda folder: _run(*(folder / word[1:] if word.startswith("@") else word for word in words))


READERS: Mapping[str, Reader] = {
    reader.name: reader
    for reader in (
        Reader("board", _texts("a.txt", *BOARDS), lambda folder: str(read_board(str(folder / "a.txt")))),
        Reader("deals", _texts("a.txt", *DEALS), lambda folder: _read_deals(folder, "a.txt")),
        Reader(
            "mbf",
            lambda: [{"a.mbf": bytes([4, 3, 0, 2, 0, 0, 3, 2])}, {"a.mbf": bytes([9, 9, 0, 1, 4, 4])}],
            lambda folder: _read_deals(folder, "a.mbf"),
        ),
        Reader("labels", _screens, lambda folder: load_annotated(folder / "a.png")),
        Reader("image", _screens, _read_image),
        Reader("skin", _named("look.skin", "skins/*.skin", "recordings/*/look.skin"), _read_skin),
        Reader("recording", _recordings, _read_recording),
        Reader("mine-total", _recordings, lambda folder: write_mine_total(folder, 10)),
        Reader(
            "program",
            lambda: [{"a.toml": file.read_bytes()} for file in sorted(FOLDER.glob("*.toml"))],
            lambda folder: Program.load(str(folder / "a.toml")),
        ),
        Reader("clue-log", _logs, lambda folder: read_log(str(folder / "a.txt"))),
        Reader("settings", _settings, _read_settings, ("missing", "pipe", "device")),
        Reader("results", _tables, _read_table, ("missing", "folder", "pipe", "device")),
        Reader("params", _params, _read_params, ()),
        Reader("package", _packages, _read_package, ()),
        Reader("provers", _named("a.out", "provers/*.out"), _read_provers, ()),
        *(
            Reader(ending, _named(f"a.{ending}", f"replays/*.{kind}"), _replay(ending))
            for ending, kind in (("avf", "avf"), ("evf", "evf"), ("rmv", "rmv"), ("mvf", "?vf"))
        ),
        Reader("sapper read", _screens, _command("read", "--json", "@a.png")),
        Reader("sapper learn", _screens, _command("learn", "mine", "@a.png", "@a.txt", "--out", "@x.skin")),
        Reader("sapper skins", _named("a.skin", "skins/*.skin"), _command("skins", "import", "@a.skin")),
        Reader("sapper explain", _texts("a.txt", *BOARDS), _command("explain", "@a.txt")),
        Reader("sapper clue", _logs, _command("clue", "@a.txt", "--html", "@a.html")),
        Reader(
            "sapper bench", _texts("a.txt", *DEALS), _command("bench", "--boards", "@a.txt", "--games", "1")
        ),
        Reader("sapper replay", _short_recordings, _command("replay", "@")),
        Reader("sapper report", _short_recordings, _command("report", "@")),
        Reader("sapper review", _short_recordings, _command("review", "@", "--out", "@pages")),
        Reader("sapper review video", _videos, _command("review", "@a.avi", "--out", "@pages")),
        Reader(
            "sapper review boards",
            lambda: [*_texts("a.txt", *DEALS)(), *_texts("a.mbf", "\4\3\0\2\0\0\3\2")()],
            _command("review", "@", "--out", "@pages"),
        ),
    )
}
