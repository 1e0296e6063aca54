"""Fit the weights of cluster links: `python -m training links` writes `vision/params/links.json`.

The script links the clusters of drawn pictures as labelling does. Logistic regression fits the probability
that both ends of a link have the same state to three features: the length of the link, the confidence of the
model, and the contrast of the longest link between blanks. The validation families measure the result.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from training.drawn_games import true_states
from training.drawn_pictures import drawn_pictures
from training.logistic import Floats, fit_logistic, log_loss
from training.storage import CALIBRATION, Fit, digest_arrays, sized, write_params
from vision.annotations import AnnotatedImage
from vision.cells.clusters import ClusterStore
from vision.cells.model import CellModel
from vision.label.scene import described_links, spanning_tree
from vision.params import LINKED

PICTURES = {"calibration": 600, "validation": 150}
RIDGE = 0.01
TERMS = "a constant; the log length; the model's confidence; the gap ratio of the longest link between blanks"


def link_features(model: CellModel, found: Iterable[AnnotatedImage]) -> dict[str, Floats]:
    """For each kind of link: (links, 5), the features, and 1 if both ends have the same state."""
    rows: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for labelled in found:
        clusters = ClusterStore(model)
        ids = clusters.assign(labelled.frame, labelled.lattice)
        likely = clusters.likelihoods()
        states = true_states(ids, labelled.board)
        links = spanning_tree(likely, clusters.signed(), 1 / labelled.lattice.pitch)
        for (one, other, _), (kind, features) in zip(links, described_links(likely, links), strict=True):
            rows[kind].append((*features, float(states[one] == states[other])))
    return {kind: np.array(each) for kind, each in rows.items()}


def main() -> None:
    """Fit on the calibration families, measure on the validation families, and write the weights."""
    model = CellModel.load()
    train, held = (
        link_features(model, drawn_pictures(split, range(sized(count)))) for split, count in PICTURES.items()
    )
    fitted: dict[str, list[float]] = {}
    loss = before = 0.0
    for kind, table in sorted(train.items()):
        values = fit_logistic(table[:, :-1], table[:, -1], np.full(table.shape[1] - 1, RIDGE))
        fitted[kind] = values.round(2).tolist()
        features, same = held[kind][:, :-1], held[kind][:, -1]
        loss += len(same) * log_loss(features, same, fitted[kind])
        before += len(same) * log_loss(features, same, LINKED[kind])
    links = sum(map(len, held.values()))
    print(f"nats per link before: {before / links:.5f}")
    metrics = {"links": links, "nats per link": loss / links}
    count = sum(map(len, train.values()))
    data = f"{count} links of {sized(PICTURES['calibration'])} drawn pictures; log-odds in nats"
    digest = digest_arrays(*(train[kind] for kind in sorted(train)))
    write_params("links", fitted, Fit(data, digest, metrics, CALIBRATION), terms=TERMS)
