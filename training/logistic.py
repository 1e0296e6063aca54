"""Logistic regression with a ridge, fitted with Newton's method."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
STEPS = 80
MAX_STEP = 2.0  # largest change of a weight in one step


def fit_logistic(values: Floats, right: Floats, ridge: Floats) -> Floats:
    """The weights that predict `right` (0 or 1) from `values` (n, features); one ridge per feature."""
    weights = np.zeros(values.shape[1])
    for _ in range(STEPS):
        sure = 1 / (1 + np.exp(-np.clip(values @ weights, -30, 30)))
        slope = values.T @ (right - sure) - ridge * weights
        bend = (values * (sure * (1 - sure))[:, None]).T @ values + np.diag(ridge)
        weights += np.clip(np.linalg.solve(bend, slope), -MAX_STEP, MAX_STEP)
    return weights


def log_loss(values: Floats, right: Floats, weights: Floats | Sequence[float]) -> float:
    """Mean negative log-probability of `right`, nats."""
    nats = values @ np.asarray(weights)
    return float(np.logaddexp(0, np.where(right > 0, -nats, nats)).mean())
