"""The contract of a strategy: what every one of them must do, and must not, tried on small boards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from types import MappingProxyType

from games.errors import Usage
from games.logic import bits
from games.minesweeper import Deal, Minefield, Move
from strategies.registry import load_strategy
from strategies.strategy import Strategy
from strategies.testing.asking import Answer, Misbehaved, Watched, ask
from strategies.testing.samples import VARIANTS, Sample, position_of, samples
from strategies.testing.shrinking import shrunk
from strategies.testing.soundness import unsound
from strategies.testing.truth import layouts

BOARDS = 60  # for each check, by default
TIMES = 3  # that the same question is asked

Check = Callable[[Strategy, Sample], str]  # what is wrong, in words; empty when nothing is


def check_strategy(
    strategy: object,
    boards: int = BOARDS,
    seed: int | str = "sapper",
    only: str | None = None,
    variants: Sequence[str] = VARIANTS,
) -> None:
    """Everything that is asked of a strategy (`CHECKS`), or `only` one of the checks, on small boards.

    `strategy` is a name, a file, or the plugin itself. A third of the boards are by the rules of these
    variants (the built-in ones, by default). Raises AssertionError: which check failed, why, and
    the smallest board on which it does; Usage for a check that is not in `CHECKS`.
    """
    __tracebackhide__ = True  # the board says more than the way to it
    loaded = load_strategy(strategy)
    if only is not None and only not in CHECKS:
        raise Usage(f"'{only}' is no check: use one of {', '.join(CHECKS)}")
    for name in (only,) if only else CHECKS:
        check = CHECKS[name]
        for sample in samples(seed, boards, variants=variants):
            if _complaint(check, loaded, sample):
                smallest, what = shrunk(sample, lambda tried, by=check: _complaint(by, loaded, tried))  # type: ignore[misc]
                raise AssertionError(f"{loaded.name}, {name}: {what}\n{smallest.board}")


def _complaint(check: Check, strategy: Strategy, sample: Sample) -> str:
    try:
        return check(strategy, sample)
    except Misbehaved as error:
        return str(error)


def _asked(strategy: Strategy, sample: Sample) -> Answer:
    knowledge = sample.knowledge
    return ask(strategy, knowledge, position_of(sample.board, knowledge))


def _answers(strategy: Strategy, sample: Sample) -> str:
    """It comes to an end within its budget of steps, and raises nothing."""
    _asked(strategy, sample)
    return ""


def _guesses_what_may_be_opened(strategy: Strategy, sample: Sample) -> str:
    """Its guesses are cells that may be opened, each once, each with a probability."""
    knowledge = sample.knowledge
    position = position_of(sample.board, knowledge)
    guesses = ask(strategy, knowledge, position).guesses
    for guess in guesses:
        if guess.cell < 0 or not position.openable >> guess.cell & 1:
            return f"it guesses cell {guess.cell}, which may not be opened"
        if not 0 <= guess.safe <= 1:
            return f"it gives cell {guess.cell} the probability {guess.safe}"
    return "it guesses a cell twice" if len({guess.cell for guess in guesses}) < len(guesses) else ""


def _answers_the_same(strategy: Strategy, sample: Sample) -> str:
    """The same question gets the same answer, whatever it was asked in between."""
    first = _asked(strategy, sample)
    for _ in range(TIMES - 1):
        for other in islice(sample.smaller(), 1):  # something else in between
            _asked(strategy, other)
        if _asked(strategy, sample) != first:
            return "it answers differently when it is asked again"
    return ""


def _changes_nothing(strategy: Strategy, sample: Sample) -> str:
    """It changes nothing that it is handed."""
    knowledge = sample.knowledge
    position = position_of(sample.board, knowledge)
    before = repr((knowledge, position))
    ask(strategy, knowledge, position)
    return "" if repr((knowledge, position)) == before else "it changes what it is handed"


def _looks_at_nothing_private(strategy: Strategy, sample: Sample) -> str:
    """It reads only what is public of what it is handed; its answer does not hang on where the mines are."""
    knowledge = Watched(sample.knowledge)
    ask(strategy, knowledge, position_of(sample.board, knowledge))
    if knowledge.peeked:
        return f"it looks at what is private of the knowledge: {knowledge.peeked[0]}"
    truth = layouts(sample.knowledge)
    answers = {repr(_beside_mines(strategy, sample, mines)) for mines in (truth[0], truth[-1])}
    return "it answers otherwise when the hidden mines lie elsewhere" if len(answers) > 1 else ""


def _beside_mines(strategy: Strategy, sample: Sample, mines: int) -> Answer:
    """What it answers while a game with these mines is going on, as any is when strategies are asked."""
    rest = ((1 << sample.rows * sample.columns) - 1) & ~mines
    deal = Deal(sample.rows, sample.columns, mines.bit_count(), (*bits(mines), *bits(rest)))
    field = Minefield(deal, "none")
    field.play([Move("open", k) for k in bits(sample.open)])
    return _asked(strategy, replace(sample, mines=mines))


CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        "within budget": _answers,
        "sound": unsound,
        "leaves what is open alone": _guesses_what_may_be_opened,
        "deterministic": _answers_the_same,
        "changes nothing": _changes_nothing,
        "does not peek": _looks_at_nothing_private,
    }
)
