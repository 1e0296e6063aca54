"""Accuracy and reliability of the shipped cell model on families that it was not trained on."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from training.cell_dataset import Cells
from vision.cells.model import CLASSES, CellModel

EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0)
DIGIT_CLASSES = [CLASSES.index(digit) for digit in "12345678"]


def print_report(cells: Cells) -> None:
    """Print the confusion matrix, the accuracy and the reliability tables."""
    pictures, kinds = cells
    parts = np.exp(CellModel.load().likelihoods(list(pictures)))
    best = parts.argmax(axis=1)
    table = np.zeros((len(CLASSES), len(CLASSES)), int)
    np.add.at(table, (kinds, best), 1)
    print("| true \\ read | " + " | ".join(CLASSES) + " | right |\n|" + "---|" * (len(CLASSES) + 2))
    for k, row in enumerate(table):
        share = 100 * row[k] / max(1, row.sum())
        print(f"| `{CLASSES[k]}` | {' | '.join(map(str, row))} | {share:.1f} % |")
    digits = np.isin(kinds, DIGIT_CLASSES)
    merged, truth = parts.copy(), np.where(kinds == 1, 0, kinds)
    merged[:, 0] += merged[:, 1]
    merged[:, 1] = 0
    blanks = merged.argmax(axis=1)
    right, right_digits = 100 * (best == kinds).mean(), 100 * (best == kinds)[digits].mean()
    as_one = 100 * (blanks == truth).mean()
    print(f"\nright {right:.2f} %, digits {right_digits:.2f} %, with blanks as one {as_one:.2f} %")
    print_reliability("all classes", parts.max(axis=1), best == kinds)
    print_reliability("blanks as one", merged.max(axis=1), blanks == truth)
    digits = np.isin(best, DIGIT_CLASSES)
    print_reliability("read as a digit", parts.max(axis=1)[digits], (best == kinds)[digits])


def print_reliability(name: str, sure: NDArray[np.float32], right: NDArray[np.bool_]) -> None:
    """Print the number and the accuracy of the cells by confidence."""
    print(f"\n| {name}: confidence | cells | mean confidence | right |\n|---|---|---|---|")
    for low, most in pairwise(EDGES):
        chosen = (sure > low) & (sure <= most)
        if chosen.any():
            claimed, true = 100 * sure[chosen].mean(), 100 * right[chosen].mean()
            print(f"| {low}-{most} | {chosen.sum()} | {claimed:.2f} % | {true:.2f} % |")
    high = sure > 0.99
    print(
        f"| above 0.99 | {high.sum()} | {100 * sure[high].mean():.2f} % | {100 * right[high].mean():.2f} % |"
    )
