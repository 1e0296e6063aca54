"""From a log to its sheet: what follows, what is new with the last line, which lines cannot all be true.

Why a mark stands on the sheet: the proof in sentences that cite lines of the log.

Everything that was asked of one log, inferred; how it is said is for others.

A game of Clue line by line: the sheet behind each, and why each mark came when it did.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.clue.suggestions import Odds, Ranked, cards_called, odds, ranked
from games.clue import (
    ClueWords,
    Log,
    ParsedLog,
    Seating,
    Sheet,
    describe,
    knowledge_of,
    rules,
    seen_by,
    stated,
)
from games.errors import Contradiction, Usage
from games.logic import Knowledge, bits
from games.logic.sentences import in_sentences
from games.names import UnknownName, plain
from strategies import Reasoner, Strategy
from strategies.explanation import Explanations
from strategies.search.conflicts import can_hold, smallest_conflict

# Cheapest first, and complete by the last one. `set-rules` and `linear` derive so many bounds on a sheet that
# they cost more than they save; on the few lines of one proof they are cheap, and easier to follow.
ORDER = ("single-cell", "packing", "witnesses")
PROVING = ("single-cell", "set-rules", "linear", "packing", "witnesses")


@dataclass(frozen=True, slots=True)
class Conflict:
    """Lines that cannot all be true: as few as possible, with what each says."""

    lines: tuple[int, ...]
    what: str


@dataclass(frozen=True, slots=True)
class Deduced:
    """Everything that follows from a log.

    `before` is the sheet without its last line. When lines contradict each other (`conflict`), the sheets are
    those of the log up to the line with which that began. `faults` are those of strategies.
    """

    sheet: Sheet
    before: Sheet
    knowledge: Knowledge
    faults: tuple[str, ...] = ()
    conflict: Conflict | None = None

    @property
    def log(self) -> Log:
        """The log as far as it holds together."""
        return self.sheet.log

    @property
    def news(self) -> int:
        """The variables (a set) that only the last line decided."""
        return self.sheet.known & ~self.before.known


def deduce(log: Log, strategies: Sequence[Strategy]) -> Deduced:
    """Reason on a log. Raises Contradiction only where the rules alone cannot hold."""
    conflict, count = None, len(log.entries)
    if not holds(log):
        count = _holding(log)
        conflict = _conflict(log.until(count + 1))
    sound = log.until(count)
    knowledge, faults = _known(sound, strategies)
    before, _ = _known(sound.until(count - 1), strategies) if count else (knowledge, ())
    return Deduced(
        Sheet.of(sound, knowledge), Sheet.of(sound.until(count - 1), before), knowledge, faults, conflict
    )


def holds(log: Log) -> bool:
    """Whether some deal agrees with every line; true where the search does not decide."""
    return (
        can_hold([*rules(log), *(c for entry in log.entries for c in stated(entry, log.seating))])
        is not False
    )


def _known(log: Log, strategies: Sequence[Strategy]) -> tuple[Knowledge, tuple[str, ...]]:
    outcome = Reasoner(strategies, words=ClueWords.of(log.seating)).deduce(knowledge_of(log))
    return outcome.knowledge, tuple(map(str, outcome.faults))


def _holding(log: Log) -> int:
    """How many of the first entries hold together. Raises Contradiction when the rules alone do not."""
    low, high = 0, len(log.entries)  # the first `low` hold together if anything does, `high` do not
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(log.until(middle)) else (low, middle)
    if not low and not holds(log.until(0)):
        raise Contradiction("no deal fits these players and cards: correct the sizes of the hands")
    return low


def _conflict(log: Log) -> Conflict:
    """The fewest lines that cannot all be true."""
    seating = log.seating
    by_line: dict[int, list[int]] = {}
    for place, entry in enumerate(log.entries):
        by_line.setdefault(entry.line or 0, []).append(place)
    lines = sorted(by_line)
    statements = [
        [c for place in by_line[line] for c in stated(log.entries[place], seating)] for line in lines
    ]
    found = smallest_conflict(list(rules(log)), statements)
    blamed = lines if found is None else [lines[place] for place in found]
    what = ", ".join(
        dict.fromkeys(
            str(constraint.source) for line in blamed for constraint in statements[lines.index(line)]
        )
    )
    if len(blamed) == 1:
        return Conflict(tuple(blamed), f"this cannot be true: {what}: correct it")
    return Conflict(tuple(blamed), f"these cannot all be true: {what}: correct one of them")


@dataclass(frozen=True, slots=True)
class Proof:
    """A variable and what is known of it: `is_true` is None while it is open.

    `because` names the lines and rules that it follows from, none of them to spare; `sentences` is the proof.
    """

    cell: int
    is_true: bool | None
    said: str
    rule: str = ""
    because: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()


def asked_for(text: str, seating: Seating) -> int:
    """`CARD,HOLDER` as a variable. Raises Usage."""
    card, comma, holder = text.rpartition(",")
    try:
        if not comma:
            raise UnknownName(f"'{text}' is no mark")
        number = seating.me if plain(holder) in ("me", "i") and seating.me is not None else None
        return seating.cell(
            seating.cards.names.number(card), seating.names.number(holder) if number is None else number
        )
    except UnknownName as error:
        raise Usage(f"{error} (write a card and a holder, such as 'plum,envelope')") from error


def player_called(name: str, seating: Seating) -> int:
    """The number of a player. Raises Usage."""
    try:
        number = seating.names.number(name)
    except UnknownName as error:
        raise Usage(str(error)) from error
    if number == seating.envelope:
        raise Usage("the envelope sees nothing: name a player")
    return number


class Proofs:
    """Proofs of the marks of one sheet."""

    def __init__(self, deduced: Deduced, strategies: Sequence[Strategy]) -> None:
        self._seating = deduced.log.seating
        self._reasons = Explanations(deduced.knowledge, strategies)

    def of(self, cell: int) -> Proof:
        """The simplest proof that the strategies find."""
        words = ClueWords.of(self._seating, focus=1 << cell)
        reason = self._reasons.of(cell)
        if reason is None:
            return Proof(cell, None, f"{words.cell(cell)} is open: it can be so, and it can be otherwise")
        because = dict.fromkeys(str(constraint.source) for constraint in reason.because)
        sentences = in_sentences(reason.lineage, 1 << cell, words)
        return Proof(
            cell,
            reason.is_true,
            words.state(1 << cell, reason.is_true),
            reason.rule,
            tuple(because),
            tuple(sentences),
        )


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked: proofs of marks, a player's view, odds, suggestions (with `only` these cards)."""

    marks: tuple[str, ...] = ()
    view: str | None = None
    odds: bool = False
    suggest: bool = False
    only: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What came out; `odds` is None and `suggestions` empty where they were not asked for."""

    reading: ParsedLog
    deduced: Deduced
    proofs: tuple[Proof, ...] = ()
    odds: Odds | None = None
    suggestions: tuple[Ranked, ...] = ()

    @property
    def is_valid(self) -> bool:
        """Whether every line could be understood, and all of them can be true."""
        return not self.reading.problems and self.deduced.conflict is None

    @property
    def shows_sheet(self) -> bool:
        """Whether the sheet is wanted: not when only something else was asked."""
        return self.odds is not None or not (self.proofs or self.suggestions)


def answer(
    reading: ParsedLog, request: Request, strategies: Sequence[Strategy], proving: Sequence[Strategy]
) -> Answer:
    """Infer it with `strategies`, and prove with `proving`.

    Raises Usage for names that are not known, Contradiction where nothing can be said.
    """
    seating = reading.log.seating
    cells = [asked_for(text, seating) for text in request.marks]
    viewer = None if request.view is None else player_called(request.view, seating)
    only = cards_called(request.only, seating) if request.only else []
    deduced = deduce(reading.log, strategies)
    if viewer is not None:
        deduced = deduce(seen_by(deduced.sheet, viewer), strategies)
    proofs = Proofs(deduced, proving) if cells else None
    return Answer(
        reading,
        deduced,
        tuple(proofs.of(cell) for cell in cells) if proofs else (),
        odds(deduced.knowledge) if request.odds else None,
        tuple(ranked(deduced.sheet, deduced.knowledge, only)) if request.suggest else (),
    )


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the log: its number, what it says, what follows from all lines up to it.

    `proofs` are those of the marks that this line settled, by variable.
    """

    line: int
    text: str
    deduced: Deduced
    proofs: dict[int, Proof]


def steps(log: Log, strategies: Sequence[Strategy], proving: Sequence[Strategy]) -> Iterator[Step]:
    """Each line that states something, in order; reasoned on with `strategies`, proved with `proving`."""
    known = 0
    for count, entry in enumerate(log.entries, 1):
        if count < len(log.entries) and log.entries[count].line == entry.line:
            continue  # the line has more to say
        deduced = deduce(log.until(count), strategies)
        proofs = Proofs(deduced, proving)
        new = deduced.sheet.known & ~known
        known |= new
        yield Step(
            entry.line or 0, describe(entry, log.seating), deduced, {k: proofs.of(k) for k in bits(new)}
        )
