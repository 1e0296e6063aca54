"""`sapper explain`: what is certain, ideas, the easiest step, proofs on disk, and boards that cannot be."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from drawing import SKIN, SKINS, draw, save, skin_of
from said import Said, Sapper, refused

from bot.cli.main import main
from bot.show.explainer import Explainer
from games.logic import bits
from games.minesweeper import Board, board_knowledge
from strategies import load_strategies
from strategies.testing import all_models, certain_variables, small_boards
from tools import check_proof

STRATEGIES = load_strategies()
CORNER = "...\n121\n000\n"  # r0c0 and r0c2 are mines, r0c1 is safe
OPEN = "..\n11\n"  # nothing is certain
Explain = Callable[..., Said]


def test_explain_board_then_sentences(explain: Explain) -> None:
    said = explain(CORNER)
    assert (said.code, said.err) == (0, "")
    board, _, words = said.out.partition("\n\n")
    assert Board.parse(board).grid == ("*-*", "121", "000")
    lines = words.splitlines()
    assert lines[0].endswith("r0c2 is a mine. (1-2-1: one clue's cells lie inside another's)")
    assert lines[1:] == [
        "  2. r1c2 = 1 is met by r0c2, so r0c1 is safe.",
        "  3. r1c0 = 1 needs 1 and has only r0c0 left, so r0c0 is a mine.",
    ]


def test_explain_json(explain: Explain) -> None:
    said = explain(CORNER, "--json")
    assert (said.code, said.err) == (0, "")
    *cells, end = said.objects
    assert {each["cell"]: each["is"] for each in cells} == {"r0c0": "mine", "r0c1": "safe", "r0c2": "mine"}
    assert all(list(each) == ["cell", "is", "rule", "because", "text"] for each in cells)
    assert all(each["rule"] and each["text"].endswith(".") for each in cells)
    assert next(each for each in cells if each["cell"] == "r0c2")["because"] == ["r1c0", "r1c1"]
    assert end == {"contradiction": []}


def test_explain_small_boards_exactly_certain_cells() -> None:
    for board in small_boards("explain", 60):
        explainer = Explainer(board, STRATEGIES)
        true, false = certain_variables(board_knowledge(board))
        told = explainer.explained(explainer.certain)
        assert {each.cell for each in told if each.is_mine} == set(bits(true))
        assert {each.cell for each in told if not each.is_mine} == set(bits(false))
        assert all(each.sentences and each.because for each in told)


def test_explain_nothing_certain_says_so(explain: Explain) -> None:
    assert "nothing is certain: each hidden cell can be a mine and can be safe" in explain(OPEN).out
    assert explain(OPEN, "--json").objects == [{"contradiction": []}]
    assert "nothing is left to decide" in explain("00\n00\n").out


def test_explain_one_cell(explain: Explain) -> None:
    said = explain(CORNER, "--cell", "r0c1")
    assert said.out.startswith("r0c1 is safe (r1c0, r1c1, r1c2)\n")
    assert [each.get("cell") for each in explain(CORNER, "--cell", "r0c1", "--json").objects] == [
        "r0c1",
        None,
    ]
    undecided = explain(OPEN, "--cell", "r0c0", "--json").objects[0]
    assert undecided == {"cell": "r0c0", "is": "open", "layouts": [["*-", "11"], ["-*", "11"]]}


def test_explain_lesson_json(explain: Explain) -> None:
    *steps, end = explain("....\n11..\n00..\n", "--lesson", "--json").objects
    assert [(each["step"], each["cells"], each["is"], each["pattern"]) for each in steps] == [
        (1, ["r1c2", "r2c2"], "safe", ""),
        (2, ["r0c2"], "safe", "1-1"),
    ]
    assert end == {"contradiction": []}


def test_explain_easiest_step(explain: Explain) -> None:
    board = "....\n.211\n.100\n"
    everything = explain(board, "--json").objects[:-1]
    (step, end) = explain(board, "--step", "--json").objects
    assert step in everything
    assert step["is"] == "safe"  # a cell to open goes before a mine to flag
    assert end == {"contradiction": []}
    assert explain(OPEN, "--step").out == "no move is certain\n"


def test_explain_risks(explain: Explain) -> None:
    assert explain(OPEN, "--risks", "--json").objects[1:] == [
        {"cell": "r0c0", "risk": 0.5},
        {"cell": "r0c1", "risk": 0.5},
    ]
    assert " 50.0 %  r0c0 r0c1" in explain(OPEN, "--risks").out


CORNERS = "mines 9\n1.....\n" + 5 * "......\n"


def test_explain_best_guess_compares_others(explain: Explain) -> None:
    said = explain(CORNERS, "--guess").out
    assert re.search(r"best guess: r\dc\d, \d+\.\d % safe, .* to survive the next move as well, ", said)
    assert re.search(r"and not r\dc\d: .*\d+ % against \d+ % to survive the next move as well", said)
    best, *others = explain(CORNERS, "--guess", "--json").objects[1:]
    assert best["why"] == ""
    assert {"score", "second", "certain"} <= best["figures"].keys()
    assert {best["guess"], *(other["guess"] for other in others)} == {
        Board.parse(CORNERS).name(k) for k in range(1, 36)
    }
    assert all(other["why"] for other in others)


def test_explain_safe_cell_needs_no_guess(explain: Explain) -> None:
    rows = ".....\n121..\n000..\n"
    said = explain(rows, "--guess").out
    assert said.index("no guess is needed: r0c1") < said.index("best guess: ")
    objects = [each for each in explain(rows, "--guess", "--json").objects if "guess" in each]
    assert {each["needed"] for each in objects} == {False}
    assert "no guess is needed" not in explain(CORNERS, "--guess").out


def test_explain_compares_guesses_of_strategies(explain: Explain) -> None:
    said = explain(CORNERS, "--guess", "--strategy", "lowest-risk").out
    assert "best guess: " in said
    assert re.search(r"and not r\dc\d: (nothing is better at once|\d+\.\d % against \d+\.\d % safe)", said)
    assert explain("mines 0\n00\n00\n", "--guess").out.endswith("nothing is left to decide\n")


def test_explain_endgame_solved(explain: Explain) -> None:
    said = explain("mines 1\n..\n11\n", "--guess").out
    assert "50.0 % safe, 50.0 % to win the game from here with best play" in said
    assert "solved to the end: no other cell wins in more of the layouts that are left" in said


def test_explain_total_option(explain: Explain) -> None:
    said = explain(".1...\n", "--mines", "1", "--json")
    assert {each["cell"] for each in said.objects[:-1]} == {"r0c3", "r0c4"}
    assert said.objects[0]["because"] == ["r0c1", "mines"]
    refused(explain(".1..\n", "--mines", "4"), 7, "'mines 4', but only 3 cells")


def test_explain_reads_stdin(explain: Explain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CORNER.encode())))
    explain("")
    assert main(["explain", "-"]) == 0


def test_explain_reads_screenshot(explain: Explain, tmp_path: Path, sapper: Sapper) -> None:
    board = Board.parse("........\n..?212..\n.2F102..\n121101..\n00000111\n00000000")
    save(draw(board, skin_of(SKIN)), tmp_path / "shot.png")
    from_picture = sapper("explain", "shot.png", "--skin", SKINS / f"{SKIN}.skin", "--json").printed
    assert explain(str(board), "--json").out == from_picture


def test_explain_ideas_proved_refuted_or_open(explain: Explain) -> None:
    said = explain(CORNER, "--hint", "mine:r0c0", "--hint", "safe:r0c0", "--json")
    first, second, _ = said.objects
    assert (first["hint"], first["verdict"]) == ("mine:r0c0", "proved")
    assert (second["hint"], second["verdict"]) == ("safe:r0c0", "refuted")
    assert first["text"] == second["text"]
    assert "r0c0 a mine: proved\nr0c0 is a mine (r1c1, r1c2)\n" in explain(CORNER, "--hint", "mine:r0c0").out
    left = explain(OPEN, "--hint", "mine:r0c0").out
    assert left.splitlines() == [
        "r0c0 is open: it can be a mine, and it can be safe",
        *("  a mine:", "    *-", "    11"),
        *("  safe:", "    -*", "    11"),
    ]


def test_explain_ideas_agree_with_all_layouts() -> None:
    for board in small_boards("ideas", 40):
        explainer = Explainer(board, STRATEGIES)
        truth = all_models(board_knowledge(board))
        for k in bits(board.not_open):
            number = sum(layout >> k & 1 for layout in truth)
            verdict = explainer.check_claim(k, True)
            expected = "proved" if number == len(truth) else "open" if number else "refuted"
            assert verdict.judgement == expected
            if verdict.layouts:
                mine, safe = verdict.layouts
                assert (mine[k], safe[k]) == ("*", "-")
                assert mine.cells_showing("*") in truth
                assert safe.cells_showing("*") in truth


def test_explain_idea_decided_by_weak_strategies(explain: Explain) -> None:
    said = explain(CORNER, "--strategy", "single-cell", "--hint", "safe:r0c1", "--json")
    assert said.objects[0]["verdict"] == "proved"
    assert explain(CORNER, "--strategy", "single-cell", "--json").objects == [{"contradiction": []}]


def test_explain_flags_are_ideas(explain: Explain) -> None:
    said = explain("FF.\n121\n000\n")
    assert said.out.startswith("Fx*\n")
    assert said.out.endswith("\nflag proved: r0c0\nflag refuted: r0c1\n")
    assert "\nflag open: r0c0\nr0c0 is open: it can be" in explain("F.\n11\n").out
    ideas = [each for each in explain("F.\n11\n", "--json").objects if "hint" in each]
    assert [(each["hint"], each["verdict"]) for each in ideas] == [("mine:r0c0", "open")]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--hint", "r0c0"], "'r0c0' is no idea"),
        (["--hint", "mine:r9c9"], "'r9c9' is not a cell of this board"),
        (["--hint", "mine:r1c0"], "r1c0 is open and shows 1"),
        (["--cell", "here"], "'here' is not a cell"),
        (["--cell", "r1c1"], "r1c1 is open and shows 2"),
        (["--variant", "nosuch"], "'nosuch'"),
        (["--strategy", "nosuch"], "'nosuch'"),
        (["--mines", "-1"], "--mines"),
        (["--proof", "board.txt"], "--proof"),
    ],
)
def test_explain_wrong_options_refused(words: list[str], told: str, explain: Explain) -> None:
    refused(explain(CORNER, *words), 2, told)


def test_explain_writes_proof_files(explain: Explain, tmp_path: Path) -> None:
    said = explain(CORNER, "--proof", "new/folder")
    assert said.code == 0
    assert "new/folder/board.opb" in said.err
    report = check_proof.check_files(tmp_path / "new/folder/board.opb", tmp_path / "new/folder/board.pbp")
    assert report.confirmed == ["1 x1 >= 1 ;", "1 ~x2 >= 1 ;", "1 x3 >= 1 ;"]
    assert explain(CORNER, "--proof", "new/folder").code == 0  # its own files are written anew


def test_explain_keeps_existing_files(explain: Explain, tmp_path: Path) -> None:
    (tmp_path / "board.pbp").write_text("mine")
    refused(explain(CORNER, "--proof", "."), 2, "board.pbp is there already", "--proof")
    assert (tmp_path / "board.pbp").read_text() == "mine"
    assert not (tmp_path / "board.opb").exists()
