"""Self-test of a desktop: recognition of the pattern, and messages about faults."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from bot.desktop import self_test as trial
from bot.desktop.input import Input
from bot.desktop.ports import Backend, ScreenInfo
from bot.desktop.self_test import SIZE, check_points, check_screens, pattern, shows_pattern
from vision.frame import Frame, Region

BOX = (100, 50, 400, 300)


def drawn(left: int, top: int, scale: float = 1.0, at: tuple[int, int] = (20, 30)) -> Frame:
    """A grey frame with its corner at the point `at`, and the pattern at (`left`, `top`)."""
    pixels = np.full((round(100 * scale), round(120 * scale), 3), 90, np.uint8)
    size = round(SIZE * scale)
    how = cv2.INTER_NEAREST if scale.is_integer() else cv2.INTER_LINEAR
    x, y = round((left - at[0]) * scale), round((top - at[1]) * scale)
    pixels[y : y + size, x : x + size] = cv2.resize(pattern(), (size, size), interpolation=how)
    return Frame(pixels, float(at[0]), float(at[1]), scale)


@pytest.mark.parametrize("scale", [1.0, 2.0, 1.5, 1.25])
def test_pattern_found_only_where_shown(scale: float) -> None:
    frame = drawn(33, 41, scale)
    assert shows_pattern(frame, 33, 41, scale)
    away = 1 if scale.is_integer() else 4
    assert not any(
        shows_pattern(frame, 33 + dx, 41 + dy, scale) for dx, dy in ((away, 0), (-away, 0), (0, away))
    )


@pytest.mark.parametrize("turn", [np.flipud, np.fliplr, np.rot90])
def test_pattern_rotated_or_scaled_not_found(turn: Callable[[NDArray[np.uint8]], NDArray[np.uint8]]) -> None:
    frame = drawn(33, 41)
    frame.pixels[11 : 11 + SIZE, 13 : 13 + SIZE] = turn(pattern())
    assert not shows_pattern(frame, 33, 41)
    assert not shows_pattern(replace(drawn(33, 41, 2.0), scale=1.0), 33, 41)


def test_test_points_are_on_screen() -> None:
    for left, top in check_points(BOX):
        assert 100 <= left <= 500 - SIZE
        assert 50 <= top <= 350 - SIZE


class Pretended:
    """A desktop with one screen, whose frames and pointer may be off by some points."""

    hotkey = None

    def __init__(self, seen_off: int = 0, pointer_off: int = 0) -> None:
        self.seen_off, self.pointer_off = seen_off, pointer_off
        self.corner = (0, 0)
        self.at = (0.0, 0.0)
        self.FAILSAFE_POINTS: Sequence[tuple[int, int]] = ()

    def screens(self) -> list[ScreenInfo]:
        return [ScreenInfo("one", BOX, 1.0)]

    @contextmanager
    def patch(self, screen: ScreenInfo, left: int, top: int) -> Iterator[Pretended]:
        self.corner = (left, top)
        yield self

    def pointer(self) -> tuple[float, float]:
        return self.at[0] - self.corner[0], self.at[1] - self.corner[1]

    def grab(self, region: Region | None = None) -> Frame:
        assert region is not None
        left, top = self.corner[0] + self.seen_off, self.corner[1]
        return drawn(left, top, 1.0, (round(region[0]), round(region[1])))

    def position(self) -> tuple[float, float]:
        return self.at

    def moveTo(self, x: float, y: float) -> None:  # noqa: N802 - pyautogui's name
        self.at = (x + self.pointer_off, y)


@pytest.mark.parametrize(
    ("desktop", "words"),
    [
        (Pretended(), ()),
        (Pretended(seen_off=1), ("(111, 63) is not at that position",)),
        (Pretended(pointer_off=2), ("moved to (134, 78), but is at (136, 78)",)),
    ],
)
def test_self_test_misplaced_pattern_reported(
    desktop: Pretended, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "TIMEOUT", 0.05)
    controls = Input(Backend(gui=desktop))  # type: ignore[arg-type] # as much of both as is asked
    (tried,) = check_screens(desktop, controls, desktop)  # type: ignore[arg-type] # likewise
    assert len(tried.faults) == tried.places * len(words)
    for word in words:
        assert word in tried.faults[0]
