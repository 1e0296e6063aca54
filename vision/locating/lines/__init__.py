"""Boards whose cells have flat middles and straight sides.

Flat areas of one size (`boxes`) are seeds, which grow along the lines that show (`flat`, `growing`,
`strips`).
"""

from vision.locating.lines.boxes import STRETCH, find_seeds
from vision.locating.lines.flat import Sighting, flat_boards

__all__ = ["STRETCH", "Sighting", "find_seeds", "flat_boards"]
