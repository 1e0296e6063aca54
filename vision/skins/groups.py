"""The groups of cells that look alike, each with a name: what a person is shown, and may correct."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from games.errors import Usage
from games.minesweeper import SAFE, STATES, UNKNOWN
from vision.cells import Clusters, Model
from vision.frame import Pixels
from vision.labels import Labelled

EXAMPLES = 6  # cells that stand for a group
NAMES = STATES.replace(SAFE, "")  # what a group can be called; UNKNOWN leaves it out


@dataclass(frozen=True, eq=False)
class Group:
    """Cells that look alike. `number` counts from 1, `cells` are (picture, cell), `examples` some of them."""

    number: int
    state: str
    cells: tuple[tuple[int, int], ...]
    examples: tuple[Pixels, ...]


def find_groups(samples: Sequence[Labelled], model: Model) -> list[Group]:
    """The groups in some pictures, those with most cells first.

    The boards of the samples say what was read; a group has the state that most of its cells were read as.
    """
    clusters = Clusters(model)
    parts = [clusters.assign(sample.frame, sample.lattice) for sample in samples]
    ids = np.concatenate(parts)
    owners = [(number, k) for number, part in enumerate(parts) for k in range(len(part))]
    members: dict[int, list[tuple[int, int]]] = {}
    for cluster, owner in zip(ids.tolist(), owners, strict=True):
        members.setdefault(cluster, []).append(owner)
    groups = sorted(members.values(), key=lambda cells: (-len(cells), cells))
    return [_group(number, cells, samples) for number, cells in enumerate(groups, 1)]


def _group(number: int, cells: Sequence[tuple[int, int]], samples: Sequence[Labelled]) -> Group:
    read = Counter(samples[picture].board[k] for picture, k in cells)
    known = [state for state, _ in read.most_common() if state != UNKNOWN]
    examples = []
    for picture, k in cells[:EXAMPLES]:
        left, top, right, bottom = samples[picture].lattice.rectangle(k)
        examples.append(samples[picture].frame.pixels[top:bottom, left:right])
    return Group(number, known[0] if known else UNKNOWN, tuple(cells), tuple(examples))


def renamed(groups: Sequence[Group], names: Mapping[int, str]) -> list[Group]:
    """The groups, some of them with another state. Raises Usage for a number or a state that is none."""
    for number, state in names.items():
        if not 1 <= number <= len(groups):
            raise Usage(
                f"{number}={state}: there is no such group: they are numbered from 1 to {len(groups)}"
            )
        if len(state) != 1 or state not in NAMES:
            raise Usage(f"{number}={state}: no cell can show '{state}': use one of {' '.join(NAMES)}")
    return [replace(group, state=names.get(group.number, group.state)) for group in groups]


def relabelled(samples: Sequence[Labelled], groups: Sequence[Group]) -> list[Labelled]:
    """The pictures with what the names of the groups say of every cell."""
    states: list[dict[int, str]] = [{} for _ in samples]
    for group in groups:
        for picture, k in group.cells:
            states[picture][k] = group.state
    return [
        sample._replace(board=sample.board.showing(states[number])) for number, sample in enumerate(samples)
    ]
