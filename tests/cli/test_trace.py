"""`sapper strategies --trace`: calls, answers and times; fault reports."""

from __future__ import annotations

import json
import os
import select
import sys
import time
from pathlib import Path

import pytest
from authored import hook, written
from places import FIXTURES
from said import Sapper, refused

from games.minesweeper import Board, board_knowledge
from strategies import Fault, Reasoner, load_strategies
from strategies.strategy import HookCall, TracedStrategy
from strategies.testing import minimize_fault, position_of

LAZY = """
from strategies import Deduction, Guess, bits, hookimpl


@hookimpl
def deduce(knowledge):
    "Says too much."
    for clue in knowledge.constraints:
        if clue.low and not clue.is_global:
            yield Deduction.true(
                clue.cells, because=(clue,), rule="lazy")


@hookimpl
def guess(position):
    cell = next(bits(position.openable))
    yield Guess(cell, 0.5)
    yield Guess(cell, 0.5)
"""
BOARD = "mines 2\n.....\n.111.\n....."


@pytest.fixture
def lazy(tmp_path: Path) -> str:
    """A faulty strategy, next to a board on which it fails."""
    (tmp_path / "board.txt").write_text(BOARD)
    (tmp_path / "lazy.py").write_text(LAZY)
    return str(tmp_path / "lazy.py")


def fault_on(text: str, *names: str, trust: bool = False) -> Fault:
    board = Board.parse(text)
    reasoner = Reasoner(load_strategies(names, trust))
    reasoner.about(board)
    reasoner.deduce(board_knowledge(board))
    return reasoner.faults[0]


@pytest.mark.parametrize("trust", [True, False])
def test_fault_false_claim_shows_clues_and_refutation(lazy: str, trust: bool) -> None:
    fault = fault_on(BOARD, lazy, trust=trust)
    assert f"{lazy}, line 10: 'lazy' concludes from r1c1 = 1 that" in str(fault)
    assert "but everything given also holds where" in str(fault)
    told = fault.as_json()
    assert (told["file"], told["line"], told["clues"]) == (lazy, 10, ["r1c1"])
    counter = fault.counterexample
    assert counter is not None
    mines = counter.cells_showing("*")
    assert all((c.cells & mines).bit_count() == c.low for c in board_knowledge(Board.parse(BOARD)).given)
    assert not {*told["cells"]} <= {*counter.names(mines)}


def test_fault_is_minimised_on_similar_board(lazy: str) -> None:
    small = minimize_fault(fault_on(BOARD, lazy), load_strategies([lazy, "lowest-risk"]))
    assert small is not None
    assert small.counterexample is not None
    assert small.board is not None
    assert len(small.board) <= 4
    assert min(small.board.cells) == "."


def test_fault_true_but_unproven_reported(tmp_path: Path) -> None:
    file = written(tmp_path, hook("deduce", "yield Deduction.true(0b10, ())"))
    fault = fault_on("1.", str(file))
    assert "concludes from nothing that r0c1 is a mine, but these do not prove it" in str(fault)
    assert fault.counterexample is None


@pytest.mark.parametrize("trust", [True, False])
def test_fault_repeated_guess_shows_board(lazy: str, trust: bool) -> None:
    reasoner = Reasoner(load_strategies([lazy], trust))
    reasoner.about(Board.parse(BOARD))
    reasoner.guess(position_of(BOARD))
    (fault,) = reasoner.faults
    assert f"{lazy}, line 18: it guessed r0c0 twice" in str(fault)
    assert fault.as_json()["board"] == BOARD.splitlines()


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
    said = sapper("strategies", "--trace", board, "--strategy", "set-rules")
    *rows, total, moves = said.printed.splitlines()
    assert [row.split()[:3] for row in rows[:2]] == [[number, "set-rules", "deduce"] for number in "12"]
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
    crashing = written(
        tmp_path, hook("deduce", "yield Deduction.bounds(6, 0, 2, ())\nraise ValueError('no more')")
    )
    (tmp_path / "board.txt").write_text("1.\n..")
    captured = sapper("strategies", "--trace", "board.txt", "--strategy", crashing)
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
    assert (said.code, said.err.count("\n")) == (code, 1)
    assert complaint in said.err


TRACE = ("strategies", "--trace", "board.txt", "--strategy", "./lazy.py")


def test_trace_fault_shows_smallest_board(lazy: str, sapper: Sapper) -> None:
    assert "smallest board with this fault: 'lazy' concludes from" in sapper(*TRACE).err
    (fault,) = (line["fault"] for line in sapper(*TRACE, "--json").objects if "fault" in line)
    assert fault["line"] == 10
    assert len(fault["counterexample"]) == 3
    assert len(fault["smallest"]["board"]) < 3


def test_bench_reports_each_fault_line_once(lazy: str, sapper: Sapper) -> None:
    words = ["bench", "--size", "6x6", "--mines", "5", "--games", "4", "--strategy", lazy]
    told = sapper(*words, "--strategy", "single-cell", "--strategy", "lowest-risk", "--json")
    assert told.code == 0
    faults = json.loads(told.out)["faults"]
    assert {fault["line"] for fault in faults} == {10}
    assert all(fault["board"] and fault["cells"] for fault in faults)
    assert "line 10): similar errors in 4 games" in told.err


@pytest.mark.parametrize("name", ["xdemineur-001", "sgt-mines-001"])
def test_trace_look_of_recording_decided_again(name: str, sapper: Sapper) -> None:
    said = sapper("strategies", "--trace", FIXTURES / "recordings" / name, "--look", "2")
    assert said.printed.splitlines()[-1] == "look 2, recorded: the same"


def test_trace_missing_look_refused(sapper: Sapper) -> None:
    recording = FIXTURES / "recordings" / "kmines-001"
    refused(sapper("strategies", "--trace", recording, "--look", "999"), 2, "has no observation 999")
    refused(sapper("strategies", "--trace", "-", "--look", "1"), 2, "--look requires a recording")


def talked(says: list[str], *words: str) -> str:
    """The output of `sapper` on a terminal, with these answers at the debugger prompt."""
    pty = pytest.importorskip("pty", exc_type=ImportError)  # Windows has none
    pid, terminal = pty.fork()
    if not pid:
        os.execv(sys.executable, [sys.executable, "-m", "bot", *words])  # noqa: S606 - there is no shell in it
    heard, end = b"", time.monotonic() + 90
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.5)[0]:
            try:
                heard += os.read(terminal, 4096)
            except OSError:  # the other side is gone
                break
            if heard.rstrip().endswith(b"(Pdb)") and says:
                os.write(terminal, says.pop(0).encode() + b"\n")
    os.close(terminal)
    return f"{heard.decode()}exit code {os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])}"


@pytest.mark.slow
def test_debug_stops_once_per_call(lazy: str, tmp_path: Path) -> None:
    words = ("strategies", "--trace", str(tmp_path / "board.txt"), "--strategy", lazy, "--pdb")
    said = talked(["p len(knowledge.constraints)", "c"], *words)
    assert "lazy.py(8)deduce()" in said
    assert said.count("(Pdb)") == 2
    assert "is quarantined" in said
    assert said.endswith("exit code 0")
    quit_at_once = talked(["q"], *words)
    assert "Traceback" not in quit_at_once
    assert quit_at_once.endswith("exit code 0")


def test_debug_requires_terminal(lazy: str, sapper: Sapper) -> None:
    refused(sapper(*TRACE, "--pdb"), 2, "run it in a terminal")
    refused(sapper(*TRACE, "--pdb", "--json"), 2, "--pdb and --json exclude each other")
