"""Constraints, knowledge and reasons: reasoning's ground, with no game in it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stated import stated

from games.errors import Contradiction, InvalidFile
from games.logic import Constraint, Deduction, Knowledge, bits, cell_set, connected_components


def parse(text: str) -> Constraint:
    return Constraint.parse(text)


def left(known: Knowledge) -> list[str]:
    return [str(c) for c in known.constraints]


def test_constraint_text_round_trip() -> None:
    for text in ("2:0,1,5", "1..2:0,1,5", "0:7", "0..3:1,2,3", "0:", "1:123"):
        assert str(parse(text)) == text
    for text in ("", "2", "x:1", "1..:2", "1:2;3"):
        with pytest.raises(InvalidFile, match="not a constraint"):
            parse(text)


@given(st.sets(st.integers(0, 300)))
def test_cell_sets_round_trip(cells: set[int]) -> None:
    assert list(bits(cell_set(cells))) == sorted(cells)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("2:0,1", "all_true"),
        ("0:0,1", "all_false"),
        ("0..2:0,1", "is_trivial"),
        ("3:0,1", "is_impossible all_true"),
        ("2..1:0,1", "is_impossible all_true"),
        ("1:0,1", ""),
        ("0:", "is_trivial"),
        ("1:", "is_impossible"),
    ],
)
def test_constraint_properties(text: str, facts: str) -> None:
    names = ("is_trivial", "is_impossible", "all_true", "all_false")
    assert [name for name in names if getattr(parse(text), name)] == facts.split()


@pytest.mark.parametrize(
    ("text", "true", "false", "expected"),
    [
        ("2:0,1,2", {0}, set(), "1:1,2"),
        ("2:0,1,2", set(), {0}, "2:1,2"),
        ("1..2:0,1,2", {0}, {1}, "0..1:2"),
        ("1:0,1,2", {0, 1}, set(), "0..-1:2"),  # impossible stays impossible
        ("2:0,1", {5}, {6}, "2:0,1"),
    ],
)
def test_constraint_reduced(text: str, true: set[int], false: set[int], expected: str) -> None:
    assert str(parse(text).reduced(cell_set(true), cell_set(false))) == expected


@settings(max_examples=200)
@given(st.integers(0, 255), st.integers(-1, 5), st.integers(-1, 5), st.integers(0, 255), st.integers(0, 255))
def test_constraint_reduced_keeps_agreeing_layouts(
    cells: int, low: int, high: int, known: int, layout: int
) -> None:
    constraint = Constraint(cells, low, high)
    reduced = constraint.reduced(known & layout, known & ~layout)
    assert not reduced.cells & known
    assert constraint.holds(layout) == reduced.holds(layout) == (low <= (cells & layout).bit_count() <= high)


def test_components_disjoint_and_ordered() -> None:
    texts = ("1:0,1", "1:5,6", "1:1,2", "1:6,7", "1:9")
    groups = connected_components(map(parse, texts))
    assert [[texts.index(str(c)) for c in group] for group in groups] == [[0, 2], [1, 3], [4]]


def test_knowledge_learn_drops_settled() -> None:
    start = stated("1:0,1", "2:1,2,3", "0..4:0,1,2,3")
    assert left(start) == ["1:0,1", "2:1,2,3"]
    (clue, _) = start.constraints
    later = start.learn([Deduction.true(cell_set([1]), (clue,))])
    assert left(later) == ["0:0", "1:2,3"]
    assert left(start) == ["1:0,1", "2:1,2,3"]
    assert (later.true, later.false, later.undecided) == (2, 0, 4095 - 2)
    assert later.origin(later.constraints[1]) == start.given[1]


def test_knowledge_learn_nothing_new_is_same() -> None:
    start = stated("0:0,1")
    (clue,) = start.constraints
    later = start.learn([Deduction.false(3, (clue,))])
    assert later.learn([Deduction.false(1, (clue,))]) is later
    assert later.learn([]) is later


def test_knowledge_keeps_derived_with_given() -> None:
    start = stated("1:0,1", "2:0,1,2,3")
    later = start.learn([Deduction.bounds(12, 1, 1, start.constraints)])
    assert left(later) == ["1:0,1", "2:0,1,2,3", "1:2,3"]
    assert [str(c) for c in later.stated] == ["1:0,1", "2:0,1,2,3"]
    assert later.knows(parse("1:2,3"))
    assert not later.knows(parse("1:2,4"))
    assert [str(c) for c in later.about(8)] == ["2:0,1,2,3", "1:2,3"]


def test_knowledge_reduced_derived_can_be_learned() -> None:
    start = stated("1:0,1", "2:0,1,2,3", "1:2")
    derived = start.learn([Deduction.bounds(12, 1, 1, start.constraints[:2])])
    shown = derived.learn([Deduction.true(4, (derived.constraints[2],))])
    nothing_left = next(c for c in shown.constraints if c.cells == 8 and c.source is None)
    assert str(nothing_left) == "0:3"
    end = shown.learn([Deduction.false(8, (nothing_left,))])
    assert end.false == 8
    assert sorted(map(str, end.because(3))) == ["A", "B", "C"]


def test_reasons_are_complete() -> None:
    start = stated("1:0", "1:0,1", "1:1,2", "1:7,8")
    known = start
    for cell, is_true in ((0, True), (1, False), (2, True)):
        clue = next(c for c in known.constraints if c.cells == 1 << cell)
        make = Deduction.true if is_true else Deduction.false
        known = known.learn([make(1 << cell, (clue,))])
    assert known.because(0) == ("A",)
    assert sorted(map(str, known.because(2))) == ["A", "B", "C"]
    assert known.why(2) == known.history[2]
    assert known.why(5) is None
    assert known.because(5) == ()


def test_reasons_include_facts_used_to_reduce() -> None:
    start = stated("1:0", "1:0,1")
    both = [Deduction.true(1, start.constraints[:1]), Deduction.bounds(3, 1, 1, start.constraints[1:])]
    known = start.learn(both)
    assert (known.true, known.false) == (1, 2)
    assert sorted(map(str, known.because(1))) == ["A", "B"]


def test_knowledge_conflict_names_sources() -> None:
    with pytest.raises(Contradiction, match="cannot all hold: A") as caught:
        stated("3:0,1")
    assert caught.value.sources == ("A",)
    start = stated("1:0", "0:0,1", "1:5,6")
    with pytest.raises(Contradiction) as caught:
        start.learn([Deduction.true(1, (start.constraints[0],)), Deduction.false(3, (start.constraints[1],))])
    assert sorted(map(str, caught.value.sources)) == ["A", "B"]


def test_knowledge_stating_later_uses_known() -> None:
    start = stated("1:0,1", "2:1,2,3")
    known = start.learn([Deduction.true(1, (start.constraints[0],))])
    later = known.stating([Constraint(cell_set([0, 2, 4]), 2, 2, "C")], known.universe & ~8, settled=8)
    assert (later.true, later.false, later.undecided) == (1, 8, 4095 - 9)
    assert left(later) == ["0:1", "2:1,2", "1:2,4"]
    assert later.news == cell_set([1, 2, 4])
    assert [c.source for c in later.given] == ["A", "B", "C"]
    assert later.because(0) == ("A",)
    assert later.because(3) == ()  # seen, not shown


def test_knowledge_versions_are_independent() -> None:
    start = stated("1:0,1", "1:2,3")
    first, second = start.constraints
    one = start.learn([Deduction.true(1, (first,))])
    other = start.learn([Deduction.false(4, (second,))])
    assert (one.true, one.false, one.because(0), one.because(2)) == (1, 0, ("A",), ())
    assert (other.true, other.false, other.because(0), other.because(2)) == (0, 4, (), ("B",))
    assert (start.true, start.false, start.because(0)) == (0, 0, ())
    assert one.knows(parse("0:1")) is False  # another source than that clue's
    assert other.knows(Constraint(8, 1, 1, "B"))
    assert not start.knows(Constraint(8, 1, 1, "B"))
    with pytest.raises(KeyError):
        start.origin(Constraint(8, 1, 1, "B"))
