"""What looks could mean: hypotheses, each a state for every look, weighed by shape, ground, counts and acts.

A hypothesis must be possible: a zero lies among open cells, a number has room for its mines, and the whole
board has a layout (which a `Judge` says, for vision knows no solver). What is possible is weighed: how much a
glyph is like a digit, whether a drawing stands on the ground of hidden cells, how likely the clues are where
mines lie at random. Colour is not asked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from math import exp, inf

from games.minesweeper.board import FLAG, HIDDEN, MINE, QUESTION, SAFE, STATES, UNKNOWN, Board
from vision.choosing import best_first
from vision.fillings import Fillings
from vision.reading import Judge
from vision.roles import END, MARK, NUMBER, UNLIKELY, Roles, Skeleton
from vision.scene import Allowed, Hypothesis, Scene
from vision.traits import Resemblance, Traits

SETTLED = 0.99  # probability at which a meaning counts as known
FILLED = 24  # assignments of numbers that are judged for each skeleton
FARFETCHED = -16.0  # nats of evidence; a single picture that has less is no board at all
UNEXPLAINED = -1.5  # nats for each cell that may show anything: about what the number of a cell costs
UNSHOWN = -8.0  # nats for a lost game that keeps some of its mines to itself
MISPLACED = -6.0  # nats for marks on cells that are no mines

_MAY_BE_MINES = str.maketrans(dict.fromkeys(FLAG + QUESTION + UNKNOWN, HIDDEN))


class Interpreter:
    """Looks for meanings. `traits` has an entry for every look that was met, by its number.

    A meaning for which the pictures speak with less than `least` nats is given up: it may be no board at all.
    With `names_ends` it says which mine a drawing of an ended game is; else that is left for an act to tell.
    """

    def __init__(
        self, traits: Sequence[Traits], judge: Judge, least: float = -inf, names_ends: bool = False
    ) -> None:
        self._names_ends = names_ends
        self._traits = traits
        self._judge = judge
        self._least = least
        self._weighed: dict[str, float | None] = {}

    def interpret(
        self,
        scene: Scene,
        allowed: Allowed | None = None,
        mines: int | None = None,
        firm: Collection[int] = (),
    ) -> list[Hypothesis]:
        """The hypotheses that are possible and not far behind the best, the likeliest first.

        `firm` looks are states of cells for certain: no animation, no part of a message.
        """
        allowed = {look: (allowed or {}).get(look, STATES) for look in scene.present}
        self._weighed.clear()
        alike = Resemblance({look: self._traits[look] for look in scene.present})
        fillings = Fillings(scene, self._traits, allowed, alike)
        found: list[tuple[float, dict[int, str]]] = []
        first = 0.0
        for skeleton in Roles(scene, self._traits, allowed, alike, firm).skeletons():
            if found and skeleton.weight < first - UNLIKELY:
                break
            more = list(self._fill(fillings, skeleton, mines))
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
        self, fillings: Fillings, skeleton: Skeleton, mines: int | None
    ) -> Iterator[tuple[float, dict[int, str]]]:
        """The hypotheses with these roles."""
        fixed = {look: _letter(role) for look, role in skeleton.roles.items()}
        choices = self._possible_numbers(fillings, skeleton, fixed, mines)
        best = None
        for weight, chosen in islice(best_first(choices), FILLED) if choices is not None else ():
            if best is not None and weight < best - UNLIKELY:
                return
            shown = skeleton.weight + weight + fillings.repeated(chosen)
            if shown <= self._least:
                continue  # what marks could be makes it no likelier
            for ending, ended in fillings.endings(skeleton, self._names_ends):
                likely = self._likely(fillings, skeleton, {**fixed, **chosen, **ended}, mines)
                if likely is None:
                    continue
                best = weight if best is None else best
                for extra, others in fillings.marks(skeleton, ended):
                    if shown + ending + extra > self._least:
                        yield shown + ending + extra + likely, {**fixed, **chosen, **ended, **others}

    def _possible_numbers(
        self, fillings: Fillings, skeleton: Skeleton, fixed: Mapping[int, str], mines: int | None
    ) -> dict[int, list[tuple[str, float]]] | None:
        """For each look that is a number those that the board allows one by one; None when there are none."""
        scene = fillings.scene
        choices = fillings.numbers(skeleton)
        if not all(choices.values()):
            return None
        if skeleton.weight + sum(numbers[0][1] for numbers in choices.values()) <= self._least:
            return None
        if self._weigh(scene.board(fixed, mines)) is None:
            return None
        for look, numbers in choices.items():
            if len(numbers) > 1:
                choices[look] = [
                    (n, w)
                    for n, w in numbers
                    if self._weigh(scene.board({**fixed, look: n}, mines)) is not None
                ]
        return choices if all(choices.values()) else None

    def _likely(
        self, fillings: Fillings, skeleton: Skeleton, states: Mapping[int, str], mines: int | None
    ) -> float | None:
        """How likely the numbers are, and that drawings stand where they do; None when that is impossible."""
        scene = fillings.scene
        ends, marks = skeleton.playing(END), skeleton.playing(MARK)
        unnamed = [look for look in ends if states[look] == UNKNOWN]
        likely = self._weigh(scene.board({**states, **dict.fromkeys(ends, UNKNOWN)}, mines))
        if likely is None or (len(unnamed) < len(ends) and self._weigh(scene.board(states, mines)) is None):
            return None
        likely += UNEXPLAINED * fillings.counted(unnamed) + self._unshown(scene, ends, states, mines)
        if not marks or self._weigh(scene.board({**states, **dict.fromkeys(marks, MINE)}, mines)) is not None:
            return likely
        return likely + MISPLACED + UNEXPLAINED * fillings.counted(marks)

    def _unshown(
        self, scene: Scene, ends: Sequence[int], states: Mapping[int, str], mines: int | None
    ) -> float:
        """The nats that it costs that mines are shown, but not all that the numbers count."""
        shown = sum(len(scene.cells[look]) for look in ends if states[look] == MINE)
        if shown < 2:
            return 0.0  # some programs show the one that was hit, and no other
        covered = [look for look, state in states.items() if state == HIDDEN]
        board = scene.board({**states, **dict.fromkeys(covered, SAFE)}, mines)
        return 0.0 if self._weigh(board) is not None else UNSHOWN


def _letter(role: str) -> str:
    """What a role is on a board that is judged: an open cell of any number is one that is no mine."""
    return {NUMBER: SAFE, MARK: FLAG, END: UNKNOWN}.get(role, role)


def _normalised(found: Sequence[tuple[float, dict[int, str]]]) -> list[Hypothesis]:
    if not found:
        return []
    top = max(found, key=_weight)[0]
    likely = sorted(((w, s) for w, s in found if w > top - UNLIKELY), key=lambda each: -each[0])
    everything = sum(exp(weight - top) for weight, _ in likely)
    return [Hypothesis(states, exp(weight - top) / everything) for weight, states in likely]


def _weight(found: tuple[float, dict[int, str]]) -> float:
    return found[0]


def beliefs(hypotheses: Sequence[Hypothesis]) -> dict[int, tuple[str, float]]:
    """For each look its likeliest state and how likely that is, but for looks likeliest UNKNOWN."""
    found: dict[int, dict[str, float]] = {}
    for hypothesis in hypotheses:
        for look, state in hypothesis.states.items():
            states = found.setdefault(look, {})
            states[state] = states.get(state, 0.0) + hypothesis.weight
    likeliest = {look: max(states.items(), key=lambda item: item[1]) for look, states in found.items()}
    return {look: best for look, best in likeliest.items() if best[0] != UNKNOWN}
