"""One contract for every registered strategy; known positions; everything certain is found; risks are exact."""

from __future__ import annotations

import pytest

from games.logic import Knowledge, bits
from games.minesweeper import Board, knowledge_of
from strategies import BUILT_IN, Reasoner, Strategy, load_strategies
from strategies.counting import take_census
from strategies.joining import PRIOR_ODDS, risks
from strategies.testing import certain, check_strategy, layouts, position_of, small_boards, small_knowledge

EVERY = tuple(s for s in load_strategies(list(BUILT_IN)) if s.name in BUILT_IN)


@pytest.mark.parametrize("strategy", EVERY, ids=[s.name for s in EVERY])
def test_contract(strategy: Strategy) -> None:
    check_strategy(strategy)


def solved(text: str, *names: str) -> str:
    """The board with `*` on certain mines and `-` on certain safe cells."""
    board = Board.parse(text)
    outcome = Reasoner(load_strategies(names or None)).deduce(knowledge_of(board))
    assert outcome.faults == ()
    marks = dict.fromkeys(bits(outcome.knowledge.true), "*") | dict.fromkeys(bits(outcome.knowledge.false), "-")
    return "\n".join(board.showing(marks).grid)


KNOWN = {
    # seed 2, rules 1 and 2; seed 4, first_order_deduct
    "one clue": ("2.\n.1", "2*\n*1", ""),
    "one after the other": ("01.\n01.\n01.".replace("01.\n01.\n01.", "1..\n1.."), "1..\n1..", "single-cell"),
    # seed 1, 5.2 and seed 2, rule 3: one clue inside another, as many mines
    "1-1 at a wall": ("...\n11.\n00.".replace("11.\n00.", "111"), "*-*".replace("*-*", "...") and "-*-\n111", ""),
    # seed 1, 5.3 and seed 2, rule 4: the 1-2 pattern
    "1-2-1": ("...\n121", "*-*\n121", "single-cell set-rules"),
    "1-2-2-1": ("....\n1221", "-**-\n1221", "single-cell set-rules"),
    # notes on seed 2, rule 6: one mine remains
    "the last mine": ("mines 1\n.1...", "*1---".replace("*1---", ".1.--"), "single-cell set-rules mine-count"),
    "no mine is left": ("mines 1\n1....", "1*---", "single-cell mine-count"),
    "nothing but mines": ("mines 4\n1....".replace("4\n1....", "3\n.1..."), ".1.**", "single-cell mine-count"),
    # seed 4's demonstration board: exactly one layout
    "demonstration": (
        "mines 5\n.121.\n.....\n-....\n1-1..",
        "-121-\n-*-*-\n-*--*\n1-1*-",
        "",
    ),
}


@pytest.mark.parametrize(("text", "expected", "names"), KNOWN.values(), ids=list(KNOWN))
def test_known_positions(text: str, expected: str, names: str) -> None:
    assert solved(text, *names.split()) == expected
