"""Names of Clue variables in sentences: `Bob has Plum`, `Plum is not with Ann or in the envelope`."""

from __future__ import annotations

from dataclasses import dataclass

from games.clue.log import Seating
from games.clue.sheet import LineSource
from games.logic import Constraint, bits
from games.logic.derivation import ResolvedPremise, ResolvedStep
from games.logic.sentences import MOST_NAMED, Vocabulary, format_range, join_names

FIRST_FEW = 4  # names listed if there are many


@dataclass(frozen=True, slots=True)
class ClueVocabulary(Vocabulary):
    """The vocabulary of one game; variables of the same holder, or card, are named together.

    `focus` is the set of variables to name first.
    """

    seating: Seating | None = None
    focus: int = 0

    @classmethod
    def of(cls, seating: Seating, focus: int = 0) -> ClueVocabulary:
        """The vocabulary of this seating."""

        def cell(k: int) -> str:
            card, holder = seating.card_and_holder(k)
            return f"{seating.card(card)} {_at(seating, holder)}"

        return cls(
            cell,
            lambda constraint: str(constraint.source),
            "is so",
            "are so",
            "is not so",
            "are not so",
            thing="card",
            things="cards",
            places="places",
            seating=seating,
            focus=focus,
        )

    def is_plain(self, constraint: Constraint) -> bool:
        """Whether the constraint only says that cards are held: `line 8 (Cat shows Plum)`."""
        return constraint.all_true

    def single(self, link: ResolvedStep, ground: ResolvedPremise) -> str | None:
        """A step from a single rule or line, in the words of players; None for the general wording."""
        news, source = link.news, ground.full.source
        if not isinstance(source, LineSource) or not (news.all_true or news.all_false):
            return None
        reason = self._because(source, ground, link)
        return f"{reason}, so {self.state(news.cells, news.all_true)}" if reason else None

    def _because(self, source: LineSource, ground: ResolvedPremise, link: ResolvedStep) -> str | None:
        """The known facts behind a step; None for the general wording."""
        held, missing = ground.known & link.true, ground.known & link.false
        if source.line is not None:
            is_shown = link.news.all_true and missing
            return f"{source}: {self.state(missing, False)}" if is_shown else None
        group = self._groups(ground.full.cells)[0]
        is_hand = not group.is_card and group.verb != "holds"
        if link.news.all_false:
            return f"all of {source.text} are known" if is_hand else self.state(held, True) if held else None
        if is_hand or not missing:
            return f"of {source.text} no other can be the rest" if missing else None
        return f"{group.name} is nowhere else" if group.is_card else self.state(missing, False)

    def listing(self, cells: int) -> str:
        """`Plum and Rope with Bob`, `Plum with Ann or in the envelope`."""
        return join_names([self._together(group, "and") for group in self._groups(cells)])

    def state(self, cells: int, is_true: bool) -> str:
        """`Bob has Plum and Rope`, `Plum is not with Ann or in the envelope`."""
        return join_names([self._said(group, is_true) for group in self._groups(cells)])

    def fact(self, constraint: Constraint) -> str:
        """A constraint as a clause."""
        groups = self._groups(constraint.cells)
        if (
            len(groups) != 1
            or constraint.is_impossible
            or constraint.all_true
            or constraint.all_false
            or constraint.size == 1
        ):
            return Vocabulary.fact(
                self, constraint
            )  # super() knows no class that dataclass made again for slots
        (group,) = groups
        number = format_range(constraint.low, constraint.high, constraint.size)
        if group.is_card:
            if (constraint.low, constraint.high) == (1, 1):
                return f"{group.name} is {group.listed('or')}"
            return f"{group.name} is in {number} of these places: {group.listed('or')}"
        return f"{group.name} {group.verb} {number} of {group.listed('and')}"

    def supposed(self, cells: int, is_true: bool) -> str:
        """`Bob had Plum`, `Plum were not in the envelope`."""
        (group,) = self._groups(cells)
        had = "held" if group.verb == "holds" else "had"
        return f"{group.name} {had} {'' if is_true else 'no '}{group.listed('or')}"

    def _groups(self, cells: int) -> list[_PhraseGroup]:
        """Group variables by holder, or by card if that gives fewer groups."""
        seating = self.seating
        assert seating is not None
        asked = cells & self.focus
        pairs = [seating.card_and_holder(k) for k in (*bits(asked), *bits(cells & ~asked))]
        cards, holders = sorted({card for card, _ in pairs}), sorted({holder for _, holder in pairs})
        if len(cards) < len(holders):
            return [
                _PhraseGroup(
                    seating.card(card), tuple(_at(seating, h) for c, h in pairs if c == card), "is", True
                )
                for card in cards
            ]
        return [
            _PhraseGroup(
                "the envelope" if holder == seating.envelope else seating.holders[holder],
                tuple(seating.card(c) for c, h in pairs if h == holder),
                "holds" if holder == seating.envelope else "has",
            )
            for holder in holders
        ]

    def _together(self, group: _PhraseGroup, word: str) -> str:
        if group.is_card:
            return f"{group.name} {group.listed('or')}"
        where = "in the envelope" if group.verb == "holds" else f"with {group.name}"
        return f"{group.listed(word)} {where}"

    def _said(self, group: _PhraseGroup, is_true: bool) -> str:
        if group.is_card:
            return f"{group.name} is {'' if is_true else 'not '}{group.listed('and' if is_true else 'or')}"
        return (
            f"{group.name} {group.verb} {'' if is_true else 'no '}{group.listed('and' if is_true else 'or')}"
        )


@dataclass(frozen=True, slots=True)
class _PhraseGroup:
    """Variables of one holder (`names` are cards) or of one card (`names` are places)."""

    name: str
    names: tuple[str, ...]
    verb: str
    is_card: bool = False

    def listed(self, word: str) -> str:
        if len(self.names) <= MOST_NAMED:
            return join_names(self.names, word)
        rest = len(self.names) - FIRST_FEW
        return join_names(
            (*self.names[:FIRST_FEW], f"{rest} other {'places' if self.is_card else 'cards'}"), word
        )


def _at(seating: Seating, holder: int) -> str:
    return "in the envelope" if holder == seating.envelope else f"with {seating.holders[holder]}"
