"""The mine total, from what a program shows beside its board: a fraction such as `43/99`, or a counter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from games.minesweeper import Board
from vision.counter.figures import CLASSES, OTHER, FigureModel
from vision.counter.lines import Glyph, lines_in
from vision.frame import Frame
from vision.lattice import Lattice

REACH_CELLS, REACH_PIXELS = 6, 120  # how far from the board is looked, at the least
# probabilities at which a figure is read: of a total, which nothing else confirms; of flags and strokes; of a
# number that another picture must confirm
SURE, LIKELY, PERHAPS = 0.98, 0.8, 0.5
ALIKE = 0.25  # of their height: figures of one number are as high, and as far up; a 1 of segments is shorter
MOST_UNREAD = 3  # cells, such as the one under the pointer
GAP = 0.7  # heights; most between figures of one number
FRACTION = re.compile(r"(?<![\d/])(?<!\d:)(\d{1,4})/(\d{1,4})(?![\d/:])")
NUMBER = re.compile(r"\d{1,4}")


@dataclass(frozen=True, slots=True)
class Counter:
    """What a program says of its mines: the `total`, from what it `shows`.

    `form` is "fraction" (flags or mines left, and the total) or "falling" (a number that fell by as many as
    there came flags).
    """

    total: int
    shows: str
    form: Literal["fraction", "falling"]


@dataclass(frozen=True, slots=True)
class Number:
    """Figures beside the board, and their box in the picture (left, top, right, bottom)."""

    figures: str
    box: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Sighting:
    """What was read beside one board: fractions that agree with it, and numbers."""

    board: Board
    fractions: tuple[Counter, ...] = ()
    numbers: tuple[Number, ...] = ()

    @property
    def counter(self) -> Counter | None:
        """The total that all fractions name, None where there is none, or several."""
        return self.fractions[0] if len({each.total for each in self.fractions}) == 1 else None

    def since(self, earlier: Sighting) -> Counter | None:
        """The total by a number that fell by as many as there came flags; None for none, or several."""
        came = self.board.flagged.bit_count() - earlier.board.flagged.bit_count()
        if came <= 0 or len(earlier.board) != len(self.board):
            return None
        found = {
            Counter(int(now.figures) + self.board.flagged.bit_count(), now.figures, "falling")
            for now in self.numbers
            for then in earlier.numbers
            if int(then.figures) - int(now.figures) == came and _lie_over(now, then)
        }
        totals = {each.total for each in found if _can_be(each.total, self.board)}
        return next(each for each in found if each.total in totals) if len(totals) == 1 else None


class Tally:
    """Follows one game from sighting to sighting."""

    def __init__(self) -> None:
        self._first: Sighting | None = None

    def add(self, sighting: Sighting) -> Counter | None:
        """The counter, as far as this and what was seen before it show; None where it is not beyond doubt."""
        first = self._first
        if first is None or sighting.board.flagged.bit_count() < first.board.flagged.bit_count():
            self._first = sighting
        falling = sighting.since(first) if first is not None else None
        found = [each for each in (sighting.counter, falling) if each is not None]
        return found[0] if len({each.total for each in found}) == 1 else None


class CounterReader:
    """Reads what stands beside boards."""

    def __init__(self, model: FigureModel) -> None:
        self._model = model

    @classmethod
    def load(cls) -> CounterReader:
        """With the model that is part of Sapper. Raises MachineLacks when it is missing or damaged."""
        return cls(FigureModel.load())

    def look(self, frame: Frame, lattice: Lattice, board: Board) -> Sighting:
        """What stands beside a board.

        Nothing is read beside a board that is over, or of which many cells are unread: they may be flags.
        """
        if board.shown_mines or board.unread.bit_count() > MOST_UNREAD or not board.closed:
            return Sighting(board)
        read = [each for part in _around(frame, lattice) for each in self._read(part)]
        numbers = () if board.unread else tuple(_numbers(read))
        return Sighting(board, tuple(_fractions(read, board)), numbers)

    def _read(self, part: tuple[Frame, int, int]) -> Iterator[_Read]:
        frame, left, top = part
        for line in lines_in(frame.pixels):
            moved = tuple(_moved(glyph, left, top) for glyph in line.glyphs)
            likely = self._model.likelihoods([glyph.ink for glyph in line.glyphs])
            sure = likely.max(axis=1)
            kinds = np.where(sure >= PERHAPS, likely.argmax(axis=1), CLASSES.index(OTHER))
            yield _Read(moved, "".join(CLASSES[kind] for kind in kinds), sure)


@dataclass(frozen=True, eq=False)
class _Read:
    """A line and what each of its glyphs is, and how sure that is."""

    glyphs: tuple[Glyph, ...]
    figures: str
    sure: NDArray[np.float32]


def _moved(glyph: Glyph, left: int, top: int) -> Glyph:
    x, y, width, height = glyph.box
    return Glyph((x + left, y + top, width, height), glyph.ink)


def _around(frame: Frame, lattice: Lattice) -> Iterator[tuple[Frame, int, int]]:
    """The parts of a picture above, below, left and right of a board, and where their corners are."""
    left, top, width, height = lattice.box
    reach = max(REACH_PIXELS, round(REACH_CELLS * lattice.pitch))
    first, last = max(0, left - reach), min(frame.width, left + width + reach)
    high, low = max(0, top - reach), min(frame.height, top + height + reach)
    for x0, y0, x1, y1 in (
        (first, high, last, top),
        (first, top + height, last, low),
        (first, top, left, top + height),
        (left + width, top, last, top + height),
    ):
        if x1 - x0 > 4 and y1 - y0 > 4:
            yield frame.cut(x0, y0, x1 - x0, y1 - y0), x0, y0


def _fractions(read: Sequence[_Read], board: Board) -> Iterator[Counter]:
    """What a fraction says: flags (or mines left) and the total."""
    flags = board.flagged.bit_count()
    may_be = range(flags, flags + board.unread.bit_count() + 1)
    for line in read:
        for match in FRACTION.finditer(line.figures):
            numbers = [line.glyphs[slice(*match.span(group))] for group in (1, 2)]
            part, total = int(match[1]), int(match[2])
            is_sure = line.sure[slice(*match.span(2))].min() >= SURE
            is_likely = line.sure[match.start() : match.start(2)].min() >= LIKELY
            agrees = (part in may_be or total - part in may_be) and _can_be(total, board)
            if is_sure and is_likely and agrees and all(map(_are_alike, numbers)):
                yield Counter(total, match[0], "fraction")


def _numbers(read: Sequence[_Read]) -> Iterator[Number]:
    """Every number; of those that lie over one another the longest."""
    found = set()
    for line in read:
        for match in NUMBER.finditer(line.figures):
            glyphs = line.glyphs[match.start() : match.end()]
            if _are_alike(glyphs):
                boxes = [glyph.box for glyph in glyphs]
                top, bottom = min(box[1] for box in boxes), max(y + height for _, y, _, height in boxes)
                found.add(Number(match[0], (boxes[0][0], top, boxes[-1][0] + boxes[-1][2], bottom)))
    for one in found:
        if not any(len(other.figures) > len(one.figures) and _lie_over(one, other) for other in found):
            yield one


def _lie_over(one: Number, other: Number) -> bool:
    a, b = one.box, other.box
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _are_alike(glyphs: Sequence[Glyph]) -> bool:
    """Whether glyphs stand in one row, close to one another and equally high."""
    height = max(glyph.box[3] for glyph in glyphs)
    slack = max(1.0, ALIKE * height)
    tops, heights = [glyph.box[1] for glyph in glyphs], [glyph.box[3] for glyph in glyphs]
    gaps = [b.box[0] - a.box[0] - a.box[2] for a, b in pairwise(glyphs)]
    return (
        max(tops) - min(tops) <= slack
        and height - min(heights) <= slack
        and max(gaps, default=0) <= GAP * height
    )


def _can_be(total: int, board: Board) -> bool:
    """Whether so many mines fit: not fewer than the flags, and one cell is left without."""
    flags = board.flagged.bit_count()
    return max(1, flags) <= total <= flags + board.closed.bit_count() and total < len(board)
