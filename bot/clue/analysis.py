"""Analyse the log of a Clue game.

Derives the deduction sheet, the marks that the last line added, and contradictory lines. `MarkProver`
proves a mark in sentences that cite lines of the log; `steps` repeats the analysis line by line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.clue.suggestions import (
    MarkProbabilities,
    RankedSuggestion,
    mark_probabilities,
    parse_cards,
    rank_suggestions,
)
from games.clue.log import ClueLog, Seating, format_entry
from games.clue.parser import ParsedLog
from games.clue.phrases import ClueVocabulary
from games.clue.sheet import (
    DeductionSheet,
    base_constraints,
    entry_constraints,
    log_constraints,
    log_knowledge,
    log_seen_by,
)
from games.errors import Contradiction, UsageError
from games.logic import Constraint, Knowledge, bits
from games.logic.sentences import proof_sentences
from games.names import UnknownName, normalize_name
from strategies import Reasoner, Strategy
from strategies.explanation import ExplanationFinder
from strategies.search.conflicts import is_satisfiable, smallest_conflict

# Cheapest first; the last one is complete. On a whole sheet, `set-rules` and `linear` derive too many bounds
# to be useful; in a proof from few lines they are cheap and easier to follow.
ORDER = ("single-cell", "packing", "witnesses")
PROVING = ("single-cell", "set-rules", "linear", "packing", "witnesses")


@dataclass(frozen=True, slots=True)
class ConflictingLines:
    """A smallest set of contradictory lines, and a message with their contents."""

    lines: tuple[int, ...]
    what: str


@dataclass(frozen=True, slots=True)
class ClueDeduction:
    """Everything that follows from a log.

    `before` is the sheet without the last line. If lines contradict each other (`conflict`), the sheets
    belong to the log before the first contradiction. `faults` are those of strategies.
    """

    sheet: DeductionSheet
    before: DeductionSheet
    knowledge: Knowledge
    faults: tuple[str, ...] = ()
    conflict: ConflictingLines | None = None

    @property
    def log(self) -> ClueLog:
        """The consistent part of the log."""
        return self.sheet.log

    @property
    def news(self) -> int:
        """The set of variables decided by the last line."""
        return self.sheet.known & ~self.before.known


def deduce(log: ClueLog, strategies: Sequence[Strategy]) -> ClueDeduction:
    """Analyse a log. Raises Contradiction if the rules alone are contradictory."""
    conflict, count = None, len(log.entries)
    if not is_consistent(log):
        count = _holding(log)
        conflict = _conflict(log.until(count + 1))
    sound = log.until(count)
    knowledge, faults = _known(sound, strategies)
    before, _ = _known(sound.until(count - 1), strategies) if count else (knowledge, ())
    return ClueDeduction(
        DeductionSheet.of(sound, knowledge),
        DeductionSheet.of(sound.until(count - 1), before),
        knowledge,
        faults,
        conflict,
    )


def is_consistent(log: ClueLog) -> bool:
    """Whether some deal agrees with every line; true if the search is undecided."""
    return is_satisfiable(log_constraints(log)) is not False


def _known(log: ClueLog, strategies: Sequence[Strategy]) -> tuple[Knowledge, tuple[str, ...]]:
    outcome = Reasoner(strategies, words=ClueVocabulary.of(log.seating)).deduce(log_knowledge(log))
    return outcome.knowledge, tuple(map(str, outcome.faults))


def _holding(log: ClueLog) -> int:
    """The number of consistent entries at the start. Raises Contradiction if the rules contradict."""
    low, high = 0, len(log.entries)  # the first `low` entries are consistent, the first `high` are not
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if is_consistent(log.until(middle)) else (low, middle)
    if not low and not is_consistent(log.until(0)):
        raise Contradiction("no deal fits these players and cards: correct the sizes of the hands")
    return low


def _conflict(log: ClueLog) -> ConflictingLines:
    seating = log.seating
    by_line: dict[int, list[int]] = {}
    for place, entry in enumerate(log.entries):
        by_line.setdefault(entry.line or 0, []).append(place)
    lines = sorted(by_line)
    statements = [
        [c for place in by_line[line] for c in entry_constraints(log.entries[place], seating)]
        for line in lines
    ]
    found = smallest_conflict(list(base_constraints(log)), statements)
    blamed = lines if found is None else [lines[place] for place in found]
    entries: dict[str, list[Constraint]] = {}  # a line may have several that do not contradict anything
    for line in blamed:
        for constraint in statements[lines.index(line)]:
            entries.setdefault(str(constraint.source), []).append(constraint)
    needed = smallest_conflict(list(base_constraints(log)), list(entries.values()))
    what = ", ".join(entries if needed is None else [[*entries][place] for place in needed])
    if len(blamed) == 1:
        return ConflictingLines(tuple(blamed), f"this cannot be true: {what}: correct it")
    return ConflictingLines(tuple(blamed), f"these cannot all be true: {what}: correct one of them")


@dataclass(frozen=True, slots=True)
class MarkProof:
    """A variable, its value (None if open) and the proof in sentences.

    `because` names a minimal set of lines and rules behind it.
    """

    cell: int
    is_true: bool | None
    said: str
    rule: str = ""
    because: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()


def parse_mark(text: str, seating: Seating) -> int:
    """Parse a mark, `CARD,HOLDER`, as a variable. Raises UsageError."""
    card, comma, holder = text.rpartition(",")
    try:
        if not comma:
            raise UnknownName(f"'{text}' is no mark")
        number = seating.me if normalize_name(holder) in ("me", "i") and seating.me is not None else None
        return seating.cell(
            seating.cards.names.number(card), seating.names.number(holder) if number is None else number
        )
    except UnknownName as error:
        raise UsageError(f"{error} (write a card and a holder, such as 'plum,envelope')") from error


def find_player(name: str, seating: Seating) -> int:
    """Return the number of a player. Raises UsageError."""
    try:
        number = seating.names.number(name)
    except UnknownName as error:
        raise UsageError(str(error)) from error
    if number == seating.envelope:
        raise UsageError("the envelope sees nothing: name a player")
    return number


class MarkProver:
    """Proofs of the marks of one sheet."""

    def __init__(self, deduced: ClueDeduction, strategies: Sequence[Strategy]) -> None:
        self._seating = deduced.log.seating
        self._reasons = ExplanationFinder(deduced.knowledge, strategies)

    def of(self, cell: int) -> MarkProof:
        """Find the simplest proof."""
        words = ClueVocabulary.of(self._seating, focus=1 << cell)
        reason = self._reasons.of(cell)
        if reason is None:
            return MarkProof(cell, None, f"{words.cell(cell)} is open: it can be so, and it can be otherwise")
        because = dict.fromkeys(str(constraint.source) for constraint in reason.because)
        sentences = proof_sentences(reason.lineage, 1 << cell, words)
        return MarkProof(
            cell,
            reason.is_true,
            words.state(1 << cell, reason.is_true),
            reason.rule,
            tuple(because),
            tuple(sentences),
        )


@dataclass(frozen=True, slots=True)
class ClueQuery:
    """The requested parts: proofs of marks, a player's view, odds, suggestions (restricted to `only`)."""

    marks: tuple[str, ...] = ()
    view: str | None = None
    odds: bool = False
    suggest: bool = False
    only: str | None = None


@dataclass(frozen=True, slots=True)
class ClueAnswer:
    """The answer to a query; parts that were not requested are None or empty."""

    reading: ParsedLog
    deduced: ClueDeduction
    proofs: tuple[MarkProof, ...] = ()
    odds: MarkProbabilities | None = None
    suggestions: tuple[RankedSuggestion, ...] = ()

    @property
    def is_valid(self) -> bool:
        """Whether all lines are valid and consistent."""
        return not self.reading.problems and self.deduced.conflict is None

    @property
    def shows_sheet(self) -> bool:
        """Whether to print the sheet: not if only proofs or suggestions were requested."""
        return self.odds is not None or not (self.proofs or self.suggestions)


def answer(
    reading: ParsedLog, request: ClueQuery, strategies: Sequence[Strategy], proving: Sequence[Strategy]
) -> ClueAnswer:
    """Analyse a log with `strategies`, and prove marks with `proving`.

    Raises UsageError for unknown names, Contradiction if the rules alone are contradictory.
    """
    seating = reading.log.seating
    cells = [parse_mark(text, seating) for text in request.marks]
    viewer = None if request.view is None else find_player(request.view, seating)
    only = parse_cards(request.only, seating) if request.only else []
    deduced = deduce(reading.log, strategies)
    if viewer is not None:
        deduced = deduce(log_seen_by(deduced.sheet, viewer), strategies)
    proofs = MarkProver(deduced, proving) if cells else None
    return ClueAnswer(
        reading,
        deduced,
        tuple(proofs.of(cell) for cell in cells) if proofs else (),
        mark_probabilities(deduced.knowledge) if request.odds else None,
        tuple(rank_suggestions(deduced.sheet, deduced.knowledge, only)) if request.suggest else (),
    )


@dataclass(frozen=True, slots=True)
class LogStep:
    """One line of the log: its number, its text, the deduction up to it.

    `proofs` contains the proof of each mark that it decided, by variable.
    """

    line: int
    text: str
    deduced: ClueDeduction
    proofs: dict[int, MarkProof]


def steps(log: ClueLog, strategies: Sequence[Strategy], proving: Sequence[Strategy]) -> Iterator[LogStep]:
    """Yield each line with entries in order, analysed with `strategies` and proved with `proving`."""
    known = 0
    for count, entry in enumerate(log.entries, 1):
        if count < len(log.entries) and log.entries[count].line == entry.line:
            continue  # the line has more entries
        deduced = deduce(log.until(count), strategies)
        proofs = MarkProver(deduced, proving)
        new = deduced.sheet.known & ~known
        known |= new
        yield LogStep(
            entry.line or 0, format_entry(entry, log.seating), deduced, {k: proofs.of(k) for k in bits(new)}
        )
