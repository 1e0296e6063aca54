"""Which part each look of a scene could play: hidden cells, open ones, numbers, marks, what an end shows.

Numbers are not told apart yet, nor flags from question marks: a role is what the ground, the kind of drawing
and the neighbours tell. Whether all roles together are possible is looked at before anything dearer.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product

from games.minesweeper.board import FLAG, HIDDEN, QUESTION, UNKNOWN
from vision.choosing import best_first
from vision.glyphs import DIGITS as NUMBERS
from vision.scene import Allowed, Scene
from vision.traits import FLOOR, Resemblance, Traits

NUMBER, MARK, END = "number", "mark", "end"  # roles beside HIDDEN, "0" and UNKNOWN
ENDED = "*!x"  # states that only a game that is over shows
UNLIKELY = 9.0  # nats behind the best; what is worse is left out
GROUNDS = 12  # pairs of grounds that are tried
ROLES_AT_ONCE = 400  # combinations of roles that are looked at
SKELETONS = 10  # of them that are filled with numbers
SAME_RIM, OTHER_RIM = 0.6, -3.0  # of the rim; nats for a look with the same middle and another rim
SAME_MIDDLE = 0.93  # of the middle; then nothing is drawn in the one that is not in the other
SAME_DRAWING = 0.97  # of the middle; then the same is drawn in both, and both mean the same
STRANGE = -8.5  # nats for a look that is nothing of all this: an animation, a pointer, a message
OPENED = 6.0  # nats more where it lies among open cells
COVER = 7.0  # nats against a flag that stands on no hidden cell, and against a shown mine that does
UNLIKE = 20.0  # nats against two looks of hidden cells with something else drawn in them
NO_HIDDEN, NO_ZERO = -1.0, -2.0  # nats for a board without a hidden cell, and without a zero
OVER = -3.0  # nats for a board whose game has ended, where nothing says so


@dataclass(frozen=True)
class Skeleton:
    """A role for every look, before numbers are told apart."""

    roles: Mapping[int, str]
    weight: float

    def playing(self, role: str) -> list[int]:
        """The looks with this role."""
        return [look for look, its in self.roles.items() if its == role]


class Roles:
    """The roles that the looks of one scene could have.

    `allowed` names the states that are left for each; those that are `firm` have one of them for certain.
    """

    def __init__(
        self,
        scene: Scene,
        traits: Sequence[Traits],
        allowed: Allowed,
        alike: Resemblance,
        firm: Collection[int] = (),
    ) -> None:
        self._firm = firm
        self._scene = scene
        self._traits = traits
        self._allowed = allowed
        self._alike = alike

    def skeletons(self) -> list[Skeleton]:
        """The likeliest possible ways to give every look a role, the likeliest first."""
        found: list[Skeleton] = []
        grounds = self._grounds()
        ended = 0.0 if self._is_told_of_end() else OVER
        for hidden, zero, start in grounds:
            drawings = self._drawings(hidden, zero)
            options = {looks[0]: self._shared_options(looks, hidden, zero) for looks in drawings}
            if not all(options.values()):
                continue
            fixed = {look: state for look, state in ((hidden, HIDDEN), (zero, "0")) if look is not None}
            for weight, chosen in islice(best_first(options), max(1, ROLES_AT_ONCE // len(grounds))):
                roles = fixed | {look: chosen[looks[0]] for looks in drawings for look in looks}
                if self._is_possible(roles):
                    over = ended if END in chosen.values() else 0.0
                    found.append(Skeleton(roles, start + weight + over))
        found.sort(key=lambda skeleton: -skeleton.weight)
        return found[:SKELETONS]

    def _grounds(self) -> list[tuple[int | None, int | None, float]]:
        """Which look could be the hidden cells, and which the open ones with nothing in them."""
        looks, touching = self._scene.present, self._scene.touching
        blank = {look: self._traits[look].blank for look in looks}
        told = [look for look in looks if self._allowed[look] == HIDDEN]
        hiddens = told[:1] or [look for look in looks if HIDDEN in self._allowed[look]]
        zeros = [look for look in looks if "0" in self._allowed[look]]
        found: list[tuple[int | None, int | None, float]] = []
        none: list[int | None] = [] if told else [None]
        for hidden, zero in product([*hiddens, *none], [None, *zeros]):
            if hidden == zero or (zero is not None and hidden in touching[zero]):
                continue
            weight = NO_HIDDEN if hidden is None else blank[hidden]
            found.append((hidden, zero, weight + (NO_ZERO if zero is None else blank[zero])))
        found.sort(key=lambda ground: -ground[2])
        return [ground for ground in found if ground[2] > found[0][2] - UNLIKELY][:GROUNDS]

    def _is_told_of_end(self) -> bool:
        return any(set(states) <= set(ENDED) for states in self._allowed.values())

    def _drawings(self, *grounds: int | None) -> list[list[int]]:
        """The looks but for the grounds; those in which the same is drawn are together."""
        found: list[list[int]] = []
        for look in self._scene.present:
            if look in grounds:
                continue
            same = (looks for looks in found if self._is_same_drawing(look, looks[0]))
            if (looks := next(same, None)) is not None:
                looks.append(look)
            else:
                found.append([look])
        return found

    def _is_same_drawing(self, look: int, other: int) -> bool:
        if not (self._traits[look].has_core and self._traits[other].has_core):
            return False
        return self._allowed[look] == self._allowed[other] and self._alike.middle(look, other) > SAME_DRAWING

    def _shared_options(
        self, looks: Sequence[int], hidden: int | None, zero: int | None
    ) -> list[tuple[str, float]]:
        """The roles that all of these looks could have, each with its mean weight, the best first."""
        options = [dict(self._options(look, hidden, zero)) for look in looks]
        shared = [role for role in options[0] if all(role in other for other in options)]
        weights = [(role, sum(other[role] for other in options) / len(options)) for role in shared]
        return sorted(weights, key=lambda r: -r[1])

    def _options(self, look: int, hidden: int | None, zero: int | None) -> list[tuple[str, float]]:
        """The roles that one look could have beside these grounds, with their weights, the best first."""
        traits, allowed, touching = self._traits[look], self._allowed[look], self._scene.touching
        if allowed == UNKNOWN:
            return [(UNKNOWN, 0.0)]
        on_hidden = self._alike.rim(look, hidden) if hidden is not None else 0.0
        on_zero = self._alike.rim(look, zero) if zero is not None else 0.5
        among_zeros = zero is not None and zero in touching[look]
        off_cover = COVER * (1.0 - on_hidden) if hidden is not None else 1.0
        like_hidden = hidden is not None and self._alike.middle(look, hidden) > SAME_MIDDLE
        like_zero = zero is not None and self._alike.middle(look, zero) > SAME_MIDDLE
        roles: list[tuple[str, float]] = []
        if HIDDEN in allowed and not among_zeros:
            plain = traits.is_plain and (hidden is None or self._traits[hidden].is_plain)
            other = traits.blank - 6.0 if plain else traits.blank - UNLIKE
            same = -0.5 if on_hidden > SAME_RIM else OTHER_RIM
            roles.append((HIDDEN, same if like_hidden else other))
        if "0" in allowed and hidden not in touching[look]:
            same = -0.5 if on_zero > SAME_RIM else OTHER_RIM
            roles.append(("0", same if like_zero else traits.blank - 1.0))
        if set(allowed) & set(NUMBERS):
            on_cover = 5.0 * max(0.0, on_hidden - on_zero) + 25.0 * max(0.0, on_hidden - 0.8)
            roles.append((NUMBER, traits.glyph - on_cover + 2.0 * on_zero))
        if set(allowed) & {FLAG, QUESTION}:
            drawing = max(traits.drawing, traits.question - 0.5) if not like_hidden else FLOOR
            roles.append((MARK, drawing - off_cover - 5.0 * among_zeros))
        if set(allowed) & set(ENDED):
            covered = on_hidden if hidden is not None else 0.8
            roles.append((END, traits.drawing - COVER * covered - 6.0 * among_zeros))
        if len(allowed) == 1:
            return [(role, 0.0) for role, _ in roles]  # nothing in the picture speaks against what is known
        if look not in self._firm or not roles:
            roles.append((UNKNOWN, STRANGE - (OPENED if among_zeros else 0.0)))
        return sorted(roles, key=lambda r: -r[1])

    def _is_possible(self, roles: Mapping[int, str]) -> bool:
        """Whether zeros lie among open cells, and every number beside one that is not open."""
        touching = self._scene.touching
        numbers = [look for look, role in roles.items() if role == NUMBER]
        for look, role in roles.items():
            if role == "0" and (not numbers or any(roles[other] == HIDDEN for other in touching[look])):
                return False
        unopened = unopened_cells(self._scene, roles)
        around, cells = self._scene.around, self._scene.cells
        return bool(unopened) and all(around[k] & unopened for look in numbers for k in cells[look])


def unopened_cells(scene: Scene, roles: Mapping[int, str]) -> int:
    """The set of the cells that are not open under these roles."""
    found = 0
    for look, role in roles.items():
        if role not in (NUMBER, "0"):
            found |= scene.sets[look]
    return found
