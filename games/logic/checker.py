"""The small checker: every deduction passes it before anything is done about it.

It shares no code with any strategy and knows three kinds of step (`games.logic.proof`): propagation in the
premises one after the other, a sum of premises with rounding, a split into cases. Read it in a sitting.

It propagates by itself, slowly and plainly, although `games.logic.propagation` could: what finds proofs
stands on that, and a mistake in it would be made twice, and accepted.
"""

from __future__ import annotations

from collections.abc import Collection

from games.errors import SapperError
from games.logic.constraint import Constraint, bits
from games.logic.knowledge import Knowledge
from games.logic.proof import Deduction, Linear, Split


class DeductionRejected(SapperError):
    """A deduction whose step does not show it."""


def check(deduction: Deduction, knowledge: Knowledge, derived: Collection[Constraint] = ()) -> None:
    """Accept a deduction or raise Rejected.

    Premises must be constraints of this knowledge (given or derived, as they are reduced by now or were at
    some time) or be among `derived`, conclusions that were accepted a moment ago. What the conclusion says
    about cells that are known already is taken off before its step is followed.
    """
    claim, step = deduction
    for premise in step.premises:
        if not knowledge.knows(premise) and premise not in derived:
            raise DeductionRejected(f"'{step.rule}' rests on {premise}, which is not known")
    if claim.cells & ~knowledge.universe:
        raise DeductionRejected(f"'{step.rule}' speaks of cells that are not in play")
    open_claim = claim.reduced(knowledge.true, knowledge.false)
    if isinstance(step.method, Linear):
        shown = _follows_by_sum(open_claim, step.premises, step.method)
    else:
        shown = _follows_by_cases(open_claim, step.premises, step.method)
    if not shown:
        raise DeductionRejected(f"'{step.rule}' does not show {claim}")


def _follows_by_cases(claim: Constraint, premises: tuple[Constraint, ...], method: object) -> bool:
    """Whether the opposite of each half of the claim cannot be, with the split if there is one."""
    cells, low, high, _, _ = claim
    for premise in premises:
        if premise[0] == cells and premise[1] >= low and premise[2] <= high:
            return True  # it says as much
    split = method if isinstance(method, Split) else None
    if all(_is_refuted(opposite, premises, split) for opposite in _opposites(claim)):
        return True
    if claim.is_impossible or not (claim.all_true or claim.all_false):
        return False
    wrong = 0 if claim.all_true else 1
    return all(_is_refuted(Constraint(1 << k, wrong, wrong), premises, split) for k in bits(claim.cells))


def _is_refuted(opposite: Constraint, premises: tuple[Constraint, ...], split: Split | None) -> bool:
    """Whether a premise says otherwise of the very same cells, or the opposite fails beside all of them."""
    cells, low, high, _, _ = opposite
    for premise in premises:
        if premise[0] == cells and (premise[1] > high or premise[2] < low):
            return True
    return _refuted([*premises, opposite], 0, 0, split)


def _opposites(claim: Constraint) -> list[Constraint]:
    """Too few, too many: what must not be; nothing for a half that is true of any assignment."""
    cells, low, high, _, _ = claim
    too_few = [Constraint(cells, 0, low - 1)] if low > 0 else []
    return [*too_few, Constraint(cells, high + 1, claim.size)] if high < claim.size else too_few


def _refuted(constraints: list[Constraint], true: int, false: int, split: Split | None) -> bool:
    """Whether counting, then the split's cases, leave no way to satisfy the constraints."""
    counted = _count_out(constraints, true, false)
    if counted is None:
        return True
    if split is None:
        return False
    true, false = counted
    cell = 1 << split.cell
    return (bool(cell & false) or _refuted(constraints, true | cell, false, split.if_true)) and (
        bool(cell & true) or _refuted(constraints, true, false | cell, split.if_false)
    )


def _count_out(constraints: list[Constraint], true: int, false: int) -> tuple[int, int] | None:
    """What counting forces, each constraint for itself, until nothing more; None when one cannot hold."""
    grew = True
    while grew:
        grew = False
        for cells, low, high, _, _ in constraints:
            found = (cells & true).bit_count()
            free = cells & ~(true | false)
            if found > high or found + free.bit_count() < low:
                return None
            if free and found == high:
                false |= free
                grew = True
            elif free and found + free.bit_count() == low:
                true |= free
                grew = True
    return true, false


def _follows_by_sum(claim: Constraint, premises: tuple[Constraint, ...], method: Linear) -> bool:
    """Whether the weighted sum gives the claim's lower bound, and the turned sum its upper bound."""
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
    """The bound B that the sum shows for `sign * (number of true cells) >= B`, with 0 <= x <= 1 added."""
    bound = 0
    coefficients: dict[int, int] = {}
    for premise, number in zip(premises, multipliers, strict=True):
        bound += number * (premise.low if number > 0 else premise.high)
        for k in bits(premise.cells):
            coefficients[k] = coefficients.get(k, 0) + number
    bound = -(-bound // divisor)
    for k in bits(cells):
        coefficients.setdefault(k, 0)
    # sign * count = sum + what is missing from it, and each x that is missing a negative share may be 1
    return bound + sum(
        min(0, (sign if cells >> k & 1 else 0) + (-number // divisor)) for k, number in coefficients.items()
    )
