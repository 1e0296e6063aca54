"""`sapper read`."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from drawing import SKIN, SKINS, draw, lattice_for, save, skin_of
from said import Sapper, refused

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
    ("name", "code", "message"),
    [
        ("missing.png", 7, "No such file"),
        ("empty.png", 7, "empty"),
        ("text.png", 7, "no picture"),
        ("folder.png", 7, "holds no picture"),
        ("grey.png", 3, "no board"),
        ("two.png", 3, "2 boards"),
    ],
)
def test_read_unreadable_image_refused(
    name: str, code: int, message: str, sapper: Sapper, pictures: Path
) -> None:
    refused(sapper("read", name), code, name, message)


def test_read_continues_after_bad_picture(sapper: Sapper, pictures: Path) -> None:
    said = sapper("read", "grey.png", "board.png", "missing.png")
    assert said.code == 3  # of the first that failed
    assert [line.split(": ")[1] for line in said.err.splitlines()] == ["grey.png", "missing.png"]
    assert said.out.startswith("# board.png\n........\n")


@pytest.mark.parametrize(
    ("skin", "code", "message"),
    [("nosuch", 2, "'nosuch'"), ("nosuch.skin", 7, "nosuch.skin"), ("text.png", 7, "this is no skin")],
)
def test_read_unknown_skin_refused(
    skin: str, code: int, message: str, sapper: Sapper, pictures: Path
) -> None:
    refused(sapper("read", "--skin", skin, "board.png"), code, message)


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
