"""The pattern search that fits the weights of the evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from training.evidence import ASSUMED, fit_weights, shares

NAMES = ("model", "clicks", "untold")


def read_example(number: int, scale: Mapping[str, float]) -> Counter[str]:
    """Ten cells: the first picture needs a larger weight of the model, the second punishes "clicks"."""
    if number == 0:
        return Counter(right=10) if scale["model"] >= 1.4 else Counter(right=5, unknown=5)
    return Counter(right=10) if scale["clicks"] > -0.5 else Counter(right=9, wrong=1)


def test_weights_change_only_where_pictures_are_read_better() -> None:
    fitted = fit_weights(NAMES, 2, read_example)
    assert fitted["model"] >= 1.4
    assert -0.5 < fitted["clicks"] <= 0.0
    assert fitted["untold"] == ASSUMED["untold"]


def test_shares_count_cells_and_pictures_with_wrong_ones() -> None:
    found = shares([Counter(right=9, wrong=1), Counter(right=5, unknown=5)])
    parts = {"right": 0.7, "unknown": 0.25, "wrong": 0.05}
    assert found == {"cells": 20, **parts, "pictures with wrong cells": 1}
