"""Whether the marks of a Clue sheet are exactly those that follow, after every line of random games.

    python benchmarks/reasoning/clue.py --games 2000

Games of 3 to 6 players, 30 suggestions each, honest answers; one of them in six is only watched. After each
line the marks are compared with those of python-sat's minicard; every deduction passes the checker. Ends with
1 at a difference.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, field
from random import Random

from exactness import decided_by_minicard

from bot.clue.analysis import ORDER
from games.clue import log_knowledge, random_log
from strategies import Reasoner, load_strategies

TURNS = 30


@dataclass(slots=True)
class Tally:
    """What came out so far: lines compared, marks that follow, those that are wrong and those missed."""

    games: int = 0
    lines: int = 0
    marks: int = 0
    wrong: int = 0
    missed: int = 0
    faults: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)  # for the whole sheet at the end of each game

    @property
    def is_exact(self) -> bool:
        """Nothing wrong, nothing missed, every deduction accepted."""
        return not (self.wrong or self.missed or self.faults)

    def __str__(self) -> str:
        ordered = sorted(self.seconds)
        return (
            f"{self.games:,} games, {self.lines:,} lines, {self.marks:,} marks: {self.wrong} wrong, "
            f"{self.missed} missed, {len(self.faults)} deductions rejected; whole sheet at the end: median "
            f"{1000 * ordered[len(ordered) // 2]:.0f} ms, 99 % within "
            f"{1000 * ordered[len(ordered) * 99 // 100]:.0f} ms, longest {1000 * ordered[-1]:.0f} ms"
        )


def main() -> int:
    """Play and compare; the exit code."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--games", type=int, default=60)
    words.add_argument("--seed", default="clue")
    asked = words.parse_args()
    tally = against_minicard(asked.seed, asked.games)
    print(tally)
    for fault in tally.faults:
        print(fault, file=sys.stderr)
    return 0 if tally.is_exact else 1


def against_minicard(seed: str, games: int, turns: int = TURNS) -> Tally:
    """Random games, each compared after every line."""
    tally = Tally()
    strategies = [strategy for strategy in load_strategies(ORDER) if strategy.has_deduce]
    for game in range(games):
        rng = Random(f"{seed} {game}")
        _, log = random_log(3 + game % 4, turns, rng, me=None if game % 6 == 5 else 0)
        for count in range(1, len(log.entries) + 1):
            stated = log_knowledge(log.until(count))
            true, false = decided_by_minicard(stated)
            begun = time.thread_time()  # its own processor time, whatever else runs
            outcome = Reasoner(strategies).deduce(stated)
            seconds = time.thread_time() - begun
            known = outcome.knowledge
            tally.lines += 1
            tally.marks += (true | false).bit_count()
            tally.wrong += (known.true & ~true | known.false & ~false).bit_count()
            tally.missed += (true & ~known.true | false & ~known.false).bit_count()
            tally.faults += map(str, outcome.faults)
        tally.games += 1
        tally.seconds.append(seconds)
    return tally


if __name__ == "__main__":
    sys.exit(main())
