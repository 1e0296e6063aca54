"""Every technique of the third source, as the log of a game, found by the general strategies.

Each case names the strategies that it requires; the expected marks are lines of a log.
"""

from __future__ import annotations

import pytest

from benchmarks.exactness import compare_clue, solve_with_minicard
from bot.clue.analysis import ORDER
from games.clue.cards import CardSet
from games.clue.log import ClueLog, Fact
from games.clue.parser import parse_log
from games.clue.sheet import DeductionSheet, log_knowledge
from strategies import Reasoner, load_strategy

THREE = "players Ann 6, Bob 6, Cat 6\n"
FOUR = "players Ann, Bob, Cat, Dan\n"
SIX = "cards letters\nplayers Ann 3, Bob 3, Cat 3, Dan 3, Eve 3, Fay 3\n"
SOLE = (
    "players Ann 6, Bob 6, Cat 6\nAnn lacks green, plum\nBob lacks green, plum\n"
    "Cat has mustard, white, rope, hall"
)
LETTERS = CardSet.parse(
    """
[kinds]
who = ["a", "d", "g", "j", "m", "p", "s"]
what = ["b", "e", "h", "k", "n", "q", "t"]
where = ["c", "f", "i", "l", "o", "r", "u"]
""",
    "letters",
)
SINGLE = ("single-cell",)
PACKING = ("single-cell", "packing")


def log_of(text: str) -> ClueLog:
    reading = parse_log(text, find=lambda name: LETTERS)
    assert reading.problems == ()
    return reading.log


def sheet_of(log: ClueLog, rules: tuple[str, ...]) -> DeductionSheet:
    outcome = Reasoner(list(map(load_strategy, rules))).deduce(log_knowledge(log))
    assert outcome.faults == ()
    return DeductionSheet.of(log, outcome.knowledge)


def shows(text: str, rules: tuple[str, ...], *facts: str, still_open: str = "") -> DeductionSheet:
    """Check that these facts follow, and that the open cards do not, even with all strategies."""
    log = log_of(text)
    sheet, complete = sheet_of(log, rules), sheet_of(log, ORDER)
    for fact in log_of(f"{text}\n" + "\n".join(facts)).entries[len(log.entries) :]:
        assert isinstance(fact, Fact)
        assert {sheet.has(card, fact.holder) for card in fact.cards} == {fact.has}, (fact, facts)
    for pair in still_open.split():
        card, _, holder = pair.partition("-")
        numbers = log.seating.cards.names.number(card), log.seating.names.number(holder)
        assert complete.has(*numbers) is None, pair
    assert (complete.true, complete.false) == solve_with_minicard(log_knowledge(log))
    return sheet


BOB_LACKS = "mustard, peacock, scarlett, candlestick, pipe, revolver, wrench, ball, billiard, conserv, dining"
TWO_MISSING = f"{SIX}Ann asks a, b, c: Bob shows\nAnn asks d, q, c: Bob shows\nBob lacks a, q\nBob has e\n"
# name: the log, the strategies, the facts that follow, the marks that stay open
CASES: dict[str, tuple[str, tuple[str, ...], str, str]] = {
    "hand disjointedness": (
        f"{FOUR}Ann asks plum, rope, hall: Bob shows plum", SINGLE, "Ann lacks plum; envelope lacks plum", "",
    ),
    "hand disjointedness of a watched game": (
        f"{FOUR}Cat has plum", SINGLE, "Bob lacks plum; Dan lacks plum", "",
    ),
    # All but one of the three are ruled out for the player who showed.
    "card shown": (
        f"{FOUR}Ann asks plum, rope, hall: Cat shows\nDan asks plum, rope, study: nobody",
        SINGLE, "Cat has hall; Dan lacks hall", "",
    ),
    # Only the asker or the envelope can have them.
    "no card shown": (
        f"{FOUR}me Ann: green, white, dagger, lounge\nAnn asks plum, rope, hall: nobody",
        SINGLE, "envelope has plum, rope, hall", "",
    ),
    "no card shown 2": (
        f"{FOUR}Bob asks plum, rope, hall: nobody",
        SINGLE, "Ann lacks plum; Cat lacks rope", "plum-Bob plum-envelope hall-Bob",
    ),
    # The other cards of its kind are in hands: the only possible holder has it.
    "knowing a murder card": (
        f"{FOUR}envelope has plum\nAnn asks green, rope, hall: Bob passes, Cat passes\nDan lacks green",
        SINGLE, "Ann has green", "",
    ),
    "knowing all but one of a kind": (
        f"{FOUR}Ann has green, mustard\nBob has peacock, scarlett\nCat has white",
        SINGLE, "envelope has plum", "",
    ),
    # A known hand has no other card; a hand with as many candidates as cards has all of them.
    "number of cards known": (
        f"{THREE}Bob has green, rope, hall, study, dagger, white", SINGLE, "Bob lacks plum", "",
    ),
    "number of cards ruled out": (
        f"{THREE}Bob lacks {BOB_LACKS}, kitchen, library, lounge, study",
        SINGLE, "Bob has green, plum, white, dagger, rope, hall", "",
    ),
    # One card is missing in the hand, and it is one of the three that were shown from.
    "the simplest case": (
        f"{SIX}Bob has j, k\nAnn asks a, b, c: Bob shows",
        PACKING, "Bob lacks d, e, f, g, h, i, l, m", "a-Bob b-Bob c-Bob",
    ),
    # S1 = {a, b, c}, S2 = {d, e, f}, S3 = {g, h, i}; a is shown, d and g are not Bob's.
    "a more general case application 1": (
        (f"{SIX}Ann asks a, b, c: Bob shows a\nAnn asks d, e, f: Bob shows\n"
         "Ann asks g, h, i: Bob shows\nBob lacks d, g"),
        PACKING, "Bob has a; Bob lacks b, c, j, k, l, m, n, o, p, q, r, s, t, u", "e-Bob f-Bob h-Bob i-Bob",
    ),
    # C = {{b, c}, {c, d}}: two missing cards rule out nothing; one is c, by either maximum disjoint set.
    "the most general case application 2, two missing": (
        TWO_MISSING, PACKING, "Bob has e", "b-Bob c-Bob d-Bob f-Bob u-Bob",
    ),
    "the most general case application 2, one missing": (
        f"{TWO_MISSING}Bob has f", PACKING, "Bob has c; Bob lacks b, d, u", "",
    ),
    # Three pairs of a triangle take two cards, though no two of the pairs are disjoint.
    "smallest hitting sets": (
        (f"{SIX}Bob has j\nBob lacks p, q, r\n"
         "Ann asks a, b, r: Bob shows\nAnn asks p, b, c: Bob shows\nAnn asks a, q, c: Bob shows"),
        PACKING, "Bob lacks d, e, f, k, l, u", "a-Bob b-Bob c-Bob",
    ),
    # Bob and Cat each have one of a and b, so no other holder has them.
    "repeated elements of two players": (
        f"{SIX}Ann asks a, b, r: Bob shows\nBob asks a, b, u: Cat shows\nBob lacks r\nCat lacks u",
        PACKING, "envelope lacks a, b; Dan lacks a, b; Eve lacks a, b", "a-Bob a-Cat b-Bob b-Cat",
    ),
    "repeated elements of three players": (
        f"{SIX}Ann asks a, b, c: Bob shows\nBob asks a, b, c: Cat shows\nCat asks a, b, c: Dan shows",
        PACKING, "envelope lacks a, b, c; Ann lacks a, b, c; Fay lacks a, b, c", "a-Dan b-Dan c-Dan",
    ),
    # Green and Plum are with Cat or in the envelope, which has room for one; Cat lacks one card.
    "sole player missing several cards": (
        f"{SOLE}, study", PACKING, "Cat lacks dagger, lounge, scarlett", "green-Cat plum-Cat",
    ),
    # The same with two kinds, and two cards missing.
    "sole player missing several cards across categories": (
        f"{SOLE}\nAnn lacks candlestick, dagger\nBob lacks candlestick, dagger",
        PACKING, "Cat lacks scarlett, pipe, lounge, study; envelope lacks scarlett, pipe",
        "green-Cat plum-Cat candlestick-Cat dagger-Cat",
    ),
    # We have none of the cards, so each is in the envelope if both others pass.
    "three players and a card between two of them": (
        (f"{THREE}me Ann: green, rope, hall, study, dagger, white\n"
         "Ann asks plum, pipe, lounge: Bob passes, Cat passes"),
        SINGLE, "envelope has plum, pipe, lounge; Bob lacks plum", "",
    ),
    "a wrong accusation": (
        f"{FOUR}envelope has plum, rope\nBob accuses plum, rope, hall: wrong",
        SINGLE, "envelope lacks hall", "hall-Bob",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_clue_rule_decides_exactly(case: str) -> None:
    text, rules, facts, still_open = CASES[case]
    shows(text, rules, *facts.split("; "), still_open=still_open)


def test_information_from_suggestions() -> None:
    sheet = shows(
        f"{FOUR}Ann asks plum, rope, hall: Bob passes, Cat shows", SINGLE, "Bob lacks plum, rope, hall"
    )
    assert set(sheet.maybes().values()) == {(2,)}
    assert len(sheet.maybes()) == 3


@pytest.mark.parametrize("seed", ["one", "two"])
def test_clue_rules_equal_all_deals_after_any_line(seed: str) -> None:
    tally = compare_clue(seed, 4)
    assert tally.is_exact, str(tally)
    assert tally.certain > 2_000
