"""The proof checker: it must accept every deduction before Sapper acts on it.

It shares no code with any strategy and verifies the three proof methods of `games.logic.proof`. It has its
own slow, simple propagation instead of `games.logic.propagation`, which finds the proofs: a bug there must
not also make the checker accept a wrong proof.
"""

from __future__ import annotations

from collections.abc import Collection

from games.errors import SapperError
from games.logic.constraint import Constraint, bits
from games.logic.knowledge import Knowledge
from games.logic.proof import Deduction, Linear, Split


class DeductionRejected(SapperError):
    """The proof step of a deduction does not show its conclusion."""


def check(deduction: Deduction, knowledge: Knowledge, derived: Collection[Constraint] = ()) -> None:
    """Accept a deduction or raise DeductionRejected.

    Premises must be constraints of `knowledge` (given or derived, in any reduced form it ever had) or in
    `derived`, the conclusions accepted in the same call. The conclusion is reduced by the known cells first.
    """
    claim, step = deduction
    for premise in step.premises:
        if not knowledge.knows(premise) and premise not in derived:
            raise DeductionRejected(f"'{step.rule}' has the unknown premise {premise}")
    if claim.cells & ~knowledge.universe:
        raise DeductionRejected(f"'{step.rule}' draws a conclusion about cells that are not in play")
    open_claim = claim.reduced(knowledge.true, knowledge.false)
    if isinstance(step.method, Linear):
        shown = _follows_by_sum(open_claim, step.premises, step.method)
    else:
        shown = _follows_by_cases(open_claim, step.premises, step.method)
    if not shown:
        raise DeductionRejected(f"'{step.rule}' does not show {claim}")


def _follows_by_cases(claim: Constraint, premises: tuple[Constraint, ...], method: object) -> bool:
    """Whether the negation of each bound of the claim is refuted, with the split if there is one."""
    cells, low, high, _, _ = claim
    for premise in premises:
        if premise[0] == cells and premise[1] >= low and premise[2] <= high:
            return True  # the premise implies the claim
    split = method if isinstance(method, Split) else None
    if all(_is_refuted(opposite, premises, split) for opposite in _opposites(claim)):
        return True
    if claim.is_impossible or not (claim.all_true or claim.all_false):
        return False
    wrong = 0 if claim.all_true else 1
    return all(_is_refuted(Constraint(1 << k, wrong, wrong), premises, split) for k in bits(claim.cells))


def _is_refuted(opposite: Constraint, premises: tuple[Constraint, ...], split: Split | None) -> bool:
    """Whether one premise on the same cells contradicts the negation, or all premises together do."""
    cells, low, high, _, _ = opposite
    for premise in premises:
        if premise[0] == cells and (premise[1] > high or premise[2] < low):
            return True
    return _refuted([*premises, opposite], 0, 0, split)


def _opposites(claim: Constraint) -> list[Constraint]:
    """The negations of the lower and the upper bound, without those of trivial bounds."""
    cells, low, high, _, _ = claim
    too_few = [Constraint(cells, 0, low - 1)] if low > 0 else []
    return [*too_few, Constraint(cells, high + 1, claim.size)] if high < claim.size else too_few


def _refuted(constraints: list[Constraint], true: int, false: int, split: Split | None) -> bool:
    """Whether propagation, then the cases of the split, refute the constraints."""
    counted = _count_out(constraints, true, false)
    if counted is None:
        return True
    if split is None:
        return False
    true, false = counted
    left = [c for c in constraints if c.cells & ~(true | false)]  # the others hold, whatever follows
    cell = 1 << split.cell
    return (bool(cell & false) or _refuted(left, true | cell, false, split.if_true)) and (
        bool(cell & true) or _refuted(left, true, false | cell, split.if_false)
    )


def _count_out(constraints: list[Constraint], true: int, false: int) -> tuple[int, int] | None:
    """Propagate each constraint to a fixpoint; the true and false cells, None if a constraint is violated."""
    grew, undecided = True, ~(true | false)
    while grew:
        grew = False
        for cells, low, high, _, _ in constraints:
            found = (cells & true).bit_count()
            free = cells & undecided
            room = found + free.bit_count()
            if found > high or room < low:
                return None
            if not free or (found < high and room > low):
                continue
            if found == high:
                false |= free
            else:
                true |= free
            undecided &= ~free
            grew = True
    return true, false


def _follows_by_sum(claim: Constraint, premises: tuple[Constraint, ...], method: Linear) -> bool:
    """Whether the weighted sum shows the claim's lower bound, and the negated sum its upper bound."""
    if len(method.multipliers) != len(premises) or method.divisor < 1:
        return False
    turned = tuple(-number for number in method.multipliers)
    if claim.low > 0 and _least(claim.cells, 1, premises, method.multipliers, method.divisor) < claim.low:
        return False
    return claim.high >= claim.size or (
        _least(claim.cells, -1, premises, turned, method.divisor) >= -claim.high
    )


def _least(
    cells: int, sign: int, premises: tuple[Constraint, ...], multipliers: tuple[int, ...], divisor: int
) -> int:
    """The bound B in `sign * (number of true cells) >= B` that follows from the sum and 0 <= x <= 1."""
    bound = 0
    coefficients: dict[int, int] = {}
    for premise, number in zip(premises, multipliers, strict=True):
        bound += number * (premise.low if number > 0 else premise.high)
        for k in bits(premise.cells):
            coefficients[k] = coefficients.get(k, 0) + number
    bound = -(-bound // divisor)
    for k in bits(cells):
        coefficients.setdefault(k, 0)
    # sign * count = sum + difference; a cell with a negative difference may be 1 and lowers the bound
    return bound + sum(
        min(0, (sign if cells >> k & 1 else 0) + (-number // divisor)) for k, number in coefficients.items()
    )
