"""What each rule is good for: the certain cells that it finds first, or alone, or that are lost without it.

    python benchmarks/reasoning/ablation.py --positions 10000

On positions in the middle of a game (30 to 80 % of the safe cells open), a third of each level, every second
one without the mine total. Prints a table for docs/reasoning.md. *First*: cells that the rules before it,
asked to the end, leave open. *Alone*: cells that it finds with `single-cell` and nothing else. *Lost*: cells
that the order without it, and without the complete step, does not find. The complete step comes last and
finds the rest.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence

from games.logic import Knowledge
from games.minesweeper import LEVELS, board_knowledge
from strategies import Reasoner, Strategy, load_strategies
from strategies.testing import mid_game

BASE = "single-cell"
COMPLETE = "backtracking"


def main() -> None:
    """Try every rule on the positions and print the table."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--positions", type=int, default=120)
    words.add_argument("--seed", default="ablation")
    words.add_argument("--strategy", action="append", help="another order than the default one")
    asked = words.parse_args()
    rules = [strategy for strategy in load_strategies(asked.strategy) if strategy.has_deduce]
    begun = time.perf_counter()
    first: Counter[str] = Counter()
    where: Counter[str] = Counter()
    alone: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    tried = certain = 0
    for start in starts(asked.seed, asked.positions):
        tried += 1
        everything = 0
        for name, cells in found_first(start, rules):
            first[name] += cells
            where[name] += cells > 0
            everything += cells
        certain += everything
        cheap = found(start, [rule for rule in rules if rule.name != COMPLETE])
        for rule in rules:
            if rule.name == COMPLETE:
                alone[rule.name] += everything
                lost[rule.name] += everything - cheap
                continue
            alone[rule.name] += found(start, [r for r in rules if r.name in (BASE, rule.name)])
            lost[rule.name] += cheap - found(start, [r for r in rules if r.name not in (COMPLETE, rule.name)])
    print(f"{tried:,} positions, {certain:,} certain cells, {time.perf_counter() - begun:.0f} s\n")
    print("| rule | found first | share | in positions | alone | lost without it |")
    print("|---|---|---|---|---|---|")
    for rule in rules:
        n = rule.name
        share = f"{100 * first[n] / certain:.3f} %"
        by_itself = f"{100 * alone[n] / certain:.2f} %"
        print(f"| `{n}` | {first[n]:,} | {share} | {where[n]:,} | {by_itself} | {lost[n]:,} |")


def starts(seed: str, positions: int) -> Iterator[Knowledge]:
    """What the boards state, before any reasoning."""
    for turn, level in enumerate(LEVELS):
        count = (positions + turn) // len(LEVELS)
        for number, board in enumerate(mid_game(seed, count, level)):
            yield board_knowledge(board.with_mines(board.mines if number % 2 else None))


def found_first(knowledge: Knowledge, rules: Sequence[Strategy]) -> list[tuple[str, int]]:
    """How many cells each rule adds to those that the rules before it find, going on from there."""
    result = []
    for place, rule in enumerate(rules, 1):
        grown = Reasoner(rules[:place]).deduce(knowledge).knowledge
        result.append((rule.name, size(grown) - size(knowledge)))
        knowledge = grown
    return result


def found(knowledge: Knowledge, rules: Sequence[Strategy]) -> int:
    """How many cells these rules decide."""
    return size(Reasoner(rules).deduce(knowledge).knowledge)


def size(knowledge: Knowledge) -> int:
    """How many cells are decided."""
    return (knowledge.true | knowledge.false).bit_count()


if __name__ == "__main__":
    main()
