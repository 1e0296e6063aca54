"""The reasoner: calls the strategies, checks their answers, and quarantines faulty strategies.

Strategies are called in order, cheapest first; whenever one derives something new, the first is called again,
until none derives anything new. Every deduction must pass the checker (`games.logic.checker`). A rejected
answer (a deduction or a guess) is reported with its cells and clues and, if possible, a layout that refutes
it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice, repeat
from operator import call, index, is_
from typing import Any

from games.logic import Constraint, Deduction, DeductionRejected, Knowledge, bits, check, union_cells
from games.logic.derivation import negations
from games.logic.sentences import Vocabulary, join_names
from games.minesweeper import Board, Guess, board_vocabulary
from strategies.isolation.protocol import most_answers
from strategies.position import FIELDS, Position
from strategies.registry import DEFAULT_ORDER, LAST_GUESS, load_strategy
from strategies.strategy import Strategy

MOST_TRIED = 16  # cells of one claim for which a counterexample is searched for
MOST_CLUES = 6  # clues listed by name; more are only counted


@dataclass(frozen=True, slots=True)
class RejectionDetails:
    """Why an answer was rejected.

    `what` is the reason in one sentence. `cells` is the answer's cell set, `clues` the sources of its
    premises. `layout` is a counterexample: the set of mines of a layout that satisfies everything given and
    refutes the answer; None if none was searched for or found.
    """

    what: str
    cells: int = 0
    clues: tuple[str, ...] = ()
    layout: int | None = None


def explain_rejection(
    deduction: Deduction, knowledge: Knowledge, derived: Collection[Constraint], words: Vocabulary
) -> RejectionDetails:
    """Describe a deduction that the checker rejected; `derived` are conclusions accepted in the same call."""
    claim, step = deduction.constraint, deduction.step
    rule = f"'{step.rule}'" if step.rule else "a rule without a name"
    if claim.cells < 0:
        return RejectionDetails(f"{rule} draws a conclusion about a negative cell set")
    strangers = claim.cells & ~knowledge.universe
    if strangers:
        are = "is" if strangers.bit_count() == 1 else "are"
        what = f"{rule} draws a conclusion about {words.listing(strangers)}, which {are} not in play"
        return RejectionDetails(what, claim.cells)
    said = words.fact(claim)
    unknown = [c for c in step.premises if c not in derived and not knowledge.knows(c)]
    known = [c for c in step.premises if knowledge.knows(c)]
    log, _ = knowledge.logged
    sources = list(map(str, log.sources(known, 0, knowledge.history)))
    stated = {str(c.source): words.given(c) for c in knowledge.given if c.source is not None}
    grounds = [stated.get(source, source) for source in sources]
    clues = join_names(grounds) if len(grounds) <= MOST_CLUES else f"{len(grounds)} clues"
    layout = find_counterexample(claim, knowledge)
    if unknown:
        why = (
            f"but its premise '{words.fact(unknown[0])}' is not known: name constraints of the knowledge, "
            "or conclusions yielded earlier"
        )
    elif layout is not None:
        why = f"but everything given also holds where {_shown(layout, claim, knowledge, words)}"
    else:
        why = "but these do not prove it: add premises to 'because', or a proof as `method` (Linear or Split)"
    named = f" from {clues}" if clues else " from nothing" if not step.premises else ""
    return RejectionDetails(
        f"{rule} concludes{named} that {said}, {why}", claim.cells, tuple(sources), layout
    )


def find_counterexample(claim: Constraint, knowledge: Knowledge) -> int | None:
    """The set of mines of a layout that satisfies everything given but violates the claim.

    None if there is none, or none is found within the search limits.
    """
    from strategies.search.model_finder import find_model  # imports numpy; rarely needed

    given, universe = knowledge.given, knowledge.universe
    seen = union_cells(given)
    gone = seen & ~universe  # opened after the constraint was given, so safe
    trials: list[tuple[tuple[Constraint, ...], int, int]] = []
    if claim.all_true or claim.all_false:
        cells = [1 << k for k in bits(claim.cells)][:MOST_TRIED]
        trials += [(given, 0, cell) if claim.all_true else (given, cell, 0) for cell in cells]
    else:
        trials += [((*given, opposite), 0, 0) for opposite in negations(claim)]
    for constraints, true, false in trials:
        layout = find_model(universe | gone, constraints, true, false | gone)
        if layout is not None and all(c.holds(layout) for c in given) and not claim.holds(layout):
            return layout & universe
    return None


def check_guess(guess: object, before: int, position: Position, words: Vocabulary) -> RejectionDetails | None:
    """Why a guess is invalid; None if it is valid. `before` is the cell set guessed earlier in this call."""
    cell = guess.cell if isinstance(guess, Guess) else 0
    if not isinstance(guess, Guess) or not 0 <= cell < position.cells:
        wrong_type = f"its guess is a {type(guess).__name__}, not a Guess"
        off_board = f"it guessed cell {cell}, which is not on the board of {position.cells} cells"
        return RejectionDetails(off_board if isinstance(guess, Guess) else wrong_type)
    name, cells = words.cell(cell), 1 << cell
    if position.knowledge.true & cells:
        return RejectionDetails(f"it guessed {name}, which is known to be a mine", cells)
    if not position.openable & cells:
        return RejectionDetails(f"it guessed {name}, which may not be opened: use cells of 'openable'", cells)
    if before & cells:
        return RejectionDetails(f"it guessed {name} twice: name each cell once, the best first", cells)
    if 0 <= guess.safe <= 1:
        return None
    return RejectionDetails(f"it gave {name} the probability {guess.safe}: use one from 0 to 1", cells)


def _shown(layout: int, claim: Constraint, knowledge: Knowledge, words: Vocabulary) -> str:
    """The part of a counterexample that refutes the claim: its wrong cells, and the mines near them."""
    wrong = claim.cells & (layout if claim.all_false else ~layout if claim.all_true else 0)
    near = union_cells(c for c in knowledge.given if c.cells & claim.cells and not c.is_global)
    beside = layout & (near | claim.cells) & ~wrong
    said = [words.state(wrong, claim.all_false)] if wrong else []
    said += [words.state(beside, is_true=True)] if beside else []
    return " and ".join(said) or words.state(claim.cells, is_true=False)


@dataclass(frozen=True, slots=True)
class Fault:
    """An error of a strategy, which is then quarantined until the end of the game.

    `what` begins with file and line, if known. `instead` names the built-in replacement if this was the last
    strategy that deduces or guesses. `objection` describes a rejected answer; `board` is the board of that
    call; either may be None.
    """

    strategy: str
    what: str
    instead: str = ""
    objection: RejectionDetails | None = None
    board: Board | None = None

    def __str__(self) -> str:
        return f"strategy {self.strategy} is quarantined for this game: {self.what}{self.instead}"

    def as_json(self) -> dict[str, Any]:
        """A JSON object; `board` and `counterexample` are rows of board text, with `*` for mines."""
        place = re.match(r"(.+?), line (\d+): ", self.what)
        data: dict[str, Any] = {
            "strategy": self.strategy,
            "what": self.what.removeprefix(place[0]) if place else self.what,
            "file": place[1] if place else None,
            "line": int(place[2]) if place else None,
            "text": str(self),
        }
        if self.objection and self.board:
            data["cells"] = self.board.names(self.objection.cells & self.board.everything)
            data["clues"] = list(self.objection.clues)
        if self.board:
            data["board"] = str(self.board).splitlines()
        if counter := self.counterexample:
            data["counterexample"] = list(counter.grid)
        return data

    @property
    def counterexample(self) -> Board | None:
        """The board with the mines of a layout that satisfies all clues and refutes the answer."""
        if self.objection is None or self.objection.layout is None or self.board is None:
            return None
        return self.board.with_states(dict.fromkeys(bits(self.objection.layout & self.board.everything), "*"))


@dataclass(frozen=True, slots=True)
class ReasoningResult:
    """The final knowledge, and the faults that occurred."""

    knowledge: Knowledge
    faults: tuple[Fault, ...] = ()


MOST_CALLS = 10_000  # calls of one strategy per position
CHANGED = "it changed what it was given"
_SLOTS = tuple(vars(Knowledge)[name].__get__ for name in Knowledge.__slots__)  # cannot be overridden
Choose = Callable[[Knowledge, Sequence[Deduction]], Sequence[Deduction]]


class Reasoner:
    """Runs the strategies of one game and quarantines faulty ones.

    Any exception of a strategy except KeyboardInterrupt is a fault, and so is modifying its arguments.
    `words` names the variables in fault reports; `about` sets it from a board. `choose` selects which of the
    deductions of a call are learned, all by default. The strategy is expected to find the others again.
    """

    def __init__(
        self, strategies: Sequence[Strategy], choose: Choose | None = None, words: Vocabulary | None = None
    ) -> None:
        self.strategies = tuple(strategies)
        self._choose = choose
        self._variables = words or Vocabulary(str, str)
        self._board: Board | None = None
        self.faults = tuple(Fault(s.name, s.fault) for s in strategies if s.fault)
        self._off: set[int] = set()
        self.guesser = ""  # the strategy of the last accepted guesses
        self._authors: dict[int, tuple[Deduction, str]] = {}  # by identity, which is faster than equality
        self._unseen: dict[int, int] = {}  # for each strategy, the variables that changed since its last call

    def about(self, board: Board) -> None:
        """Set the board of the next calls, for fault reports."""
        self._board = board

    @property
    def _words(self) -> Vocabulary:
        return board_vocabulary(self._board) if self._board else self._variables

    def deduce(self, knowledge: Knowledge, enough: int = 0, new: int | None = None) -> ReasoningResult:
        """Call the strategies until none of them derives anything new.

        Once a cell of the cell set `enough` is known to be safe, only the cheapest strategy is called:
        opening the cell reveals more. If `knowledge` continues the last result, `new` is the set of variables
        in its new given constraints; if `new` is None, everything counts as new. Raises Contradiction with
        the sources involved.
        """
        before = len(self.faults)
        asking = [k for k, s in enumerate(self.strategies) if s.has_deduce and k not in self._off]
        unseen, self._unseen = self._unseen if new is not None else {}, {}  # stays empty after an error
        changed = {k: unseen.get(k, knowledge.universe) | (new or 0) for k in asking}
        calls = dict.fromkeys(asking, 0)
        place = 0
        while place < len(asking):
            k, before_asking = asking[place], knowledge
            if k not in self._off:
                calls[k] += 1
                knowledge = self._ask(k, knowledge, changed[k], calls[k])
                changed[k] = changed[k] if self._choose else 0
            is_new = knowledge is not before_asking
            for other in asking if is_new else ():
                changed[other] |= knowledge.news
            if place == 0 and knowledge.false & enough:
                break
            place = 0 if is_new else place + 1
        self._unseen = changed
        if asking and self._off.issuperset(asking):
            return self._deduce_instead(knowledge, enough, before)
        return ReasoningResult(knowledge, self.faults[before:])

    def author(self, deduction: Deduction | None) -> str:
        """The strategy that yielded this deduction object; empty if it is not from this reasoner."""
        return self._authors[id(deduction)][1] if id(deduction) in self._authors else ""

    @property
    def active(self) -> tuple[Strategy, ...]:
        """The strategies that are not quarantined."""
        return tuple(strategy for k, strategy in enumerate(self.strategies) if k not in self._off)

    def guess(self, position: Position, most: int | None = None) -> tuple[Guess, ...]:
        """Up to `most` guesses of the first strategy that has any, best first.

        An invalid guess is a fault (see `check_guess`), and the next strategy is asked.
        """
        for k, strategy in enumerate(self.strategies):
            if not strategy.has_guess or k in self._off:
                continue
            kept = _InputSnapshot(position.knowledge)
            values = _values_of(position)
            words = self._words if self._board else _cells_of(position)
            guesses: list[Guess] = []
            seen = 0
            wrong: RejectionDetails | None = None
            try:
                answers = strategy.guess(position)  # keep it: a suspended generator has a line number
                for guess in map(_with_int, islice(answers, position.cells + 1 if most is None else most)):
                    wrong = check_guess(guess, seen, position, words)
                    if wrong:
                        break
                    seen |= 1 << guess.cell
                    guesses.append(guess)
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # noqa: BLE001 - plugin code: reported as a fault
                self._quarantine(k, strategy.blamed("guess", error))
                guesses = []
            if kept.has_changed() or values != _values_of(position):
                wrong = RejectionDetails(CHANGED)
                for name, value in zip(FIELDS, values, strict=True):
                    object.__setattr__(position, name, value)
            if wrong:
                self._reject("guess", k, wrong)
            elif guesses:
                self.guesser = strategy.name
                return tuple(guesses)
        return self._guess_instead(position, most)

    def _ask(self, k: int, knowledge: Knowledge, changed: int, calls: int) -> Knowledge:
        """The knowledge after calling one strategy; only deductions that the checker accepts are added."""
        strategy = self.strategies[k]
        accepted: list[Deduction] = []
        derived: set[Constraint] = set()
        most = most_answers(knowledge.universe.bit_count())
        if calls > MOST_CALLS:
            found = f"it still derived new constraints after {MOST_CALLS} calls"
            self._reject("deduce", k, RejectionDetails(found))
            return knowledge
        kept = _InputSnapshot(knowledge)
        try:
            answers: Iterable[object] = strategy.deduce(knowledge, changed)
            for deduction in answers:
                if not isinstance(deduction, Deduction):
                    kind = type(deduction).__name__
                    self._reject("deduce", k, RejectionDetails(f"it yielded a {kind}, not a Deduction"))
                    break
                check(deduction, knowledge, derived)
                derived.add(deduction.constraint)
                accepted.append(deduction)
                if len(accepted) > most:
                    many = f"it yielded more than {most} deductions at once"
                    self._reject("deduce", k, RejectionDetails(many))
                    break
        except DeductionRejected as error:
            self._reject("deduce", k, self._rejection(error, deduction, knowledge, derived))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - plugin code: reported as a fault
            self._quarantine(k, strategy.blamed("deduce", error))
        if kept.has_changed():
            self._reject("deduce", k, RejectionDetails(CHANGED))
            return knowledge  # its deductions were checked against modified knowledge
        if not accepted:
            return knowledge
        grown = knowledge.learn(self._choose(knowledge, accepted) if self._choose else accepted)
        for deduction in grown.history[len(knowledge.history) :]:
            self._authors[id(deduction)] = (deduction, strategy.name)
        return grown

    def _rejection(
        self, error: DeductionRejected, deduction: object, knowledge: Knowledge, derived: set[Constraint]
    ) -> RejectionDetails:
        assert isinstance(deduction, Deduction)
        try:
            return explain_rejection(deduction, knowledge, derived, self._words)
        except Exception:  # noqa: BLE001 - any part of a plugin's deduction may be invalid
            return RejectionDetails(f"a deduction was rejected: {error}")

    def _reject(self, hook: str, k: int, objection: RejectionDetails) -> None:
        """Quarantine a strategy for a rejected answer, reported with its line."""
        self._quarantine(k, self.strategies[k].at(hook, objection.what), objection)

    def _quarantine(self, k: int, what: str, objection: RejectionDetails | None = None) -> None:
        if k not in self._off:
            self._off.add(k)
            self.faults += (Fault(self.strategies[k].name, what, "", objection, self._board),)

    def _deduce_instead(self, knowledge: Knowledge, enough: int, before: int) -> ReasoningResult:
        """Continue with the built-in strategies, because all chosen ones are quarantined."""
        default = [strategy for name in DEFAULT_ORDER if (strategy := load_strategy(name)).has_deduce]
        if self._step_in(default, "the built-in strategies deduce instead"):
            knowledge = self.deduce(knowledge, enough).knowledge
        return ReasoningResult(knowledge, self.faults[before:])

    def _guess_instead(self, position: Position, most: int | None) -> tuple[Guess, ...]:
        """Guess with the built-in LAST_GUESS if all chosen strategies are quarantined."""
        guessing = [k for k, strategy in enumerate(self.strategies) if strategy.has_guess]
        if not guessing or not self._off.issuperset(guessing):
            return ()
        steps_in = self._step_in([load_strategy(LAST_GUESS)], f"{LAST_GUESS} guesses instead")
        return self.guess(position, most) if steps_in else ()

    def _step_in(self, strategies: Sequence[Strategy], notice: str) -> bool:
        """Append built-in strategies, and add `notice` to the last fault; False if appended before."""
        names = tuple(strategy.name for strategy in strategies)
        if tuple(strategy.name for strategy in self.strategies[-len(names) :]) == names:
            return False
        last = self.faults[-1]
        self.faults = (*self.faults[:-1], replace(last, instead=f"{last.instead}; {notice}"))
        self.strategies += tuple(strategies)
        return True


class _InputSnapshot:
    """Detects and undoes modifications of the knowledge by a strategy."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._values = list(map(call, _SLOTS, repeat(knowledge)))

    def has_changed(self) -> bool:
        """Whether an attribute was modified; if so, it is restored."""
        knowledge = self._knowledge
        if all(map(is_, map(call, _SLOTS, repeat(knowledge)), self._values)):
            return False
        changed = False
        for name, value_in, value in zip(Knowledge.__slots__, _SLOTS, self._values, strict=True):
            if value_in(self._knowledge) is not value:
                object.__setattr__(self._knowledge, name, value)
                changed = True
        return changed


def _with_int(guess: Guess) -> Guess:
    """The guess with a Python int as its cell; a numpy integer overflows in shifts."""
    is_other = isinstance(guess, Guess) and type(guess.cell) is not int
    return replace(guess, cell=index(guess.cell)) if is_other else guess


def _cells_of(position: Position) -> Vocabulary:
    """Names for a position without a board."""
    return Vocabulary(lambda k: f"r{k // position.columns}c{k % position.columns}", str)


def _values_of(position: Position) -> list[object]:
    return [getattr(position, name) for name in FIELDS]
