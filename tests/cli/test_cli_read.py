"""`sapper read`, and its inputs: patterns, folders, standard input, watched folders."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from drawing import SCREENS, SKIN, SKINS, draw, labelled, lattice_for, save, skin_of
from said import Sapper, refused

from bot.image_files import expand_image_paths, watch_folder
from games.errors import InvalidFile
from games.minesweeper import Board
from vision.frame import Frame
from vision.skins import Skin, Tile

MIDDLE = Board.parse("........\n..?212..\n.2F102..\n121101..\n00000111\n00000000")


def test_read_text_and_json(sapper: Sapper, tmp_path: Path) -> None:
    skin = skin_of(SKIN)
    save(draw(MIDDLE, skin), tmp_path / "board.png")
    said = sapper("read", "board.png")
    assert (said.code, said.err, Board.parse(said.out)) == (0, "", MIDDLE)
    (data,) = sapper("read", "--json", "--skin", SKINS / f"{SKIN}.skin", "board.png").objects
    lattice = lattice_for(MIDDLE, skin, 24, 32)
    assert (data["image"], data["skin"], data["unread"]) == ("board.png", SKIN, [])
    assert (data["x"], data["y"]) == (list(lattice.xs), list(lattice.ys))
    assert data["rows"] == list(MIDDLE.grid)
    assert 0.9 < data["confidence"] <= 1


def test_read_unread_cell_is_reported(sapper: Sapper, tmp_path: Path) -> None:
    frame = draw(MIDDLE, skin_of(SKIN))
    frame.pixels[32 + 3 : 32 + 18, 24 + 3 : 24 + 18] = (0, 200, 255)
    save(frame, tmp_path / "board.png")
    assert sapper("read", "--json", "board.png").objects[0]["unread"] == ["r0c0"]


@pytest.mark.parametrize(
    ("code", "words", "message"),
    [
        (7, "missing.png", "missing.png: No such file"),
        (7, "empty.png", "empty.png: the file is empty"),
        (7, "text.png", "text.png: this is no picture"),
        (7, "folder.png", "folder.png: holds no picture"),
        (3, "grey.png", "grey.png: no board"),
        (3, "two.png", "two.png: 2 boards"),
        (2, "--skin nosuch board.png", "'nosuch'"),
        (7, "--skin nosuch.skin board.png", "nosuch.skin"),
        (7, "--skin text.png board.png", "this is no skin"),
        (2, "--watch . board.png", "--watch"),
        (2, "--csv --json board.png", "--csv"),
    ],
)
def test_read_wrong_input_refused(
    code: int, words: str, message: str, sapper: Sapper, pictures: Path
) -> None:
    refused(sapper("read", *words.split()), code, message)


def test_read_continues_after_bad_picture(sapper: Sapper, pictures: Path) -> None:
    said = sapper("read", "grey.png", "board.png", "missing.png")
    assert said.code == 3  # of the first that failed
    assert [line.split(": ")[1] for line in said.err.splitlines()] == ["grey.png", "missing.png"]
    assert said.out.startswith("# board.png\n........\n")


def test_read_unrelated_skin_changes_nothing(sapper: Sapper, tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (21, 21, 3), np.uint8)
    Skin("odd", (Tile(".", noise),)).save(tmp_path / "odd.skin")
    save(draw(MIDDLE, skin_of(SKIN)), tmp_path / "board.png")
    assert sapper("read", "--skin", "odd.skin", "board.png").out == sapper("read", "board.png").out != ""


def test_read_no_readable_cell_fails(sapper: Sapper, tmp_path: Path) -> None:
    """A table of letters."""
    cell = np.full((24, 24, 3), 255, np.uint8)
    cell[0], cell[:, 0] = 90, 90
    table = np.tile(cell, (9, 9, 1))
    for k in range(81):
        at = (24 * (k % 9) + 6, 24 * (k // 9) + 18)
        cv2.putText(table, chr(65 + k * 7 % 26), at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    framed = cv2.copyMakeBorder(table, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=(200, 200, 200))
    save(Frame(np.asarray(framed, np.uint8)), tmp_path / "board.png")
    refused(sapper("read", "board.png"), 4, "board.png", "sapper learn")


def test_read_damaged_user_skin_is_named(sapper: Sapper, pictures: Path) -> None:
    folder = pictures / "data" / "sapper" / "skins"
    folder.mkdir(parents=True)
    (folder / "zz.skin").write_bytes(b"PK damaged")
    refused(sapper("read", "board.png"), 7, "zz.skin")


SGT = SKINS / "sgt-mines.skin"
SHOT = SCREENS / "sgt-mines" / "won.png"
SHOWS = labelled("sgt-mines/won").board


@pytest.fixture
def shots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
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


def test_inputs_absolute_pattern_and_brackets(shots: Path) -> None:
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
    said = sapper("read", "--watch", "shots", "--skin", SGT)
    assert (said.code, said.err) == (5, "sapper: stopped by the keyboard\n")
    assert said.out.startswith(f"# {Path('shots/new.png')}\n")
    assert Board.parse(said.out).grid == SHOWS.grid


def test_read_picture_from_stdin(shots: Path, monkeypatch: pytest.MonkeyPatch, sapper: Sapper) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(SHOT.read_bytes())))
    assert Board.parse(sapper("read", "-", "--skin", SGT).printed).grid == SHOWS.grid
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"no picture")))
    refused(sapper("read", "-"), 7, "standard input: this is no picture")


def test_read_csv_one_line_per_cell(shots: Path, sapper: Sapper) -> None:
    rows = list(csv.DictReader(io.StringIO(sapper("read", "--csv", "--skin", SGT, "shots").printed)))
    assert len(rows) == 2 * len(SHOWS)
    assert {Path(row["image"]) for row in rows} == {Path("shots/a.png"), Path("shots/b.png")}
    assert "".join(row["shows"] for row in rows[: len(SHOWS)]) == SHOWS.cells
    last = [rows[-1][name] for name in ("cell", "row", "column")]
    assert last == [SHOWS.name(len(SHOWS) - 1), str(SHOWS.rows - 1), str(SHOWS.columns - 1)]
    assert all(0 < float(row["confidence"]) <= 1 for row in rows)
