"""`sapper explain`: certain cells, claims, the easiest step, guesses and proof files."""

from __future__ import annotations

import io
import random
import re
import sys
from pathlib import Path

import pytest
from drawing import SKIN, SKINS, draw, save, skin_of
from said import Sapper, refused

from bot.cli.inputs import MOST_CELLS
from bot.show.explainer import Explainer
from games.errors import Contradiction
from games.logic import bits
from games.minesweeper import Board, board_knowledge
from strategies import load_strategies
from strategies.testing import all_models, certain_variables, small_boards
from tools import check_proof

STRATEGIES = load_strategies()
CORNER = "...\n121\n000\n"  # r0c0 and r0c2 are mines, r0c1 is safe
OPEN = "..\n11\n"  # nothing is certain


def test_explain_board_then_sentences(explain: Sapper) -> None:
    said = explain(CORNER)
    assert (said.code, said.err) == (0, "")
    board, _, words = said.out.partition("\n\n")
    assert Board.parse(board).grid == ("*-*", "121", "000")
    first, second, third = words.splitlines()
    assert first.endswith("r0c2 is a mine. (1-2-1: one clue's cells lie inside another's)")
    assert second == "  2. r1c2 = 1 is met by r0c2, so r0c1 is safe."
    assert third == "  3. r1c0 = 1 needs 1 and has only r0c0 left, so r0c0 is a mine."


def test_explain_json(explain: Sapper) -> None:
    *cells, end = explain(CORNER, "--json").objects
    assert {each["cell"]: each["is"] for each in cells} == {"r0c0": "mine", "r0c1": "safe", "r0c2": "mine"}
    assert all(list(each) == ["cell", "is", "rule", "because", "text"] for each in cells)
    assert all(each["rule"] and each["text"].endswith(".") for each in cells)
    assert next(each for each in cells if each["cell"] == "r0c2")["because"] == ["r1c0", "r1c1"]
    assert end == {"contradiction": []}
    assert explain(OPEN, "--json").objects == [end]


def test_explain_small_boards_exactly_certain_cells() -> None:
    for board in small_boards("explain", 60):
        explainer = Explainer(board, STRATEGIES)
        true, false = certain_variables(board_knowledge(board))
        cells = explainer.explained(explainer.certain)
        assert {each.cell for each in cells if each.is_mine} == set(bits(true))
        assert {each.cell for each in cells if not each.is_mine} == set(bits(false))
        assert all(each.sentences and each.because for each in cells)


ENDGAME = "mines 1\n..\n11\n"
UNSURE = "mines 3\n1....\n.....\n"  # the probabilities equal those of an exhaustive search


@pytest.mark.parametrize(
    ("board", "words", "said"),
    [
        (OPEN, "", "nothing is certain: each hidden cell can be a mine and can be safe"),
        ("00\n00\n", "", "nothing is left to decide"),
        ("mines 0\n00\n00\n", "--guess", "nothing is left to decide\n"),
        (CORNER, "--cell r0c1", "r0c1 is safe (r1c0, r1c1, r1c2)\n"),
        (OPEN, "--step", "no move is certain\n"),
        (OPEN, "--risks", " 50.0 %  r0c0 r0c1"),
        (ENDGAME, "--guess", "best guess: r0c0, 50.0 % safe, 50.0 % to win\n"),
        (ENDGAME, "--guess", "solved to the end: no other cell wins in more of the layouts that are left"),
        # "the next best" is the best of the others
        (UNSURE, "--guess", "best guess: r0c1, 66.7 % safe, 17.8 % to win, the next best 17.8 %\n"),
        (UNSURE, "--guess", "and not r1c1: equally good\n"),
        (UNSURE, "--guess", "and not r0c2: 17.8 % against 15.6 % to win\n"),
        (CORNER, "--hint mine:r0c0", "r0c0 a mine: proved\nr0c0 is a mine (r1c1, r1c2)\n"),
        (OPEN, "--hint mine:r0c0", "r0c0 is open: it can be a mine, and it can be safe\n  a mine:\n    *-\n"),
        (OPEN, "--hint mine:r0c0", "\n    *-\n    11\n  safe:\n    -*\n    11\n"),
        ("FF.\n121\n000\n", "", "\nflag proved: r0c0\nflag refuted: r0c1\n"),
        ("F.\n11\n", "", "\nflag open: r0c0\nr0c0 is open: it can be"),
    ],
)
def test_explain_says(board: str, words: str, said: str, explain: Sapper) -> None:
    assert said in explain(board, *words.split()).printed


def test_explain_one_cell(explain: Sapper) -> None:
    cell, _ = explain(CORNER, "--cell", "r0c1", "--json").objects
    assert cell["cell"] == "r0c1"
    cell, _ = explain(OPEN, "--cell", "r0c0", "--json").objects
    assert cell == {"cell": "r0c0", "is": "open", "layouts": [["*-", "11"], ["-*", "11"]]}


def test_explain_lesson_json(explain: Sapper) -> None:
    *steps, end = explain("....\n11..\n00..\n", "--lesson", "--json").objects
    assert [(each["step"], each["cells"], each["is"], each["pattern"]) for each in steps] == [
        (1, ["r1c2", "r2c2"], "safe", ""),
        (2, ["r0c2"], "safe", "1-1"),
    ]
    assert end == {"contradiction": []}


def test_explain_easiest_step(explain: Sapper) -> None:
    board = "....\n.211\n.100\n"
    step, _ = explain(board, "--step", "--json").objects
    assert step in explain(board, "--json").objects
    assert step["is"] == "safe"  # safe cells come before mines


def test_explain_risks(explain: Sapper) -> None:
    assert explain(OPEN, "--risks", "--json").objects[1:] == [
        {"cell": "r0c0", "risk": 0.5},
        {"cell": "r0c1", "risk": 0.5},
    ]


CORNERS = "mines 9\n1.....\n" + 5 * "......\n"


def test_explain_best_guess_compares_others(explain: Sapper) -> None:
    said = explain(CORNERS, "--guess").out
    assert re.search(r"best guess: r\dc\d, \d+\.\d % safe, the next best \d+\.\d %\n", said)
    assert re.search(r"and not r\dc\d: .*\d+ % against \d+ % to survive the next move as well", said)
    best, *others = explain(CORNERS, "--guess", "--json").objects[1:]
    assert best["why"] == ""
    assert {"score", "second", "certain"} <= best["figures"].keys()
    names = {Board.parse(CORNERS).name(k) for k in range(1, 36)}
    assert {best["guess"], *(other["guess"] for other in others)} == names
    assert all(other["why"] for other in others)


def test_explain_safe_cell_needs_no_guess(explain: Sapper) -> None:
    rows = ".....\n121..\n000..\n"
    assert re.search(r"(?s)no guess is needed: r0c1.*best guess: ", explain(rows, "--guess").out)
    objects = explain(rows, "--guess", "--json").objects
    assert {each["needed"] for each in objects if "guess" in each} == {False}
    assert "no guess is needed" not in explain(CORNERS, "--guess").out


def test_explain_compares_guesses_of_strategies(explain: Sapper) -> None:
    said = explain(CORNERS, "--guess", "--strategy", "lowest-risk").out
    assert "best guess: " in said
    assert re.search(r"and not r\dc\d: (nothing is better at once|\d+\.\d % against \d+\.\d % safe)", said)


def test_explain_total_option(explain: Sapper) -> None:
    said = explain(".1...\n", "--mines", "1", "--json")
    assert {each["cell"] for each in said.objects[:-1]} == {"r0c3", "r0c4"}
    assert said.objects[0]["because"] == ["r0c1", "mines"]
    refused(explain(".1..\n", "--mines", "4"), 7, "'mines 4', but only 3 cells")


def test_explain_reads_stdin(sapper: Sapper, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CORNER.encode()), encoding="utf-8"))
    assert "r0c1 is safe" in sapper("explain", "-").printed


def test_explain_reads_screenshot(explain: Sapper, tmp_path: Path, sapper: Sapper) -> None:
    board = Board.parse("........\n..?212..\n.2F102..\n121101..\n00000111\n00000000")
    save(draw(board, skin_of(SKIN)), tmp_path / "shot.png")
    from_picture = sapper("explain", "shot.png", "--skin", SKINS / f"{SKIN}.skin", "--json").printed
    assert explain(str(board), "--json").out == from_picture


def test_explain_claims_proved_refuted_or_open(explain: Sapper) -> None:
    first, second, _ = explain(CORNER, "--hint", "mine:r0c0", "--hint", "safe:r0c0", "--json").objects
    assert (first["hint"], first["verdict"]) == ("mine:r0c0", "proved")
    assert (second["hint"], second["verdict"]) == ("safe:r0c0", "refuted")
    assert first["text"] == second["text"]


def test_explain_claims_agree_with_all_layouts() -> None:
    for board in small_boards("ideas", 40):
        explainer = Explainer(board, STRATEGIES)
        truth = all_models(board_knowledge(board))
        for k in bits(board.not_open):
            number = sum(layout >> k & 1 for layout in truth)
            verdict = explainer.check_claim(k, True)
            expected = "proved" if number == len(truth) else "open" if number else "refuted"
            assert verdict.judgement == expected
            if verdict.layouts:
                assert [layout[k] for layout in verdict.layouts] == ["*", "-"]
                assert {layout.cells_showing("*") for layout in verdict.layouts} <= set(truth)


def test_explain_claim_decided_by_weak_strategies(explain: Sapper) -> None:
    claim, _ = explain(CORNER, "--strategy", "single-cell", "--hint", "safe:r0c1", "--json").objects
    assert claim["verdict"] == "proved"
    assert explain(CORNER, "--strategy", "single-cell", "--json").objects == [{"contradiction": []}]


def test_explain_flags_are_claims(explain: Sapper) -> None:
    assert explain("FF.\n121\n000\n").out.startswith("Fx*\n")
    claim, _ = explain("F.\n11\n", "--json").objects
    assert (claim["hint"], claim["verdict"]) == ("mine:r0c0", "open")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--hint r0c0", "invalid --hint 'r0c0'"),
        ("--hint mine:r9c9", "'r9c9' is not a cell of this board"),
        ("--hint mine:r1c0", "r1c0 is open and shows 1"),
        ("--cell here", "'here' is not a cell"),
        ("--variant nosuch", "'nosuch'"),
        ("--strategy nosuch", "'nosuch'"),
        ("--mines -1", "--mines"),
        ("--proof board.txt", "--proof"),
    ],
)
def test_explain_wrong_options_refused(words: str, message: str, explain: Sapper) -> None:
    refused(explain(CORNER, *words.split()), 2, message)


def test_explain_writes_proof_files(explain: Sapper, tmp_path: Path) -> None:
    for _ in range(2):  # the second run overwrites the files of the first
        said = explain(CORNER, "--proof", "new/folder")
        assert said.code == 0
        assert "new/folder/board.opb" in said.err
    report = check_proof.check_files(tmp_path / "new/folder/board.opb", tmp_path / "new/folder/board.pbp")
    assert report.confirmed == ["1 x1 >= 1 ;", "1 ~x2 >= 1 ;", "1 x3 >= 1 ;"]


def test_explain_keeps_existing_files(explain: Sapper, tmp_path: Path) -> None:
    (tmp_path / "board.pbp").write_text("mine")
    refused(explain(CORNER, "--proof", "."), 2, "board.pbp exists", "--proof")
    assert (tmp_path / "board.pbp").read_text() == "mine"
    assert not (tmp_path / "board.opb").exists()


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("", ["contains no board"]),
        ("..\n...\n", ["line 2, row 1", "3 cells, but the rows above have 2"]),
        (f"{'.' * 250}\n" * (MOST_CELLS // 250 + 1), ["250x161", "row 160"]),
        ("..8.\n....\n", ["this cannot hold: r0c2 = 8"]),
    ],
)
def test_explain_invalid_board_refused(board: str, words: list[str], explain: Sapper) -> None:
    refused(explain(board), 7, *words)


@pytest.mark.parametrize(
    ("name", "message"),
    [("missing.txt", "No such file"), ("noise.txt", "neither text nor"), (".", "sapper review")],
)
def test_explain_missing_or_binary_file_refused(
    name: str, message: str, sapper: Sapper, tmp_path: Path
) -> None:
    (tmp_path / "noise.txt").write_bytes(b"\xff\xfe\x00\x81")
    refused(sapper("explain", name), 7, name, message)


@pytest.mark.parametrize(
    ("board", "clues"),
    [
        (".....\n11113\n.....\n", ["r1c3", "r1c4"]),
        ("mines 1\n.1.....1.\n", ["r0c1", "r0c7", "mines"]),
        ("-1\n11\n", ["r0c1", "r0c0"]),
    ],
)
def test_explain_conflict_names_smallest_clue_set(board: str, clues: list[str], explain: Sapper) -> None:
    said = explain(board, "--json")
    (found,) = said.objects
    assert (said.code, set(found["contradiction"])) == (7, set(clues))
    refused(explain(board), 7, "these cannot all hold: ", "correct the rows")


def test_explain_conflict_found_by_weak_strategies() -> None:
    board = Board.parse("mines 1\n.1.....1.")
    with pytest.raises(Contradiction, match="the total of 1 mine"):
        Explainer(board, load_strategies(["single-cell"]))


def test_explain_broken_strategy_named_others_go_on(explain: Sapper, tmp_path: Path) -> None:
    (tmp_path / "liar.py").write_text(
        "from strategies import Deduction, hookimpl\n\n\n@hookimpl\ndef deduce(knowledge):\n"
        "    yield Deduction.true(1, knowledge.constraints[:1])\n"
    )
    said = explain(OPEN, "--strategy", "liar.py", "--strategy", "set-rules", "--json")
    assert said.err == (
        "sapper: strategy liar is quarantined for this game: liar.py, line 6: "
        "a rule without a name concludes from r1c0 = 1 that r0c0 is a mine, "
        "but everything given also holds where r0c0 is safe and r0c1 is a mine\n"
    )
    assert (said.code, said.objects) == (0, [{"contradiction": []}])


def scattered_board() -> Board:
    """An Expert board with single open cells, where much follows only from the mine total."""
    dice = random.Random(4)
    mines = set(dice.sample(range(480), 99))
    board = Board.fresh(16, 30, 99)
    shown = dice.sample([cell for cell in range(480) if cell not in mines], 260)
    return board.with_states({k: str(sum(c in mines for c in bits(board.around[k]))) for k in shown})


def test_explain_smallest_conflict_is_bounded(explain: Sapper) -> None:
    said, again = (explain(str(scattered_board()), "--json") for _ in range(2))
    assert said == again  # the bound is no time limit
    assert (said.code, said.err.count("\n"), len(said.objects)) == (0, 1, 215)
    assert "some reasons name more than it takes" in said.err
    assert explain(OPEN, "--json").err == ""


def test_explain_huge_board_explained_in_part(explain: Sapper, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.show.explainer.MOST_WORK", 18)  # two cells of nine
    said = explain(CORNER, "--json")
    assert (said.code, len(said.objects)) == (0, 3)
    assert "1 more certain cells are not explained on a board of this size" in said.err
