"""What exactly looks with a role could show: which number, which mark, which mine of an ended game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, islice, product

from games.minesweeper.board import EXPLODED, FLAG, HIDDEN, MINE, QUESTION, UNKNOWN, WRONG_FLAG
from vision.glyphs import DIGITS as NUMBERS
from vision.roles import END, ENDED, MARK, NUMBER, Skeleton, unopened_cells
from vision.scene import Allowed, Scene
from vision.traits import FLOOR, Resemblance, Traits

DOUBTFUL = 8.0  # nats behind the likeliest number, within which a number is tried
NEAR, FAR = 30.0, 80.0  # grey levels; two looks that are less apart may well mean the same, more hardly
TWICE = -3.0  # nats for a second look with the same meaning
RARE = 3.0  # nats against more than two question marks: people flag
COUNTED = 8  # cells of a look that count
WRONG = -5.0  # nats against wrong flags: most drawings of an ended game are mines
SAME_MINE = -5.0  # nats against a mine that is drawn unlike all others, and was not hit
UNNAMED = -5.0  # nats against a drawing that is neither, where others are mines
OTHER_MINE = -12.0  # nats against two looks of mines that are unlike, and neither was hit
LIT = -8.0  # nats against the mine that was hit where it stands on the ground of other cells
MOST_ENDS = 27  # ways in which drawings could be mines and wrong flags
MOST_MARKS = 64  # ways to tell marks apart


class Fillings:
    """The states that looks could have once their roles are given."""

    def __init__(self, scene: Scene, traits: Sequence[Traits], allowed: Allowed, alike: Resemblance) -> None:
        self.scene = scene
        self._traits = traits
        self._allowed = allowed
        self._alike = alike
        self._costs: dict[tuple[int, int], float] = {}

    def numbers(self, skeleton: Skeleton) -> dict[int, list[tuple[str, float]]]:
        """For each look that is a number the ones that it could be, the likeliest first."""
        unopened = unopened_cells(self.scene, skeleton.roles)
        around, cells = self.scene.around, self.scene.cells
        found = {}
        for look in sorted(skeleton.playing(NUMBER), key=lambda look: -len(cells[look])):
            room = min((around[k] & unopened).bit_count() for k in cells[look])
            allowed, traits = self._allowed[look], self._traits[look]
            likely = [
                (number, traits.digit(number) if len(allowed) > 1 else 0.0)
                for number in NUMBERS
                if number in allowed and int(number) <= room
            ]
            best = max((weight for _, weight in likely), default=0.0)
            found[look] = sorted((n for n in likely if n[1] > best - DOUBTFUL), key=lambda n: -n[1])
        return found

    def endings(self, skeleton: Skeleton, is_named: bool) -> list[tuple[float, dict[int, str]]]:
        """Ways in which the drawings of an ended game could be mines or wrong flags, each with its weight.

        Those that acts told are left out. UNKNOWN is what nobody can name: without `is_named` all of it.
        """
        told = {look for look in skeleton.playing(END) if set(self._allowed[look]) <= set(ENDED)}
        others = [look for look in skeleton.playing(END) if look not in told]
        ways: list[tuple[float, dict[int, str]]] = [
            (UNNAMED if is_named and others else 0.0, dict.fromkeys(others, UNKNOWN))
        ]
        options = ((0.0, MINE), (WRONG, WRONG_FLAG), (UNNAMED, UNKNOWN))
        for chosen in islice(product(options, repeat=len(others)), MOST_ENDS if is_named and others else 0):
            states = {look: state for look, (_, state) in zip(others, chosen, strict=True)}
            mines = [look for look, state in states.items() if state == MINE]
            if mines and all(s in self._allowed[look] + UNKNOWN for look, s in states.items()):
                weight = sum(weight for weight, _ in chosen) + self._unlike(mines)
                ways.append((weight, states))
        return ways

    def marks(self, skeleton: Skeleton, ended: Mapping[int, str]) -> list[tuple[float, dict[int, str]]]:
        """What the marks, and the mines of an ended game, could be, each with its weight."""
        options: list[list[tuple[float, int, str]]] = []
        for look, role in skeleton.roles.items():
            cells = len(self.scene.cells[look])
            if role == MARK:
                is_rare = cells > 2 and not self._has_rival(look, skeleton)
                question = self._traits[look].question - (RARE if is_rare else 0.0)
                weights = [(0.0, look, FLAG), (question - 2.0, look, QUESTION)]
            elif role == END and look not in ended:
                alone = 0.0 if cells == 1 else FLOOR
                weights = [(0.0, look, MINE), (alone, look, EXPLODED), (-3.0, look, WRONG_FLAG)]
            else:
                continue
            options.append([w for w in weights if w[2] in self._allowed[look] + UNKNOWN])
        found = []
        hits = self._hits(skeleton, [look for look, state in ended.items() if state == MINE])
        for chosen in islice(product(*options), MOST_MARKS):
            states = {look: state for _, look, state in chosen}
            marked = sum(w for w, _, _ in chosen) + self.repeated(states)
            found += [(marked + weight, {**states, **hit}) for weight, hit in hits]
        return found

    def _hits(self, skeleton: Skeleton, mines: Sequence[int]) -> list[tuple[float, dict[int, str]]]:
        """Which of these looks of mines could be the mine that was hit: one that is there once, or none."""
        alone = [look for look in mines if len(self.scene.cells[look]) == 1]
        grounds = [look for look, role in skeleton.roles.items() if role in (HIDDEN, "0")]
        hits: list[tuple[float, dict[int, str]]] = [(SAME_MINE if alone else 0.0, {})]
        for look in alone:
            plain = max((self._alike.rim(look, ground) for ground in grounds), default=0.0)
            others = self._unlike([other for other in mines if other != look])
            hits.append((LIT * plain * (len(alone) > 1) + others - self._unlike(mines), {look: EXPLODED}))
        return hits

    def _unlike(self, mines: Sequence[int]) -> float:
        """The nats that it costs that these looks, some of them unlike the others, are all plain mines."""
        pairs = sum(self._alike.apart(one, other) > NEAR for one, other in combinations(mines, 2))
        return OTHER_MINE * pairs

    def _has_rival(self, look: int, skeleton: Skeleton) -> bool:
        """Whether another look that is a mark differs so much that both can hardly mean the same."""
        marks = [other for other in skeleton.playing(MARK) if other != look]
        return any(self._alike.apart(look, other) > NEAR for other in marks)

    def counted(self, looks: Sequence[int]) -> int:
        """How many cells of these looks are held against them."""
        return sum(min(len(self.scene.cells[look]), COUNTED) for look in looks)

    def repeated(self, states: Mapping[int, str]) -> float:
        """The nats that it costs that looks which are far apart mean the same."""
        same: dict[str, list[int]] = {}
        cost = 0.0
        for look, state in states.items():
            for other in same.setdefault(state, []):
                cost += self._twice(look, other)
            same[state].append(look)
        return cost

    def _twice(self, look: int, other: int) -> float:
        """The nats that it costs that these two looks mean the same."""
        if (look, other) not in self._costs:
            far = (self._alike.apart(look, other) - NEAR) / (FAR - NEAR)
            self._costs[look, other] = TWICE * min(1.0, max(0.0, far))
        return self._costs[look, other]
