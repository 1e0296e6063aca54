"""`packing` on constraints of any kind; tests/clue/test_clue_rules.py has the rules of Clue inference."""

from __future__ import annotations

from functools import reduce
from itertools import combinations
from operator import and_, or_
from string import ascii_lowercase

import pytest

from games.logic import Constraint, Knowledge, bits, cell_set
from games.minesweeper import Board, board_knowledge
from strategies import Reasoner, load_strategies
from strategies.builtin.packing import hitting_sets, max_weight_packing
from strategies.testing import certain_variables, small_knowledge


def known(*texts: str) -> Knowledge:
    """Constraints in letters: `1..3:abc`."""
    given = []
    for text in texts:
        number, _, letters = text.partition(":")
        low, _, high = number.partition("..")
        cells = cell_set(ord(letter) - ord("a") for letter in letters)
        given.append(Constraint(cells, int(low), int(high or low), text))
    return Knowledge.of(cell_set(range(26)), given)


def found(knowledge: Knowledge) -> tuple[str, str]:
    """The true and the false letters."""
    outcome = Reasoner(load_strategies(["single-cell", "packing"])).deduce(knowledge)
    assert outcome.faults == ()
    true, false = (
        "".join(ascii_lowercase[k] for k in bits(cells))
        for cells in (outcome.knowledge.true, outcome.knowledge.false)
    )
    return true, false


@pytest.mark.parametrize(
    ("knowledge", "true", "false"),
    [
        # maximum disjoint set: {a, b}, {c, d}, not {b, c}
        (known("2:abcdxyz", "1..2:bc", "1..2:ab", "1..2:cd"), "", "xyz"),
        # true and false exchanged: three of five cells are true, at most one of each pair
        (known("3:abcde", "0..1:ab", "0..1:cd"), "e", ""),
        # sets that extend beyond the holder: their outer cells are true
        (known("1:abc", "2..3:abz", "2..3:czy"), "yz", "c"),
    ],
)
def test_packing_sets_of_any_kind(knowledge: Knowledge, true: str, false: str) -> None:
    assert found(knowledge) == (true, false)


def test_packing_one_clue_covers_several() -> None:
    """On a board: the clues at the ends decide the middle."""
    given = board_knowledge(Board.parse(".....\n12.21"))
    outcome = Reasoner(load_strategies(["single-cell", "packing"])).deduce(given)
    assert outcome.faults == ()
    assert (outcome.knowledge.true, outcome.knowledge.false) == certain_variables(given)


def pieces(knowledge: Knowledge) -> list[tuple[int, int]]:
    return [(c.cells, c.low) for c in knowledge.constraints if c.low > 0]


def test_packing_best_family() -> None:
    for knowledge in small_knowledge("families", 80):
        sets = pieces(knowledge)
        families = (family for count in range(len(sets) + 1) for family in combinations(sets, count))
        best = max(
            sum(weight for _, weight in family)
            for family in families
            if not any(a & b for (a, _), (b, _) in combinations(family, 2))
        )
        assert sum(sets[p][1] for p in max_weight_packing(sets)) == best


def test_hitting_sets_complete() -> None:
    tried = 0
    for knowledge in small_knowledge("hits", 60, variables=8):
        demands = pieces(knowledge)
        names = list(bits(knowledge.universe))
        every = (cell_set(chosen) for size in range(len(names) + 1) for chosen in combinations(names, size))
        choices = [c for c in every if all((cells & c).bit_count() >= least for cells, least in demands)]
        fewest = choices[0].bit_count()
        smallest = [choice for choice in choices if choice.bit_count() == fewest]
        hits = hitting_sets(demands, fewest)
        assert hits is not None
        assert (hits.ever, hits.always) == (reduce(or_, smallest), reduce(and_, smallest))
        assert hitting_sets(demands, fewest + 1) is None
        tried += len(smallest)
    assert tried > 100
