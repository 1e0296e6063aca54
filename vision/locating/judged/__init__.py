"""Boards as a trained network judges them, whatever their cells look like.

`judging` asks it about places where a cell may be (`cutouts`). Areas that repeat (`repeats`) get pitch and
phase (`fitting`) and extent (`extent`), rectangles that stand out are parted evenly (`panels`), boards that
were seen by their lines are looked at again (`mending`), and lines are moved to the middle of wide gaps
(`gaps`). How likely each is a board is weighed (`weighing`, `weights`).
"""

from vision.locating.judged.fitting import fit, parted
from vision.locating.judged.gaps import NARROWEST, centred
from vision.locating.judged.judging import Judge
from vision.locating.judged.mending import mended
from vision.locating.judged.panels import find_panels
from vision.locating.judged.repeats import ALIKE, Repeat, find_repeats
from vision.locating.judged.weighing import LINES, Weighed, weighed

__all__ = [
    "ALIKE",
    "LINES",
    "NARROWEST",
    "Judge",
    "Repeat",
    "Weighed",
    "centred",
    "find_panels",
    "find_repeats",
    "fit",
    "mended",
    "parted",
    "weighed",
]
