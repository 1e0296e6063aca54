"""Tries a desktop out: is a point of the screen that pixel of the picture, and does the pointer go there?

A small window with a pattern is shown at points of each screen, found again in a picture, and pointed at.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bot.desktop.input import Input
from bot.desktop.ports import Box
from vision.frame import Capture, Frame

SIZE = 40  # points of the pattern each way
SPLIT = (
    14,
    26,
)  # where its four colours meet: off the middle, so that no mirror looks the same
COLOURS = ((0, 0, 255), (0, 255, 0), (255, 0, 0), (255, 255, 255))  # of every depth, blue green red
AROUND = 8  # points of the picture around the pattern
SHOWS = 2.0  # seconds that a desktop gets to show it, and to move the pointer
SOFT = 2  # pixels beside an edge of the pattern that are blurred where points are no whole pixels


@dataclass(frozen=True)
class ScreenInfo:
    """One screen: its box in points, and the pixels in a point as the desktop says."""

    name: str
    box: Box
    scale: float


class TestPattern(Protocol):
    """The pattern on the screen."""

    def pointer(self) -> tuple[float, float] | None:
        """Where the desktop says that the pointer is, points from its corner; None: not on it."""


class PatternStage(Protocol):
    """What shows the pattern on one kind of desktop."""

    def screens(self) -> Sequence[ScreenInfo]:
        """The screens of this desktop."""

    def patch(self, screen: ScreenInfo, left: int, top: int) -> AbstractContextManager[TestPattern]:
        """The pattern, its corner at this point of the desktop, as long as the block lasts."""


@dataclass(frozen=True)
class ScreenResult:
    """What a screen came to: `faults` says what was not where it should be."""

    screen: ScreenInfo
    places: int
    faults: tuple[str, ...]


def check_screens(stage: PatternStage, hands: Input, grabber: Capture) -> Iterator[ScreenResult]:
    """Try each screen. Raises Interrupted when a person takes the mouse meanwhile, MachineLacks."""
    for screen in stage.screens():
        faults: list[str] = []
        corners = list(check_points(screen.box))
        for left, top in corners:
            with stage.patch(screen, left, top) as patch:
                faults += filter(
                    None,
                    (_seen(grabber, screen.scale, left, top), _pointed_at(hands, patch, left, top)),
                )
        yield ScreenResult(screen, len(corners), tuple(faults))


def check_points(box: Box) -> Iterator[tuple[int, int]]:
    """Where to show the pattern on a screen: near two corners, and in the middle; no place is round."""
    left, top, width, height = box
    yield left + 11, top + 13
    yield left + width // 2 - 17, top + height // 2 - 19
    yield left + width - SIZE - 15, top + height - SIZE - 17


def pattern() -> NDArray[np.uint8]:
    """The pattern, a pixel for each point: rows, columns, blue green red."""
    picture = np.empty((SIZE, SIZE, 3), np.uint8)
    across, down = SPLIT
    picture[:down, :across], picture[:down, across:] = COLOURS[0], COLOURS[1]
    picture[down:, :across], picture[down:, across:] = COLOURS[2], COLOURS[3]
    return picture


def shows_pattern(frame: Frame, left: int, top: int, scale: float = 1) -> bool:
    """Whether a picture shows the pattern with its corner exactly at this point.

    `scale` is the screen's own; where its points are no whole pixels, or not as many whole ones as in the
    picture, edges are blurred and may be a pixel off.
    """
    columns = np.floor((np.arange(frame.width) + 0.5) / frame.scale + frame.left - left).astype(int)
    rows = np.floor((np.arange(frame.height) + 0.5) / frame.scale + frame.top - top).astype(int)
    across, down = (columns >= 0) & (columns < SIZE), (rows >= 0) & (rows < SIZE)
    if min(across.sum(), down.sum()) < SIZE * min(frame.scale, 1):
        return False
    wanted = pattern()[np.ix_(rows[down], columns[across])]
    same = (frame.pixels[np.ix_(down, across)] == wanted).all(axis=2)
    if not (float(scale).is_integer() and float(frame.scale / scale).is_integer()):
        same |= _beside_an_edge(wanted)
    return bool(same.all())


def _beside_an_edge(picture: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """The pixels near a change of colour or the rim."""
    soft = np.ones(picture.shape[:2], bool)
    inner = np.ones(tuple(side - 2 * SOFT for side in picture.shape[:2]), bool)
    middle = picture[SOFT:-SOFT, SOFT:-SOFT]
    for shift in range(-SOFT, SOFT + 1):
        for axis in (0, 1):
            moved = np.roll(picture, shift, axis=axis)[SOFT:-SOFT, SOFT:-SOFT]
            inner &= (moved == middle).all(axis=2)
    soft[SOFT:-SOFT, SOFT:-SOFT] = ~inner
    return soft


def _seen(grabber: Capture, scale: float, left: int, top: int) -> str | None:
    """What is wrong with the picture of the pattern, None for nothing."""
    region = (left - AROUND, top - AROUND, SIZE + 2 * AROUND, SIZE + 2 * AROUND)
    deadline = time.monotonic() + SHOWS
    while not shows_pattern(grabber.grab(region), left, top, scale):
        if time.monotonic() > deadline:
            return f"what is shown at the point ({left}, {top}) is not there in the picture"
        time.sleep(0.03)
    return None


def _pointed_at(hands: Input, patch: TestPattern, left: int, top: int) -> str | None:
    """What is wrong with the pointer when it is moved into the pattern, None for nothing."""
    x, y = SIZE // 2 + 3, SIZE // 2 - 5
    hands.move(left + x, top + y)
    deadline = time.monotonic() + SHOWS
    while True:
        at = patch.pointer()
        if at is not None and max(abs(at[0] - x), abs(at[1] - y)) <= 1:
            return None
        if time.monotonic() > deadline:
            where = "nowhere near" if at is None else f"at ({left + at[0]:g}, {top + at[1]:g})"
            return f"the pointer was moved to ({left + x}, {top + y}), and is {where}"
        time.sleep(0.03)
