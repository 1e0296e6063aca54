"""Steps of the cell model: fetch fonts and icons, draw cells, train and calibrate, report."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from training import cell_dataset
from training.drawings import fonts, icons
from training.storage import CACHE, Fit, digest_arrays, sized, write_network, write_params
from vision.cells.model import CLASSES, FILE, NUMBERS, CellModel

FIRST = 1000  # seed of the first batch
BATCHES = {"train": 200, "calibration": 8, "validation": 8, "test": 8}  # of 50 themes each
TRAINING_STEPS = 9000  # of 384 cells; the network sees each cell seven times
EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0)  # of confidence, in the report


def fetch() -> None:
    """Fetch fonts and icons as packages."""
    fonts.fetch_fonts()
    icons.fetch_icons()
    icons.render_icons()
    for split, families in fonts.load_faces().items():
        print(f"{split}: {sum(map(len, families.values()))} faces of {len(families)} families")


def draw() -> None:
    """Draw the missing cells of every split."""
    for split in BATCHES:
        cell_dataset.draw_batches(split, seeds(split))


def seeds(split: str) -> range:
    """The seeds of the batches of a split."""
    return range(FIRST, FIRST + sized(BATCHES[split]))


def fit() -> None:
    """Train on `train`, calibrate on `calibration`, measure on `validation`, and write the cell model."""
    from training import cell_network

    train, calibration, validation = (
        cell_dataset.load_cells(split, seeds(split)) for split in ("train", "calibration", "validation")
    )
    digest = digest_arrays(*train, *calibration)
    checkpoint = CACHE / f"cells-{digest[:16]}.pt"
    check = (validation[0][::5], validation[1][::5])
    net = cell_network.train(train, sized(TRAINING_STEPS), check, checkpoint)
    heat, bias = cell_network.calibrate(net, calibration)
    print(f"temperature {1 / heat:.3f}, biases {bias.round(2)}")
    cell_network.export(net, heat, bias)
    metrics = {
        "cells": len(validation[1]),
        "right": cell_network.accuracy(net, validation),
        "nats per cell": cell_network.log_loss(net, validation),
    }
    data = f"{len(train[1])} drawn cells; calibrated on {len(calibration[1])} of other fonts and icons"
    write_network(FILE, Fit(data, digest, metrics))
    shares = np.bincount(train[1], minlength=len(CLASSES)) / len(train[1])
    values = {state: round(float(share), 4) for state, share in zip(CLASSES, shares, strict=True)}
    data = f"fractions of the classes among {len(train[1])} drawn cells"
    drawn = np.bincount(validation[1], minlength=len(CLASSES)) / len(validation[1])
    metrics = {"largest difference": float(np.abs(shares - drawn).max())}
    write_params("class_priors", values, Fit(data, digest_arrays(train[1]), metrics))


def report() -> None:
    """Report the accuracy of the written model on the validation and test families."""
    for split in ("validation", "test"):
        print(f"\n## {split}\n")
        print_report(cell_dataset.load_cells(split, seeds(split)))


def print_report(cells: cell_dataset.Cells) -> None:
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
    digits = np.isin(kinds, NUMBERS)
    merged, truth = parts.copy(), np.where(kinds == 1, 0, kinds)
    merged[:, 0] += merged[:, 1]
    merged[:, 1] = 0
    blanks = merged.argmax(axis=1)
    right, right_digits = 100 * (best == kinds).mean(), 100 * (best == kinds)[digits].mean()
    as_one = 100 * (blanks == truth).mean()
    print(f"\nright {right:.2f} %, digits {right_digits:.2f} %, with blanks as one {as_one:.2f} %")
    print_reliability("all classes", parts.max(axis=1), best == kinds)
    print_reliability("blanks as one", merged.max(axis=1), blanks == truth)
    digits = np.isin(best, NUMBERS)
    print_reliability("read as a digit", parts.max(axis=1)[digits], (best == kinds)[digits])


def print_reliability(name: str, sure: NDArray[np.float32], right: NDArray[np.bool_]) -> None:
    """Print the number and the accuracy of the cells by confidence."""
    print(f"\n| {name}: confidence | cells | mean confidence | right |\n|---|---|---|---|")
    parts = {f"{low}-{most}": (sure > low) & (sure <= most) for low, most in pairwise(EDGES)}
    for part, chosen in {**parts, "above 0.99": sure > 0.99}.items():
        if chosen.any():
            claimed, true = 100 * sure[chosen].mean(), 100 * right[chosen].mean()
            print(f"| {part} | {chosen.sum()} | {claimed:.2f} % | {true:.2f} % |")
