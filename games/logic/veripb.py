"""Export of proofs as an OPB problem and a VeriPB proof, version 1.2, for independent checkers.

The problem contains the given constraints. The proof has lines for each deduction that a certain cell depends
on, and an `e` line for each such cell. `Propagation` becomes `u` (reverse unit propagation), `Linear` becomes
`p` (reverse Polish notation: sums, literal axioms, division), `Split` becomes `u` lines for its cases, the
deepest first. Premises count in their reduced form of that time: for `u`, the units derived before reduce
them; in `p` lines the known cells are cancelled one by one. Every inequality has the form `sign * (number of
true cells) >= degree`. Format: Gocht, "Certifying correctness for combinatorial algorithms", 2022.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from games.logic.constraint import Constraint, bits
from games.logic.derivation import DerivationGraph, ResolvedPremise, ResolvedStep
from games.logic.knowledge import Knowledge
from games.logic.proof import Linear, Split


@dataclass(frozen=True, slots=True)
class DerivedInequality:
    """An inequality of the proof, `sign * (number of true cells) >= degree`, with its line number."""

    line: int
    cells: int
    sign: int
    degree: int


@dataclass(slots=True)
class CuttingPlanesSum:
    """A `p` line under construction: its tokens (`words`), and the resulting coefficients and bound."""

    variable: Callable[[int], str]
    words: list[str] = field(default_factory=list)
    coefficients: dict[int, int] = field(default_factory=dict)
    bound: int = 0

    def add(self, half: DerivedInequality, times: int = 1) -> None:
        """Add an inequality of the proof, multiplied by `times`."""
        self._add(str(half.line), half.cells, half.sign, half.degree, times)

    def add_axiom(self, cell: int, sign: int, times: int = 1) -> None:
        """Add x >= 0 (sign 1) or -x >= -1 (sign -1)."""
        name = self.variable(cell)
        self._add(name if sign > 0 else f"~{name}", 1 << cell, sign, min(sign, 0), times)

    def divide(self, divisor: int) -> None:
        """Divide and round up, as `games.logic.checker` does.

        VeriPB rounds the coefficient of each literal up. A negative coefficient belongs to a negated literal
        and would be rounded away from zero, so axioms make it divisible first.
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
        """Cells whose coefficient is not `sign` (in `cells`) or 0 (elsewhere), with the difference."""
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


class VeriPBWriter:
    """Writes one proof. `halves` are the given inequalities; `stated` is their number."""

    def __init__(
        self,
        lineage: DerivationGraph,
        variables: dict[int, str],
        name: Callable[[int], str],
        halves: dict[tuple[int | None, Constraint, int], DerivedInequality],
        stated: int,
    ) -> None:
        self._lineage = lineage
        self._variables = variables
        self._name = name
        self._halves = halves
        self._units: dict[int, DerivedInequality] = {}
        self._stated = self._number = stated
        self._lines: list[str] = []
        self._counts = {"u": 0, "p": 0, "e": 0}

    def write(self, wanted: int, remark: str) -> tuple[str, dict[str, int]]:
        """The proof for this cell set, and the number of its lines by kind."""
        places = self._lineage.ancestors(wanted)
        links = [self._lineage.links[place] for place in places]
        used, needed = set[int](), wanted
        for link in links:
            needed |= link.known
            used |= {ground.place for ground in link.grounds if ground.place is not None}
        for place, link in zip(places, links, strict=True):
            self._lines.append(f"* {link.deduction.step.rule}: {_plain(link, self._name)}")
            self._derive(place, link, place in used, needed)
        for k in bits(wanted):
            unit = self._units[k]
            self._counts["e"] += 1
            self._lines.append(f"* {self._name(k)}")
            self._lines.append(f"e {unit.line} 1 {self._literal(k, unit.sign)} >= 1 ;")
        head = ["pseudo-Boolean proof version 1.2", f"* {remark}" if remark else "*", f"f {self._stated}"]
        return "\n".join((*head, *self._lines)) + "\n", self._counts

    def _derive(self, place: int, link: ResolvedStep, is_used: bool, needed: int) -> None:
        """Write one deduction: its inequalities, and a unit for each cell that is needed."""
        claim, news = link.deduction.constraint, link.news
        settles = news.all_true or news.all_false
        method = link.deduction.step.method
        if isinstance(method, Linear):
            for sign in (1, -1):
                if not self._is_empty(claim, sign):
                    parts = list(zip(link.grounds, method.multipliers, strict=True))
                    self._put(place, claim, self._by_sum(claim, parts, method.divisor, sign))
        if settles:
            sign = 1 if news.all_true else -1
            whole = self._halves.get((place, claim, sign))
            for k in bits(news.cells if is_used else news.cells & needed):
                self._unit(k, sign, whole, method)
        if isinstance(method, Linear) or (settles and not is_used):
            return
        for sign in (1, -1):
            if self._is_empty(claim, sign):
                continue
            if settles and claim.size == 1:
                self._put(place, claim, self._units[claim.cells.bit_length() - 1])
                continue
            degree = claim.low if sign > 0 else -claim.high
            terms = [(1, self._literal(k, sign)) for k in bits(claim.cells)]
            least = degree if sign > 0 else claim.size + degree  # in literals, all of them positive
            if (outright := self._outright(link, sign)) is not None:
                self._put(place, claim, self._by_sum(claim, [(outright, 1)], 1, sign))
                continue
            if not settles and isinstance(method, Split):
                line = self._bound_by_cases(method, terms, least)
            else:
                line = self._u(terms, least)
            self._put(place, claim, DerivedInequality(line, claim.cells, sign, degree))

    def _unit(self, cell: int, sign: int, whole: DerivedInequality | None, method: object) -> None:
        """Derive that a cell is true (sign 1) or false: the sum itself, or a line that propagates from it."""
        if whole is not None and whole.cells == 1 << cell and whole.degree == max(sign, 0):
            self._units[cell] = whole
            return
        terms = [(1, self._literal(cell, sign))]
        if isinstance(method, Split):
            self._unit_by_cases(method, terms)
        self._units[cell] = DerivedInequality(self._u(terms, 1), 1 << cell, sign, max(sign, 0))

    def _unit_by_cases(self, split: Split, terms: list[tuple[int, str]]) -> None:
        """Write the refuted cases as clauses, the deepest first; the unit then propagates."""
        name = self._variables[split.cell]
        if_true = [*terms, (1, f"~{name}")]
        if split.if_true is not None:
            self._unit_by_cases(split.if_true, if_true)
        self._u(if_true, 1)
        if split.if_false is not None:
            self._unit_by_cases(split.if_false, [*terms, (1, name)])

    def _bound_by_cases(self, split: Split | None, terms: list[tuple[int, str]], least: int) -> int:
        """Derive a bound in each case, then combine the cases, the deepest first.

        Within a case the bound reads `T + least * ~c >= least`. `T >= least` does not propagate from the two
        cases, so `_joined_cases` derives it.
        """
        if split is None:
            return self._u(terms, least)
        name = self._variables[split.cell]
        if_true = self._bound_by_cases(split.if_true, [*terms, (least, f"~{name}")], least)
        if_false = self._bound_by_cases(split.if_false, [*terms, (least, name)], least)
        return self._joined_cases(if_true, if_false, least)

    def _joined_cases(self, if_true: int, if_false: int, least: int) -> int:
        """From T + n * ~c >= n and T + n * c >= n to T >= n.

        Half the sum of both is T >= n / 2, rounded up. Where T >= j + 1 is known, the factor n - j in
        T + (n - j) * ~c >= n comes down by one: n - j - 1 times it, plus what is known, divided by n - j. So
        the half grows to n.
        """
        reached = 0
        while True:
            half = self._p(f"{if_true} {if_false} + 2 d")
            now = least - (least - reached) // 2
            if now >= least:
                return half
            for j in range(reached, now):
                factor = least - j
                if_true = self._p(f"{if_true} {factor - 1} * {half} + {factor} d")
                if_false = self._p(f"{if_false} {factor - 1} * {half} + {factor} d")
            reached = now

    @staticmethod
    def _outright(link: ResolvedStep, sign: int) -> ResolvedPremise | None:
        """A premise on the same cells that implies this half of the conclusion, which need not propagate."""
        news = link.news
        for ground in link.grounds:
            left = ground.premise.reduced(link.true, link.false)
            if left.cells == news.cells and (left.low >= news.low if sign > 0 else left.high <= news.high):
                return ground
        return None

    def _by_sum(
        self, claim: Constraint, parts: list[tuple[ResolvedPremise, int]], divisor: int, sign: int
    ) -> DerivedInequality:
        """The weighted, divided sum of premises, completed to one half of the claim."""
        total = CuttingPlanesSum(self._variables.__getitem__)
        for ground, multiplier in parts:
            self._add_premise(total, ground, sign * multiplier)
        total.divide(divisor)
        wanted = claim.low if sign > 0 else -claim.high
        for k, lacking in list(total.missing(claim.cells, sign)):
            unit = self._units.get(k)
            direction = 1 if lacking > 0 else -1
            if unit is not None and unit.sign == direction:
                total.add(unit, abs(lacking))
            else:
                total.add_axiom(k, direction, abs(lacking))
        assert total.bound >= wanted, "the sum is weaker than the checked deduction"
        return DerivedInequality(self._p(" ".join(total.words)), claim.cells, sign, total.bound)

    def _add_premise(self, total: CuttingPlanesSum, ground: ResolvedPremise, times: int) -> None:
        """Add one half of a premise in its reduced form: known cells are cancelled."""
        if times == 0:
            return
        sign, times = (1, times) if times > 0 else (-1, -times)
        left = ground.premise
        half = self._halves.get((ground.place, ground.full, sign))
        if half is None or self._is_empty(left, sign):
            for k in bits(left.cells):
                self._add_known(total, k, sign, times)
            return
        total.add(half, times)
        for k in bits(half.cells & ~left.cells):
            self._add_known(total, k, -sign, times)
        for k in bits(left.cells & ~half.cells):
            self._add_known(total, k, sign, times)

    def _add_known(self, total: CuttingPlanesSum, cell: int, sign: int, times: int) -> None:
        """Add the unit of a known cell if it has this sign, otherwise the literal axiom."""
        unit = self._units.get(cell)
        if unit is not None and unit.sign == sign:
            total.add(unit, times)
        else:
            total.add_axiom(cell, sign, times)

    def _p(self, words: str) -> int:
        self._counts["p"] += 1
        self._number += 1
        self._lines.append(f"p {words}")
        return self._number

    def _u(self, terms: list[tuple[int, str]], least: int) -> int:
        """Write a claim that propagates; each variable occurs once. Returns its number."""
        factors: dict[str, int] = {}
        for factor, literal in terms:
            factors[literal] = factors.get(literal, 0) + factor
        for literal in [literal for literal in factors if literal.startswith("~")]:
            common = min(factors[literal], factors.get(literal[1:], 0))
            if common:
                least -= common
                factors[literal] -= common
                factors[literal[1:]] -= common
        written = " ".join(f"{factor} {literal}" for literal, factor in factors.items() if factor)
        self._counts["u"] += 1
        self._number += 1
        self._lines.append(f"u {written or f'1 {terms[0][1]}'} >= {least} ;")
        return self._number

    def _put(self, place: int, claim: Constraint, half: DerivedInequality) -> None:
        self._halves[place, claim, half.sign] = half

    def _literal(self, cell: int, sign: int) -> str:
        return self._variables[cell] if sign > 0 else f"~{self._variables[cell]}"

    @staticmethod
    def _is_empty(constraint: Constraint, sign: int) -> bool:
        return constraint.low <= 0 if sign > 0 else constraint.high >= constraint.size


def _plain(link: ResolvedStep, name: Callable[[int], str]) -> str:
    news = link.news
    cells = " ".join(name(k) for k in bits(news.cells))
    return f"{news.low}..{news.high} of {cells}"


@dataclass(frozen=True, slots=True)
class VeriPBFiles:
    """The two files as text. `counts` is the number of proof lines by kind (`u`, `p`, `e`)."""

    problem: str
    proof: str
    counts: dict[str, int]

    @property
    def lines(self) -> int:
        """Number of deriving lines."""
        return self.counts["u"] + self.counts["p"]


def export_veripb(
    knowledge: Knowledge, cells: int | None = None, name: Callable[[int], str] = str, remark: str = ""
) -> VeriPBFiles:
    """The problem, and a proof of the known cells in `cells` (by default all known cells).

    `name` names a cell in comments; `remark` is written near the top of both files.
    """
    known = knowledge.true | knowledge.false
    wanted = known if cells is None else cells & known
    lineage = DerivationGraph(knowledge)
    variables = {k: f"x{place}" for place, k in enumerate(bits(knowledge.universe), 1)}
    problem, halves, count = _problem(knowledge, variables, name, remark)
    writer = VeriPBWriter(lineage, variables, name, halves, count)
    return VeriPBFiles(problem, *writer.write(wanted, remark))


def _problem(
    knowledge: Knowledge, variables: dict[int, str], name: Callable[[int], str], remark: str
) -> tuple[str, dict[tuple[int | None, Constraint, int], DerivedInequality], int]:
    """The OPB text, its inequalities, and their number."""
    halves: dict[tuple[int | None, Constraint, int], DerivedInequality] = {}
    lines: list[str] = []
    number = statements = 0
    for constraint in dict.fromkeys(knowledge.given):
        cells, low, high = constraint.cells, constraint.low, constraint.high
        if constraint.is_trivial:
            continue
        lines.append(f"* {constraint.source}" if constraint.source is not None else "* stated")
        terms = " ".join(f"+1 {variables[k]}" for k in bits(cells))
        written = [f"{terms} >= {low} ;"] if low > 0 else []
        written += [f"{terms.replace('+1', '-1')} >= {-high} ;"] if high < constraint.size else []
        if low == high:
            written = [f"{terms} = {low} ;"]  # VeriPB numbers it as two inequalities
        lines += written
        statements += len(written)
        for sign, degree, is_trivial in ((1, low, low <= 0), (-1, -high, high >= constraint.size)):
            if low == high or not is_trivial:
                number += 1
                halves[None, constraint, sign] = DerivedInequality(number, cells, sign, degree)
    head = [f"* #variable= {len(variables)} #constraint= {statements}"]
    head += [f"* {remark}"] if remark else []
    head += [f"* {variable} = {name(k)}" for k, variable in variables.items()]
    return "\n".join((*head, *lines)) + "\n", halves, number
