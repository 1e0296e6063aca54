"""The text checker of exported proofs: accepted and rejected proofs."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest
from places import FIXTURES
from said import run_process

from tools import check_proof

PROOFS = FIXTURES / "proofs"
WALL = (PROOFS / "wall.opb").read_text()
HEAD = "pseudo-Boolean proof version 1.2\nf 8\n"


@pytest.mark.parametrize(
    ("name", "code", "told"),
    [
        ("wall_pol", 0, "accepted: 1 constraints confirmed (1 f, 4 p, 1 e)"),
        ("wall_rup", 0, "accepted: 1 constraints confirmed (1 f, 1 u, 1 e)"),
        ("wall_bad", 1, "rejected: line 3 of the proof, 'u 1 ~x2 >= 1 ;'"),
        ("missing", 1, "rejected: [Errno 2]"),
    ],
)
def test_check_proof_command(name: str, code: int, told: str) -> None:
    """VeriPB itself accepted the first two proofs and rejected the third."""
    done = run_process(sys.executable, check_proof.__file__, PROOFS / "wall.opb", PROOFS / f"{name}.pbp")
    assert (done.code, done.out.count("\n"), done.err) == (code, 1, "")
    assert done.out.startswith(told)


@pytest.mark.parametrize(
    "lines",
    [
        "",
        "* a comment, and an empty line\n\n",
        "u 1 ~x1 >= 1 ;\nu 1 x3 >= 1 ;\ne 10 1 x3 >= 1 ;",
        "p 1 2 +\ne 9 >= 0 ;",  # x1 + x2 >= 1 and <= 1: 0 >= 0
        "p 3 2 * x4 +\ne 9 2 x1 2 x2 2 x3 1 x4 >= 4 ;",
        "p 3 ~x1 + 2 d\ne 9 1 x2 1 x3 >= 1 ;",
        "p 3 3 * x1 + s\ne 9 4 x1 3 x2 3 x3 >= 6 ;",
        "p 1 5 * s\ne 9 5 x1 5 x2 >= 5 ;",
        "u 2 ~x1 1 x4 >= 2 ;",
        "e 4 1 ~x1 1 ~x2 1 ~x3 >= 1 ;",
        "e 4 -1 x1 -1 x2 -1 x3 >= -2 ;",
    ],
)
def test_check_proof_accepted(lines: str) -> None:
    check_proof.check(WALL, HEAD + lines)


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("u 1 x1 >= 1 ;", "does not propagate"),
        ("u 1 ~x1 >= 2 ;", "does not propagate"),
        ("u 1 x9 >= 1 ;", "unknown variable"),
        ("u 1 ~x1 >= 1", "not a constraint"),
        ("u 1 ~x1 = 1 ;", "use >="),
        ("u ~x1 >= 1 ;", "not paired"),
        ("u 1.5 ~x1 >= 1 ;", "not an integer"),
        ("p 3 2", "left over"),
        ("p 3 +", "missing operand"),
        ("p", "missing operand"),
        ("p 9", "unknown constraint '9'"),
        ("p 0", "unknown constraint '0'"),
        ("p 3 0 d", "missing positive integer"),
        ("p 3 x1 *", "missing positive integer"),
        ("p 3 ~y +", "unknown variable"),
        ("p 3 1 w", "'w'"),
        ("e 9 1 ~x1 >= 1 ;", "unknown constraint '9'"),
        ("e 3 1 ~x1 >= 1 ;", "is different"),
        ("e 3 1 x1 1 x2 1 x3 >= 1 ;", "is different"),
        ("f 8", "already loaded"),
        ("red 1 x1 >= 1 ; x1 -> 1", "unsupported rule"),
        ("u 1 ~x1 >= 1 ;\nu 1 ~x2 >= 1 ;", "line 4"),  # the negated claim of the first is withdrawn
    ],
)
def test_check_proof_rejected(lines: str, told: str) -> None:
    with pytest.raises(check_proof.ProofError, match=told):
        check_proof.check(WALL, HEAD + lines)


@pytest.mark.parametrize(
    ("problem", "proof", "told"),
    [
        (WALL, "", "line 1"),
        (WALL, "pseudo-Boolean proof version 2.0\nf 8\n", "line 1"),
        (WALL, "pseudo-Boolean proof version 1.2\nf 4\n", "has 8 constraints"),
        (WALL, "pseudo-Boolean proof version 1.2\nu 1 ~x1 >= 1 ;", "start with"),
        ("+1 x1 >= 1 ;\n", HEAD, "first line of the problem"),
        ("* #variable= 1 #constraint= 1\n+1 x1 >= ;\n", HEAD, "line 2 of the problem"),
        ("* #variable= 1 #constraint= 2\n+1 x1 >= 1 ;\n", HEAD, "unlike its header"),
        ("* #variable= 1 #constraint= 1\n+1 x1 +1 x2 >= 1 ;\n", HEAD, "unlike its header"),
    ],
)
def test_check_proof_wrong_files_refused(problem: str, proof: str, told: str) -> None:
    with pytest.raises(check_proof.ProofError, match=told):
        check_proof.check(problem, proof)


def test_check_proof_imports_nothing_of_sapper() -> None:
    tree = ast.parse(Path(check_proof.__file__).read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in names} <= set(sys.stdlib_module_names)
