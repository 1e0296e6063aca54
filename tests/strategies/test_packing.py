"""`packing`: the rules of Clue inference on constraints of any kind."""

from __future__ import annotations

from functools import reduce
from itertools import combinations
from operator import and_, or_
from string import ascii_lowercase

import pytest

from games.logic import Constraint, Knowledge, bits, cell_set
from games.minesweeper import Board, board_knowledge
from strategies import Reasoner, load_strategies, load_strategy
from strategies.builtin.packing import hitting_sets, max_weight_packing
from strategies.testing import certain_variables, small_knowledge

PACKING = load_strategy("packing")


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
        # the simplest case: one card is missing in the hand a-f, and it is one of a, b, c
        (known("1:abcdef", "1..3:abc"), "", "def"),
        # a more general case, application 1: two cards missing, {e, f} and {h, i} each hold one
        (known("2:abcdefghi", "1..2:ef", "1..2:hi"), "", "abcdg"),
        # the most general case, application 2: {b, c} and {c, d} overlap, one card is missing
        (known("1:bcdghi", "1..2:bc", "1..2:cd"), "c", "bdghi"),
        # two cards are missing: no conclusion
        (known("2:bcdghi", "1..2:bc", "1..2:cd"), "", ""),
        # maximum disjoint set: {a, b}, {c, d}, not {b, c}
        (known("2:abcdxyz", "1..2:bc", "1..2:ab", "1..2:cd"), "", "xyz"),
        # hitting sets: three pairs of a triangle need two cells, though no two of them are disjoint
        (known("2:abcxyz", "1..2:ab", "1..2:bc", "1..2:ac"), "", "xyz"),
        # true and false exchanged: three of five cells are true, at most one of each pair
        (known("3:abcde", "0..1:ab", "0..1:cd"), "e", ""),
        # sets that extend beyond the holder: their outer cells are true
        (known("1:abc", "2..3:abz", "2..3:czy"), "yz", "c"),
        # repeated elements: m (ab) and n (cd) each hold one of two cards (a, c and b, d)
        (known("1..2:ab", "1..2:cd", "1:acex", "1:bdfy"), "", "efxy"),
        # the same with three players and three cards
        (known("1..3:abc", "1..3:def", "1..3:ghi", "1:adgx", "1:behy", "1:cfiz"), "", "xyz"),
        # sole player missing two cards (a, b or the envelope's c, d) and one card missing in the hand abxyz
        (known("1:ac", "1:bd", "1:cde", "1:abxyz"), "", "exyz"),
        # across categories: two kinds (ab, mn), two cards missing
        (known("1:ac", "1:bd", "1:cde", "1:mo", "1:np", "1:opq", "2:abmnxyz"), "", "eqxyz"),
    ],
)
def test_packing_clue_inference(knowledge: Knowledge, true: str, false: str) -> None:
    assert found(knowledge) == (true, false)


def test_packing_one_clue_covers_several() -> None:
    """On a board: the clues at the ends decide the middle."""
    given = board_knowledge(Board.parse(".....\n12.21"))
    outcome = Reasoner(load_strategies(["single-cell", "packing"])).deduce(given)
    assert outcome.faults == ()
    assert (outcome.knowledge.true, outcome.knowledge.false) == certain_variables(given)


def test_packing_unchanged_skipped() -> None:
    knowledge = known("1:abcdef", "1..3:abc", "1:mnopqr", "1..3:mno")
    assert list(PACKING.deduce(knowledge, 0)) == []
    assert [d.constraint.cells for d in PACKING.deduce(knowledge, 1)] == [cell_set([3, 4, 5])]


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
