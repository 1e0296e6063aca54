"""A game of Clue line by line: the sheet behind each, and why each mark came when it did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.clue.deducing import Deduced, deduce
from bot.clue.proofs import Proof, Proofs
from games.clue import Log, describe
from games.logic import bits
from strategies import Strategy


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
