"""Check a VeriPB 1.2 proof and its OPB problem, both read from disk.

    python tools/check_proof.py board.opb board.pbp

The exit code is 0 if every line of the proof holds, and 1 at the first wrong line, which is printed. The
checker shares no code with Sapper and only needs Python. It supports the rules that Sapper's proofs use: `f`
(load the problem), `p` (reverse Polish: sums, literal axioms, multiplication, division, saturation), `u`
(reverse unit propagation), `e` (equality of a constraint), and comments. It rejects all other VeriPB rules.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

VERSION = "pseudo-Boolean proof version 1.2"
VARIABLE = re.compile(r"[A-Za-z_][\w\[\]{}^-]*")

# A literal is an integer: v for variable v, -v for its negation. A constraint in normal form is
# (positive coefficients by literal, each variable once; degree): the sum must reach the degree.
Constraint = tuple[dict[int, int], int]


class ProofError(Exception):
    """The reason for rejecting a file."""


def main(words: list[str] | None = None) -> int:
    """Check one pair of files and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("problem", type=Path, help="the OPB file")
    parser.add_argument("proof", type=Path, help="the VeriPB proof")
    options = parser.parse_args(words)
    try:
        report = check_files(options.problem, options.proof)
    except (ProofError, OSError, UnicodeDecodeError) as error:
        print(f"rejected: {error}")
        return 1
    print(f"accepted: {report}")
    return 0


@dataclass
class ProofReport:
    """The lines of an accepted proof by kind, and the constraints confirmed by `e` lines."""

    counts: dict[str, int]
    confirmed: list[str]

    def __str__(self) -> str:
        kinds = ", ".join(f"{number} {kind}" for kind, number in self.counts.items() if number)
        return f"{len(self.confirmed)} constraints confirmed ({kinds or 'an empty proof'})"


def check_files(problem: Path, proof: Path) -> ProofReport:
    """Check a proof in files. Raises ProofError with the first wrong line."""
    return check(problem.read_text(encoding="utf-8"), proof.read_text(encoding="utf-8"))


def check(problem: str, proof: str) -> ProofReport:
    """Check a proof. Raises ProofError with the first wrong line."""
    names: dict[str, int] = {}
    stated = read_problem(problem, names)
    lines = proof.splitlines()
    if not lines or lines[0].strip() != VERSION:
        raise ProofError(f"line 1 of the proof is not '{VERSION}'")
    run = _ProofRun(names, stated)
    for number, line in enumerate(lines[1:], 2):
        try:
            run.follow(line.strip())
        except ProofError as error:
            raise ProofError(f"line {number} of the proof, '{_short(line)}': {error}") from None
    return ProofReport(run.counts, run.confirmed)


# --- reading -------------------------------------------------------------------------------------------


def read_problem(text: str, names: dict[str, int]) -> list[Constraint]:
    """The constraints of an OPB file (two for each `=`); adds the variables to `names`."""
    head = re.match(r"\* *#variable= *(\d+) +#constraint= *(\d+)", text)
    if not head:
        raise ProofError("the first line of the problem is not '* #variable= N #constraint= M'")
    found: list[Constraint] = []
    statements = 0
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("*"):
            continue
        try:
            found += constraints_in(line.strip(), names)
        except ProofError as error:
            raise ProofError(f"line {number} of the problem, '{_short(line)}': {error}") from None
        statements += 1
    if len(names) > int(head[1]) or statements != int(head[2]):
        raise ProofError(
            f"the problem has {len(names)} variables and {statements} constraints, unlike its header"
        )
    return found


def constraints_in(text: str, names: dict[str, int]) -> list[Constraint]:
    """The constraints in a line such as `+1 x1 -2 ~x2 >= 1 ;`: one, or two for `=`."""
    match = re.fullmatch(r"(.*?)(>=|=)\s*([+-]?\d+)\s*;", text)
    if not match:
        raise ProofError("not a constraint")
    words = match[1].split()
    if len(words) % 2:
        raise ProofError("coefficients and literals are not paired")
    terms = []
    for factor, literal in zip(words[::2], words[1::2], strict=True):
        if not re.fullmatch(r"[+-]?\d+", factor):
            raise ProofError(f"'{factor}' is not an integer")
        terms.append((int(factor), literal_in(literal, names)))
    degree = int(match[3])
    found = [normal(terms, degree)]
    if match[2] == "=":
        found.append(normal([(-factor, literal) for factor, literal in terms], -degree))
    return found


def literal_in(text: str, names: dict[str, int]) -> int:
    """`x1` or `~x1` as an integer; new variables get the next number."""
    name = text.removeprefix("~")
    if not VARIABLE.fullmatch(name):
        raise ProofError(f"'{text}' is not a literal")
    number = names.setdefault(name, len(names) + 1)
    return number if name == text else -number


def normal(terms: Iterable[tuple[int, int]], degree: int) -> Constraint:
    """The normal form: positive coefficients, each variable once."""
    signed: dict[int, int] = {}
    for factor, literal in terms:
        if literal > 0:
            signed[literal] = signed.get(literal, 0) + factor
        else:  # a * ~x = a - a * x
            signed[-literal] = signed.get(-literal, 0) - factor
            degree -= factor
    coefficients = {}
    for variable, factor in signed.items():
        if factor > 0:
            coefficients[variable] = factor
        elif factor < 0:
            coefficients[-variable] = -factor
            degree -= factor
    return coefficients, degree


def _short(line: str) -> str:
    line = line.strip()
    return line if len(line) <= 60 else f"{line[:57]}..."


# --- checking ------------------------------------------------------------------------------------------


@dataclass
class _ProofRun:
    """The state of a proof check."""

    names: dict[str, int]
    stated: list[Constraint]
    counts: dict[str, int] = field(default_factory=lambda: {"f": 0, "p": 0, "u": 0, "e": 0})
    confirmed: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.known = _Propagation()

    def follow(self, line: str) -> None:
        """Check one line. Raises ProofError."""
        if not line or line.startswith("*"):
            return
        kind, _, rest = line.partition(" ")
        if kind not in self.counts:
            raise ProofError("unsupported rule")
        if kind == "f":
            self._load(rest)
        elif not self.counts["f"]:
            raise ProofError("the problem is not loaded: start with 'f'")
        elif kind == "p":
            self.known.add(self._polish(rest.split()))
        elif kind == "u":
            self._propagate(rest)
        else:
            self._compare(rest)
        self.counts[kind] += 1

    def _load(self, rest: str) -> None:
        if self.counts["f"]:
            raise ProofError("the problem is already loaded")
        if rest and rest.split() not in ([str(len(self.stated))], [str(len(self.stated)), "0"]):
            raise ProofError(f"the problem has {len(self.stated)} constraints (two for each =)")
        for constraint in self.stated:
            self.known.add(constraint)

    def _one(self, text: str) -> Constraint:
        found = constraints_in(text, dict(self.names))
        if len(found) != 1:
            raise ProofError("expected one constraint: use >=")
        if any(abs(literal) > len(self.names) for literal in found[0][0]):
            raise ProofError("unknown variable")
        return found[0]

    def _propagate(self, rest: str) -> None:
        claim = self._one(rest)
        if not self.known.refutes(negated(claim)):
            raise ProofError("its negation does not propagate to a contradiction")
        self.known.add(claim)

    def _compare(self, rest: str) -> None:
        number, _, text = rest.partition(" ")
        if self._numbered(number) != self._one(text):
            raise ProofError(f"constraint {number} is different")
        self.confirmed.append(text.strip())

    def _numbered(self, word: str) -> Constraint:
        count = len(self.known.constraints)
        if not word.isdecimal() or not 1 <= int(word) <= count:
            raise ProofError(f"unknown constraint '{word}' (1 to {count})")
        return self.known.constraints[int(word) - 1]

    def _polish(self, words: list[str]) -> Constraint:
        """The result of a line in reverse Polish notation."""
        stack: list[Constraint | int] = []
        for word in words:
            if word == "+":
                first, second = self._pop(stack), self._pop(stack)
                terms = [(a, x) for coefficients, _ in (first, second) for x, a in coefficients.items()]
                stack.append(normal(terms, first[1] + second[1]))
            elif word in ("*", "d"):
                number, constraint = self._factor(stack), self._pop(stack)
                stack.append(_times(constraint, number) if word == "*" else _divided(constraint, number))
            elif word == "s":
                coefficients, degree = self._pop(stack)
                stack.append(({x: min(a, max(degree, 0)) for x, a in coefficients.items()}, degree))
            elif word.isdecimal():
                stack.append(int(word))
            else:
                literal = literal_in(word, self.names | {})
                if abs(literal) > len(self.names):
                    raise ProofError(f"unknown variable '{word}'")
                stack.append(({literal: 1}, 0))
        result = self._pop(stack)
        if stack:
            raise ProofError(f"{len(stack)} operands left over")
        return result

    def _pop(self, stack: list[Constraint | int]) -> Constraint:
        if not stack:
            raise ProofError("missing operand")
        top = stack.pop()
        return self._numbered(str(top)) if isinstance(top, int) else top

    @staticmethod
    def _factor(stack: list[Constraint | int]) -> int:
        top = stack.pop() if stack else 0
        if not isinstance(top, int) or top < 1:
            raise ProofError("missing positive integer")
        return top


def negated(constraint: Constraint) -> Constraint:
    """The negation of a constraint."""
    coefficients, degree = constraint
    return {-x: a for x, a in coefficients.items()}, sum(coefficients.values()) - degree + 1


def _times(constraint: Constraint, number: int) -> Constraint:
    return {x: a * number for x, a in constraint[0].items()}, constraint[1] * number


def _divided(constraint: Constraint, number: int) -> Constraint:
    return {x: -(-a // number) for x, a in constraint[0].items()}, -(-constraint[1] // number)


class _Propagation:
    """Unit propagation in all constraints so far.

    The slack of a constraint is the maximum of its sum minus its degree. Consequences of the constraints are
    permanent; consequences of a temporary assumption are undone.
    """

    def __init__(self) -> None:
        self.constraints: list[Constraint] = []
        self._slack: list[int] = []
        self._largest: list[int] = []
        self._holding: dict[int, list[tuple[int, int]]] = {}  # literal -> (constraint, coefficient)
        self._true: set[int] = set()
        self._broken = False

    def add(self, constraint: Constraint) -> None:
        """Add a constraint and propagate it permanently."""
        self.constraints.append(constraint)
        self._enter(constraint)
        self._broken = self._broken or not self._spread([len(self._slack) - 1], [])

    def refutes(self, constraint: Constraint) -> bool:
        """Whether adding this constraint temporarily propagates to a contradiction."""
        if self._broken:
            return True
        self._enter(constraint)
        trail: list[int] = []
        contradiction = not self._spread([len(self._slack) - 1], trail)
        for literal in trail:
            self._true.discard(literal)
            for place, factor in self._holding.get(-literal, ()):
                self._slack[place] += factor
        self._slack.pop()
        self._largest.pop()
        for literal in constraint[0]:
            self._holding[literal].pop()
        return contradiction

    def _enter(self, constraint: Constraint) -> None:
        place = len(self._slack)
        coefficients, degree = constraint
        slack = sum(coefficients.values()) - degree
        for literal, factor in coefficients.items():
            self._holding.setdefault(literal, []).append((place, factor))
            if -literal in self._true:
                slack -= factor
        self._slack.append(slack)
        self._largest.append(max(coefficients.values(), default=0))
        self._entered = constraint

    def _spread(self, waiting: list[int], trail: list[int]) -> bool:
        """Propagate these constraints; False at a contradiction. Appends the new literals to `trail`."""
        slack, largest, true = self._slack, self._largest, self._true
        while waiting:
            place = waiting.pop()
            if slack[place] < 0:
                return False
            if slack[place] >= largest[place]:
                continue
            is_last = place >= len(self.constraints)
            coefficients = self._entered[0] if is_last else self.constraints[place][0]
            for literal, factor in coefficients.items():
                if factor > slack[place] and literal not in true and -literal not in true:
                    true.add(literal)
                    trail.append(literal)
                    for other, weight in self._holding.get(-literal, ()):
                        slack[other] -= weight
                        if slack[other] < largest[other]:
                            waiting.append(other)
        return True


if __name__ == "__main__":
    sys.exit(main())
