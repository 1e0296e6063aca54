"""Steps of the cell model: fetch fonts and icons, draw cells, train and calibrate, report."""

from __future__ import annotations

import numpy as np

from training.storage import CACHE, Fit, digest_arrays, sized, write_network, write_params
from vision.cells.model import CLASSES, FILE

FIRST = 1000  # seed of the first batch
BATCHES = {"train": 200, "calibration": 8, "validation": 8, "test": 8}  # of 50 themes each
TRAINING_STEPS = 9000  # of 384 cells; the network sees each cell seven times


def fetch() -> None:
    """Fetch fonts and icons as packages."""
    from training.drawings import fonts, icons

    fonts.fetch_fonts()
    icons.fetch_icons()
    icons.render_icons()
    for split, families in fonts.load_faces().items():
        print(f"{split}: {sum(map(len, families.values()))} faces of {len(families)} families")


def draw() -> None:
    """Draw the missing cells of every split."""
    from training import cell_dataset

    for split in BATCHES:
        cell_dataset.draw_batches(split, seeds(split))


def seeds(split: str) -> range:
    """The seeds of the batches of a split."""
    return range(FIRST, FIRST + sized(BATCHES[split]))


def fit() -> None:
    """Train on `train`, calibrate on `calibration`, measure on `validation`, and write the cell model."""
    from training import cell_dataset, cell_network

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
    from training import cell_dataset
    from training.cell_report import print_report

    for split in ("validation", "test"):
        print(f"\n## {split}\n")
        print_report(cell_dataset.load_cells(split, seeds(split)))
