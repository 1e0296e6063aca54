"""What to suggest next: every suggestion ranked by the information that it is expected to bring."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random

from games.clue import Seating, Sheet, UnknownName
from games.errors import Usage
from games.logic import Constraint, Knowledge, all_layouts, bits, cell_set
from strategies.guessing import Question, Reply, worths

LATER = 0.1  # what knowing of hands is worth beside knowing of the envelope (docs/clue.md has the figures)
DRAWN = 500  # deals that are looked at; when no more remain, all of them


@dataclass(frozen=True, slots=True)
class Ranked:
    """A suggestion (numbers of cards) and what it is expected to show, in bits.

    `envelope` is about what is in the envelope, `everything` about all hands.
    """

    cards: tuple[int, ...]
    envelope: float
    everything: float

    @property
    def worth(self) -> float:
        """What counts: the envelope, and a share of the rest, which shows the envelope later."""
        return round(self.envelope + LATER * self.everything, 9)


def ranked(sheet: Sheet, knowledge: Knowledge, only: Iterable[int] = ()) -> list[Ranked]:
    """Every suggestion that we can make, those that show most first.

    `only` are cards that we can name: of their kinds no other (the rooms that can be reached, say). The same
    log gives the same ranking. Raises Usage when it is nobody's sheet.
    """
    seating = sheet.seating
    if seating.me is None:
        raise Usage("only a player can suggest: say who you are with a line such as 'me Ann: Plum, Rope, …'")
    trios = list(product(*choices(seating, only)))
    questions = [suggestion(seating, seating.me, trio) for trio in trios]
    deals, are_all = _deals(knowledge)
    envelope = cell_set(seating.cell(card, seating.envelope) for card in range(len(seating.cards.cards)))
    worth = worths(deals, questions, envelope, are_all)
    found = [
        Ranked(trio, _bits(w.matters), _bits(w.everything)) for trio, w in zip(trios, worth, strict=True)
    ]
    return sorted(found, key=lambda each: (-each.worth, each.cards))


def suggestion(seating: Seating, asker: int, cards: Sequence[int]) -> Question:
    """A suggestion as a question: who passes, who shows which card."""
    passed: list[Constraint] = []
    replies = []
    for player in seating.after(asker):
        held = cell_set(seating.cell(card, player) for card in cards)
        replies += [Reply((*passed, Constraint(1 << k, 1, 1)), held) for k in bits(held)]
        passed.append(Constraint(held, 0, 0))
    return Question(tuple(cards), (*replies, Reply(tuple(passed))))


def choices(seating: Seating, only: Iterable[int] = ()) -> list[list[int]]:
    """For each kind the cards that can be named."""
    wanted = set(only)
    found = []
    for kind in range(len(seating.cards.kinds)):
        numbers = seating.cards.numbers(kind)
        found.append([card for card in numbers if card in wanted] or list(numbers))
    return found


def cards_called(text: str, seating: Seating) -> list[int]:
    """`hall, study` as cards. Raises Usage."""
    try:
        return [seating.cards.names.number(part.strip()) for part in text.split(",")]
    except UnknownName as error:
        raise Usage(str(error)) from error


def _bits(worth: float) -> float:
    """Bits without what rounding leaves below nothing."""
    return worth if worth > 0 else 0.0


def _deals(knowledge: Knowledge) -> tuple[list[int], bool]:
    """Deals that are equally likely, and whether they are all."""
    layouts = all_layouts(knowledge.stated)
    if layouts is None:
        return [], False
    if layouts.is_exact and layouts.count <= DRAWN:
        return [knowledge.true | layout for layout in layouts.every()], True
    rng = Random(0)  # noqa: S311 - a ranking must be repeatable, not secret
    return [knowledge.true | layout for layout in layouts.draw(DRAWN, rng)], False
