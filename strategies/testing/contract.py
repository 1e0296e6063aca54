"""The contract of a strategy: soundness, and the checks of the contract suite, on small boards.

Both hooks are called with a step limit, and access to private attributes is detected.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import Any

from games.errors import Contradiction, UsageError
from games.logic import Constraint, Deduction, DeductionRejected, Knowledge, bits, check
from games.minesweeper import Board, Deal, Guess, Minefield, Move, board_knowledge, board_vocabulary
from strategies.isolation.protocol import most_answers
from strategies.position import Position
from strategies.reasoner import Reasoner, check_guess
from strategies.registry import load_strategy
from strategies.strategy import Strategy
from strategies.testing.minimize import Complaint, minimize
from strategies.testing.samples import VARIANTS, SampleBoard, all_models, position_of, samples

OURS = frozenset({__name__, "strategies.strategy", "inspect"})  # modules whose lines are not counted
MOST_STEPS = 300_000  # lines of Python per call on a small board; built-in strategies need 70,000


def assert_sound(strategy: object, boards: int = 2000, seed: int | str = "sapper") -> None:
    """Assert that every deduction is true in every layout of the board and has a valid proof.

    `strategy` is a name, a file, or the plugin itself. It is called for this number of random boards in
    mid-game, determined by the seed: once with their clues, and once with bounds instead of some exact
    numbers, as in derived constraints. Raises AssertionError with the smallest board that shows an error.
    """
    __tracebackhide__ = True
    loaded = load_strategy(strategy)
    _assert_none(samples(seed, boards), partial(soundness_error, loaded), f"{loaded.name} is not sound")


def _assert_none(tried: Iterable[SampleBoard], complaint: Complaint, said: str) -> None:
    """Raise AssertionError with the smallest board for the first complaint."""
    __tracebackhide__ = True
    for sample in tried:
        if complaint(sample):
            smallest, what = minimize(sample, complaint)
            raise AssertionError(f"{said}: {what}\n{smallest.board}")


def soundness_error(strategy: object, sample: SampleBoard) -> str:
    """Describe an error in the deductions on a sample; empty if they are correct."""
    loaded, board = load_strategy(strategy), sample.board
    stated = sample.knowledge
    if wrong := _wrong_about(loaded, board, stated):
        return wrong
    loose = [_loosened(number, clue) for number, clue in enumerate(stated.given)]
    if wrong := _wrong_about(loaded, board, Knowledge.of(stated.universe, loose)):
        clues = "; ".join(f"{clue.source}: {format_claim(clue, board)}" for clue in loose)
        return f"{wrong} (with these bounds instead of the clues: {clues})"
    return ""


def _loosened(number: int, clue: Constraint) -> Constraint:
    """The clue with bounds, as in derived constraints and variants."""
    return clue._replace(low=max(clue.low - (number % 3 == 0), 0), high=clue.high + (number % 3 == 1))


def _wrong_about(strategy: Strategy, board: Board, knowledge: Knowledge) -> str:
    try:
        answer = call_hooks(strategy, knowledge, position_of(board, knowledge))
    except ContractViolation as error:
        return str(error)
    derived: set[Constraint] = set()
    truth = all_models(knowledge) if answer.deductions else []
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
    said = format_claim(claim, board)
    if claim.cells < 0 or claim.cells & ~board.not_open:
        return f"'{rule}' concerns open cells: {said}"
    for layout in truth:
        if not claim.holds(layout):
            mines = ", ".join(board.names(layout)) or "none"
            return f"'{rule}' concludes that {said}, but a possible layout has only these mines: {mines}"
    try:
        check(deduction, knowledge, derived)
    except (DeductionRejected, Contradiction):
        remedy = "add premises to 'because', or a proof as `method` (Linear or Split)"
        return f"{said} is true, but the proof is invalid: {remedy}"
    return ""


def format_claim(claim: Constraint, board: Board) -> str:
    """`1 of r0c0, r0c1 is a mine`."""
    cells = ", ".join(board.names(claim.cells & board.everything)) if claim.cells >= 0 else str(claim.cells)
    count = str(claim.low) if claim.is_exact else f"{claim.low} to {claim.high}"
    return f"{count} of {cells} {'is a mine' if claim.high == 1 else 'are mines'}"


BOARDS = 60  # for each check, by default
TIMES = 3  # identical calls in the determinism check

Check = Callable[[Strategy, SampleBoard], str]  # describes an error; empty if there is none


def check_strategy(
    strategy: object,
    boards: int = BOARDS,
    seed: int | str = "sapper",
    only: str | None = None,
    variants: Sequence[str] = VARIANTS,
) -> None:
    """Run the contract checks (`CHECKS`, or `only` one of them) on small boards.

    `strategy` is a name, a file, or the plugin itself. A third of the boards follow the rules of these
    variants, by default the built-in ones. Raises AssertionError with the failed check, the reason and the
    smallest board that shows it; UsageError for an unknown check.
    """
    __tracebackhide__ = True
    loaded = load_strategy(strategy)
    if only is not None and only not in CHECKS:
        raise UsageError(f"'{only}' is not a check: use one of {', '.join(CHECKS)}")
    for name in (only,) if only else CHECKS:
        tried = samples(seed, boards, variants=variants)
        _assert_none(tried, partial(_complaint, CHECKS[name], loaded), f"{loaded.name}, {name}")


def _complaint(check: Check, strategy: Strategy, sample: SampleBoard) -> str:
    try:
        return check(strategy, sample)
    except ContractViolation as error:
        return str(error)


def _asked(strategy: Strategy, sample: SampleBoard) -> HookAnswer:
    knowledge = sample.knowledge
    return call_hooks(strategy, knowledge, position_of(sample.board, knowledge))


def _answers(strategy: Strategy, sample: SampleBoard) -> str:
    """It stays within its budget of steps and raises no error."""
    _asked(strategy, sample)
    return ""


def _guesses_what_may_be_opened(strategy: Strategy, sample: SampleBoard) -> str:
    """It guesses only cells that may be opened, each once, with a probability from 0 to 1."""
    knowledge = sample.knowledge
    position = position_of(sample.board, knowledge)
    words = board_vocabulary(sample.board)
    seen = 0
    for guess in call_hooks(strategy, knowledge, position).guesses:
        if wrong := check_guess(guess, seen, position, words):
            return wrong.what
        seen |= 1 << guess.cell
    return ""


def _answers_the_same(strategy: Strategy, sample: SampleBoard) -> str:
    """It gives the same answer to the same position, independent of the calls in between."""
    first = _asked(strategy, sample)
    for _ in range(TIMES - 1):
        for other in islice(sample.smaller(), 1):  # a different position in between
            _asked(strategy, other)
        if _asked(strategy, sample) != first:
            return "it answers a repeated call differently"
    return ""


def _changes_nothing(strategy: Strategy, sample: SampleBoard) -> str:
    """It does not modify its arguments."""
    knowledge = sample.knowledge
    position = position_of(sample.board, knowledge)
    before = repr((knowledge, position))
    call_hooks(strategy, knowledge, position)
    return "" if repr((knowledge, position)) == before else "it modifies its arguments"


def _looks_at_nothing_private(strategy: Strategy, sample: SampleBoard) -> str:
    """It reads only public attributes of its arguments; its answer does not depend on the hidden mines."""
    knowledge = GuardedKnowledge(sample.knowledge)
    call_hooks(strategy, knowledge, position_of(sample.board, knowledge))
    if knowledge.peeked:
        return f"it reads a private attribute of the knowledge: {knowledge.peeked[0]}"
    truth = all_models(sample.knowledge)
    answers = {repr(_answer_with_mines(strategy, sample, mines)) for mines in (truth[0], truth[-1])}
    return "its answer depends on the hidden mines" if len(answers) > 1 else ""


def _answer_with_mines(strategy: Strategy, sample: SampleBoard, mines: int) -> HookAnswer:
    """Its answer during a game with these mines, which a dishonest strategy could find in memory."""
    rest = ((1 << sample.rows * sample.columns) - 1) & ~mines
    deal = Deal(sample.rows, sample.columns, mines.bit_count(), (*bits(mines), *bits(rest)))
    game = Minefield(deal, "none")
    game.play([Move("open", k) for k in bits(sample.open)])
    return _asked(strategy, replace(sample, mines=mines))


CHECKS: Mapping[str, Check] = {
    "within budget": _answers,
    "sound": soundness_error,
    "leaves what is open alone": _guesses_what_may_be_opened,
    "deterministic": _answers_the_same,
    "changes nothing": _changes_nothing,
    "does not peek": _looks_at_nothing_private,
}


def assert_deduces(strategy: object, board: str, expected: str, beside: Sequence[object] = ()) -> None:
    """Assert that the strategy finds exactly the certain cells that `expected` marks.

    Both boards are text; in `expected`, `*` is a certain mine and `-` a certainly safe cell. `strategy` is a
    name, a file, or the plugin itself; those in `beside` are called before it. Raises AssertionError.
    """
    __tracebackhide__ = True
    loaded = load_strategy(strategy)
    asked = Board.parse(board)
    reasoner = Reasoner([*map(load_strategy, beside), loaded])
    reasoner.about(asked)
    outcome = reasoner.deduce(board_knowledge(asked))
    if outcome.faults:
        raise AssertionError(f"{outcome.faults[0]}\n{asked}")
    found = dict.fromkeys(bits(outcome.knowledge.true), "*")
    shown = asked.with_states(found | dict.fromkeys(bits(outcome.knowledge.false), "-")).grid
    wanted = Board.parse(expected).grid
    if shown != wanted:
        raise AssertionError(
            "\n".join((f"{loaded.name} finds", *shown, "and not", *wanted, "on", *str(asked).splitlines()))
        )


class ContractViolation(AssertionError):
    """A strategy violates the contract."""


class _StepLimitReached(BaseException):
    """Aborts a call; a BaseException, so that `except Exception` in a strategy does not catch it."""


@dataclass(frozen=True, slots=True)
class HookAnswer:
    """The answers of a strategy to one position."""

    deductions: tuple[Deduction, ...]
    guesses: tuple[Guess, ...]
    lines: tuple[int, ...] = field(default=(), compare=False)  # of the file, one for each deduction


def call_hooks(strategy: Strategy, knowledge: Knowledge, position: Position) -> HookAnswer:
    """Call both hooks of a strategy, each limited to MOST_STEPS executed lines of Python.

    Raises ContractViolation if the strategy exceeds this limit, yields more than the reasoner accepts, or
    raises an error.
    """
    most = most_answers(knowledge.universe.bit_count())
    lines: list[int] = []

    def deduced() -> Iterator[Deduction]:
        for deduction in islice(strategy.deduce(knowledge, knowledge.universe), most + 1):
            lines.append(strategy.line("deduce"))
            yield deduction

    deductions = _counted(strategy, "deduce", lambda: tuple(deduced()))
    asked = position.cells + 1
    guesses = _counted(strategy, "guess", lambda: tuple(islice(strategy.guess(position), asked)))
    if len(deductions) > most:
        raise ContractViolation(f"it yields more than {most} deductions at once")
    if len(guesses) > position.cells:
        raise ContractViolation("it guesses more cells than the board has")
    return HookAnswer(deductions, guesses, tuple(lines))


def _counted(strategy: Strategy, hook: str, call: Callable[[], tuple[Any, ...]]) -> tuple[Any, ...]:
    """The result of the call. Lines are counted instead of seconds, so the limit is deterministic."""
    left = MOST_STEPS
    file = strategy.file(hook)

    def line(frame: FrameType, event: str, about: object) -> Callable[..., Any] | None:
        nonlocal left
        if frame.f_globals.get("__name__") in OURS:
            return None
        if event == "line":
            left -= 1
            if left < 0:
                raise _StepLimitReached(_line_in(file, frame))
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        return call()
    except _StepLimitReached as error:
        raise ContractViolation(
            f"its {hook} exceeds the budget of {MOST_STEPS} steps (lines of Python){error}"
        ) from None
    except Exception as error:
        raise ContractViolation(f"its {hook} raised {type(error).__name__}: {error}") from error
    finally:
        sys.settrace(before)


def _line_in(file: str, frame: FrameType) -> str:
    """` (mine.py, line 7)`: the line of this file that the frame executes; empty if there is none."""
    lines = (line for each, line in traceback.walk_stack(frame) if each.f_code.co_filename == file)
    return next((f" ({Path(file).name}, line {line})" for line in lines), "")


class GuardedKnowledge(Knowledge):
    """Knowledge that records access to its private attributes from outside `games`."""

    __slots__ = ("_peeked",)

    def __init__(self, knowledge: Knowledge) -> None:
        for each in fields(Knowledge):
            object.__setattr__(self, each.name, getattr(knowledge, each.name))
        object.__setattr__(self, "_peeked", [])

    def __getattribute__(self, name: str) -> Any:
        value = super().__getattribute__(name)
        if name.startswith("_") and not name.startswith("__"):
            module = str(sys._getframe(1).f_globals.get("__name__", ""))  # noqa: SLF001 - the caller's module
            if module.partition(".")[0] not in ("games", "dataclasses") and module != __name__:
                super().__getattribute__("_peeked").append(name)
        return value

    @property
    def peeked(self) -> tuple[str, ...]:
        """The private names that were accessed."""
        return tuple(self._peeked)
