"""`sapper learn` and `sapper skins`."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from drawing import SCREENS, SKIN, draw, lattice_for, save, skin_of
from said import Sapper, refused

from benchmarks.random_skins import random_skin
from games.minesweeper import Board
from vision.annotations import format_labels
from vision.frame import Frame
from vision.skins import load_skin

MIDDLE = Board.parse("........\n..?212..\n.2F102..\n121101..\n00000111\n00000000")


def test_learn_from_fixtures_reads_them(sapper: Sapper) -> None:
    folder = SCREENS / SKIN
    pairs = [folder / f"{name}.{kind}" for name in ("mid_game", "question_mark") for kind in ("png", "txt")]
    said = sapper("learn", "mine", *pairs, "--out", "mine.skin")
    assert (said.code, said.out) == (0, "")
    assert "learned mine" in said.err
    truth = Board.parse((folder / "mid_game.txt").read_text())
    read = Board.parse(sapper("read", "--skin", "mine.skin", folder / "mid_game.png").printed).cells
    assert all(shown in (is_there, "~") for shown, is_there in zip(read, truth.cells, strict=True))
    assert read.count("~") <= 1  # the one 5, which the picture shows once


def test_learn_keeps_and_extends_user_skin(sapper: Sapper, tmp_path: Path) -> None:
    skin = skin_of(SKIN)
    save(draw(Board.fresh(8, 8), skin), tmp_path / "fresh.png")
    (tmp_path / "fresh.txt").write_text(str(Board.fresh(8, 8)))
    said = sapper("learn", "my-own", "fresh.png", "fresh.txt")
    assert said.code == 0
    assert "not seen yet: 0 1 2" in said.err
    assert (tmp_path / "data" / "sapper" / "skins" / "my-own.skin").is_file()
    save(draw(MIDDLE, skin), tmp_path / "middle.png")
    (tmp_path / "middle.txt").write_text(format_labels(lattice_for(MIDDLE, skin, 24, 32), MIDDLE))
    assert sapper("learn", "my-own", "--add", "middle.png", "middle.txt").code == 0
    (own,) = sapper("skins", "--json").objects
    assert (own["skin"], own["states"], own["cells"]) == ("my-own", ".012F?", [21])
    assert Board.parse(sapper("read", "--skin", "my-own", "middle.png").out) == MIDDLE


GROUPED = "........\n...212..\n.2F102..\n121101..\n00000111\n00000000\n00000000\n00000000"


@pytest.fixture
def screenshot(tmp_path: Path) -> Path:
    """A board with an unknown theme."""
    save(draw(Board.parse(GROUPED), random_skin(5)), tmp_path / "lone.png")
    return tmp_path / "lone.png"


def test_learn_single_picture_groups_can_be_renamed(sapper: Sapper, screenshot: Path, tmp_path: Path) -> None:
    shown = sapper("learn", "alone", screenshot, "--sheet", tmp_path / "groups.png")
    assert shown.code == 0
    flag = next(line.split()[0] for line in shown.err.splitlines() if "first at r2c2" in line)
    assert str(tmp_path / "groups.png") in shown.err
    assert Frame.load(tmp_path / "groups.png").height > 200
    assert sapper("learn", "alone", screenshot, "--group", f"{flag}=?").code == 0
    assert (tmp_path / "data" / "sapper" / "skins" / "alone.png").is_file()
    assert sapper("read", screenshot, "--skin", "alone").out == GROUPED.replace("F", "?") + "\n"
    assert sapper("learn", "alone", "--add", screenshot).code == 0


def test_learn_group_renamed_on_terminal(
    sapper: Sapper, screenshot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal("1=Q\n1=x\n\n"))
    said = sapper("learn", "alone", screenshot)
    assert said.code == 0
    assert "no cell can show 'Q'" in said.err
    assert "x" in load_skin("alone").states


@pytest.mark.parametrize(
    ("code", "words", "message"),
    [
        (7, ["mine", "board.png", "board.txt", "board.txt"], "board.txt"),
        (2, ["mine", "board.png", "--group", "9=F"], "from 1 to"),
        (2, ["mine", "board.png", "--group", "1=9"], "'9'"),
        (2, ["mine", "board.png", "--group", "F"], "NUMBER=STATE"),
        (2, ["mine", "board.png", "board.txt", "--group", "1=F"], "--group"),
        (7, ["mine", "board.png", "--sheet", "board.txt/sheet.png"], "--sheet"),
        (2, ["../mine", "board.png", "board.txt"], "'../mine'"),
        (7, ["mine", "missing.png", "board.txt"], "missing.png"),
        (7, ["mine", "board.png", "missing.txt"], "missing.txt"),
        (7, ["mine", "board.txt", "board.png"], "board.txt"),  # the other way round
        (7, ["mine", "board.png", "ragged.txt"], "ragged.txt"),
        (7, ["mine", "board.png", "small.txt"], "8x8"),
        (7, ["mine", "board.png", "lines.txt"], "lines.txt"),
        (7, ["mine", "board.png", "unknown.txt"], "no cell is labelled"),
        (7, ["mine", "board.png", "wrong.txt"], "looks the same"),
        (3, ["mine", "grey.png", "board.txt"], "no board"),
        (3, ["mine", "two.png", "board.txt"], "2 boards"),
        (2, ["mine", "--add", "board.png", "board.txt"], "'mine'"),
        (7, ["mine", "board.png", "board.txt", "--out", "board.txt/mine.skin"], "--out"),
        (7, ["mine", "board.png", "board.txt", "--out", "."], "--out"),
    ],
)
def test_learn_unusable_input_refused(
    code: int, words: list[str], message: str, sapper: Sapper, pictures: Path
) -> None:
    fresh = str(Board.fresh(8, 8))
    (pictures / "board.txt").write_text(fresh)
    (pictures / "ragged.txt").write_text("...\n..")
    (pictures / "small.txt").write_text("...\n...")
    (pictures / "lines.txt").write_text(f"# x: 9 8 7\n# y: 1 2\n{fresh}")
    (pictures / "unknown.txt").write_text(fresh.replace(".", "~"))
    (pictures / "wrong.txt").write_text(fresh.replace(".", "1", 1))
    refused(sapper("learn", *words), code, message)
    assert not (pictures / "data" / "sapper").exists()
