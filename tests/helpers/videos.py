"""Screen videos made from recordings: 30 frames a second, compressed, the board in a window on a desktop."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from bot.recording import Recording
from vision.frame import Pixels

RATE = 30
BEFORE, LEAST, LAST = (
    1.0,
    0.1,
    0.5,
)  # seconds that the first look, any look and the last one are shown at least
DESKTOP, WINDOW = (120, 90, 60), (200, 200, 200)
LEFT, TOP = 60, 70


def write_video(recording: Recording, path: Path, code: str = "mp4v", again: int = 1) -> int:
    """The looks of a recording, each as long as it was there, `again` and again; the number of frames."""
    looks = [frame.pixels for frame, _ in recording.looks()]
    times = [float(event["t"]) for event in recording.events if event["event"] == "look"]
    shown = [max(LEAST, after - before) for before, after in pairwise(times)] + [LAST]
    shown[0] = max(BEFORE, shown[0])
    height, width = looks[0].shape[:2]
    size = (width + 2 * LEFT) // 2 * 2, (height + 2 * TOP) // 2 * 2
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*code), RATE, size)
    assert writer.isOpened()
    number, until = 0, 0.0
    for _ in range(again):
        for pixels, seconds in zip(looks, shown, strict=True):
            until += seconds
            picture = on_desktop(pixels, size)
            while number < until * RATE:
                writer.write(picture)
                number += 1
    writer.release()
    return number


def on_desktop(pixels: Pixels, size: tuple[int, int]) -> Pixels:
    """A picture of the board in a window."""
    width, height = size
    picture = np.full((height, width, 3), DESKTOP, np.uint8)
    picture[TOP - 30 : height - TOP + 30, LEFT - 20 : width - LEFT + 20] = WINDOW
    picture[TOP : TOP + pixels.shape[0], LEFT : LEFT + pixels.shape[1]] = pixels
    return picture
