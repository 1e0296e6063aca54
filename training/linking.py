"""What links between clusters say (`vision.label.scene.LINKED`): `python -m training links`.

Clusters of drawn pictures are linked as labelling links them; for each link it is known whether its ends have
one state. Logistic regression says how likely that is by its length, how sure the model is of what it sees,
and how much the longest link between the blanks of a board stands out. It is printed, not written.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import log

import numpy as np
from numpy.typing import NDArray

from training.pictures import drawn_pictures
from vision.annotations import AnnotatedImage
from vision.cells.clusters import ClusterStore
from vision.cells.model import CLASSES, CellModel
from vision.label.scene import LENGTH, gap_ratio, link_confidence, link_kind, spanning_tree

Floats = NDArray[np.float64]
PICTURES = 300  # of each split
SPLITS = ("train", "validation")
RIDGE = 0.01
NEWTON = 80  # steps
BANDS = (-99, 0, 1, 2, 3, 4, 5, 6, 7, 99)  # nats between which links are counted


def links(model: CellModel, found: Iterable[AnnotatedImage]) -> dict[str, Floats]:
    """By kind: (links, 5), what is multiplied with the numbers of LINKED, and if the ends are one state."""
    rows: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for labelled in found:
        clusters = ClusterStore(model)
        ids = clusters.assign(labelled.frame, labelled.lattice)
        likely = clusters.likelihoods()
        states = np.array([CLASSES.index(state) for state in labelled.board.cells])
        usual = [int(np.bincount(states[ids == cluster]).argmax()) for cluster in range(len(likely))]
        every = spanning_tree(likely, clusters.signed(), 1 / labelled.lattice.pitch)
        blanks = [link[2] for link in every if link_kind(likely, link) == "blank"]
        for link in every:
            kind, (one, other, length) = link_kind(likely, link), link
            longest = gap_ratio(blanks) if kind == "blank" and length == blanks[-1] else 0.0
            same = float(usual[one] == usual[other])
            rows[kind].append((1.0, log(length / LENGTH), link_confidence(likely, link), longest, same))
    return {kind: np.array(each) for kind, each in rows.items()}


def fitted(table: Floats) -> Floats:
    """The numbers of LINKED for one kind of link."""
    given, same = table[:, :-1], table[:, -1]
    values = np.zeros(given.shape[1])
    for _ in range(NEWTON):
        likely = 1 / (1 + np.exp(-np.clip(given @ values, -30, 30)))
        bend = (given * (likely * (1 - likely))[:, None]).T @ given + RIDGE * np.eye(len(values))
        values += np.clip(np.linalg.solve(bend, given.T @ (same - likely) - RIDGE * values), -2, 2)
    return values


def counted(table: Floats, values: Sequence[float] | Floats) -> str:
    """How many links have one state and how many have two, by the nats that these numbers give them."""
    nats, same = table[:, :-1] @ np.asarray(values), table[:, -1]
    parts = []
    for least, most in pairwise(BANDS):
        here = same[(nats >= least) & (nats < most)]
        parts.append(f"below {most}: {int(here.sum())}/{int((1 - here).sum())}")
    return ", ".join(parts)


def main() -> None:
    """Print what LINKED would be."""
    model = CellModel.load()
    tables: dict[str, list[Floats]] = defaultdict(list)
    for split in SPLITS:
        for kind, table in links(model, drawn_pictures(split, range(PICTURES))).items():
            tables[kind].append(table)
    for kind, parts in sorted(tables.items()):
        table = np.concatenate(parts)
        values = fitted(table)
        print(f"{kind}: {values.round(2).tolist()}; one state/two, {counted(table, values)}")
