"""A picture of groups of cells: a line for each with its number, its name and a few of its cells."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from games.minesweeper import DIGITS, EXPLODED, FLAG, HIDDEN, MINE, QUESTION, UNKNOWN, WRONG_FLAG
from vision.frame import Pixels
from vision.skins.groups import EXAMPLES, Group

SIDE = 44  # pixels that a cell is drawn large
LINE = 56  # pixels between lines
TEXT = 330  # pixels for number, name and count
COLUMNS_FROM = 12  # groups; more are drawn in two columns
PAPER, INK, DOUBT = (255, 255, 255), (40, 40, 40), (0, 0, 200)

WORDS = {
    HIDDEN: "hidden",
    "0": "open, no mine around",
    FLAG: "flag",
    QUESTION: "question mark",
    MINE: "mine",
    EXPLODED: "mine that was hit",
    WRONG_FLAG: "wrong flag",
    UNKNOWN: "not known",
}


def words_for(state: str) -> str:
    """A state in words."""
    return WORDS.get(state, f"number {state}" if state in DIGITS else state)


def contact_sheet(groups: Sequence[Group]) -> bytes:
    """All groups in one picture, as PNG; those without a name in red."""
    columns = 2 if len(groups) > COLUMNS_FROM else 1
    lines = -(-len(groups) // columns)
    wide = TEXT + EXAMPLES * (SIDE + 6) + 20
    sheet = np.full((lines * LINE + 12, columns * wide, 3), PAPER, np.uint8)
    for place, group in enumerate(groups):
        column, line = divmod(place, lines)
        _draw(sheet[line * LINE + 6 : (line + 1) * LINE + 6, column * wide : (column + 1) * wide], group)
    return cv2.imencode(".png", sheet)[1].tobytes()


def _draw(line: Pixels, group: Group) -> None:
    ink = DOUBT if group.state == UNKNOWN else INK
    face = cv2.FONT_HERSHEY_SIMPLEX
    cv2.putText(line, str(group.number), (10, 32), face, 0.6, INK, 1, cv2.LINE_AA)
    cv2.putText(line, group.state, (56, 34), face, 0.8, ink, 2, cv2.LINE_AA)
    cv2.putText(line, words_for(group.state), (86, 26), face, 0.5, ink, 1, cv2.LINE_AA)
    count = "1 cell" if len(group.cells) == 1 else f"{len(group.cells)} cells"
    cv2.putText(line, count, (86, 44), face, 0.42, INK, 1, cv2.LINE_AA)
    for place, example in enumerate(group.examples):
        left = TEXT + place * (SIDE + 6)
        way = cv2.INTER_AREA if example.shape[0] > SIDE else cv2.INTER_NEAREST
        line[4 : 4 + SIDE, left : left + SIDE] = cv2.resize(example, (SIDE, SIDE), interpolation=way)
