"""Constraints as the clauses that Mace4 and Prover9 read (Minesweeper Mace4), and running these programs.

It writes "one of all combinations, and each excludes the others". The same models come from plain
clauses: of every `high + 1` cells one is safe, of every `size - low + 1` one is a mine; for a 4 with eight
cells that is 112 short lines. Known cells are out of the constraints already (its "tree shaking").
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from pathlib import Path

from games.errors import MachineLacks
from games.logic import Constraint, bits

MOST_CLAUSES = 400  # of one constraint: what would take more is left out, which claims less, never more
SECONDS = 30  # for the program, by its own clock; it is an emergency stop, and so is the one below
EMERGENCY = SECONDS + 10

Name = Callable[[int], str]


def naming(columns: int | None = None) -> Name:
    """How cells are called: `m_R_C` with that many columns; without, all are in one row, `m_0_K`."""

    def name(cell: int) -> str:
        row, column = divmod(cell, columns) if columns else (0, cell)
        return f"m_{row}_{column}"

    return name


def clause_count(constraint: Constraint) -> int:
    """How many clauses a constraint takes."""
    size, low, high = constraint.size, constraint.low, constraint.high
    return (comb(size, high + 1) if 0 <= high < size else 0) + (comb(size, low - 1) if 0 < low <= size else 0)


def clauses(constraint: Constraint, name: Name) -> list[str]:
    """The clauses of a constraint without their full stops; a contradiction (`$F`) where it cannot hold."""
    if constraint.is_impossible:
        return ["$F"]
    names = [name(k) for k in bits(constraint.cells)]
    found = []
    if constraint.high < len(names):
        found += [" | ".join(f"-{n}" for n in some) for some in combinations(names, constraint.high + 1)]
    if constraint.low > 0:
        found += [" | ".join(some) for some in combinations(names, len(names) - constraint.low + 1)]
    return found


def problem(assumptions: Sequence[str], goal: str = "") -> str:
    """The input file of both programs. Several goals would be fatal: join them with `&` before."""
    lines = [f"assign(max_seconds, {SECONDS}).", "", "formulas(assumptions)."]
    lines += [f"{formula}." for formula in assumptions]
    lines += ["end_of_list.", "", "formulas(goals)."]
    lines += [f"{goal}."] if goal else []
    return "\n".join([*lines, "end_of_list.", ""])


@dataclass(frozen=True, slots=True)
class Run:
    """What a program answered: its exit code, and what it printed."""

    code: int
    output: str


def run(program: Path, options: Sequence[str], text: str) -> Run:
    """Run Mace4 or Prover9 on an input. Raises MachineLacks when it does not start, or does not end.

    A program that may not be executed as it lies there (a wheel keeps no such mark) is copied first.
    """
    with tempfile.TemporaryDirectory(prefix="sapper-") as folder:
        start = program
        own = Path(folder) / "sapper.in"
        own.write_text(text, encoding="ascii")
        if shutil.which(program) is None:
            start = Path(folder) / "program"
            shutil.copyfile(program, start)
            start.chmod(0o700)
        words = [str(start), *options, "-f", str(own)]
        try:  # subprocess.run ends a child that is late, and waits for it
            done = subprocess.run(
                words, capture_output=True, text=True, errors="replace", timeout=EMERGENCY, check=False
            )
        except OSError as error:
            why = error.strerror or error
            raise MachineLacks(
                f"{program.name} does not start ({why}): install it for this machine"
            ) from error
        except subprocess.TimeoutExpired as error:
            raise MachineLacks(f"{program.name} gave no answer in {EMERGENCY} s: leave it out") from error
    return Run(done.returncode, done.stdout)
