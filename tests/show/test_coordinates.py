"""Names of cells for people: counted from 0 or 1, or with a letter for the column."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from browsing import needs_chromium, opened
from said import Sapper

from bot.show.board_text import render_board
from bot.show.coordinates import STYLES, Coordinates, cell_name, rename_cells, standard_name
from bot.show.page import report_page
from bot.show.pictures import caption
from bot.show.story import GameStory
from bot.show.terminal import GameTerminal
from games.minesweeper import Board

WIDE = Board.fresh(12, 60)


@pytest.mark.parametrize("style", STYLES)
def test_standard_name_of_every_name_round_trip(style: Coordinates) -> None:
    for k in range(len(WIDE)):
        row, column = divmod(k, WIDE.columns)
        assert standard_name(cell_name(row, column, style)) == WIDE.name(k)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("r3c5 = 2 (1 left), so r0c0 and r11c26 are mines.", "F4 = 2 (1 left), so A1 and AA12 are mines."),
        ("line r0c0-r2c2: use r0c0 to r8c8", "line A1-C3: use A1 to I9"),
        ("recorded in /tmp/r3c5 and r3c5.png, spr1c1", "recorded in /tmp/r3c5 and r3c5.png, spr1c1"),
    ],
)
def test_rename_cells_keeps_file_names(text: str, shown: str) -> None:
    assert rename_cells(text, "A1") == shown
    assert rename_cells(text, "r0c0") == text


@pytest.mark.parametrize("text", ["R0C1", "A0", "r1c1", "corner", "", "F4x"])
def test_standard_name_other_text_unchanged(text: str) -> None:
    assert standard_name(text) == text


def test_render_board_labels_match_the_coordinates() -> None:
    lines = render_board(WIDE, width=250, coordinates="A1").plain.splitlines()
    assert lines[0].split() == ["A", "F", "K", "P", "U", "Z", "AE", "AJ", "AO", "AT", "AY", "BD"]
    assert [line.split()[0] for line in lines[1:]] == [str(row) for row in range(1, 13)]


CORNER = "...\n121\n000\n"  # r0c0 and r0c2 are mines


def test_explain_coordinates_in_text_not_in_json(sapper: Sapper, tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text(CORNER)
    said = sapper("--coordinates", "A1", "explain", "board.txt", "--cell", "C1", "--hint", "safe:A1").printed
    assert said.startswith("C1 is a mine (A2, B2)\n    A2 = 1 counts only A1 and B1, which B2 = 2")
    assert "A1 safe: refuted" in said
    same = ("explain", "board.txt", "--cell", "R1C3", "--json")
    assert sapper("--coordinates", "A1", *same).objects == sapper(*same).objects


def test_coordinates_of_the_environment_in_errors(sapper: Sapper, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAPPER_COORDINATES", "R1C1")
    said = sapper("generate", "--size", "8x8", "--mines", "9", "--start", "J1")
    assert said.err == "sapper: 'R1C10' is not a cell of 8x8: use R1C1 to R8C8\n"


def test_terminal_note_in_coordinates(capsys: pytest.CaptureFixture[str]) -> None:
    GameTerminal(coordinates="A1").on_note("r3c5 was read as 1")
    assert capsys.readouterr().err == "F4 was read as 1\n"


def test_caption_in_coordinates(kmines: GameStory) -> None:
    assert "open r0c5" in caption(kmines, 3)
    assert "open F1" in caption(replace(kmines, coordinates="A1"), 3)


@pytest.mark.slow
@needs_chromium
def test_report_page_in_coordinates(kmines: GameStory, tmp_path: Path) -> None:
    names = "return Array.from({ length: 720 }, (_, k) => cellName(Math.floor(k / 60), k % 60))"
    shown = 'press("Home"); press("g"); return text("what") + text("cell")'
    page = report_page(replace(kmines, coordinates="A1"))
    found = opened(page, {"names": names, "shown": shown}, tmp_path)
    assert found["names"] == [cell_name(*divmod(k, 60), "A1") for k in range(720)]
    assert "F1, 88.3 % safe" in found["shown"]
    assert rename_cells(found["shown"], "A1") == found["shown"]
