"""Proofs as English sentences: premises first, one sentence per step.

The module knows no game; `Vocabulary` supplies the names and nouns. A step is described by the form of its
proof (one constraint, a difference of two, a sum, a case split), not by the name of its rule, so that steps
of any strategy can be described.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from games.logic.constraint import Constraint, bits, union_cells
from games.logic.derivation import (
    ConflictTrace,
    DerivationGraph,
    ResolvedPremise,
    ResolvedStep,
    negations,
    trace_conflict,
    unit_negations,
)
from games.logic.proof import Linear, Split

MOST_NAMED = 8  # cells listed individually; longer lists are cut to FIRST_FEW and a count
FIRST_FEW = 3
MOST_CASES_NAMED = 4  # cases of a split described individually; more are summarized
FEW = 3  # constraints named in the summary of a split
MOST_TERMS = 12  # terms of an equation that is written out


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names and nouns of one game.

    `cell` names a variable, `given` a given constraint ("r3c5 = 2"). The other fields are the predicates for
    true and false variables, and the nouns in singular and plural.
    """

    cell: Callable[[int], str]
    given: Callable[[Constraint], str]
    is_true: str = "is a mine"
    are_true: str = "are mines"
    is_false: str = "is safe"
    are_false: str = "are safe"
    were_true: str = "were a mine"
    were_false: str = "were safe"
    thing: str = "mine"
    things: str = "mines"
    places: str = "cells"

    def is_plain(self, constraint: Constraint) -> bool:
        """Whether the name of a given constraint already states that its cells are true."""
        return False

    def single(self, link: ResolvedStep, ground: ResolvedPremise) -> str | None:
        """Game-specific wording of a step from one given constraint; None for the general wording."""
        return None

    def listing(self, cells: int) -> str:
        """`r0c0, r0c1 and r0c2`; long lists are shortened."""
        names = list(bits(cells))
        if len(names) > MOST_NAMED:
            first = ", ".join(map(self.cell, names[:FIRST_FEW]))
            return f"{first} and {len(names) - FIRST_FEW} other {self.places}"
        return join_names([self.cell(k) for k in names])

    def count(self, number: int) -> str:
        """`1 mine`, `2 mines`."""
        return f"{number} {self.thing if number == 1 else self.things}"

    def state(self, cells: int, is_true: bool) -> str:
        """`r0c0 is safe`, `r0c0 and r0c1 are mines`."""
        if cells.bit_count() == 1:
            return f"{self.listing(cells)} {self.is_true if is_true else self.is_false}"
        return f"{self.listing(cells)} {self.are_true if is_true else self.are_false}"

    def supposed(self, cells: int, is_true: bool) -> str:
        """An assumption about one cell: `r0c0 were a mine`."""
        return f"{self.listing(cells)} {self.were_true if is_true else self.were_false}"

    def fact(self, constraint: Constraint) -> str:
        """A constraint as a clause."""
        low, high, cells = constraint.low, constraint.high, constraint.cells
        if constraint.is_impossible:
            return "that is impossible"
        if constraint.all_true or constraint.all_false:
            return self.state(cells, constraint.all_true)
        return f"{format_range(low, high, constraint.size)} of {self.listing(cells)} {self._are(low, high)}"

    def premise(self, ground: ResolvedPremise) -> str:
        """A premise by name, with its reduced bounds: `r3c5 = 2 (1 left)`, `1 of r0c0 and r0c1`."""
        left = ground.premise
        if ground.place is not None:
            if left.all_true or left.all_false:
                return self.state(left.cells, left.all_true)
            return f"[{format_range(left.low, left.high, left.size)} of {self.listing(left.cells)}]"
        name = self.given(ground.full)
        if (left.low, left.high) == (ground.full.low, ground.full.high):
            return name
        return f"{name} ({format_range(left.low, left.high, left.size)} left)"

    def _are(self, low: int, high: int) -> str:
        one = high == 1 and low <= 1
        return self.is_true if one else self.are_true


def format_range(low: int, high: int, size: int) -> str:
    """`2`, `at least 1`, `at most 2`, `1 to 2`."""
    if low == high:
        return str(low)
    if high >= size:
        return f"at least {low}"
    if low <= 0:
        return f"at most {high}"
    return f"{low} to {high}"


def join_names(names: Sequence[str], word: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}" if names else ""


def proof_sentences(lineage: DerivationGraph, cells: int, words: Vocabulary) -> list[str]:
    """The sentences that prove the states of a cell set; each depends only on earlier ones."""
    return [step_sentence(lineage.links[place], words) for place in lineage.ancestors(cells)]


def step_sentence(link: ResolvedStep, words: Vocabulary) -> str:
    """One step as a sentence: its premises, then its conclusion."""
    step = link.deduction.step
    if len(link.grounds) == 1 and (_is_part(link.news, link.grounds[0].premise)):
        ground = link.grounds[0]
        own = words.single(link, ground) if ground.place is None else None
        said = own or _from_one(link, ground, words)
    elif isinstance(step.method, Linear):
        said = _from_sum(link, step.method, words)
    else:
        said = _from_cases(link, words)
    first = said.split(" ", 1)[0]
    return f"{said[0].upper() if first.isalpha() else said[0]}{said[1:]}."


# --- one constraint ------------------------------------------------------------------------------------


def _is_part(news: Constraint, left: Constraint) -> bool:
    """Whether one constraint alone implies the conclusion."""
    low = left.low - (left.cells & ~news.cells).bit_count()
    high = left.high + (news.cells & ~left.cells).bit_count()
    return max(low, 0) >= news.low and min(high, news.size) <= news.high


def _from_one(link: ResolvedStep, ground: ResolvedPremise, words: Vocabulary) -> str:
    """A conclusion from one constraint, which usually has a single solution left."""
    news, left = link.news, ground.premise
    name = words.premise(ground) if ground.place is not None else words.given(ground.full)
    fact = words.fact(news)
    if news.cells != left.cells:
        return f"{words.premise(ground)}: so {fact}"
    mines = ground.known & link.true
    if news.all_false:
        if not mines:
            return f"{name}: so {fact}"
        return f"{name} is met by {words.listing(mines)}, so {fact}"
    if news.all_true and ground.place is None and not mines and words.is_plain(ground.full):
        return f"{name}: so {fact}"
    if news.all_true:
        more = " more" if mines else ""
        return f"{name} needs {left.low}{more} and has only {words.listing(news.cells)} left, so {fact}"
    return f"{name} leaves {fact}"


# --- sums ----------------------------------------------------------------------------------------------


def _from_sum(link: ResolvedStep, method: Linear, words: Vocabulary) -> str:
    """A linear combination: two overlapping constraints, parts of a larger one, or the general case."""
    grounds = link.grounds
    if sorted(method.multipliers) == [-1, 1] and method.divisor == 1:
        first, second = sorted(zip(method.multipliers, grounds, strict=True), key=lambda pair: pair[0])
        return _from_two(link, first[1], second[1], words)
    if method.divisor == 1 and method.multipliers[0] == 1 and set(method.multipliers[1:]) == {-1}:
        parts = union_cells(ground.premise for ground in grounds[1:])
        are_disjoint = sum(ground.premise.size for ground in grounds[1:]) == parts.bit_count()
        if are_disjoint and not parts & ~grounds[0].premise.cells:
            return _from_rest(link, grounds[0], grounds[1:], words)
    return _from_equations(link, method, words)


def _from_two(link: ResolvedStep, first: ResolvedPremise, second: ResolvedPremise, words: Vocabulary) -> str:
    """Inference Rules, 5.2 and 5.3: one constraint bounds the shared cells, and so the rest of the other."""
    a, b, news = first.premise, second.premise, link.news
    shared, other = a.cells & b.cells, a.cells & ~b.cells
    own = b.cells & ~a.cells
    names = f"{words.premise(first)} and {words.premise(second)}"
    if not other:
        left = _clipped_range(b.low - a.high, b.high - a.low, own.bit_count())
        if first.place is not None:
            return (
                f"{words.premise(first)} are among the {words.places} of {words.premise(second)}; "
                f"that leaves {left} for the others: {words.fact(news)}"
            )
        return (
            f"{words.premise(first)} counts only {words.listing(a.cells)}, which {words.premise(second)} "
            f"counts too; that leaves {left} for the others: {words.fact(news)}"
        )
    count = shared.bit_count()
    where = (
        f"{names} share {words.listing(shared)}" if count <= 3 else f"{names} share {count} {words.places}"
    )
    if news.low > 0:
        return (
            f"{where}, with at most {words.count(min(a.high, count))} by the first, so the second needs "
            f"{news.low if news.all_true else f'at least {news.low}'} elsewhere: {words.fact(news)}"
        )
    least = max(a.low - other.bit_count(), 0)
    return (
        f"{where}, with at least {words.count(least)} by the first, so the second has "
        f"{'none' if news.high <= 0 else f'at most {news.high}'} elsewhere: {words.fact(news)}"
    )


def _from_rest(
    link: ResolvedStep, whole: ResolvedPremise, parts: Sequence[ResolvedPremise], words: Vocabulary
) -> str:
    """Disjoint parts are subtracted from a larger constraint."""
    news = link.news
    names = join_names([words.premise(part) for part in parts])
    apart = ", which share no cell," if len(parts) > 1 else ""
    low, high = sum(p.premise.low for p in parts), sum(p.premise.high for p in parts)
    takes = "take" if len(parts) > 1 or parts[0].place is not None else "takes"
    amount = f"exactly {low}" if low == high else f"at least {low}" if news.low <= 0 else f"at most {high}"
    left = f"at least {news.low}" if news.low > 0 else "none" if news.high <= 0 else f"at most {news.high}"
    if news.low == news.high > 0:
        left = str(news.low)
    return (
        f"of {words.premise(whole)}, {names}{apart} {takes} {amount}; that leaves {left}: {words.fact(news)}"
    )


def _from_equations(link: ResolvedStep, method: Linear, words: Vocabulary) -> str:
    """The general case: added and subtracted constraints."""
    added: list[str] = []
    taken: list[str] = []
    for number, ground in zip(method.multipliers, link.grounds, strict=True):
        times = f"{abs(number)} times " if abs(number) > 1 else ""
        if number:
            (added if number > 0 else taken).append(times + words.premise(ground))
    if not added:
        added, taken = taken, added
    less = f", and taking away {join_names(taken)}" if taken else ""
    rounded = f", which is divided by {method.divisor} and rounded" if method.divisor > 1 else ""
    equation = _equation(link, method, words)
    return f"adding up {join_names(added)}{less}{equation}{rounded}: {words.fact(link.news)}"


def _equation(link: ResolvedStep, method: Linear, words: Vocabulary) -> str:
    """The resulting equation if it is short: `, we get r0c0 - r0c1 = 1`."""
    coefficients: dict[int, int] = {}
    low = high = 0
    for number, ground in zip(method.multipliers, link.grounds, strict=True):
        first, last = sorted((number * ground.premise.low, number * ground.premise.high))
        low, high = low + first, high + last
        for k in bits(ground.premise.cells):
            coefficients[k] = coefficients.get(k, 0) + number
    terms = sorted(((k, n) for k, n in coefficients.items() if n), key=lambda term: (term[1] < 0, term[0]))
    if not terms or len(terms) > MOST_TERMS:
        return ""
    written = "".join(
        f" {'-' if n < 0 else '+'} {f'{abs(n)} x ' if abs(n) > 1 else ''}{words.cell(k)}" for k, n in terms
    ).removeprefix(" + ")
    relation = f"= {low}" if low == high else f"between {low} and {high}"
    return f", we get {written.strip()} {relation}"


# --- cases --------------------------------------------------------------------------------------


def _from_cases(link: ResolvedStep, words: Vocabulary) -> str:
    """Refutation of the negated conclusion, with a case split if propagation is not enough."""
    news, method = link.news, link.deduction.step.method
    split = method if isinstance(method, Split) else None
    premises = [ground.premise for ground in link.grounds]

    def failures(opposed: list[Constraint]) -> Iterator[tuple[Constraint, ConflictTrace]]:
        for supposed in opposed:
            failure = trace_conflict([*premises, supposed], split)
            if failure is None:
                return
            yield supposed, failure

    wanted = negations(news)
    failed = list(failures(wanted))
    if len(failed) < len(wanted) and (news.all_true or news.all_false):
        wanted = unit_negations(news)
        failed = list(failures(wanted))
    if not wanted or len(failed) < len(wanted):
        names = join_names([words.premise(ground) for ground in link.grounds])
        return f"with {names}: {words.fact(news)}"
    parts = [
        _suppose(supposed, words) + _narrate(failure, link.grounds, words, supposed)
        for supposed, failure in failed
    ]
    return f"{'. '.join(parts)}. So {words.fact(news)}"


def _suppose(supposed: Constraint, words: Vocabulary) -> str:
    if not supposed.cells:
        return ""
    if supposed.size == 1:
        return f"If {words.supposed(supposed.cells, supposed.low > 0)}, "
    return f"If {words.fact(supposed)}, "


def _narrate(
    failure: ConflictTrace, grounds: Sequence[ResolvedPremise], words: Vocabulary, supposed: Constraint
) -> str:
    """The steps of a conflict as a clause; the assumption itself is not repeated."""
    ends = failure.ends
    if len(ends) > MOST_CASES_NAMED:
        blamed = sorted({place for place in ends if place < len(grounds)})
        names = join_names([words.premise(grounds[place]) for place in blamed[:FEW]], "or")
        more = " or another" if len(blamed) > FEW else ""
        cells = words.listing(failure.split_cells)
        return f"each of the {len(ends)} cases for {cells} ends in a contradiction with {names}{more}"
    clauses = []
    for step in failure.steps:
        if step.place < len(grounds):
            state = words.state(step.cells, step.is_true)
            clauses.append(f"by {words.premise(grounds[step.place])} {state}")
        elif step.cells != supposed.cells:
            clauses.append(f"then {words.state(step.cells, step.is_true)}")
    if failure.cases is None:
        clauses.append(_end(failure, grounds, words, supposed))
        return ", ".join(clauses)
    cell, if_true, if_false = failure.cases
    name = 1 << cell
    before = f"{', '.join(clauses)}; " if clauses else ""
    return (
        f"{before}then either {words.state(name, True)}, and {_narrate(if_true, grounds, words, supposed)}; "
        f"or {words.state(name, False)}, and {_narrate(if_false, grounds, words, supposed)}"
    )


def _end(
    failure: ConflictTrace, grounds: Sequence[ResolvedPremise], words: Vocabulary, supposed: Constraint
) -> str:
    if failure.place >= len(grounds):
        return "which contradicts the assumption" if supposed.cells else "which is impossible"
    name = words.premise(grounds[failure.place])
    return f"and {name} {'cannot be reached' if failure.too_few else 'is exceeded'}"


def _clipped_range(low: int, high: int, size: int) -> str:
    """`format_range` of bounds clipped to 0 and `size`; `none` for 0."""
    low, high = max(low, 0), min(high, size)
    return "none" if high <= 0 else format_range(low, high, size)
