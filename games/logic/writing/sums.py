"""Sums of inequalities in VeriPB's reverse Polish, kept in step with what they come to.

Every summand has the form `sign * (number of true cells) >= degree`; a literal axiom is one about a single
cell. Cells are ints, as everywhere; names for the text are made by whoever writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from games.logic.bits import bits


@dataclass(frozen=True, slots=True)
class Half:
    """One inequality that stands in the proof: `sign * (number of true cells) >= degree`, with its number."""

    line: int
    cells: int
    sign: int
    degree: int


@dataclass(slots=True)
class Sum:
    """A `p` line in the making: its words, and the coefficients and bound that they come to."""

    variable: Callable[[int], str]
    words: list[str] = field(default_factory=list)
    coefficients: dict[int, int] = field(default_factory=dict)
    bound: int = 0

    def add(self, half: Half, times: int = 1) -> None:
        """Add an inequality of the proof, so many times."""
        self._add(str(half.line), half.cells, half.sign, half.degree, times)

    def add_axiom(self, cell: int, sign: int, times: int = 1) -> None:
        """Add x >= 0 (sign 1) or -x >= -1 (sign -1)."""
        name = self.variable(cell)
        self._add(name if sign > 0 else f"~{name}", 1 << cell, sign, min(sign, 0), times)

    def divide(self, divisor: int) -> None:
        """Divide and round up, as the checker of steps does it.

        VeriPB rounds each literal's coefficient up. A negative one is that of a negated literal, and would be
        rounded away from zero: axioms make those divisible first.
        """
        if divisor == 1:
            return
        for k, number in list(self.coefficients.items()):
            if number < 0 and number % divisor:
                self.add_axiom(k, 1, -number % divisor)
        self.words += [str(divisor), "d"]
        self.bound = -(-self.bound // divisor)
        self.coefficients = {k: -(-number // divisor) for k, number in self.coefficients.items()}

    def missing(self, cells: int, sign: int) -> Iterator[tuple[int, int]]:
        """What each cell lacks of `sign` if it is one of these, of 0 if not; only where that is anything."""
        for k in bits(cells):
            self.coefficients.setdefault(k, 0)
        for k, number in sorted(self.coefficients.items()):
            lacking = (sign if cells >> k & 1 else 0) - number
            if lacking:
                yield k, lacking

    def _add(self, word: str, cells: int, sign: int, degree: int, times: int) -> None:
        if times == 0:
            return
        first = not self.words
        self.words.append(word)
        if times > 1:
            self.words += [str(times), "*"]
        if not first:
            self.words.append("+")
        self.bound += times * degree
        for k in bits(cells):
            self.coefficients[k] = self.coefficients.get(k, 0) + sign * times
