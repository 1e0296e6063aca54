"""What looks could mean: hypotheses, each a state for every look, weighed by shape, ground, counts and acts.

A hypothesis must be possible: a zero lies among open cells, a number has room for its mines, and the whole
board has a layout (which a `Judge` says, for vision knows no solver). What is possible is weighed: how much a
glyph is like a digit, whether a drawing stands on the ground of hidden cells, how likely the clues are where
mines lie at random. Colour is not asked.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product
from math import exp, inf
from typing import Protocol

import numpy as np

from games.minesweeper.board import (
    DIGITS,
    FLAG,
    HIDDEN,
    MINE,
    QUESTION,
    SAFE,
    STATES,
    UNKNOWN,
    Board,
    neighbours,
)
from vision.looks import Ids
from vision.traits import FLOOR, Traits

NUMBERS = DIGITS[1:]
SETTLED = 0.99  # probability at which a meaning counts as known
NUMBER, MARK, END = "number", "mark", "end"  # roles beside HIDDEN, "0" and UNKNOWN
UNLIKELY = 9.0  # nats behind the best; hypotheses that are worse are left out
ROLES_AT_ONCE = 400  # combinations of roles that are looked at
SKELETONS = 10  # of them that are filled with numbers
FILLED = 24  # assignments of numbers that are judged for each
DOUBTFUL = 8.0  # nats behind the likeliest number, within which a number is tried
SAME_RIM, OTHER_RIM = 0.6, -3.0  # of the rim; nats for a look with the same middle and another rim
SAME_MIDDLE = 0.93  # of the middle; then nothing is drawn in the one that is not in the other
NEAR, FAR = 30.0, 80.0  # grey levels; two looks that are less apart may well mean the same, more hardly
TWICE = -3.0  # nats for a second look with the same meaning
FARFETCHED = -25.0  # nats of evidence; a single picture that has less is no board at all
STRANGE = -8.5  # nats for a look that is nothing of all this: an animation, a pointer, a message
OPENED = 6.0  # nats more where it lies among open cells
RARE = 3.0  # nats against more than two question marks: people flag
COUNTED = 8  # cells of a look that count so
UNEXPLAINED = -1.5  # nats for each cell that may show anything: about what the number of a cell costs
MISPLACED = -6.0  # nats for marks on cells that are no mines
UNLIKE = 20.0  # nats against two looks of hidden cells with something else drawn in them
NO_HIDDEN, NO_ZERO = -1.0, -2.0  # nats for a board without a hidden cell, and without a zero
OVER = -3.0  # nats for a board whose game has ended, where nothing says so

_MAY_BE_MINES = str.maketrans(dict.fromkeys(FLAG + QUESTION + UNKNOWN, HIDDEN))

Allowed = Mapping[int, str]  # look -> the states that acts leave possible for it


class Judge(Protocol):
    """Somebody who knows which boards can be."""

    def weigh(self, board: Board) -> float | None:
        """How likely the numbers of a board are, in nats, where mines lie at random; None: impossible."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One meaning for every look, and how likely it is among all (0 to 1)."""

    states: Mapping[int, str]
    weight: float


@dataclass(frozen=True)
class Scene:
    """One picture of a board as looks. `ids` is the look of each cell, row by row."""

    rows: int
    columns: int
    ids: Ids

    @property
    def present(self) -> list[int]:
        """The looks that are on the board."""
        return [int(look) for look in np.unique(self.ids)]

    def cells(self, look: int) -> list[int]:
        """The cells of one look."""
        return [int(k) for k in np.flatnonzero(self.ids == look)]

    def board(self, states: Mapping[int, str], mines: int | None = None) -> Board:
        """The board under a meaning for each look; UNKNOWN for a look without one."""
        return Board(self.rows, self.columns, "".join(states.get(int(i), UNKNOWN) for i in self.ids), mines)


@dataclass(frozen=True)
class _Skeleton:
    """A role for every look, before numbers are told apart."""

    roles: Mapping[int, str]
    weight: float


class Interpreter:
    """Looks for meanings. `traits` has an entry for every look that was met, by its number.

    A meaning for which the pictures speak with less than `least` nats is given up: it may be no board at all.
    """

    def __init__(self, traits: Sequence[Traits], judge: Judge, least: float = -inf) -> None:
        self._traits = traits
        self._judge = judge
        self._least = least
        self._weighed: dict[str, float | None] = {}

    def interpret(
        self, scene: Scene, allowed: Allowed | None = None, mines: int | None = None
    ) -> list[Hypothesis]:
        """The hypotheses that are possible and not far behind the best, the likeliest first."""
        allowed = allowed or {}
        self._weighed.clear()
        table = _Table(scene, self._traits, {look: allowed.get(look, STATES) for look in scene.present})
        found: list[tuple[float, dict[int, str]]] = []
        first = 0.0
        for skeleton in table.skeletons():
            if found and skeleton.weight < first - UNLIKELY:
                break
            more = list(self._fill(table, skeleton, mines))
            first = skeleton.weight if more and not found else first
            found += more
        return _normalised(found)

    def _weigh(self, board: Board) -> float | None:
        """What the judge says; to it, whatever may hold a mine is the same."""
        hidden = Board(board.rows, board.columns, board.cells.translate(_MAY_BE_MINES), board.mines)
        if hidden.cells not in self._weighed:
            self._weighed[hidden.cells] = self._judge.weigh(hidden)
        return self._weighed[hidden.cells]

    def _fill(
        self, table: _Table, skeleton: _Skeleton, mines: int | None
    ) -> Iterator[tuple[float, dict[int, str]]]:
        """The hypotheses with these roles."""
        scene = table.scene
        fixed = {look: _letter(role) for look, role in skeleton.roles.items()}
        choices = table.numbers(skeleton)
        if any(not numbers for numbers in choices.values()):
            return
        if self._weigh(scene.board(fixed, mines)) is None:
            return
        for look, numbers in choices.items():
            if len(numbers) > 1:
                choices[look] = [
                    (n, w)
                    for n, w in numbers
                    if self._weigh(scene.board(fixed | {look: n}, mines)) is not None
                ]
            if not choices[look]:
                return
        best = None
        for weight, chosen in islice(_best_first(choices), FILLED):
            if best is not None and weight < best - UNLIKELY:
                return
            likely = self._likely(table, skeleton, fixed | chosen, mines)
            if likely is None:
                continue
            shown = skeleton.weight + weight + table.repeated(chosen)
            best = weight if best is None else best
            for extra, others in table.marks(skeleton):
                if shown + extra > self._least:
                    yield shown + extra + likely, fixed | chosen | others

    def _likely(
        self, table: _Table, skeleton: _Skeleton, states: Mapping[int, str], mines: int | None
    ) -> float | None:
        """How likely the numbers are, and that marks stand where they do; None when that is impossible."""
        likely = self._weigh(table.scene.board(states, mines))
        if likely is None:
            return None
        marks = [look for look, role in skeleton.roles.items() if role == MARK]
        ends = UNEXPLAINED * table.counted([look for look, role in skeleton.roles.items() if role == END])
        if not marks:
            return likely + ends
        on_mines = self._weigh(table.scene.board({**states, **dict.fromkeys(marks, MINE)}, mines))
        anywhere = likely + MISPLACED + UNEXPLAINED * table.counted(marks)
        return (anywhere if on_mines is None else max(on_mines, anywhere)) + ends


class _Table:
    """What is asked again and again about one scene."""

    def __init__(self, scene: Scene, traits: Sequence[Traits], allowed: Allowed) -> None:
        self.scene = scene
        self._traits = traits
        self._allowed = allowed
        self._distances: dict[tuple[int, int], float] = {}
        self._cells = {look: scene.cells(look) for look in scene.present}
        around = neighbours(scene.rows, scene.columns)
        self._sets = {look: sum(1 << k for k in cells) for look, cells in self._cells.items()}
        self._around = around
        beside = {look: _union(around[k] for k in cells) for look, cells in self._cells.items()}
        self._touching = {
            look: {other for other in self._sets if beside[look] & self._sets[other]} for look in self._sets
        }

    def skeletons(self) -> list[_Skeleton]:
        """The likeliest possible roles."""
        found: list[_Skeleton] = []
        grounds = self._grounds()
        for hidden, zero, start in grounds:
            others = [look for look in self._cells if look not in (hidden, zero)]
            options = [self._roles(look, hidden, zero) for look in others]
            if any(not roles for roles in options):
                continue
            fixed = {look: state for look, state in ((hidden, HIDDEN), (zero, "0")) if look is not None}
            choices = dict(zip(others, options, strict=True))
            for weight, chosen in islice(_best_first(choices), max(1, ROLES_AT_ONCE // len(grounds))):
                roles = fixed | chosen
                ended = OVER if END in chosen.values() and not self._told_of_end() else 0.0
                if self._is_possible(roles):
                    found.append(_Skeleton(roles, start + weight + ended))
        found.sort(key=lambda skeleton: -skeleton.weight)
        return found[:SKELETONS]

    def _grounds(self) -> list[tuple[int | None, int | None, float]]:
        """Which look could be the hidden cells, and which the open ones with nothing in them."""
        blank = {look: self._traits[look].blank for look in self._cells}
        told = [look for look in self._cells if self._allowed[look] == HIDDEN]
        hiddens = told[:1] or [look for look in self._cells if HIDDEN in self._allowed[look]]
        zeros = [look for look in self._cells if "0" in self._allowed[look]]
        found: list[tuple[int | None, int | None, float]] = []
        none: list[int | None] = [] if told else [None]
        for hidden, zero in product([*hiddens, *none], [None, *zeros]):
            if hidden == zero or (zero is not None and hidden in self._touching[zero]):
                continue
            weight = NO_HIDDEN if hidden is None else blank[hidden]
            found.append((hidden, zero, weight + (NO_ZERO if zero is None else blank[zero])))
        found.sort(key=lambda ground: -ground[2])
        return [ground for ground in found if ground[2] > found[0][2] - UNLIKELY][:12]

    def _told_of_end(self) -> bool:
        return any(set(states) <= set("*!x") for states in self._allowed.values())

    def _roles(self, look: int, hidden: int | None, zero: int | None) -> list[tuple[str, float]]:
        """The roles that one look could have beside these grounds, with their weights."""
        traits, allowed = self._traits[look], self._allowed[look]
        if allowed == UNKNOWN:
            return [(UNKNOWN, 0.0)]
        on_hidden = traits.on_ground_of(self._traits[hidden]) if hidden is not None else 0.0
        on_zero = traits.on_ground_of(self._traits[zero]) if zero is not None else 0.5
        among_zeros = zero is not None and zero in self._touching[look]
        off_cover = 5.0 * (1.0 - on_hidden) if hidden is not None else 1.0
        like_hidden = hidden is not None and traits.middle_of(self._traits[hidden]) > SAME_MIDDLE
        like_zero = zero is not None and traits.middle_of(self._traits[zero]) > SAME_MIDDLE
        roles: list[tuple[str, float]] = []
        if HIDDEN in allowed and not among_zeros:
            plain = traits.is_plain and (hidden is None or self._traits[hidden].is_plain)
            other = traits.blank - 6.0 if plain else traits.blank - UNLIKE
            same = -0.5 if on_hidden > SAME_RIM else OTHER_RIM
            roles.append((HIDDEN, same if like_hidden else other))
        if "0" in allowed and hidden not in self._touching[look]:
            same = -0.5 if on_zero > SAME_RIM else OTHER_RIM
            roles.append(("0", same if like_zero else traits.blank - 1.0))
        if set(allowed) & set(NUMBERS):
            on_cover = 5.0 * max(0.0, on_hidden - on_zero) + 25.0 * max(0.0, on_hidden - 0.8)
            roles.append((NUMBER, traits.glyph - on_cover + 2.0 * on_zero))
        if set(allowed) & {FLAG, QUESTION}:
            drawing = max(traits.drawing, traits.question - 0.5) if not like_hidden else FLOOR
            roles.append((MARK, drawing - off_cover - 5.0 * among_zeros))
        if set(allowed) & set("*!x"):
            covered = on_hidden if hidden is not None else 0.8
            roles.append((END, traits.drawing - 5.0 * covered - 6.0 * among_zeros))
        if len(allowed) == 1:
            return [(role, 0.0) for role, _ in roles]  # nothing in the picture speaks against what is known
        roles.append((UNKNOWN, STRANGE - (OPENED if among_zeros else 0.0)))
        return sorted(roles, key=lambda r: -r[1])

    def _is_possible(self, roles: Mapping[int, str]) -> bool:
        for look, role in roles.items():
            touched = {roles[other] for other in self._touching[look]}
            if role == "0" and (HIDDEN in touched or NUMBER not in roles.values()):
                return False
        unopened = self._unopened(roles)
        if not unopened:
            return False
        return all(
            self._around[k] & unopened
            for look, role in roles.items()
            if role == NUMBER
            for k in self._cells[look]
        )

    def _has_rival(self, look: int, skeleton: _Skeleton) -> bool:
        """Whether another look that is a mark differs so much that both can hardly mean the same."""
        marks = [other for other, role in skeleton.roles.items() if role == MARK and other != look]
        return any(self._apart(look, other) > NEAR for other in marks)

    def counted(self, looks: Sequence[int]) -> int:
        """How many cells of these looks are held against them."""
        return sum(min(self._count(look), COUNTED) for look in looks)

    def repeated(self, states: Mapping[int, str]) -> float:
        """The nats that it costs that looks which are far apart mean the same."""
        cost = 0.0
        for look, other in combinations(states, 2):
            if states[look] == states[other]:
                cost += TWICE * min(1.0, max(0.0, (self._apart(look, other) - NEAR) / (FAR - NEAR)))
        return cost

    def _apart(self, look: int, other: int) -> float:
        pair = min(look, other), max(look, other)
        if pair not in self._distances:
            self._distances[pair] = self._traits[look].far_from(self._traits[other])
        return self._distances[pair]

    def _count(self, look: int) -> int:
        return len(self._cells[look])

    def _unopened(self, roles: Mapping[int, str]) -> int:
        return _union(self._sets[look] for look, role in roles.items() if role not in (NUMBER, "0"))

    def numbers(self, skeleton: _Skeleton) -> dict[int, list[tuple[str, float]]]:
        """For each look that is a number the ones that it could be, the likeliest first."""
        unopened = self._unopened(skeleton.roles)
        found = {}
        for look, role in skeleton.roles.items():
            if role != NUMBER:
                continue
            room = min((self._around[k] & unopened).bit_count() for k in self._cells[look])
            likely = [
                (number, self._traits[look].digit(number) if len(self._allowed[look]) > 1 else 0.0)
                for number in NUMBERS
                if number in self._allowed[look] and int(number) <= room
            ]
            best = max((weight for _, weight in likely), default=0.0)
            found[look] = sorted((n for n in likely if n[1] > best - DOUBTFUL), key=lambda n: -n[1])
        return dict(sorted(found.items(), key=lambda item: -len(self._cells[item[0]])))

    def marks(self, skeleton: _Skeleton) -> list[tuple[float, dict[int, str]]]:
        """What the marks, and the drawings of an ended game, could be."""
        options: list[list[tuple[float, int, str]]] = []
        for look, role in skeleton.roles.items():
            if role == MARK:
                is_rare = len(self._cells[look]) > 2 and not self._has_rival(look, skeleton)
                question = self._traits[look].question - (RARE if is_rare else 0.0)
                weights = [(0.0, look, FLAG), (question - 2.0, look, QUESTION)]
            elif role == END and not set(self._allowed[look]) <= set("*!x"):
                weights = [(0.0, look, UNKNOWN)]  # which of them is for an act to tell
            elif role == END:
                alone = len(self._cells[look]) == 1
                weights = [(0.0, look, "*"), (0.0 if alone else FLOOR, look, "!"), (-3.0, look, "x")]
            else:
                continue
            options.append([w for w in weights if w[2] in self._allowed[look] + UNKNOWN])
        found = []
        for chosen in islice(product(*options), 64):
            states = {look: state for _, look, state in chosen}
            found.append((sum(w for w, _, _ in chosen) + self.repeated(states), states))
        return found


def _letter(role: str) -> str:
    """What a role is on a board that is judged: an open cell of any number is one that is no mine."""
    return {NUMBER: SAFE, MARK: FLAG, END: UNKNOWN}.get(role, role)


def _best_first(
    choices: Mapping[int, Sequence[tuple[str, float]]],
) -> Iterator[tuple[float, dict[int, str]]]:
    """Every way to choose one of each, the heaviest first; each list must be sorted, heaviest first."""
    looks = list(choices)
    start = tuple(0 for _ in looks)
    weight = sum(choices[look][0][1] for look in looks)
    waiting: list[tuple[float, tuple[int, ...]]] = [(-weight, start)]
    seen = {start}
    while waiting:
        negative, places = heapq.heappop(waiting)
        yield -negative, {look: choices[look][p][0] for look, p in zip(looks, places, strict=True)}
        for k, look in enumerate(looks):
            p = places[k] + 1
            after = (*places[:k], p, *places[k + 1 :])
            if p < len(choices[look]) and after not in seen:
                seen.add(after)
                change = choices[look][p][1] - choices[look][p - 1][1]
                heapq.heappush(waiting, (negative - change, after))


def _normalised(found: Sequence[tuple[float, dict[int, str]]]) -> list[Hypothesis]:
    if not found:
        return []
    top = max(found, key=_weight)[0]
    likely = sorted(((w, s) for w, s in found if w > top - UNLIKELY), key=lambda each: -each[0])
    everything = sum(exp(weight - top) for weight, _ in likely)
    return [Hypothesis(states, exp(weight - top) / everything) for weight, states in likely]


def _weight(found: tuple[float, dict[int, str]]) -> float:
    return found[0]


def _union(sets: Iterator[int]) -> int:
    result = 0
    for each in sets:
        result |= each
    return result


def beliefs(hypotheses: Sequence[Hypothesis]) -> dict[int, tuple[str, float]]:
    """For each look its likeliest state and how likely that is, but for looks likeliest UNKNOWN."""
    found: dict[int, dict[str, float]] = {}
    for hypothesis in hypotheses:
        for look, state in hypothesis.states.items():
            states = found.setdefault(look, {})
            states[state] = states.get(state, 0.0) + hypothesis.weight
    likeliest = {look: max(states.items(), key=lambda item: item[1]) for look, states in found.items()}
    return {look: best for look, best in likeliest.items() if best[0] != UNKNOWN}
