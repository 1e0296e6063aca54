"""The verdict of `benchmarks.game_verdict` on the readings of a recorded game."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from editing import edited_events
from places import FIXTURES

from benchmarks.game_verdict import GameVerdict, judge
from bot.recording.recording import Recording, cell_strip
from games.logic import cell_set
from games.minesweeper import Board
from vision.lattice import Lattice

RECORDINGS = FIXTURES / "recordings"
FOLDERS = sorted(path.parent for path in RECORDINGS.glob("*/meta.json"))

Events = list[dict[str, Any]]

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


def events_of(script: str) -> Events:
    """Events of a script whose parts are divided by `|`.

    A part is an act (`open`, `guess`, `flag` or `chord` and cells) with its plan, or an observation: cells
    with what is drawn now and how it is read, such as `r0c0=1:1`, `r0c0=1` or `r1c1:2`.
    """
    events: Events = []
    for part in script.split("|"):
        kind, *cells = part.split() or [""]
        if kind in ("open", "guess", "flag", "chord"):
            moves = {"moves": [f"{kind.replace('guess', 'open')} {cell}" for cell in cells]}
            guess = {"guess": {"cell": cells[0], "safe": 0.5, "reason": "", "figures": {}}}
            plan = {"event": "plan", "certain": [], **moves} | (guess if kind == "guess" else {})
            events += [plan, {"event": "act", **moves}]
        else:
            found = [re.fullmatch(r"(r\dc\d)(?:=(.))?(?::(.))?", word) for word in part.split()]
            cells_shown = [match.groups() for match in found if match]
            drawn = {cell: shown for cell, shown, _ in cells_shown if shown}
            read = {cell: state for cell, _, state in cells_shown if state}
            events.append({"event": "look", "drawn": drawn, "read": read})
    return events


def judged(folder: Path, result: str, script: str) -> GameVerdict:
    """The verdict on a recording that starts with `OPENED`; each state has its own shade of grey."""
    board = Board.parse("\n".join(OPENED))
    lattice = Lattice(tuple(META["lattice"]["x"]), tuple(META["lattice"]["y"]))
    pixels = np.zeros((30, 50, 3), np.uint8)
    drawn: dict[str, Any] = {"event": "look", "drawn": {board.name(k): s for k, s in enumerate(board.cells)}}
    strips, lines = b"", []
    ends = [{"event": "end", "result": {"result": result}}] if result != "stopped" else []
    folder.mkdir(exist_ok=True)
    for one in [drawn, *events_of(script), *ends]:
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
    return judge(Recording(folder))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_judge_fixture_recording_all_right(folder: Path) -> None:
    verdict = judge(Recording(folder))
    assert (verdict.result, verdict.proved, verdict.wrong, verdict.unjudged) == ("won", True, (), 0)
    assert (verdict.mines_known, verdict.wrong_certain, verdict.avoidable_guesses) == (verdict.mines, 0, 0)


@pytest.mark.parametrize(
    ("state", "instead"), [("1", "2"), ("2", "1"), ("1", "."), ("3", "F"), ("2", "*"), ("0", "1"), ("2", "!")]
)
@pytest.mark.parametrize("program", ["kmines-001", "xdemineur-002", "sgt-mines-001"])
def test_judge_permanent_misreading_listed(program: str, state: str, instead: str, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(RECORDINGS / program, tmp_path / "game"))
    with edited_events(folder) as events:
        at = next(e for e in events if state in e.get("read", {}).values())
        name = next(cell for cell, read in at["read"].items() if read == state)
        at["read"][name] = instead
    verdict = judge(Recording(folder))
    assert not verdict.proved or any(f" {name} " in wrong for wrong in verdict.wrong)


WIN = "open r0c0 | r0c0=1:1"
FLAGGED_WIN = "open r0c0 | r0c0=1:1 r0c1=F:F r2c4=F:F"
LOSS = "guess r0c1 | r0c1=!:! r2c4=*:*"
ONE_SHOWN = "guess r0c1 | r0c1=!:!"


@pytest.mark.parametrize(
    ("result", "script", "proved", "wrong"),
    [
        ("won", f"r1c1:2 | r1c1:1 | {WIN}", True, ["observation 2 r1c1 1, read as 2"]),  # corrected later
        ("won", "open r0c0 | r0c0=p:. | r0c0=1:1", True, []),  # a held button, with an image of its own
        ("won", "open r0c0 | r0c0=1:. | r0c0:1", True, ["observation 2 r0c0 1, read as ."]),
        ("won", "open r0c0 | r0c0=1 | r0c0=~:~ | r0c0=1:1", True, ["observation 2 r0c0 1, read as ."]),
        ("won", FLAGGED_WIN, True, []),  # the program's own flags
        ("won", f"r0c1=F:F | {FLAGGED_WIN}", True, ["observation 2 r0c1 a mine, read as F"]),
        ("lost", FLAGGED_WIN, False, []),  # a win that was misread
        ("won", f"flag r0c1 | r0c1=F:F | {FLAGGED_WIN}", True, []),
        ("lost", "guess r0c1 | r0c1=!:! r2c4=*:F", True, ["observation 2 r2c4 a mine, read as F"]),
        ("won", "chord r1c0 | r0c0=~:~ r0c1=F:F r2c4=F:F", False, []),  # flags hide the last move
        ("lost", LOSS, True, []),
        ("lost", ONE_SHOWN, True, []),
        ("lost", f"r1c2:2 | {LOSS}", False, [f"observation {k} r1c2 1, read as 2" for k in (2, 3)]),
        ("lost", f"r1c4=3:3 | {ONE_SHOWN}", False, ["the numbers at the end are inconsistent"]),
        ("won", "", False, []),
        ("lost", "open r0c0 |", False, []),
        ("stopped", "", False, []),
    ],
)
def test_judge_wrong_readings_and_proved_end(
    result: str, script: str, proved: bool, wrong: list[str], tmp_path: Path
) -> None:
    verdict = judged(tmp_path, result, script)
    assert (verdict.proved, list(verdict.wrong)) == (proved, wrong)


def test_judge_counts_mines_and_unjudged_cells(tmp_path: Path) -> None:
    all_shown, one_shown, hidden = (
        judged(tmp_path / str(number), result, script)
        for number, (result, script) in enumerate(
            [("lost", LOSS), ("lost", ONE_SHOWN), ("won", "chord r1c0 | r0c0=~:~ r0c1=F:F r2c4=F:F")]
        )
    )
    assert (all_shown.mines_known, all_shown.unjudged, one_shown.mines_known) == (2, 0, 1)
    assert hidden.unjudged


@pytest.mark.parametrize(
    ("script", "count"),
    [
        (f"r1c2:0 | {LOSS.replace('guess', 'open')}", 1),
        ("open r0c1 |", 1),  # no mine was recognised
        ("guess r0c1 |", 0),
        (LOSS, 0),
    ],
)
def test_judge_certain_mine_counted(script: str, count: int, tmp_path: Path) -> None:
    assert judged(tmp_path, "lost", script).wrong_certain == count


def test_judge_avoidable_guess_counted(tmp_path: Path) -> None:
    won = "guess r0c0 | r0c0=1:1 r0c2:1 r1c0:1 r1c1:1 r1c2:1"
    blind = judged(tmp_path / "a", "won", f"r0c2:~ r1c0:~ r1c1:~ r1c2:~ | {won}")
    assert (blind.guesses, blind.avoidable_guesses, blind.unread, blind.wrong) == (1, 1, 4, ())
    seen = judged(tmp_path / "b", "won", won)
    assert (seen.guesses, seen.avoidable_guesses) == (1, 0)
