"""How many suggestions it takes to know the envelope: the most informative ones against simpler ways.

    python benchmarks/reasoning/suggesting.py --games 100 --players 3 4 5 6

All play the same deals against players who suggest at random and answer honestly. *first unplaced* names, of
each kind, the first card whose place is not known. *first possible* is cleverer: the first card that may be
in the envelope and need not; where a kind is settled one of its own cards, which nobody can show. Prints the
mean number of one's own suggestions until the sheet knows all three cards (or nobody could make another one:
40 rounds), and the paired differences, each with its 95 % interval. The first two are so much worse that a
quarter of the games shows it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from statistics import mean, stdev

from bot.clue.analysis import ORDER
from bot.clue.suggestions import choices, rank_suggestions
from games.clue import CardDeal, ClueLog, DeductionSheet, log_knowledge
from games.logic import Knowledge
from strategies import Reasoner, Strategy, load_strategies

ROUNDS = 40
Choose = Callable[[DeductionSheet, Knowledge, Random], Sequence[int]]


def most_informative(sheet: DeductionSheet, knowledge: Knowledge, rng: Random) -> Sequence[int]:
    """What `sapper clue --suggest` names first."""
    return rank_suggestions(sheet, knowledge)[0].cards


def at_random(sheet: DeductionSheet, knowledge: Knowledge, rng: Random) -> Sequence[int]:
    """Any card of each kind."""
    return [rng.choice(cards) for cards in choices(sheet.seating)]


def first_unplaced(sheet: DeductionSheet, knowledge: Knowledge, rng: Random) -> Sequence[int]:
    """Of each kind the first card whose place is not known; the first one where all are."""
    placed = {card for holder in range(len(sheet.seating.holders)) for card in sheet.held(holder)}
    return [
        next((card for card in cards if card not in placed), cards[0]) for cards in choices(sheet.seating)
    ]


def first_possible(sheet: DeductionSheet, knowledge: Knowledge, rng: Random) -> Sequence[int]:
    """Of each kind the first card that may be in the envelope and need not; else one of our own, or any."""
    chosen = []
    for cards, possible in zip(choices(sheet.seating), sheet.solution(), strict=True):
        own = [card for card in cards if sheet.has(card, 0)]
        chosen.append(possible[0] if len(possible) > 1 or not own else own[0])
    return chosen


WAYS: dict[str, Choose] = {
    "most informative": most_informative,
    "random": at_random,
    "first unplaced": first_unplaced,
    "first possible": first_possible,
}
FEWER = {"random": 4, "first unplaced": 4}  # such a share of the games is enough


def rounds_of(game: int, players: int, choose: Choose, strategies: Sequence[Strategy]) -> int:
    """Our own suggestions until we know the envelope."""
    rng = Random(f"suggesting {players} {game}")
    deal = CardDeal.random(players, rng)
    answers = [Random(f"{game} {k}") for k in range(players)]  # so that others play alike whatever we do
    entries = list(deal.log().entries)
    for done in range(ROUNDS):
        log = ClueLog(deal.seating, tuple(entries))
        knowledge = Reasoner(strategies).deduce(log_knowledge(log)).knowledge
        sheet = DeductionSheet.of(log, knowledge)
        if len(sheet.held(deal.seating.envelope)) == 3:
            return done
        entries.append(deal.asked(len(entries) + 1, 0, choose(sheet, knowledge, answers[0]), answers[0]))
        for player in range(1, players):
            cards = at_random(sheet, knowledge, answers[player])
            entries.append(deal.asked(len(entries) + 1, player, cards, answers[player]))
    return ROUNDS


def interval(numbers: Sequence[float]) -> str:
    """`5.21 ± 0.30`."""
    return f"{mean(numbers):6.2f} ± {1.96 * stdev(numbers) / sqrt(len(numbers)):.2f}"


def main() -> int:
    """Play all ways and print the table."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--games", type=int, default=8)
    words.add_argument("--players", type=int, nargs="+", default=[3, 4, 5, 6])
    asked = words.parse_args()
    strategies = [each for each in load_strategies(ORDER) if each.has_deduce]
    for players in asked.players:
        took = {
            name: [
                rounds_of(game, players, choose, strategies)
                for game in range(asked.games // FEWER.get(name, 1))
            ]
            for name, choose in WAYS.items()
        }
        print(f"{players} players, {asked.games} games")
        for name, rounds in took.items():
            fewer = [other - best for best, other in zip(took["most informative"], rounds, strict=False)]
            against = f", {interval(fewer)} more than the most informative" if any(fewer) else ""
            print(f"  {name:14} {interval(rounds)} ({len(rounds)} games){against}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
