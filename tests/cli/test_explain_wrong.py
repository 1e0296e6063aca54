"""`sapper explain` on what is no board, on contradictions, and beside strategies that go wrong."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from said import Said, refused

from bot.cli.inputs import MOST_CELLS
from bot.cli.main import main
from bot.show.explainer import Explainer
from games.errors import Contradiction
from games.logic import bits
from games.minesweeper import Board
from strategies import load_strategies

CORNER = "...\n121\n000\n"  # r0c0 and r0c2 are mines, r0c1 is safe
OPEN = "..\n11\n"  # nothing is certain
Explain = Callable[..., Said]


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("", ["contains no board"]),
        ("..\n...\n", ["line 2, row 1", "3 cells, but the rows above have 2"]),
        ("..\n.g\n", ["line 2, r1c1", "'g' is not a cell state"]),
        ("mines 5\n..\n11\n", ["'mines 5'", "only 2 cells"]),
        (f"{'.' * 250}\n" * (MOST_CELLS // 250 + 1), ["250x161", "row 160"]),
        ("." * 1_000_001, ["at most 1000000"]),
        ("..8.\n....\n", ["this cannot hold: r0c2 = 8"]),
    ],
)
def test_explain_invalid_board_refused(board: str, words: list[str], explain: Explain) -> None:
    refused(explain(board), 7, *words)


@pytest.mark.parametrize(
    ("name", "told"),
    [("missing.txt", "No such file"), ("noise.txt", "neither text nor"), (".", "directory")],
)
def test_explain_missing_or_binary_file_refused(
    name: str, told: str, explain: Explain, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    explain(CORNER)
    (tmp_path / "noise.txt").write_bytes(b"\xff\xfe\x00\x81")
    refused(Said(main(["explain", name]), *capsys.readouterr()), 7, name, told)


CONTRADICTIONS = (
    (".....\n11113\n.....\n", ["r1c3", "r1c4"]),
    ("mines 1\n.1.....1.\n", ["r0c1", "r0c7", "mines"]),
    ("-1\n11\n", ["r0c1", "r0c0"]),
)


@pytest.mark.parametrize(("board", "clues"), CONTRADICTIONS)
def test_explain_conflict_names_smallest_clue_set(board: str, clues: list[str], explain: Explain) -> None:
    said = explain(board, "--json")
    assert said.code == 7
    (found,) = said.objects
    assert set(found["contradiction"]) == set(clues)
    assert said.err.startswith("sapper: these cannot all hold: ")
    assert said.err.count("\n") == 1
    refused(explain(board), 7, "cannot all hold", "correct the rows")


def test_explain_conflict_found_by_weak_strategies() -> None:
    board = Board.parse("mines 1\n.1.....1.")
    with pytest.raises(Contradiction, match="the total of 1 mine"):
        Explainer(board, load_strategies(["single-cell"]))


def test_explain_broken_strategy_named_others_go_on(explain: Explain, tmp_path: Path) -> None:
    (tmp_path / "liar.py").write_text(
        "from strategies import Deduction, hookimpl\n\n\n@hookimpl\ndef deduce(knowledge):\n"
        "    yield Deduction.true(1, knowledge.constraints[:1])\n"
    )
    said = explain(OPEN, "--strategy", "liar.py", "--strategy", "set-rules", "--json")
    assert said.code == 0
    assert said.err == (
        "sapper: strategy liar is quarantined for this game: liar.py, line 6: "
        "a rule without a name concludes from r1c0 = 1 that r0c0 is a mine, "
        "but everything given also holds where r0c0 is safe and r0c1 is a mine\n"
    )
    assert said.objects == [{"contradiction": []}]


def scattered(opened: int, seed: int) -> Board:
    """An Expert board with single cells open all over it: much of it follows only from the total."""
    dice = random.Random(seed)
    mines = set(dice.sample(range(480), 99))
    board = Board.fresh(16, 30, 99)
    shown = dice.sample([cell for cell in range(480) if cell not in mines], opened)
    return board.with_states({k: str(sum(c in mines for c in bits(board.around[k]))) for k in shown})


def test_explain_smallest_conflict_is_bounded(explain: Explain) -> None:
    said = explain(str(scattered(260, 4)), "--json")
    assert said.code == 0
    assert "some reasons name more than it takes" in said.err
    assert said.err.count("\n") == 1
    assert len(said.objects) == 215
    explained = explain(OPEN, "--json")
    assert explained.err == ""


def test_explain_bound_counts_steps() -> None:
    """The bound is no time limit, so the answer is repeatable."""
    board = scattered(260, 4)
    told = [Explainer(board, load_strategies()).explained(board.not_open) for _ in range(2)]
    assert told[0] == told[1]
