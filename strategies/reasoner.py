"""Ask the strategies one by one, cheapest first, back to the cheapest after anything new, to a fixpoint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from games.logic import Constraint, Deduction, Knowledge, Rejected, check
from games.minesweeper import Guess, Position
from strategies.registry import Strategy, one_line

MOST_AT_ONCE = 4  # deductions or guesses for each variable that one call may yield, …
AND_MORE = 10_000  # … and so many besides
MOST_CALLS = 10_000  # times that one strategy may be asked about one position


@dataclass(frozen=True, slots=True)
class Fault:
    """What a strategy did wrong, for which it is switched off until the end of the game."""

    strategy: str
    what: str

    def __str__(self) -> str:
        return f"strategy {self.strategy} is off for this game: {self.what}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What reasoning came to: the knowledge at the end, and the faults met on the way."""

    knowledge: Knowledge
    faults: tuple[Fault, ...] = ()


class Reasoner:
    """The strategies of one game: which of them are switched off, and what each has yet to look at."""

    def __init__(self, strategies: Sequence[Strategy]) -> None:
        self.strategies = tuple(strategies)
        self.faults: tuple[Fault, ...] = ()
        self._off: set[int] = set()
        self._unseen: dict[int, int] = {}  # for each strategy what is new since it was asked (a set)

    def deduce(self, knowledge: Knowledge, enough: int = 0, new: int | None = None) -> Outcome:
        """Everything that the strategies find, one after the other, until none finds anything new.

        `enough` is a set of cells: once one of them is known to be safe, dearer strategies than those that
        were needed for it are left alone (there is something to open, and looking again tells more). `new`
        is for a knowledge that goes on from the last outcome: the set of the variables about which anything
        was stated since; without it, all is new. Raises Contradiction, with the sources it follows from, when
        what is given cannot hold together.
        """
        before = len(self.faults)
        asking = [k for k, s in enumerate(self.strategies) if s.has_deduce and k not in self._off]
        unseen, self._unseen = self._unseen if new is not None else {}, {}  # nothing is left after an error
        changed = {k: unseen.get(k, knowledge.universe) | (new or 0) for k in asking}
        calls = dict.fromkeys(asking, 0)
        place = 0
        while place < len(asking):
            k = asking[place]
            grown = knowledge
            if k not in self._off and not (place and knowledge.false & enough):
                calls[k] += 1
                grown = self._ask(k, knowledge, changed[k], calls[k])
                changed[k] = 0
            if grown is knowledge:
                place += 1
                continue
            for other in asking:
                changed[other] |= grown.news
            knowledge, place = grown, 0
        self._unseen = changed
        return Outcome(knowledge, self.faults[before:])

    def guess(self, position: Position) -> tuple[Guess, ...]:
        """The guesses of the first strategy that has any, best first; empty when none has.

        A strategy that names a cell that may not be opened, or is known to be a mine, is at fault: see
        `faults`.
        """
        for k, strategy in enumerate(self.strategies):
            if not strategy.has_guess or k in self._off:
                continue
            try:
                guesses = tuple(islice(strategy.guess(position), position.cells + 1))
                wrong = next((w for guess in guesses if (w := _wrong_with(guess, position))), "")
            except Exception as error:  # noqa: BLE001 - somebody else's code: told as a fault
                self._switch_off(k, f"its guess raised {one_line(error)}")
                continue
            if len(guesses) > position.cells:
                wrong = "it guesses more cells than there are"
            if wrong:
                self._switch_off(k, wrong)
            elif guesses:
                return guesses
        return ()

    def _ask(self, k: int, knowledge: Knowledge, changed: int, calls: int) -> Knowledge:
        """What is known after asking one strategy: nothing of a wrong answer is kept."""
        strategy = self.strategies[k]
        accepted: list[Deduction] = []
        derived: set[Constraint] = set()
        most = AND_MORE + MOST_AT_ONCE * knowledge.universe.bit_count()
        if calls > MOST_CALLS:
            self._switch_off(k, f"it found something new {MOST_CALLS} times and came to no end")
            return knowledge
        try:
            for deduction in strategy.deduce(knowledge, changed):
                check(deduction, knowledge, derived)
                derived.add(deduction.constraint)
                accepted.append(deduction)
                if len(accepted) > most:
                    self._switch_off(k, f"it yielded more than {most} deductions at once")
                    break
        except Rejected as error:
            self._switch_off(k, f"a deduction was rejected: {error}")
        except Exception as error:  # noqa: BLE001 - somebody else's code: told as a fault
            self._switch_off(k, f"it raised {one_line(error)}")
        return knowledge.learn(accepted)

    def _switch_off(self, k: int, what: str) -> None:
        self._off.add(k)
        self.faults += (Fault(self.strategies[k].name, what),)


def _wrong_with(guess: object, position: Position) -> str:
    """What disqualifies a guess, in words; empty when it may be made."""
    if not isinstance(guess, Guess):
        return f"its guess is a {type(guess).__name__}, not a Guess"
    if guess.cell < 0 or not position.openable >> guess.cell & 1:
        return f"it guessed cell {guess.cell}, which may not be opened"
    if position.knowledge.true >> guess.cell & 1:
        return f"it guessed cell {guess.cell}, which is known to be a mine"
    if not 0 <= guess.safe <= 1:
        return f"it gave cell {guess.cell} the probability {guess.safe}"
    return ""
