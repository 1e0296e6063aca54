"""The verdict of `benchmarks.game_verdict` on the readings of a recorded game."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from editing import edited_events

from benchmarks.game_verdict import judge
from bot.recording.recording import Recording, cell_strip
from games.logic import cell_set
from games.minesweeper import Board
from vision.lattice import Lattice

RECORDINGS = Path(__file__).resolve().parents[2] / "fixtures" / "recordings"
FOLDERS = sorted(path.parent for path in RECORDINGS.glob("*/meta.json"))

Events = dict[str, Any] | list[dict[str, Any]]

META: dict[str, Any] = {
    "format": 1,
    "program": None,
    "lattice": {"x": [0, 10, 20, 30, 40, 50], "y": [0, 10, 20, 30]},
    "rules": {"mines": 2, "first_click": "safe", "win_needs": "open", "can_chord": False, "flags": "needed"},
    "strategies": [],
    "sapper": "test",
    "learns": True,
}
# mines at r0c1 and r2c4
OPENED = ["..100", "11111", "0001."]


def look(cells: str = "", **read: str) -> dict[str, Any]:
    """An observation: cells with changed images, such as "r0c1=2", and changed readings."""
    return {"event": "look", "drawn": dict(cell.split("=") for cell in cells.split()), "read": read}


def opened(*cells: str, guess: bool = False) -> list[dict[str, Any]]:
    """A plan and its acts."""
    moves = [f"open {cell}" for cell in cells]
    plan: dict[str, Any] = {"event": "plan", "moves": moves, "certain": []}
    if guess:
        plan["guess"] = {"cell": cells[0], "safe": 0.5, "reason": "", "figures": {}}
    return [plan, {"event": "act", "moves": moves}]


def game(folder: Path, result: str, *events: Events) -> Recording:
    """A recording that starts with `OPENED`; each state has its own shade of grey."""
    board = Board.parse("\n".join(OPENED))
    lattice = Lattice(tuple(META["lattice"]["x"]), tuple(META["lattice"]["y"]))
    pixels = np.zeros((30, 50, 3), np.uint8)
    drawn: dict[str, Any] = {"event": "look", "drawn": {board.name(k): s for k, s in enumerate(board.cells)}}
    strips, lines = b"", []
    flat = [e for part in events for e in (part if isinstance(part, list) else [part])]
    if result != "stopped":
        flat.append({"event": "end", "result": {"result": result}})
    folder.mkdir(exist_ok=True)
    for one in [drawn, *flat]:
        event = dict(one)
        cells = {board.cell(name): state for name, state in event.pop("drawn", {}).items()}
        for k, state in cells.items():
            left, top, right, bottom = lattice.rectangle(k)
            pixels[top:bottom, left:right] = ord(state)
        if one is drawn:
            cv2.imwrite(str(folder / "first.png"), pixels)
            event["board"] = OPENED
        elif cells:
            strip = cv2.imencode(".png", cell_strip(lattice, pixels, cells))[1].tobytes()
            event |= {"strip": [len(strips), len(strip)], "cells": board.names(cell_set(cells))}
            strips += strip
        lines.append(json.dumps({"t": 0.0} | event) + "\n")
    (folder / "meta.json").write_text(json.dumps(META))
    (folder / "cells.png.bin").write_bytes(strips)
    (folder / "events.jsonl").write_text("".join(lines))
    return Recording(folder)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_report_known_correct_reading(folder: Path) -> None:
    verdict = judge(Recording(folder))
    assert (verdict.result, verdict.proved, verdict.wrong, verdict.unjudged) == ("won", True, (), 0)
    assert (verdict.mines_known, verdict.wrong_certain, verdict.avoidable_guesses) == (verdict.mines, 0, 0)


@pytest.mark.parametrize(
    ("state", "instead"), [("1", "2"), ("2", "1"), ("1", "."), ("3", "F"), ("2", "*"), ("0", "1"), ("2", "!")]
)
@pytest.mark.parametrize("program", ["kmines-001", "xdemineur-002", "sgt-mines-001"])
def test_report_permanent_misreading_listed(program: str, state: str, instead: str, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(RECORDINGS / program, tmp_path / "game"))
    with edited_events(folder) as events:
        at = next(e for e in events if state in e.get("read", {}).values())
        name = next(cell for cell, read in at["read"].items() if read == state)
        at["read"][name] = instead
    verdict = judge(Recording(folder))
    assert not verdict.proved or any(f" {name} " in wrong for wrong in verdict.wrong)


def test_report_corrected_number_was_wrong(tmp_path: Path) -> None:
    won = game(tmp_path, "won", look(r1c1="2"), look(r1c1="1"), opened("r0c0"), look("r0c0=1", r0c0="1"))
    assert judge(won).wrong == ("observation 2 r1c1 1, read as 2",)


def test_truth_number_lookalike_is_not_hidden(tmp_path: Path) -> None:
    act = opened("r0c0")
    soon = game(tmp_path / "a", "won", act, look("r0c0=p", r0c0="."), look("r0c0=1", r0c0="1"))
    assert judge(soon).wrong == ()  # a held button, with an image of its own
    late = game(tmp_path / "b", "won", act, look("r0c0=1", r0c0="."), look(r0c0="1"))
    assert judge(late).wrong == ("observation 2 r0c0 1, read as .",)
    flash = look("r0c0=~", r0c0="~")
    torn = game(tmp_path / "c", "won", act, look("r0c0=1"), flash, look("r0c0=1", r0c0="1"))
    assert judge(torn).wrong == ("observation 2 r0c0 1, read as .",)


def test_truth_flag_not_set_is_no_flag(tmp_path: Path) -> None:
    flag = [{"event": "act", "moves": ["flag r0c1"]}]
    won: list[Events] = [opened("r0c0"), look("r0c0=1 r0c1=F r2c4=F", r0c0="1", r0c1="F", r2c4="F")]
    assert judge(game(tmp_path / "a", "won", *won)).wrong == ()  # the program's own, at the end
    early = game(tmp_path / "b", "won", look("r0c1=F", r0c1="F"), *won)
    assert judge(early).wrong == ("observation 2 r0c1 a mine, read as F",)
    assert judge(game(tmp_path / "c", "won", flag, look("r0c1=F", r0c1="F"), *won)).wrong == ()
    lost: list[Events] = [opened("r0c1", guess=True), look("r0c1=! r2c4=*", r0c1="!", r2c4="F")]
    assert judge(game(tmp_path / "d", "lost", *lost)).wrong == ("observation 2 r2c4 a mine, read as F",)


def test_truth_won_flags_hidden_last_move(tmp_path: Path) -> None:
    moves = {"moves": ["chord r1c0"]}
    chord: Events = [{"event": "plan", "certain": [], **moves}, {"event": "act", **moves}]
    end = look("r0c0=~ r0c1=F r2c4=F", r0c0="~", r0c1="F", r2c4="F")
    seen = judge(game(tmp_path, "won", chord, end))
    assert (seen.wrong, seen.proved) == ((), False)
    assert seen.unjudged


def test_truth_lost_game_shows_mines(tmp_path: Path) -> None:
    act, end = opened("r0c1", guess=True), look("r0c1=! r2c4=*", r0c1="!", r2c4="*")
    all_shown = judge(game(tmp_path / "a", "lost", act, end))
    assert (all_shown.proved, all_shown.wrong, all_shown.mines_known, all_shown.unjudged) == (True, (), 2, 0)
    one_shown = judge(game(tmp_path / "b", "lost", act, look("r0c1=!", r0c1="!")))
    assert (one_shown.proved, one_shown.wrong, one_shown.mines_known) == (True, (), 1)
    misread = judge(game(tmp_path / "c", "lost", look(r1c2="2"), act, end))
    assert misread.wrong == ("observation 2 r1c2 1, read as 2", "observation 3 r1c2 1, read as 2")
    torn = judge(game(tmp_path / "d", "lost", look("r1c4=3", r1c4="3"), act, look("r0c1=!", r0c1="!")))
    assert torn.wrong == ("the numbers at the end are inconsistent",)


def test_truth_unproven_end_not_proved(tmp_path: Path) -> None:
    assert not judge(game(tmp_path / "a", "won", look())).proved
    assert not judge(game(tmp_path / "b", "lost", opened("r0c0"), look())).proved
    assert not judge(game(tmp_path / "c", "stopped", look())).proved


def test_report_certain_mine_counted(tmp_path: Path) -> None:
    end = look("r0c1=! r2c4=*", r0c1="!", r2c4="*")
    assert judge(game(tmp_path / "a", "lost", look(r1c2="0"), opened("r0c1"), end)).wrong_certain == 1
    assert judge(game(tmp_path / "b", "lost", opened("r0c1", guess=True), end)).wrong_certain == 0


def test_report_avoidable_guess_counted(tmp_path: Path) -> None:
    end = look("r0c0=1", r0c0="1", r0c2="1", r1c0="1", r1c1="1", r1c2="1")
    blind: list[Events] = [look(r0c2="~", r1c0="~", r1c1="~", r1c2="~"), opened("r0c0", guess=True), end]
    verdict = judge(game(tmp_path / "a", "won", *blind))
    assert (verdict.guesses, verdict.avoidable_guesses, verdict.unread, verdict.wrong) == (1, 1, 4, ())
    seen = judge(game(tmp_path / "b", "won", opened("r0c0", guess=True), end))
    assert (seen.guesses, seen.avoidable_guesses) == (1, 0)
