"""Read the mine total next to the board: a fraction such as `43/99`, or a falling counter.

`find_text_lines` finds lines of glyphs on plain ground, and a small trained network classifies each glyph. A
fraction must agree with the flags on the board. A single number proves the total only once it has fallen by
exactly the number of flags placed since an earlier observation. Until then, `single_totals` lists the totals
that single numbers may name: the counter of some programs means something else.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from games.minesweeper import Board
from vision.frame import Frame, Pixels
from vision.lattice import Lattice
from vision.params import load_data_file

HEIGHTS = (6, 90)  # pixels; minimum and maximum height of a text line
STEP = 24  # grey levels between neighbouring pixels that form an edge
FAINT = 60  # grey levels; minimum contrast of ink and ground
REACHES = (3, 7, 15)  # pixels; gaps closed between the glyphs of one line
SHARES = (0.5, 0.75)  # fraction of the strongest ink that counts as ink; the second skips unlit segments
OVER = 0.35  # fraction of the narrower part; parts that overlap by more form one glyph
MOST = 60  # glyphs per line
Ink = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Glyph:
    """One character: its box in the picture (left, top, width, height), and its ink there, 0 to 1."""

    box: tuple[int, int, int, int]
    ink: Ink


def find_text_lines(pixels: Pixels, corner: tuple[int, int]) -> Iterator[tuple[Glyph, ...]]:
    """The glyphs of all text lines, left to right; a line may occur several times, split differently.

    `corner` is the position of these pixels in the picture.
    """
    for left, top, width, height in dict.fromkeys(_boxes(pixels)):
        part = pixels[top : top + height, left : left + width]
        for ink in _inks(part):
            glyphs = _glyphs(ink, corner[0] + left, corner[1] + top)
            if 0 < len(glyphs) <= MOST:
                yield glyphs


def _boxes(pixels: Pixels) -> Iterator[tuple[int, int, int, int]]:
    """Boxes of possible lines, with a margin of two pixels."""
    cross = np.ones((2, 2), np.uint8)
    steps = cv2.dilate(pixels, cross).astype(np.int16) - cv2.erode(pixels, cross)
    edges = (steps.max(axis=2) > STEP).astype(np.uint8)
    for reach in REACHES:
        joined = cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((1, reach), np.uint8))
        contours, _ = cv2.findContours(joined, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            x, y, width, height = (int(side) for side in cv2.boundingRect(contour))
            if HEIGHTS[0] <= height <= HEIGHTS[1] and width >= 2:
                left, top = max(0, x - 2), max(0, y - 2)
                right = min(pixels.shape[1], x + width + 2)
                bottom = min(pixels.shape[0], y + height + 2)
                yield left, top, right - left, bottom - top


def _inks(part: Pixels) -> Iterator[Ink]:
    """Amount of ink per pixel (0 to 1), for each threshold in SHARES."""
    coarse = (part >> 4).reshape(-1, 3).astype(np.int32)
    codes = coarse[:, 0] << 8 | coarse[:, 1] << 4 | coarse[:, 2]
    usual = np.bincount(codes).argmax()
    ground = np.median(part.reshape(-1, 3)[codes == usual], axis=0)
    far = np.abs(part.astype(np.float32) - ground).max(axis=2)
    strongest = float(np.percentile(far, 99))
    if strongest < FAINT:
        return
    for share in SHARES:  # ink weaker than the share counts as ground
        low = 2 * share - 1
        yield np.clip((far / strongest - low) / (1 - low), 0, 1).astype(np.float32)


def _glyphs(ink: Ink, left: int, top: int) -> tuple[Glyph, ...]:
    """Glyphs in a part of a picture whose corner is at (left, top), without frames."""
    high, wide = ink.shape
    mask = (ink >= 0.5).astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    for label, (x, y, width, height, _) in enumerate(stats.tolist()):
        touches = (x == 0) + (y == 0) + (x + width == wide) + (y + height == high)
        if label and (touches > 1 or (width > 0.9 * wide and height > 0.9 * high and wide > 2 * high)):
            mask[labels == label] = 0  # a frame, which may be a pixel away from a digit
    close = max(1, high // 14)  # the segments of a digit may not touch
    joined = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((close, close), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    parts = sorted([x, y, x + width, y + height] for x, y, width, height, _ in stats[1:].tolist())
    merged: list[list[int]] = []
    for part in parts:
        last = merged[-1] if merged else [0, 0, 0, 0]
        common = min(last[2], part[2]) - max(last[0], part[0])
        if merged and common > OVER * min(last[2] - last[0], part[2] - part[0]):
            merged[-1] = [last[0], min(last[1], part[1]), max(last[2], part[2]), max(last[3], part[3])]
        else:
            merged.append(part)
    return tuple(
        Glyph((left + x, top + y, right - x, bottom - y), ink[y:bottom, x:right])
        for x, y, right, bottom in merged
    )


OTHER = "~"  # a letter, a drawing, two touching digits
CLASSES = "0123456789/:" + OTHER
SIDE = 20  # pixels; side of the network's input
FILE = "digits.npz"

Weights = Sequence[tuple[NDArray[np.float32], NDArray[np.float32]]]


def prepared(ink: Ink) -> NDArray[np.float32]:
    """Input of the network for one glyph: the picture in a square, row by row, and the log aspect ratio."""
    height, width = ink.shape
    scale = SIDE / max(height, width)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = np.asarray(cv2.resize(ink, size, interpolation=how), np.float32).reshape(size[::-1])
    canvas = np.zeros((SIDE, SIDE), np.float32)
    left, top = (SIDE - size[0]) // 2, (SIDE - size[1]) // 2
    canvas[top : top + size[1], left : left + size[0]] = small
    return np.append(canvas.ravel() - 0.3, np.float32(np.log(width / height)))


def load_weights() -> Weights:
    """The shipped network. Raises MissingRequirement (exit 8) if its file is missing or damaged."""
    with np.load(io.BytesIO(load_data_file(FILE))) as stored:
        layers = len(stored.files) // 2
        return [(stored[f"factors{k}"], stored[f"biases{k}"]) for k in range(layers)]


def probabilities(weights: Weights, given: NDArray[np.float32]) -> NDArray[np.float64]:
    """Probabilities (n, 13) in the order of CLASSES, for glyphs (n, SIDE * SIDE + 1)."""
    *hidden, last = weights
    for factors, biases in hidden:
        given = np.maximum(given @ factors + biases, 0)
    scored = (given @ last[0] + last[1]).astype(np.float64)
    likely = np.exp(scored - scored.max(axis=1, keepdims=True))
    return np.asarray(likely / likely.sum(axis=1, keepdims=True))


# digit by its lit segments: top, top left, top right, middle, bottom left, bottom right, bottom
SEGMENTS = MappingProxyType(
    {
        "1110111": "0", "1011101": "2", "1011011": "3", "0111010": "4", "1101011": "5", "1101111": "6",
        "0101111": "6", "1010010": "7", "1110010": "7", "1111111": "8", "1111011": "9", "1111010": "9",
    }
)  # fmt: skip
LIT, UNLIT = 0.7, 0.3  # fraction of a segment's length with ink, at least and at most


def segment_digit(ink: Ink) -> str | None:
    """The digit that a glyph shows as a seven-segment display; None if it is none, or a narrow 1."""
    height, width = ink.shape
    if not 0.4 * height <= width <= 0.9 * height:
        return None
    ends, mids = (slice(0, 0.3), slice(0.35, 0.65), slice(0.7, 1)), (slice(0.2, 0.4), slice(0.6, 0.8))

    def part(across: slice, down: slice, axis: int) -> float:
        rows = slice(int(down.start * height), max(1, round(down.stop * height)))
        columns = slice(int(across.start * width), max(1, round(across.stop * width)))
        return float((ink[rows, columns].max(axis=axis) >= 0.5).mean())

    top, middle, bottom = (part(ends[1], each, 0) for each in (slice(0, 0.2), slice(0.4, 0.6), slice(0.8, 1)))
    (top_left, low_left), (top_right, low_right) = ([part(x, y, 1) for y in mids] for x in (ends[0], ends[2]))
    lengths = (top, top_left, top_right, middle, low_left, low_right, bottom)
    if any(UNLIT < length < LIT for length in lengths):
        return None
    return SEGMENTS.get("".join("01"[length >= LIT] for length in lengths))


REACH_CELLS, REACH_PIXELS = 6, 120  # margin around the board that is searched: the larger one counts
# probabilities required for a digit: in a total, which nothing else confirms; left of the total (and for the
# slash); in a number that another picture must confirm
SURE, LIKELY, PERHAPS = 0.98, 0.8, 0.5
ALIKE = 0.25  # fraction of the height by which digits of one number may differ; a 1 of segments is shorter
MOST_UNREAD = 3  # cells; the pointer may cover one
GAP = 0.7  # heights; maximum distance of digits of one number
DENSITY = (0.04, 0.6)  # mines per cell; a single number outside this range is a level or a time
FRACTION = re.compile(r"(?<![\d/])(?<!\d:)(\d{1,4})/(\d{1,4})(?![\d/:])")
NUMBER = re.compile(r"\d{1,4}")


@dataclass(frozen=True, slots=True)
class CounterValue:
    """The mine `total` of a program, derived from the text it `shows`.

    `form` is "fraction" (flags or mines left, and the total), "falling" (a number that fell by one per new
    flag) or "single" (a number that may count the mines left).
    """

    total: int
    shows: str
    form: Literal["fraction", "falling", "single"]


@dataclass(frozen=True, slots=True)
class CounterText:
    """A number next to the board, and its box in the picture (left, top, right, bottom).

    `is_clear`: its line contains nothing else, and every digit is likely, or read as segments as well.
    """

    figures: str
    box: tuple[int, int, int, int]
    is_clear: bool = False


@dataclass(frozen=True, slots=True)
class CounterObservation:
    """The text next to one board: fractions that agree with it, and numbers."""

    board: Board
    fractions: tuple[CounterValue, ...] = ()
    numbers: tuple[CounterText, ...] = ()

    @property
    def counter(self) -> CounterValue | None:
        """The total that all fractions name; None for no fraction or several totals."""
        return self.fractions[0] if len({each.total for each in self.fractions}) == 1 else None

    def single_totals(self, earlier: CounterObservation | None = None) -> tuple[CounterValue, ...]:
        """The totals that clear single numbers may name: the number of mines left, and the flags.

        With an `earlier` observation of the same board, numbers that have changed do not count: timers.
        """
        clear = [each for each in self.numbers if each.is_clear]
        # of two readings of one display, the second skips its unlit segments
        clear = [
            each
            for place, each in enumerate(clear)
            if not any(_texts_overlap(each, later) for later in clear[place + 1 :])
        ]
        if earlier is not None:
            clear = [
                now
                for now in clear
                if any(now.figures == then.figures and _texts_overlap(now, then) for then in earlier.numbers)
            ]
        flags, cells = self.board.flagged.bit_count(), len(self.board)
        found = {int(each.figures) + flags: each.figures for each in clear if int(each.figures)}
        return tuple(
            CounterValue(total, shows, "single")
            for total, shows in sorted(found.items())
            if _can_be(total, self.board) and DENSITY[0] * cells <= total <= DENSITY[1] * cells
        )

    def changed_since(self, earlier: CounterObservation) -> CounterValue | None:
        """The total, if a number fell by the number of new flags; None if there are none or several."""
        came = self.board.flagged.bit_count() - earlier.board.flagged.bit_count()
        if came <= 0 or len(earlier.board) != len(self.board):
            return None
        found = {
            CounterValue(int(now.figures) + self.board.flagged.bit_count(), now.figures, "falling")
            for now in self.numbers
            for then in earlier.numbers
            if int(then.figures) - int(now.figures) == came and _texts_overlap(now, then)
        }
        totals = {each.total for each in found if _can_be(each.total, self.board)}
        return next(each for each in found if each.total in totals) if len(totals) == 1 else None


class CounterTracker:
    """Combines the observations of one game."""

    def __init__(self) -> None:
        self._first: CounterObservation | None = None

    def add(self, sighting: CounterObservation) -> CounterValue | None:
        """The counter according to all observations so far; None if it is ambiguous."""
        first = self._first
        if first is None or sighting.board.flagged.bit_count() < first.board.flagged.bit_count():
            self._first = sighting
        falling = sighting.changed_since(first) if first is not None else None
        found = [each for each in (sighting.counter, falling) if each is not None]
        return found[0] if len({each.total for each in found}) == 1 else None


class CounterReader:
    """Reads the text next to boards."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights

    @classmethod
    def load(cls) -> CounterReader:
        """A reader with the shipped network. Raises MissingRequirement if it is missing or damaged."""
        return cls(load_weights())

    def look(self, frame: Frame, lattice: Lattice, board: Board) -> CounterObservation:
        """Read the text next to a board.

        Returns nothing if the game is over or many cells are unread, because these may be flags.
        """
        if board.shown_mines or board.unread.bit_count() > MOST_UNREAD or not board.closed:
            return CounterObservation(board)
        read = [each for part in _around(frame, lattice) for each in self._read(*part)]
        numbers = () if board.unread else tuple(_numbers(read))
        return CounterObservation(board, tuple(_fractions(read, board)), numbers)

    def _read(self, pixels: Pixels, corner: tuple[int, int]) -> Iterator[_RecognizedLine]:
        for glyphs in find_text_lines(pixels, corner):
            given = np.stack([prepared(glyph.ink) for glyph in glyphs])
            likely = probabilities(self._weights, given).astype(np.float32)
            sure = likely.max(axis=1)
            kinds = np.where(sure >= PERHAPS, likely.argmax(axis=1), CLASSES.index(OTHER))
            yield _RecognizedLine(glyphs, "".join(CLASSES[kind] for kind in kinds), sure)


@dataclass(frozen=True, eq=False)
class _RecognizedLine:
    """A line, its glyphs as text, and the probability of each."""

    glyphs: tuple[Glyph, ...]
    figures: str
    sure: NDArray[np.float32]


def _around(frame: Frame, lattice: Lattice) -> Iterator[tuple[Pixels, tuple[int, int]]]:
    """The parts of a picture above, below, left and right of a board, with their corners."""
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
            yield frame.pixels[y0:y1, x0:x1], (x0, y0)


def _fractions(read: Sequence[_RecognizedLine], board: Board) -> Iterator[CounterValue]:
    """Fractions of flags (or mines left) and total that agree with the board."""
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
                yield CounterValue(total, match[0], "fraction")


def _numbers(read: Sequence[_RecognizedLine]) -> Iterator[CounterText]:
    """All numbers, in the order of their last occurrence; the longest of overlapping ones."""
    found: dict[CounterText, None] = {}
    for line in read:
        for match in NUMBER.finditer(line.figures):
            glyphs = line.glyphs[match.start() : match.end()]
            if _are_alike(glyphs):
                boxes = [glyph.box for glyph in glyphs]
                top, bottom = min(box[1] for box in boxes), max(y + height for _, y, _, height in boxes)
                box = boxes[0][0], top, boxes[-1][0] + boxes[-1][2], bottom
                is_clear = match[0] == line.figures and all(
                    sure >= LIKELY or (sure >= PERHAPS and segment_digit(glyph.ink) == figure)
                    for figure, glyph, sure in zip(match[0], glyphs, line.sure, strict=True)
                )
                number = CounterText(match[0], box, bool(is_clear))
                found.pop(number, None)
                found[number] = None
    for one in found:
        if not any(len(other.figures) > len(one.figures) and _texts_overlap(one, other) for other in found):
            yield one


def _texts_overlap(one: CounterText, other: CounterText) -> bool:
    a, b = one.box, other.box
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _are_alike(glyphs: Sequence[Glyph]) -> bool:
    """Whether glyphs stand in one row, close together and equally tall."""
    height = max(glyph.box[3] for glyph in glyphs)
    slack = max(1.0, ALIKE * height)
    tops, heights = [glyph.box[1] for glyph in glyphs], [glyph.box[3] for glyph in glyphs]
    gaps = [b.box[0] - a.box[0] - a.box[2] for a, b in pairwise(glyphs)]
    is_level = max(tops) - min(tops) <= slack and height - min(heights) <= slack
    return is_level and max(gaps, default=0) <= GAP * height


def _can_be(total: int, board: Board) -> bool:
    """Whether this number of mines is possible: at least one per flag, and one cell without a mine."""
    flags = board.flagged.bit_count()
    return max(1, flags) <= total <= flags + board.closed.bit_count() and total < len(board)
