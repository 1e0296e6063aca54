"""Boards whose cells have flat middles and straight sides.

Flat areas of one size (`boxes`) are seeds, which grow along the lines that show (`flat`, `growing`,
`strips`).
"""

from vision.locating.lines.boxes import SQUARE, STRETCH, find_seeds
from vision.locating.lines.flat import SAME_PITCH, SMALLEST_HALVED, Sighting, flat_boards, overlap
from vision.locating.lines.strips import running_on

__all__ = [
    "SAME_PITCH",
    "SMALLEST_HALVED",
    "SQUARE",
    "STRETCH",
    "Sighting",
    "find_seeds",
    "flat_boards",
    "overlap",
    "running_on",
]
