"""Image inputs: patterns, folders, standard input, watched folders."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from said import Sapper

from bot.image_files import expand_image_paths, watch_folder
from games.errors import InvalidFile
from games.minesweeper import Board
from vision.annotations import load_annotated

SGT = str(Path(__file__).resolve().parents[2] / "fixtures" / "skins" / "sgt-mines.skin")

SHOT = Path(__file__).resolve().parents[2] / "fixtures" / "screens" / "sgt-mines" / "won.png"
SHOWS = load_annotated(SHOT).board


@pytest.fixture
def shots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "shots" / "old").mkdir(parents=True)
    for name in ("b.png", "a.png", "old/c.PNG"):
        shutil.copy(SHOT, tmp_path / "shots" / name)
    (tmp_path / "shots" / "note.txt").write_text("no picture")
    return tmp_path / "shots"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["shots/*.png"], ["shots/a.png", "shots/b.png"]),
        (["shots"], ["shots/a.png", "shots/b.png"]),
        (["shots/**/c.*"], ["shots/old/c.PNG"]),
        (["shots/b.png", "shots/?.png", "-"], ["shots/b.png", "shots/a.png", "-"]),
        (["./shots/a.png", "shots/a.png"], ["shots/a.png"]),
        (["missing.png"], ["missing.png"]),  # reported when it is read
    ],
)
def test_inputs_patterns_expand_to_pictures(names: list[str], expected: list[str], shots: Path) -> None:
    assert [Path(each) for each in expand_image_paths(names)] == [Path(each) for each in expected]


def test_find_recordings_absolute_pattern(shots: Path) -> None:
    assert expand_image_paths([f"{shots}/a*"]) == [str(shots / "a.png")]
    shutil.copy(SHOT, "shot[1].png")
    assert expand_image_paths(["shot[1].png"]) == ["shot[1].png"]


@pytest.mark.parametrize("name", ["*.gif", "empty"])
def test_inputs_no_match_reported(name: str, shots: Path) -> None:
    Path("empty").mkdir()
    with pytest.raises(InvalidFile, match=r"no file matches|holds no picture"):
        expand_image_paths([name])


class Acting:
    """A clock that performs one act in each pause, then raises KeyboardInterrupt."""

    def __init__(self, *acts: Callable[[], object]) -> None:
        self._acts = list(acts)

    def now(self) -> float:
        return 0.0

    def sleep(self, seconds: float) -> None:
        if not self._acts:
            raise KeyboardInterrupt
        self._acts.pop(0)()


def nothing() -> None:
    """An act without effect."""


def seen_while(folder: Path, *acts: Callable[[], object]) -> list[str]:
    """The names of the images reported while these acts happen, one in each pause."""
    found: list[str] = []
    with contextlib.suppress(KeyboardInterrupt):
        found += (path.name for path in watch_folder(folder, Acting(*acts)))
    return found


def test_watch_new_file_taken_when_complete(shots: Path) -> None:
    new, whole = shots / "new.png", SHOT.read_bytes()
    begin, end = (lambda: new.write_bytes(b"")), (lambda: new.write_bytes(whole[:100]))
    assert seen_while(shots, begin, nothing, nothing, end) == []
    assert seen_while(shots, lambda: new.write_bytes(whole), nothing, nothing, nothing) == ["new.png"]


def test_watch_folder_changed_and_removed_files(shots: Path) -> None:
    change, remove = (lambda: os.utime(shots / "a.png", ns=(1, 1))), (shots / "b.png").unlink
    assert seen_while(shots, nothing, change, remove, nothing, nothing) == ["a.png"]


def test_watch_missing_folder_refused() -> None:
    with pytest.raises(InvalidFile, match="nowhere"):
        next(watch_folder(Path("nowhere"), Acting()))


def test_read_watches_folder(shots: Path, monkeypatch: pytest.MonkeyPatch, sapper: Sapper) -> None:
    clock = Acting(lambda: shutil.copy(SHOT, shots / "new.png"), nothing, nothing)
    monkeypatch.setattr("bot.cli.read.SystemClock", lambda: clock)
    captured = sapper("read", "--watch", "shots", "--skin", SGT)
    assert captured.code == 5
    assert captured.out.startswith(f"# {Path('shots/new.png')}\n")
    assert Board.parse(captured.out).grid == SHOWS.grid
    assert captured.err.strip() == "sapper: stopped by the keyboard"


def test_read_picture_from_stdin(shots: Path, monkeypatch: pytest.MonkeyPatch, sapper: Sapper) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(SHOT.read_bytes())))
    assert Board.parse(sapper("read", "-", "--skin", SGT).printed).grid == SHOWS.grid
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"no picture")))
    said = sapper("read", "-")
    assert said.code == 7
    assert said.err.startswith("sapper: standard input: this is no picture")


def test_read_csv_one_line_per_cell(shots: Path, sapper: Sapper) -> None:
    rows = list(csv.DictReader(io.StringIO(sapper("read", "--csv", "--skin", SGT, "shots").printed)))
    assert len(rows) == 2 * len(SHOWS)
    assert {Path(row["image"]) for row in rows} == {Path("shots/a.png"), Path("shots/b.png")}
    assert "".join(row["shows"] for row in rows[: len(SHOWS)]) == SHOWS.cells
    last = [rows[-1][name] for name in ("cell", "row", "column")]
    assert last == [SHOWS.name(len(SHOWS) - 1), str(SHOWS.rows - 1), str(SHOWS.columns - 1)]
    assert all(0 < float(row["confidence"]) <= 1 for row in rows)


def test_read_json_one_object_per_picture(shots: Path, sapper: Sapper) -> None:
    read = sapper("read", "--json", "--skin", SGT, "shots/*.png").objects
    assert [Path(each["image"]) for each in read] == [Path("shots/a.png"), Path("shots/b.png")]
    assert read[0]["rows"] == list(SHOWS.grid)


@pytest.mark.parametrize("words", [[], ["--watch", "shots", "shots"], ["--csv", "--json", "shots"]])
def test_read_conflicting_options_refused(words: list[str], shots: Path, sapper: Sapper) -> None:
    said = sapper("read", *words)
    assert said.code == 2
    assert said.err.count("\n") == 1
