"""Makes vision/cells/model.onnx again: `python -m training [STEP…]`, all steps when none is named.

`fetch` brings fonts and icons, `draw` the cells, `fit` trains, calibrates and writes the model, `report` says
how good it is; `links` says what links between clusters say; `weights` fits what labelling weighs by. All of
them keep what they fetch and draw in .cache/training; each goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from training.drawing.fonts import CACHE
from training.ending import exit_code_of

CELLS = CACHE / "cells2"  # not those drawn otherwise before
LOTS = {  # of 50 themes each; a lot is drawn from its number
    "train": range(1000, 1200),
    "validation": range(1000, 1008),
    "test": range(1000, 1008),
}
STEPS = 9000  # of 384 cells: seven looks at each
NET = CACHE / "net.pt"


def fetch() -> None:
    """Fonts and icons, as packages."""
    from training.drawing import fonts, icons

    fonts.fetch()
    icons.fetch()
    icons.draw_all()
    faces = fonts.load()
    for split, found in faces.items():
        print(f"{split}: {sum(map(len, found.values()))} faces of {len(found)} families")


def draw() -> None:
    """The cells of every split."""
    from training import dataset

    for split, lots in LOTS.items():
        dataset.draw(split, lots, CELLS)


def fit() -> None:
    """Trains on `train`, calibrates on `validation`, writes the model."""
    import torch

    from training import dataset, export, network

    chosen = dataset.load("validation", CELLS)
    few = (chosen[0][::5], chosen[1][::5])
    net = network.train(dataset.load("train", CELLS), STEPS, check=few)
    torch.save(net.state_dict(), NET)
    heat, bias = network.calibrated(net, chosen)
    print(f"temperature {1 / heat:.3f}, biases {bias.round(2)}")
    print(export.export(net, heat, bias), "is the model's checksum")


def report() -> None:
    """What the written model makes of the cells of the validation and test families."""
    from training import dataset
    from training.report import print_report

    for split in ("validation", "test"):
        print(f"\n## {split}\n")
        print_report(dataset.load(split, CELLS))


def weigh() -> None:
    """How much each piece of evidence weighs, fitted on boards of `train`, compared on `validation`."""
    from training import weights

    weights.main()


def link() -> None:
    """What links between clusters that look alike say, on boards of `train` and `validation`."""
    from training import linking

    linking.main()


def main() -> None:
    """Does the steps that are named, in order."""
    steps = {"fetch": fetch, "draw": draw, "fit": fit, "report": report, "links": link, "weights": weigh}
    parser = argparse.ArgumentParser(
        prog="python -m training", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument(
        "steps", nargs="*", choices=[*steps, []], default=[], metavar="STEP", help=", ".join(steps)
    )
    for step in parser.parse_args().steps or list(steps):
        steps[step]()


if __name__ == "__main__":
    Path(CACHE).mkdir(parents=True, exist_ok=True)
    sys.exit(exit_code_of(main))
