"""Game files for `review`: MVF files of Minesweeper Clone 0.97, and screen videos of recordings.

No MVF file with a known licence is available, so tests write their own. Source: the description of the
format by Maksim Bashov and Damien Moore ("MVF2RAWVF", minesweepergame.com). The board and the name are plain;
each event has 40 bits in an order that depends on the two bytes before the events.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import cos, sin, sqrt
from pathlib import Path

import cv2
import numpy as np

from bot.recording.recording import Recording
from games.logic import bits
from vision.frame import Pixels

SIZE = 16  # pixels of a cell
LEADING = 12345  # decides the order of the bits
EVENT_BITS = (
    ("right", 1),
    ("middle", 1),
    ("left", 1),
    ("y", 9),
    ("x", 9),
    ("hundredths", 7),
    ("seconds", 10),
)

Event = tuple[float, str, int, int]  # seconds, pressed buttons ("", "l", "r", "lr"), x and y in pixels


def mvf(rows: int, columns: int, mines: int, events: Sequence[Event], name: bytes = b"nobody") -> bytes:
    """An MVF file with this cell set of mines and these mouse events."""
    last = events[-1][0]
    head = b"\x11\x4d" + bytes(25) + b"5" + bytes(46)
    date = bytes([11, 22]) + (2026).to_bytes(2, "big") + bytes([10, 30, 0])
    level = {(8, 8): 1, (16, 16): 2, (16, 30): 3}.get((rows, columns), 4)
    score = int(last).to_bytes(2, "big") + bytes([round(100 * (last % 1)) % 100])
    board = bytes([columns, rows]) + mines.bit_count().to_bytes(2, "big")
    places = bytes(value + 1 for k in bits(mines) for value in reversed(divmod(k, columns)))
    body = b"".join(map(_event, events))
    return (
        head + date + bytes([level, 1]) + score + bytes(2) + bytes(8) + bytes(1) + board + places
        + bytes([len(name)]) + name + LEADING.to_bytes(2, "big") + len(events).to_bytes(3, "big") + body
    )  # fmt: skip


def _event(event: Event) -> bytes:
    seconds, buttons, x, y = event
    hundredths = round(100 * seconds)
    values = {
        "right": "r" in buttons, "middle": 0, "left": "l" in buttons, "y": y, "x": x,
        "hundredths": hundredths % 100, "seconds": hundredths // 100,
    }  # fmt: skip
    out = bytearray(5)
    places = iter(_order())
    for name, width in EVENT_BITS:
        for bit in range(width):
            place = next(places)
            if int(values[name]) >> bit & 1:
                out[place // 8] |= 1 << place % 8
    return bytes(out)


def _order() -> list[int]:
    """The places of the 40 bits, sorted by the digits of five numbers."""
    first, second = sqrt(LEADING), sqrt(LEADING + 1000.0)
    third = sqrt(first + 1000.0)
    numbers = (
        cos(third + 1000.0), sin(sqrt(second)), cos(third), sin(sqrt(first) + 1000.0),
        cos(sqrt(second + 1000.0)),
    )  # fmt: skip
    digits = "".join(f"{round(abs(number) * 1e8):08d}" for number in numbers)
    return sorted(range(40), key=lambda k: (digits[k], k))


# --- videos: 30 frames a second, compressed, the board in a window on a desktop ---

RATE = 30
# seconds: minimum of the first observation, minimum of any observation, duration of the last one
BEFORE, LEAST, LAST = 1.0, 0.1, 0.5
DESKTOP, WINDOW = (120, 90, 60), (200, 200, 200)
LEFT, TOP = 60, 70


def write_video(recording: Recording, path: Path, code: str = "mp4v", repeats: int = 1) -> int:
    """Write the observations of a recording `repeats` times, in real time; return the number of frames."""
    looks = [frame.pixels for frame, _ in recording.looks()]
    times = [float(event["t"]) for event in recording.events if event["event"] == "look"]
    shown = [max(LEAST, after - before) for before, after in pairwise(times)] + [LAST]
    shown[0] = max(BEFORE, shown[0])
    height, width = looks[0].shape[:2]
    size = (width + 2 * LEFT) // 2 * 2, (height + 2 * TOP) // 2 * 2
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*code), RATE, size)
    assert writer.isOpened()
    number, until = 0, 0.0
    for _ in range(repeats):
        for pixels, seconds in zip(looks, shown, strict=True):
            until += seconds
            picture = on_desktop(pixels, size)
            while number < until * RATE:
                writer.write(picture)
                number += 1
    writer.release()
    return number


def on_desktop(pixels: Pixels, size: tuple[int, int]) -> Pixels:
    """The picture in a window on a desktop."""
    width, height = size
    picture = np.full((height, width, 3), DESKTOP, np.uint8)
    picture[TOP - 30 : height - TOP + 30, LEFT - 20 : width - LEFT + 20] = WINDOW
    picture[TOP : TOP + pixels.shape[0], LEFT : LEFT + pixels.shape[1]] = pixels
    return picture
