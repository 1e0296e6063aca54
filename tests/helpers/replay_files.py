"""An MVF file of Minesweeper Clone 0.97, written byte by byte: none with a known licence is to be had.

After the description of the format by Maksim Bashov and Damien Moore ("MVF2RAWVF", minesweepergame.com):
board and name in the open, each event 40 bits in an order that two bytes in front of them decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, sin, sqrt

from games.logic import bits

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

Event = tuple[
    float, str, int, int
]  # seconds, the buttons that are down ("", "l", "r", "lr"), x and y in pixels


def mvf(rows: int, columns: int, mines: int, events: Sequence[Event], name: bytes = b"nobody") -> bytes:
    """A game with these mines (a set) and what the mouse did."""
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
    """Where each of the 40 bits stands: by the digits of five numbers, the smallest digit first."""
    first, second = sqrt(LEADING), sqrt(LEADING + 1000.0)
    third = sqrt(first + 1000.0)
    numbers = (
        cos(third + 1000.0), sin(sqrt(second)), cos(third), sin(sqrt(first) + 1000.0),
        cos(sqrt(second + 1000.0)),
    )  # fmt: skip
    digits = "".join(f"{round(abs(number) * 1e8):08d}" for number in numbers)
    return sorted(range(40), key=lambda k: (digits[k], k))
