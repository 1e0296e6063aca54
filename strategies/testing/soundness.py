"""Whether what a strategy concludes is true, tried on thousands of small positions."""

from __future__ import annotations

from pathlib import Path

from games.errors import Contradiction
from games.logic import Constraint, Deduction, Knowledge, Rejected, check
from games.minesweeper import Board
from strategies.registry import load_strategy
from strategies.strategy import Strategy
from strategies.testing.asking import Misbehaved, ask
from strategies.testing.samples import Sample, position_of, samples
from strategies.testing.shrinking import shrunk
from strategies.testing.truth import layouts


def assert_sound(strategy: object, boards: int = 2000, seed: int | str = "sapper") -> None:
    """Every deduction is true in every layout of the board, and its step shows it.

    `strategy` is a name, a file, or the plugin itself. It is asked about so many random boards in mid-game:
    about what each states, and again with bounds in place of some numbers, as derived constraints have them.
    The same boards for a seed. Raises AssertionError with the smallest board on which something is wrong.
    """
    __tracebackhide__ = True  # the board says more than the way to it
    loaded = load_strategy(strategy)
    for sample in samples(seed, boards):
        if unsound(loaded, sample):
            smallest, what = shrunk(sample, lambda tried: unsound(loaded, tried))
            raise AssertionError(f"{loaded.name} is not sound: {what}\n{smallest.board}")


def unsound(strategy: object, sample: Sample) -> str:
    """What is wrong with the deductions about a sample, in words; empty when nothing is."""
    loaded, board = load_strategy(strategy), sample.board
    stated = sample.knowledge
    if wrong := _wrong_about(loaded, board, stated):
        return wrong
    loose = [_loosened(number, clue) for number, clue in enumerate(stated.given)]
    if wrong := _wrong_about(loaded, board, Knowledge.of(stated.universe, loose)):
        said = "; ".join(f"{clue.source}: {spoken(clue, board)}" for clue in loose)
        return f"{wrong} (with clues that have bounds: {said})"
    return ""


def _loosened(number: int, clue: Constraint) -> Constraint:
    """The clue with bounds, as derived constraints and those of variants have them."""
    return clue._replace(low=max(clue.low - (number % 3 == 0), 0), high=clue.high + (number % 3 == 1))


def _wrong_about(strategy: Strategy, board: Board, knowledge: Knowledge) -> str:
    try:
        answer = ask(strategy, knowledge, position_of(board, knowledge))
    except Misbehaved as error:
        return str(error)
    derived: set[Constraint] = set()
    truth = layouts(knowledge) if answer.deductions else []
    for deduction, line in zip(answer.deductions, answer.lines, strict=True):
        if wrong := _wrong_with(deduction, board, knowledge, derived, truth):
            place = f" ({Path(strategy.file('deduce')).name}, line {line})" if line else ""
            return f"{wrong}{place}"
        derived.add(deduction.constraint)
    return ""


def _wrong_with(
    deduction: object, board: Board, knowledge: Knowledge, derived: set[Constraint], truth: list[int]
) -> str:
    if not isinstance(deduction, Deduction):
        return f"it yields a {type(deduction).__name__}, not a Deduction"
    claim, rule = deduction.constraint, deduction.step.rule or "a rule without a name"
    said = spoken(claim, board)
    if claim.cells < 0 or claim.cells & ~board.not_open:
        return f"'{rule}' speaks of cells that are open: {said}"
    for layout in truth:
        if not claim.low <= (layout & claim.cells).bit_count() <= claim.high:
            mines = ", ".join(board.names(layout)) or "none"
            return f"'{rule}' concludes that {said}, but these may be all the mines: {mines}"
    try:
        check(deduction, knowledge, derived)
    except (Rejected, Contradiction) as error:
        return f"{said} is true, but the proof is no good: {error}"
    return ""


def spoken(claim: Constraint, board: Board) -> str:
    """`1 of r0c0, r0c1 is a mine`."""
    cells = ", ".join(board.names(claim.cells & board.everything)) if claim.cells >= 0 else str(claim.cells)
    count = str(claim.low) if claim.is_exact else f"{claim.low} to {claim.high}"
    return f"{count} of {cells} {'is a mine' if claim.high == 1 else 'are mines'}"
