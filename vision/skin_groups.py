"""Groups of cells that look alike, for display and correction by the user.

Each group has a number and a state. `contact_sheet` draws them, with a few example cells per group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from games.errors import UsageError
from games.minesweeper import DIGITS, EXPLODED, FLAG, HIDDEN, MINE, QUESTION, UNKNOWN, WRONG_FLAG
from vision.annotations import AnnotatedImage
from vision.cells.clusters import CellClassifier, ClusterStore
from vision.cells.model import CLASSES
from vision.frame import Pixels

EXAMPLES = 6  # cells shown per group
NAMES = "".join(CLASSES)  # states a user can assign; UNKNOWN excludes the group


@dataclass(frozen=True, eq=False)
class CellGroup:
    """Cells that look alike. `number` counts from 1, `cells` are (picture, cell), `examples` some of them."""

    number: int
    state: str
    cells: tuple[tuple[int, int], ...]
    examples: tuple[Pixels, ...]


def find_groups(samples: Sequence[AnnotatedImage], model: CellClassifier) -> list[CellGroup]:
    """The groups in these pictures, largest first.

    A group's state is the most frequent state of its cells on the boards of the samples.
    """
    clusters = ClusterStore(model, few=0)  # similar covers are one group: a person names it
    members: dict[int, list[tuple[int, int]]] = {}
    for number, sample in enumerate(samples):
        for k, cluster in enumerate(clusters.assign(sample.frame, sample.lattice).tolist()):
            members.setdefault(cluster, []).append((number, k))
    groups = sorted(members.values(), key=lambda cells: (-len(cells), cells))
    return [_group(number, cells, samples) for number, cells in enumerate(groups, 1)]


def _group(number: int, cells: Sequence[tuple[int, int]], samples: Sequence[AnnotatedImage]) -> CellGroup:
    read = Counter(samples[picture].board[k] for picture, k in cells)
    known = [state for state, _ in read.most_common() if state != UNKNOWN]
    some = ((samples[picture], k) for picture, k in cells[:EXAMPLES])
    examples = tuple(sample.lattice.picture(sample.frame.pixels, k) for sample, k in some)
    return CellGroup(number, known[0] if known else UNKNOWN, tuple(cells), examples)


def rename_groups(groups: Sequence[CellGroup], names: Mapping[int, str]) -> list[CellGroup]:
    """The groups with some states replaced. Raises UsageError for an unknown number or state."""
    for number, state in names.items():
        if not 1 <= number <= len(groups):
            raise UsageError(
                f"{number}={state}: there is no such group: they are numbered from 1 to {len(groups)}"
            )
        if len(state) != 1 or state not in NAMES:
            raise UsageError(f"{number}={state}: no cell can show '{state}': use one of {' '.join(NAMES)}")
    return [replace(group, state=names.get(group.number, group.state)) for group in groups]


def relabel(samples: Sequence[AnnotatedImage], groups: Sequence[CellGroup]) -> list[AnnotatedImage]:
    """The pictures with every cell labelled by its group's state."""
    states: list[dict[int, str]] = [{} for _ in samples]
    for group in groups:
        for picture, k in group.cells:
            states[picture][k] = group.state
    pairs = zip(samples, states, strict=True)
    return [sample._replace(board=sample.board.with_states(changes)) for sample, changes in pairs]


SIDE = 44  # pixels; side of a drawn cell
LINE = 56  # pixels between lines
TEXT = 330  # pixels for number, name and count
COLUMNS_FROM = 12  # groups; above this number, draw two columns
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


def state_name(state: str) -> str:
    """Name of a state for display."""
    return WORDS.get(state, f"number {state}" if state in DIGITS else state)


def contact_sheet(groups: Sequence[CellGroup]) -> bytes:
    """All groups in one picture, as PNG; unknown states in red."""
    columns = 2 if len(groups) > COLUMNS_FROM else 1
    lines = -(-len(groups) // columns)
    wide = TEXT + EXAMPLES * (SIDE + 6) + 20
    sheet = np.full((lines * LINE + 12, columns * wide, 3), PAPER, np.uint8)
    for place, group in enumerate(groups):
        column, line = divmod(place, lines)
        _draw(sheet[line * LINE + 6 : (line + 1) * LINE + 6, column * wide : (column + 1) * wide], group)
    return cv2.imencode(".png", sheet)[1].tobytes()


def _draw(line: Pixels, group: CellGroup) -> None:
    ink = DOUBT if group.state == UNKNOWN else INK
    face = cv2.FONT_HERSHEY_SIMPLEX
    cv2.putText(line, str(group.number), (10, 32), face, 0.6, INK, 1, cv2.LINE_AA)
    cv2.putText(line, group.state, (56, 34), face, 0.8, ink, 2, cv2.LINE_AA)
    cv2.putText(line, state_name(group.state), (86, 26), face, 0.5, ink, 1, cv2.LINE_AA)
    count = "1 cell" if len(group.cells) == 1 else f"{len(group.cells)} cells"
    cv2.putText(line, count, (86, 44), face, 0.42, INK, 1, cv2.LINE_AA)
    for place, example in enumerate(group.examples):
        left = TEXT + place * (SIDE + 6)
        way = cv2.INTER_AREA if example.shape[0] > SIDE else cv2.INTER_NEAREST
        line[4 : 4 + SIDE, left : left + SIDE] = cv2.resize(example, (SIDE, SIDE), interpolation=way)
