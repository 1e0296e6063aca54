"""`sapper clue`: odds of open marks, and suggestions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from math import log2
from random import Random

import pytest
from clue_game import GAME, STRATEGIES
from said import Sapper

from benchmarks.clue_deals import random_log
from bot.clue.analysis import deduce
from bot.clue.output import format_chance
from bot.clue.suggestions import mark_probabilities, rank_suggestions
from games.clue.cards import CardSet
from games.clue.log import ClueLog
from games.clue.parser import parse_log
from games.clue.sheet import log_knowledge
from games.logic import bits, cell_set


def test_clue_odds_are_shares_of_deals() -> None:
    small = 'name = "small"\n[kinds]\nwho = ["a", "b", "c"]\nwhat = ["d", "e", "f"]\nwhere = ["g", "h"]'
    log = parse_log(
        "cards small\nplayers Ann 2, Bob 2, Cat 1\nAnn asks a, d, g: Bob shows\nBob asks b, d, h: Cat passes",
        find=lambda name: CardSet.parse(small, name),
    ).log
    deduced = deduce(log, STRATEGIES)
    every = list(deals_of(log))
    found = mark_probabilities(deduced.knowledge)
    assert (found.deals, found.is_exact, found.error) == (len(every), True, 0)
    seating = log.seating
    for cell, chance in found.chances.items():
        card, holder = seating.card_and_holder(cell)
        assert chance == pytest.approx(sum(deal[card] == holder for deal in every) / len(every))
    assert set(found.chances) == set(bits(deduced.knowledge.undecided))


def deals_of(log: ClueLog) -> Iterator[tuple[int, ...]]:
    """Yield every deal that agrees with the log."""
    seating = log.seating
    given = log_knowledge(log).given
    for places in product(range(len(seating.holders)), repeat=len(seating.cards.cards)):
        truths = cell_set(seating.cell(card, holder) for card, holder in enumerate(places))
        if all(c.low <= (c.cells & truths).bit_count() <= c.high for c in given):
            yield places


def test_clue_odds_sampled_if_uncountable() -> None:
    _, log = random_log(4, 12, Random(5))
    knowledge = deduce(log, STRATEGIES).knowledge
    exact, drawn = mark_probabilities(knowledge), mark_probabilities(knowledge, cap=2_500)
    assert exact.is_exact
    assert not drawn.is_exact
    assert mark_probabilities(knowledge, cap=2_500) == drawn
    assert 0.005 < drawn.error < 0.02
    outside = [k for k in exact.chances if abs(exact.chances[k] - drawn.chances[k]) > drawn.error]
    assert len(outside) <= len(exact.chances) // 10
    assert drawn.deals == pytest.approx(exact.deals, rel=0.1)
    assert "drawn at random, within" in str(drawn)


def test_clue_odds_command(clue: Sapper) -> None:
    said = clue(GAME, "--odds")
    assert said.out.splitlines()[-1] == "1,544 deals remain, counted exactly"
    assert "50%" in said.out
    objects = clue(GAME, "--odds", "--json").objects
    assert objects[-2] == {"deals": 1544, "exact": True, "error": 0.0}
    assert {"card": "Mustard", "holder": "Bob", "odds": 0.5} in objects
    assert [format_chance(chance) for chance in (0.001, 0.333, 0.999)] == ["<1%", "33%", ">99%"]


def test_clue_suggestions(clue: Sapper) -> None:
    assert clue("players Ann, Bob", "--suggest").code == 2
    lines = clue(GAME, "--suggest").out.splitlines()
    assert len(lines) == 5
    assert re.fullmatch(r"\w+, \w+, .*: 1\.\d\d bits about the envelope, 1\.\d\d in all", lines[0])
    objects = clue(GAME, "--suggest", "--only", "hall, study, plum", "--json").objects
    assert objects[-1] == {"contradiction": []}
    assert len(objects) == 1 + 1 * 6 * 2
    assert {each["suggest"][2] for each in objects[:-1]} == {"Hall", "Study"}
    assert all(each["all_bits"] >= each["envelope_bits"] >= 0 for each in objects[:-1])
    bob = "Bob has peacock, scarlett, revolver, ballroom, kitchen"
    known = f"{GAME}envelope has mustard, wrench, library\n{bob}"
    assert clue(known, "--suggest").out == "accuse Mustard, Wrench, Library: the envelope is known\n"


def test_clue_suggestion_value_equals_all_deals() -> None:
    """Bob has c or d, and e or f: four deals. For a, c, e: one deal without a card, one with two."""
    text = 'name = "tiny"\n[kinds]\nwho = ["a", "b"]\nwhat = ["c", "d"]\nwhere = ["e", "f"]'
    log = parse_log("cards tiny\nplayers Ann 1, Bob 2\nme Ann: a", find=lambda _: CardSet.parse(text, "")).log
    deduced = deduce(log, STRATEGIES)
    worth = {each.cards: each for each in rank_suggestions(deduced.sheet, deduced.knowledge)}
    outcomes = -(1 / 4 * log2(1 / 4) + 2 * 3 / 8 * log2(3 / 8))
    assert worth[0, 2, 4].everything == pytest.approx(outcomes - 1 / 4)
    assert worth[0, 2, 4].envelope == pytest.approx(worth[0, 2, 4].everything)
