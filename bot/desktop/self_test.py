"""Check that captured pixels and pointer positions agree with the desktop's coordinates.

On each screen, a small window with a test pattern is shown at several positions, located in a captured frame,
and pointed at.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.desktop.input import Input
from bot.desktop.ports import Box, PatternStage, ScreenInfo, TestPattern
from vision.frame import Capture, Frame

SIZE = 40  # points of the pattern each way
SPLIT = (14, 26)  # points; where its four colours meet, off-centre so that a mirrored pattern differs
COLOURS = ((0, 0, 255), (0, 255, 0), (255, 0, 0), (255, 255, 255))  # BGR, exact at every colour depth
AROUND = 8  # points captured around the pattern
TIMEOUT = 2.0  # seconds; to show the pattern, and to move the pointer
BLUR = 2  # pixels blurred at each edge of the pattern with a fractional scale


@dataclass(frozen=True)
class ScreenResult:
    """Test result of one screen: the number of tested positions, and a message for each fault."""

    screen: ScreenInfo
    places: int
    faults: tuple[str, ...]


def check_screens(stage: PatternStage, controls: Input, grabber: Capture) -> Iterator[ScreenResult]:
    """Check each screen. Raises Interrupted if the user moves the mouse, and MissingRequirement."""
    for screen in stage.screens():
        faults: list[str] = []
        corners = list(check_points(screen.box))
        for left, top in corners:
            with stage.patch(screen, left, top) as patch:
                faults += filter(
                    None,
                    (
                        _capture_fault(grabber, screen.scale, left, top),
                        _pointer_fault(controls, patch, left, top),
                    ),
                )
        yield ScreenResult(screen, len(corners), tuple(faults))


def check_points(box: Box) -> Iterator[tuple[int, int]]:
    """Pattern positions on a screen: near two corners and in the middle, with irregular offsets."""
    left, top, width, height = box
    yield left + 11, top + 13
    yield left + width // 2 - 17, top + height // 2 - 19
    yield left + width - SIZE - 15, top + height - SIZE - 17


def pattern() -> NDArray[np.uint8]:
    """The pattern at one pixel per point: (rows, columns, BGR)."""
    picture = np.empty((SIZE, SIZE, 3), np.uint8)
    across, down = SPLIT
    picture[:down, :across], picture[:down, across:] = COLOURS[0], COLOURS[1]
    picture[down:, :across], picture[down:, across:] = COLOURS[2], COLOURS[3]
    return picture


def shows_pattern(frame: Frame, left: int, top: int, scale: float = 1) -> bool:
    """Whether the frame shows the pattern with its corner exactly at this point.

    `scale` is the screen's pixels per point. If it is fractional, or the frame's scale is not a multiple of
    it, pixels near an edge are ignored because they may be blurred or shifted.
    """
    columns = np.floor((np.arange(frame.width) + 0.5) / frame.scale + frame.left - left).astype(int)
    rows = np.floor((np.arange(frame.height) + 0.5) / frame.scale + frame.top - top).astype(int)
    across, down = (columns >= 0) & (columns < SIZE), (rows >= 0) & (rows < SIZE)
    if min(across.sum(), down.sum()) < SIZE * min(frame.scale, 1):
        return False
    wanted = pattern()[np.ix_(rows[down], columns[across])]
    same = (frame.pixels[np.ix_(down, across)] == wanted).all(axis=2)
    if not (float(scale).is_integer() and float(frame.scale / scale).is_integer()):
        same |= _near_edges(wanted)
    return bool(same.all())


def _near_edges(picture: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Mask of the pixels near a colour change or the border."""
    cross = cv2.getStructuringElement(cv2.MORPH_CROSS, (2 * BLUR + 1, 2 * BLUR + 1))
    near = np.ones(picture.shape[:2], bool)
    is_mixed = (cv2.dilate(picture, cross) != cv2.erode(picture, cross)).any(axis=2)
    near[BLUR:-BLUR, BLUR:-BLUR] = is_mixed[BLUR:-BLUR, BLUR:-BLUR]
    return near


def _capture_fault(grabber: Capture, scale: float, left: int, top: int) -> str | None:
    region = (left - AROUND, top - AROUND, SIZE + 2 * AROUND, SIZE + 2 * AROUND)
    deadline = time.monotonic() + TIMEOUT
    while not shows_pattern(grabber.grab(region), left, top, scale):
        if time.monotonic() > deadline:
            return f"the pattern shown at point ({left}, {top}) is not at that position in the captured image"
        time.sleep(0.03)
    return None


def _pointer_fault(controls: Input, patch: TestPattern, left: int, top: int) -> str | None:
    x, y = SIZE // 2 + 3, SIZE // 2 - 5
    controls.move(left + x, top + y)
    deadline = time.monotonic() + TIMEOUT
    while True:
        at = patch.pointer()
        if at is not None and max(abs(at[0] - x), abs(at[1] - y)) <= 1:
            return None
        if time.monotonic() > deadline:
            where = "outside the pattern" if at is None else f"at ({left + at[0]:g}, {top + at[1]:g})"
            return f"the pointer was moved to ({left + x}, {top + y}), but is {where}"
        time.sleep(0.03)
