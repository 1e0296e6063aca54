"""Model enumeration in Python and by Mace4; incomplete lists are rejected."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from needed import needs_prover9, needs_scripts

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
    models_by_mace4,
    problem,
    read_models,
    reduce_cell_state_variation,
    run_prover,
)
from strategies.testing import all_models, small_knowledge

RECORDED = Path(__file__).resolve().parents[2] / "fixtures" / "provers"


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
    open_row = [Constraint(0b111 << 3 * k, 1, 2) for k in range(6)]
    assert enumerate_models(open_row) is None
    found = enumerate_models(open_row[:3])
    assert found is not None
    assert len(found) == 6**3
    (strategy, _) = load_strategies(["models"])
    chained = [*open_row, *(Constraint(0b11 << 3 * k + 2, 0, 1) for k in range(5))]
    assert list(strategy.deduce(Knowledge.of((1 << 18) - 1, chained), (1 << 18) - 1)) == []


def test_models_common_values_are_certain() -> None:
    found = reduce_cell_state_variation([0b0011, 0b0101], 0b1111)
    assert (found.mines, found.safe, found.unknown) == (0b0001, 0b1000, 0b0110)


def test_clauses_text() -> None:
    assert clauses(constraints("1:0,1,12")[0], 10) == [
        "-m_0_0 | -m_0_1",
        "-m_0_0 | -m_1_2",
        "-m_0_1 | -m_1_2",
        "m_0_0 | m_0_1 | m_1_2",
    ]
    assert clauses(constraints("0..1:0,1")[0], 10) == ["-m_0_0 | -m_0_1"]
    assert clauses(constraints("0:3")[0], 10) == ["-m_0_3"]
    assert clauses(constraints("3:1,2")[0], 10) == ["$F"]
    for texts in ("4:0,1,2,3,4,5,6,7", "1..2:0,1,2", "0:0,1", "2:0,1"):
        (constraint,) = constraints(texts)
        assert clause_count(constraint) == len(clauses(constraint, 10))
    assert clause_count(constraints("4:0,1,2,3,4,5,6,7")[0]) == 112


def test_clauses_equal_constraint() -> None:
    for (constraint,) in (
        constraints(text) for text in ("1..2:0,1,2,3", "2:0,1,2", "3..4:0,1,2,3", "0..2:0,1,2")
    ):
        stated = clauses(constraint)
        for layout in range(16):
            holds = all(any(true_in(word, layout) for word in clause.split(" | ")) for clause in stated)
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
    for trial in [*small_positions("mace4", 6, most_hidden=9)]:
        for group in connected_components(c for c in trial.knowledge.constraints if not c.is_global):
            ours, theirs = enumerate_models(group), models_by_mace4(program, group)
            assert ours is not None
            assert theirs is not None
            assert sorted(ours) == sorted(theirs)


@needs_scripts
def test_mace4_list_equals_models(stand_in: Path) -> None:
    check_mace4(stand_in)
    assert run_prover(stand_in, MACE4_OPTIONS, problem(["m_0_1", "-m_0_1"])).returncode == 2


def test_mace4_installed_list_equals_models() -> None:
    program = shutil.which("mace4")
    if program is None:
        pytest.skip("no mace4 on the PATH")
    check_mace4(Path(program))


@needs_scripts
def test_mace4_on_path_is_used(stand_in: Path) -> None:
    board = Board.parse("...\n121")
    outcome = Reasoner(load_strategies(["models"])).deduce(board_knowledge(board))
    assert outcome.faults == ()
    assert list(bits(outcome.knowledge.true)) == [0, 2]
    stand_in.write_text(
        stand_in.read_text(encoding="utf-8").replace("sys.exit(3 if count else 2)", "sys.exit(4)"),
        encoding="utf-8",
    )
    # an incomplete list: the enumeration in Python is used
    assert Reasoner(load_strategies(["models"])).deduce(board_knowledge(board)).knowledge.false == 0b010


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
