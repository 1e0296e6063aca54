"""`sapper strategies --trace`: calls, answers and times."""

from __future__ import annotations

from pathlib import Path

import pytest
from said import Sapper

from games.minesweeper import Board, board_knowledge
from strategies import Reasoner, load_strategies
from strategies.strategy import HookCall, TracedStrategy

CRASHING = """
from strategies import Deduction, hookimpl

@hookimpl
def deduce(knowledge):
    yield Deduction.bounds(6, 0, 2, ())
    raise ValueError("no more")
"""


def test_trace_same_answers() -> None:
    known = board_knowledge(Board.parse("mines 5\n.121.\n.....\n-....\n1-1.."))
    seen: list[HookCall] = []
    plain = Reasoner(load_strategies()).deduce(known)
    told = Reasoner([TracedStrategy.of(each, seen.append) for each in load_strategies()]).deduce(known)
    assert told == plain
    assert sum(len(asked.answers) for asked in seen) >= len(plain.knowledge.history)
    assert all(asked.seconds > 0 for asked in seen)


def test_trace_table(tmp_path: Path, sapper: Sapper) -> None:
    board = tmp_path / "board.txt"
    board.write_text("....\n1221\n")
    *rows, total, moves = sapper(
        "strategies", "--trace", board, "--strategy", "set-rules"
    ).printed.splitlines()
    assert [row.split()[:3] for row in rows][:2] == [
        ["1", "set-rules", "deduce"],
        ["2", "set-rules", "deduce"],
    ]
    assert "r0c2 mine (one clue's cells lie inside another's: r1c0, r1c1)" in rows[0]
    assert total.startswith(f"{len(rows)} calls, ")
    assert moves == "guess: open r0c0"


def test_trace_nothing_certain_asks_guess(tmp_path: Path, sapper: Sapper) -> None:
    board = tmp_path / "board.txt"
    board.write_text("mines 2\n.....\n.11..\n.....\n")
    *asked, decided = sapper("strategies", "--trace", board, "--json").objects
    assert (decided["guess"], len(decided["moves"])) == (True, 1)
    assert [each["hook"] for each in asked].count("guess") == 1
    assert asked[-1]["answers"][0].startswith("guess r")
    assert asked[-1]["ms"] > 0


def test_trace_crash_in_its_row(tmp_path: Path, sapper: Sapper) -> None:
    (tmp_path / "mine.py").write_text(CRASHING)
    (tmp_path / "board.txt").write_text("1.\n..")
    words = ["strategies", "--trace", str(tmp_path / "board.txt"), "--strategy", str(tmp_path / "mine.py")]
    captured = sapper(*words)
    assert captured.code == 0
    assert "raised ValueError: no more" in captured.out
    assert "strategy mine is quarantined for this game" in captured.err


@pytest.mark.parametrize(
    ("words", "text", "code", "complaint"),
    [
        (["--strategy", "linear"], None, 2, "name a board with it"),
        (["--trace", "board.txt"], "1.0", 7, "these cannot all hold"),
        (["--trace", "board.txt"], "00\n00", 7, "every cell is open"),
        (["--trace", "nowhere.txt"], None, 7, "nowhere.txt: No such file"),
    ],
)
def test_trace_invalid_input_refused(
    words: list[str], text: str | None, code: int, complaint: str, sapper: Sapper
) -> None:
    if text:
        Path("board.txt").write_text(text, encoding="utf-8")
    said = sapper("strategies", *words)
    assert said.code == code
    assert complaint in said.err
    assert said.err.count("\n") == 1
