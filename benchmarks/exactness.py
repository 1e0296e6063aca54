"""Compare the certain facts that Sapper derives with independent solvers: none wrong, none missed.

    python -m benchmarks.exactness --small 20000 --expert 2000    # make exact
    python -m benchmarks.exactness --variants 5000                # docs/results: "Variants"
    python -m benchmarks.exactness --clue 2000                    # make clue-exact

- `--small`: positions with up to 20 hidden cells, with and without the mine total, with wrong flags and with
  extra constraints on 2x2 windows, are compared with all layouts.
- `--expert`: Expert positions with 30 to 80 % of the safe cells open are compared with minicard, a
  cardinality solver of python-sat.
- `--variants`: positions of each variant are compared with all layouts, and so are their mine probabilities.
- `--clue`: after each line of random Clue games, the marks are compared with minicard.

The checker examines every deduction. The exit code is 1 if anything differs.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import lcm
from random import Random

from pysat.solvers import Solver

from benchmarks.clue_deals import random_log
from benchmarks.shared import format_times, new_parser
from benchmarks.small_positions import small_positions
from bot.clue.analysis import ORDER
from bot.show.explainer import Explainer
from games.clue.sheet import log_knowledge as clue_knowledge_of
from games.errors import UsageError
from games.logic import Knowledge, bits, cell_set
from games.minesweeper import Board, Deal, Minefield, Move, board_knowledge
from strategies import Reasoner, Strategy, load_strategies
from strategies.testing import all_models, mid_game
from strategies.testing.samples import certain_variables

COMPLETE = "backtracking"  # the complete strategy; the rules before it are cheaper
VARIANTS = ("quad", "triplet", "balance", "cross")
MAX_HIDDEN = 20  # hidden cells of a variant position
TOLERANCE = 1e-9  # difference between two computations of one probability
CLUE_TURNS = 30


@dataclass(slots=True)
class ExactnessTally:
    """Counts of one comparison. Facts are cells that are certain, or marks of a Clue sheet."""

    positions: int = 0
    certain: int = 0
    wrong: int = 0
    missed: int = 0
    needed_complete: int = 0  # positions in which the complete strategy added a fact
    risks: int = 0
    wrong_risks: int = 0
    faults: list[str] = field(default_factory=list)
    found_by: Counter[str] = field(default_factory=Counter)
    milliseconds: list[float] = field(default_factory=list)  # processor time of each deduction

    @property
    def is_exact(self) -> bool:
        """Whether nothing is wrong or missed, and the checker accepted every deduction."""
        return not (self.wrong or self.missed or self.wrong_risks or self.faults)

    def compare(self, start: Knowledge, truth: tuple[int, int], strategies: Sequence[Strategy]) -> int:
        """Deduce and compare with the (true, false) facts; return the number of differences."""
        begin = time.thread_time()
        cheap = Reasoner([s for s in strategies if s.name != COMPLETE]).deduce(start)
        outcome = Reasoner(strategies).deduce(cheap.knowledge)
        self.milliseconds.append(1000 * (time.thread_time() - begin))
        self.faults += [str(fault) for fault in (*cheap.faults, *outcome.faults)]
        known, before = outcome.knowledge, cheap.knowledge
        true, false = truth
        wrong = (known.true & ~true | known.false & ~false).bit_count()
        missed = (true & ~known.true | false & ~known.false).bit_count()
        added = (known.true | known.false) & ~(before.true | before.false)
        self.positions += 1
        self.certain += (true | false).bit_count()
        self.wrong += wrong
        self.missed += missed
        self.needed_complete += added > 0
        self.found_by["the complete strategy"] += added.bit_count()
        self.found_by["the rules before it"] += (before.true | before.false).bit_count()
        return wrong + missed

    def __str__(self) -> str:
        found = ", ".join(f"{facts:,} by {name}" for name, facts in sorted(self.found_by.items()))
        risks = f"{self.risks:,} risks, {self.wrong_risks} wrong; " if self.risks else ""
        return (
            f"{self.positions:,} positions, {self.certain:,} certain facts: {self.wrong} wrong, "
            f"{self.missed} missed, {len(self.faults)} deductions rejected; {risks}{found} "
            f"(in {self.needed_complete:,} positions); {format_times(self.milliseconds or [0.0])}"
        )


def compare_small(seed: str, count: int, strategies: Sequence[Strategy]) -> ExactnessTally:
    """Compare small positions with all their layouts."""
    tally, begin = ExactnessTally(), time.perf_counter()
    for trial in small_positions(seed, count):
        if tally.compare(trial.knowledge, certain_variables(trial.knowledge), strategies):
            print(f"differs:\n{trial.board}\n{' '.join(map(str, trial.knowledge.given))}", file=sys.stderr)
        if tally.positions % 2_000 == 0:
            print(f"{tally.positions:,} in {time.perf_counter() - begin:.0f} s", file=sys.stderr)
    return tally


def compare_boards(boards: Iterable[Board], strategies: Sequence[Strategy]) -> ExactnessTally:
    """Compare boards with minicard; every second board hides its mine total."""
    tally = ExactnessTally()
    for number, board in enumerate(boards):
        stated = board.with_mines(board.mines if number % 2 == 0 else None)
        knowledge = board_knowledge(stated)
        if tally.compare(knowledge, solve_with_minicard(knowledge), strategies):
            print(f"differs:\n{stated}", file=sys.stderr)
    return tally


def compare_variant(variant: str, seed: str, count: int, strategies: Sequence[Strategy]) -> ExactnessTally:
    """Compare positions of a variant with all layouts, and the risks of every tenth position."""
    tally = ExactnessTally()
    for number, board in enumerate(variant_positions(variant, seed, count)):
        stated = board if number % 2 or variant == "balance" else board.with_mines(None)
        knowledge = board_knowledge(stated)
        tally.compare(knowledge, certain_variables(knowledge), strategies)
        if number % 10 == 1:
            all_layouts = all_models(board_knowledge(board))
            for cell, risk in Explainer(board, strategies).risks():
                share = sum(layout >> cell & 1 for layout in all_layouts) / len(all_layouts)
                tally.risks += 1
                tally.wrong_risks += abs(risk - share) > TOLERANCE
    return tally


def compare_clue(seed: str, games: int, turns: int = CLUE_TURNS) -> ExactnessTally:
    """Compare the marks of random Clue games with minicard after each line.

    Games have 3 to 6 players with honest answers; in every sixth game, we only watch.
    """
    tally = ExactnessTally()
    strategies = [strategy for strategy in load_strategies(ORDER) if strategy.has_deduce]
    for game in range(games):
        rng = Random(f"{seed} {game}")
        _, log = random_log(3 + game % 4, turns, rng, me=None if game % 6 == 5 else 0)
        for count in range(1, len(log.entries) + 1):
            knowledge = clue_knowledge_of(log.until(count))
            tally.compare(knowledge, solve_with_minicard(knowledge), strategies)
    return tally


def variant_positions(variant: str, seed: str, count: int) -> Iterator[Board]:
    """Positions of a variant with 1 to 20 hidden cells and a known mine total."""
    rng = Random(f"{seed} {variant}")
    while count:
        rows, columns = rng.randint(3, 6), rng.randint(3, 6)
        try:
            field = Minefield(
                Deal.random(
                    rows, columns, _mine_total(variant, rows, columns, rng), rng.random().hex(), variant
                )
            )
            board = field.play([Move("open", rng.randrange(rows * columns))])
        except UsageError:  # the variant has no layout of this size and total
            continue
        hidden = rng.randint(board.mines or 0, MAX_HIDDEN)
        while not field.is_won and board.not_open.bit_count() > hidden:
            safe = list(bits(board.not_open & ~(field.truth or 0)))
            board = field.play([Move("open", rng.choice(safe))])
        if not field.is_won and 0 < board.not_open.bit_count() <= MAX_HIDDEN:
            count -= 1
            yield board


def _mine_total(variant: str, rows: int, columns: int, rng: Random) -> int:
    if variant == "balance":
        return lcm(rows, columns) * rng.randint(1, 2)
    if variant == "quad":
        return (rows // 2) * (columns // 2) + rng.randint(0, rows)
    return rng.randint(1, rows * columns // 3)


def solve_with_minicard(knowledge: Knowledge) -> tuple[int, int]:
    """The variables that are true, and the variables that are false, in every layout.

    The solver starts with one layout. It then searches for a layout that differs in any variable that was
    constant so far, until none exists. Each new layout removes the variables whose value differs.
    """
    names = list(bits(knowledge.universe))
    variable = {k: place for place, k in enumerate(names, 1)}
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
            switch += 1  # enables one clause
            solver.add_clause([-switch, *(-literal for literal in constant)])
            if not solver.solve(assumptions=[switch]):
                break
            constant &= set(solver.get_model()[: len(names)])
    true = cell_set(names[literal - 1] for literal in constant if literal > 0)
    return true, cell_set(names[-literal - 1] for literal in constant if literal < 0)


def main() -> int:
    """Run the requested comparisons and return the exit code."""
    parser = new_parser(__doc__)
    parser.add_argument("--small", type=int, default=0, metavar="POSITIONS")
    parser.add_argument("--expert", type=int, default=0, metavar="POSITIONS")
    parser.add_argument("--variants", type=int, default=0, metavar="POSITIONS", help="of each variant")
    parser.add_argument("--clue", type=int, default=0, metavar="GAMES")
    parser.add_argument("--seed", default="exactness")
    options = parser.parse_args()
    strategies = [strategy for strategy in load_strategies() if strategy.has_deduce]
    seed, tallies = options.seed, dict[str, ExactnessTally]()
    if options.small:
        tallies["small, all layouts"] = compare_small(seed, options.small, strategies)
    if options.expert:
        tallies["expert, minicard"] = compare_boards(mid_game(seed, options.expert, "expert"), strategies)
    for variant in VARIANTS if options.variants else ():
        tallies[f"{variant}, all layouts"] = compare_variant(variant, seed, options.variants, strategies)
    if options.clue:
        tallies["clue, minicard"] = compare_clue(seed, options.clue)
    if not tallies:
        parser.error("nothing to compare: use --small, --expert, --variants or --clue")
    for name, tally in tallies.items():
        print(f"{name}: {tally}")
        for fault in tally.faults:
            print(fault, file=sys.stderr)
    return 0 if all(tally.is_exact for tally in tallies.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
