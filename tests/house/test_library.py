"""The library module `sapper`: imports, arguments, arrays, players."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image
from places import FIXTURES, HOUSE, text_of
from said import run_process
from tables import known

import sapper
from games.errors import InvalidFile
from strategies.testing import position_of

SCREEN = FIXTURES / "screens" / "kmines" / "question_mark.png"
RECORDING = FIXTURES / "recordings" / "kmines-001"
wild: Any = sapper  # for arguments of the wrong type
BOARD = sapper.Board.parse("mines 3\n1...\n11..\n....")


@sapper.hookimpl
def guess(position: sapper.Position) -> list[sapper.Guess]:
    """The safest cell, as a numpy user writes it."""
    cells = np.array(list(sapper.bits(position.openable & ~position.knowledge.true)))
    risks = np.array([position.risks[cell] for cell in cells])
    return [sapper.Guess(cells[k], 1 - risks[k]) for k in np.argsort(risks, kind="stable")]


def loaded_after(code: str) -> set[str]:
    """Top-level modules in a new process without a display, after this code."""
    report = "; import sys; print(*{name.partition('.')[0] for name in sys.modules})"
    command = (sys.executable, "-c", f"import sapper; {code}{report}")
    return set(run_process(*command, cwd=HOUSE, env={"PATH": "/usr/bin:/bin"}).printed.split())


@pytest.mark.parametrize(
    "code",
    [
        "pass",
        f"sapper.read({str(SCREEN)!r})",
        f"sapper.analyse('1.'); sapper.simulate(games=1); sapper.Recording({str(RECORDING)!r})",
    ],
)
def test_library_needs_no_display(code: str) -> None:
    loaded = loaded_after(code)
    assert loaded & {"pyautogui", "mss", "Xlib", "pywayland"} == set()
    assert ("bot" in loaded) == ("Recording" in code)


def test_contract_lists_library_names() -> None:
    page = text_of("docs/reference/plugin-contract.md").partition("## Library")[2].partition("\n## ")[0]
    assert set(re.findall(r"`(\w+)[`(]", page)) >= set(sapper.__all__) - {"CONTRACT"}


def test_read_kinds_of_picture_agree() -> None:
    board = sapper.read(str(SCREEN)).board
    array = cv2.imread(str(SCREEN))
    for picture in (SCREEN, SCREEN.read_bytes(), array, Image.open(SCREEN)):
        assert wild.read(picture).board == board
    assert (board.columns, board.rows) == (30, 16)
    assert "pixels" not in repr(sapper.read(SCREEN))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: wild.read(None), "None is no picture: pass a file"),
        (lambda: wild.read(np.zeros((5, 5))), "(5, 5) of float64"),
        (lambda: wild.read(np.zeros((0, 5, 3), np.uint8)), "5x0 pixels"),
        (lambda: wild.read("x.png", skin=5), "the name or the file of a skin"),
        (lambda: wild.analyse(None), "pass a Board, its text"),
        (lambda: wild.analyse("board.txt"), "pass pathlib.Path('board.txt')"),
        (lambda: wild.analyse("..", [5]), "5 is no strategy"),
        (lambda: wild.analyse("..", []), "pass at least one"),
        (lambda: wild.analyse(BOARD.with_mines(-1)), "-1 mines"),
        (lambda: wild.simulate(games=0), "pass 1 or more"),
        (lambda: wild.simulate(level="hard"), "beginner, intermediate, expert"),
        (lambda: wild.simulate(size=(5, 5)), "size and mines together"),
        (lambda: wild.simulate(size=5, mines=3), "(columns, rows)"),
        (lambda: wild.simulate(lambda board: -1, games=1), "returned -1: return the number of a closed"),
        (lambda: wild.simulate(lambda: 1), "does not accept a board: pass a function of one argument"),
        (lambda: wild.compare(1, 2), "results of simulate()"),
        (lambda: wild.mask(BOARD, -1), "-1 is no cell set"),
        (lambda: wild.Recording(5), "pass the path of its folder"),
        (lambda: wild.Board(2, 2, "ab.."), "'ab': not cell states"),
        (lambda: wild.Board(2, 2, [".", "."]), "pass two whole numbers"),
        (lambda: wild.Board(2, 2, "..."), "3 cells do not fill 2x2"),
        (lambda: wild.Board.parse(5), "type int: pass its text"),
        (lambda: BOARD.with_states({-1: "1"}), "cells 0 to 11"),
        (lambda: wild.cell_set([-1]), "numbered from 0"),
        (lambda: list(wild.bits(-1)), "-1 is no cell set"),
        (lambda: minefield().play([wild.Move("open", -1)]), "cells 0 to 8"),
        (lambda: minefield().play([wild.Move("click", 1)]), "use open, flag, unflag, chord"),
    ],
)
def test_wrong_argument_names_remedy(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(sapper.ArgumentError) as caught:
        call()
    assert said in str(caught.value)
    assert isinstance(caught.value, ValueError)


def minefield() -> sapper.Minefield:
    return sapper.Minefield(sapper.Deal.random(3, 3, 2, 1))


def test_recording_later_look_needs_board() -> None:
    recording = sapper.Recording(RECORDING)
    later = recording.turns()[2][0]
    with pytest.raises(sapper.ArgumentError, match="needs the reading before it"):
        recording.board(None, later)
    with pytest.raises(sapper.ArgumentError, match="does not contain the board"):
        recording.after(recording.first().crop(0, 0, 5, 5), later)
    with pytest.raises(InvalidFile, match="name the folder of a recording"):
        sapper.Recording("nowhere")


def test_recording_arrays_match_observations() -> None:
    recording = sapper.Recording(str(RECORDING))
    seen = list(recording.observations())
    boards, frames = recording.boards(), list(recording.frames())
    assert ["".join(map("".join, board)) for board in boards] == [each.board.cells for each in seen]
    assert {frame.shape for frame in frames} == {(*reversed(recording.meta.lattice.box[2:]), 3)}
    assert len(frames) == len(seen)


def test_board_as_array_and_cell_sets() -> None:
    assert np.asarray(BOARD).tolist() == [list(row) for row in BOARD.grid]
    cells = sapper.cell_set([1, 5, 11])
    assert sapper.cell_set(np.flatnonzero(sapper.mask(BOARD, cells))) == cells
    assert sapper.cell_set(np.array([100])) == 1 << 100  # more bits than a numpy integer has


def test_analysis_parts_agree() -> None:
    found = sapper.analyse(BOARD)
    assert [(c.cell, c.is_mine) for c in found.certain] == [
        (1, True),
        *((k, False) for k in (2, 6, 8, 9, 10)),
    ]
    assert all(each.sentences for each in found.certain)
    assert np.isnan(found.risks).sum() == 3
    assert found.risks[sapper.mask(BOARD, found.mines)].tolist() == [1.0]
    assert not found.risks[sapper.mask(BOARD, found.safe)].any()
    assert found.guesses == ()
    assert sapper.analyse("...\n121\n...").guesses == ()
    assert sapper.analyse("mines 1\n1.\n..").guesses[0].safe == pytest.approx(2 / 3)
    with pytest.raises(sapper.Contradiction, match="r0c0 = 3"):
        sapper.analyse("3.")


@pytest.mark.parametrize("text", ["mines 2\n1..\n...", "1...\n11..\n....", "mines 4\n....\n..2.\n...."])
def test_position_risks_equal_analysis(text: str) -> None:
    """Known cells have the risk 0 or 1; without a total, both use the same prior."""
    board = sapper.Board.parse(text)
    position = position_of(board, known(board))
    assert sorted(position.risks) == list(sapper.bits(board.not_open))
    risks = sapper.analyse(board).risks.flatten()
    assert dict(position.risks) == pytest.approx({k: risks[k] for k in position.risks})
    assert position.risks is position.risks  # computed once


def test_simulate_player_kinds_alike() -> None:
    """A hook, an object with it, and a function that calls it play the same games."""

    class Plugin:
        @sapper.hookimpl
        def guess(self, position: sapper.Position) -> list[sapper.Guess]:
            return guess(position)

    results = [sapper.simulate(each, 12, size=(9, 9), mines=12) for each in (guess, Plugin, [Plugin()])]
    assert [each.wins for each in results] == [results[0].wins] * 3
    assert not any(each.faults for each in results)
    assert 0 < results[0].won < 12
    function = sapper.simulate(lambda board: next(sapper.bits(board.closed)), 12, size=(9, 9), mines=12)
    assert sapper.compare(results[0], function).only_ours == results[0].won


def test_simulate_faulty_strategy_warns() -> None:
    @sapper.hookimpl
    def deduce(knowledge: sapper.Knowledge) -> None:
        raise KeyError("r0c0")

    with pytest.warns(RuntimeWarning, match="game 0: strategy deduce is quarantined.*KeyError"):
        result = sapper.simulate(deduce, 3)
    assert [fault["strategy"] for fault in result.faults] == ["deduce"]


def test_analyse_reads_a_text_file(tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text("...\n121\n000")
    assert sapper.analyse(tmp_path / "board.txt").board == sapper.Board.parse("...\n121\n000")
    with pytest.raises(InvalidFile, match=r"nothing\.txt: No such file"):
        sapper.analyse(tmp_path / "nothing.txt")
