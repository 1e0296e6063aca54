"""The fit of the weights of the evidence, on invented labellings of one cluster."""

from __future__ import annotations

import numpy as np

from training.evidence import FIXED, Evidence, Prior, fit_weights, probabilities
from vision.label.picture import SETTLED

PRIOR = Prior({"model": ("", 1.0), "clicks": ("", 0.0), "mark F": ("", 0.0)}, 1e-4)
START = {**PRIOR.weights, FIXED: 1.0}
ONE = np.ones(1)


def one_cluster(features: list[list[float]], right: list[int]) -> Evidence:
    """A picture of one cluster; the other labellings are wrong."""
    true = np.array(right, np.float64)[:, None]
    return Evidence(np.array(features), true, 1 - true, ONE)


def test_fit_makes_right_labellings_sure() -> None:
    """The mark identifies the true labelling, although the model prefers the other one."""
    pictures = [one_cluster([[1.0, 0.0, 1.0, 0.0], [3.0, 0.0, 0.0, 0.0]], [1, 0])] * 20
    fitted = fit_weights(pictures, START, PRIOR)
    likely = probabilities(pictures[0].features, np.array(list(fitted.values())))
    assert likely[0] > SETTLED
    assert (fitted["model"], fitted[FIXED]) == (1.0, 1.0)


def test_fit_leaves_contradictory_pictures_unread() -> None:
    """The same evidence is right in one of two pictures: neither labelling may become sure."""
    features = [[2.0, 0.0, 1.0, 0.0], [2.0, 0.0, 0.0, 0.0]]
    pictures = [one_cluster(features, right) for right in ([1, 0], [0, 1])]
    fitted = fit_weights(pictures, START, PRIOR)
    assert probabilities(np.array(features), np.array(list(fitted.values()))).max() < SETTLED


def test_fit_keeps_the_sign_of_a_fault() -> None:
    """A fault cannot make a labelling likelier, even if it occurs in the true ones only."""
    pictures = [one_cluster([[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]], [1, 0])] * 20
    assert fit_weights(pictures, START, PRIOR)["clicks"] == 0.0
