"""Whether the certain cells are exactly those that are certain: none wrong, none missed.

    python benchmarks/reasoning/exactness.py --small 20000 --expert 2000

Small positions (up to 20 hidden cells; with and without the total, with wrong flags, with 2x2 windows as
further constraints) are compared with all layouts, gone through one by one. Expert positions (30 to 80 % of
the safe cells open) are compared with a solver of another kind, python-sat's minicard. Ends with 1 at a
difference.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pysat.solvers import Solver

from games.logic import Knowledge, bits, cell_set
from games.minesweeper import Board, board_knowledge
from strategies import Reasoner, Strategy, load_strategies
from strategies.testing import mid_game
from strategies.testing.samples import certain_variables, small_positions

COMPLETE = "backtracking"


@dataclass(slots=True)
class Tally:
    """What came out so far, in cells; `rules` says which rule showed how many of them."""

    positions: int = 0
    certain: int = 0
    wrong: int = 0
    missed: int = 0
    needed: int = 0  # positions that needed the complete step
    faults: list[str] = field(default_factory=list)
    rules: Counter[str] = field(default_factory=Counter)

    @property
    def is_exact(self) -> bool:
        """Nothing wrong, nothing missed, every deduction accepted."""
        return not (self.wrong or self.missed or self.faults)

    def compare(self, start: Knowledge, truth: tuple[int, int], strategies: Sequence[Strategy]) -> int:
        """Reason, compare with what is true and what is false; the number of cells that differ."""
        cheap = Reasoner([s for s in strategies if s.name != COMPLETE]).deduce(start)
        outcome = Reasoner(strategies).deduce(cheap.knowledge)
        self.faults += [str(fault) for fault in (*cheap.faults, *outcome.faults)]
        known, cheaply = outcome.knowledge, cheap.knowledge
        true, false = truth
        wrong = (known.true & ~true | known.false & ~false).bit_count()
        missed = (true & ~known.true | false & ~known.false).bit_count()
        last = (known.true | known.false) & ~(cheaply.true | cheaply.false)
        self.positions += 1
        self.certain += (true | false).bit_count()
        self.wrong += wrong
        self.missed += missed
        self.needed += last > 0
        self.rules["the complete step"] += last.bit_count()
        self.rules["the rules before it"] += (cheaply.true | cheaply.false).bit_count()
        return wrong + missed

    def __str__(self) -> str:
        shown = ", ".join(f"{cells:,} by {rule}" for rule, cells in sorted(self.rules.items()))
        return (
            f"{self.positions:,} positions, {self.certain:,} certain cells: {self.wrong} wrong, "
            f"{self.missed} missed, {len(self.faults)} deductions rejected; {shown} "
            f"(in {self.needed:,} positions)"
        )


def main() -> int:
    """Compare both kinds of position; the exit code."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--small", type=int, default=400)
    words.add_argument("--expert", type=int, default=40)
    words.add_argument("--seed", default="exactness")
    asked = words.parse_args()
    strategies = [strategy for strategy in load_strategies() if strategy.has_deduce]
    small = against_layouts(asked.seed, asked.small, strategies)
    print(f"small, against all layouts: {small}", flush=True)
    expert = against_minicard(mid_game(asked.seed, asked.expert, "expert"), strategies)
    print(f"expert, against minicard: {expert}")
    for fault in (*small.faults, *expert.faults):
        print(fault, file=sys.stderr)
    return 0 if small.is_exact and expert.is_exact else 1


def against_layouts(seed: str, count: int, strategies: Sequence[Strategy]) -> Tally:
    """Small positions against all their layouts."""
    tally, begun = Tally(), time.perf_counter()
    for trial in small_positions(seed, count):
        if tally.compare(trial.knowledge, certain_variables(trial.knowledge), strategies):
            print(f"differs:\n{trial.board}\n{' '.join(map(str, trial.knowledge.given))}", file=sys.stderr)
        if tally.positions % 2_000 == 0:
            print(f"{tally.positions:,} in {time.perf_counter() - begun:.0f} s", file=sys.stderr)
    return tally


def against_minicard(boards: Iterable[Board], strategies: Sequence[Strategy]) -> Tally:
    """Boards against python-sat, every second one without its total."""
    tally = Tally()
    for number, board in enumerate(boards):
        stated = board.with_mines(board.mines if number % 2 == 0 else None)
        knowledge = board_knowledge(stated)
        if tally.compare(knowledge, decided_by_minicard(knowledge), strategies):
            print(f"differs:\n{stated}", file=sys.stderr)
    return tally


def decided_by_minicard(knowledge: Knowledge) -> tuple[int, int]:
    """The variables that are true, and those that are false, in every layout, by a cardinality solver.

    Starts from one layout and asks for another that differs in a cell still thought constant, until there is
    none: each answer strikes off the cells that it shows both ways.
    """
    names = list(bits(knowledge.universe))
    variable = {k: at for at, k in enumerate(names, 1)}
    with Solver(name="minicard") as solver:
        for constraint in knowledge.given:
            cells = [variable[k] for k in bits(constraint.cells)]
            solver.add_atmost(cells, constraint.high)
            solver.add_atmost([-v for v in cells], len(cells) - constraint.low)
        if not solver.solve():
            raise AssertionError("a real position has a layout")
        constant = set(solver.get_model()[: len(names)])
        switch = len(names)
        while constant:
            switch += 1  # a clause that is in force only while its switch is on
            solver.add_clause([-switch, *(-literal for literal in constant)])
            if not solver.solve(assumptions=[switch]):
                break
            constant &= set(solver.get_model()[: len(names)])
    true = cell_set(names[literal - 1] for literal in constant if literal > 0)
    return true, cell_set(names[-literal - 1] for literal in constant if literal < 0)


if __name__ == "__main__":
    sys.exit(main())
