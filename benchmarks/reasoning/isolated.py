"""What it costs to ask a strategy in a process of its own, beside asking the same one in this process.

Two planners decide on the same boards of Expert games, one after the other; printed is the difference of each
pair in wall time, since waiting for another process is no processor time. Example::

    python benchmarks/reasoning/isolated.py --games 40
    python benchmarks/reasoning/isolated.py --strategy ./mine.py --games 10
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from bot.game.plan import Planner
from bot.simulation.simulated_game import simulated_rules
from games.minesweeper import Deal, Minefield
from strategies import Reasoner, load_strategies

SIMPLE = """
from strategies import Deduction, Linear, hookimpl


@hookimpl
def deduce(knowledge, changed):
    for clue in knowledge.about(changed):
        if clue.all_true:
            yield Deduction.true(clue.cells, because=(clue,), rule="all mines")
        elif clue.all_false:
            yield Deduction.false(clue.cells, because=(clue,), rule="none left")
"""


def main() -> None:
    """Play the games and print the costs of a decision."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--strategy", help="a file; a rule of ten lines by default")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sapper-benchmark-") as folder:
        file = Path(asked.strategy or Path(folder, "simple.py"))
        if not asked.strategy:
            file.write_text(SIMPLE)
        wanted = [str(file), "set-rules", "lowest-risk"]
        began = time.perf_counter()
        apart = load_strategies(wanted)
        first = time.perf_counter() - began
        inside = load_strategies(wanted, trust=True)
        pairs: list[tuple[float, float]] = []
        for game in range(asked.games + 1):
            measured = play(Deal.random(30, 16, 99, f"isolated {game}"), inside, apart)
            pairs += measured if game else []  # the first warms up
    print(f"{len(pairs)} decisions of {asked.games} Expert games; loading took {1000 * first:.0f} ms")
    for name, values in (
        ("inside", [a for a, _ in pairs]),
        ("apart", [b for _, b in pairs]),
        ("more", [b - a for a, b in pairs]),
    ):
        values.sort()
        nine = values[9 * len(values) // 10]
        print(
            f"{name:7} median {1000 * statistics.median(values):6.3f} ms, "
            f"mean {1000 * statistics.mean(values):6.3f}, nine in ten below {1000 * nine:6.3f}"
        )


def play(deal: Deal, inside: object, apart: object) -> list[tuple[float, float]]:
    """Seconds of each decision of one game, for the planner inside and for the one apart."""
    field = Minefield(deal, "zero")
    rules = simulated_rules(deal.mines, "zero", "plain")
    planners = [Planner(Reasoner(s), rules, thorough=False) for s in (inside, apart)]  # type: ignore[arg-type]
    measured = []
    while not (field.is_won or field.is_lost):
        spent, plans = [], []
        for planner in planners:
            began = time.perf_counter()
            plans.append(planner.plan(field.board))
            spent.append(time.perf_counter() - began)
        if plans[0].moves != plans[1].moves:
            raise AssertionError("they decide otherwise")
        measured.append((spent[0], spent[1]))
        field.play(plans[0].moves)
    return measured


if __name__ == "__main__":
    main()
