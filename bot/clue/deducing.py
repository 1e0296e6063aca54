"""From a log to its sheet: what follows, what is new with the last line, which lines cannot all be true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.clue import ClueWords, Log, Sheet, knowledge_of, rules, stated
from games.errors import Contradiction
from games.logic import Knowledge
from strategies import Reasoner, Strategy
from strategies.search import can_hold, smallest_conflict

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
