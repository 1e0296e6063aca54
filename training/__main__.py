"""Regenerate the learned parameters of `vision`: `python -m training [STEP...]`.

Without a step, the steps of the cell model run in order (an hour):

    fetch         fonts and icons for all steps
    draw          cells of thousands of themes
    fit           vision/params/cells.onnx: training, calibration, checksum
    report        accuracy of the written model on the validation and test families
    links         weights of cluster links (printed; vision/label/scene.py contains them)
    weights       vision/params/picture.json: weights of the evidence that labels a picture

The other steps run only by name:

    priors        vision/params/game.json: states of cells after moves
    digits        vision/params/digits.npz: the network that reads mine counters
    grid-judge    vision/params/grid_cells.onnx: the network that judges cut-outs
    grid-weights  vision/params/grid_judge.json: probability of a whole grid
    board-check   vision/params/board_check.json: probability that a labelled grid is a board

.cache/training contains downloads and drawings; an interrupted step continues there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from importlib import import_module

from training.exit_code import exit_code_of
from training.storage import CACHE

CELLS = CACHE / "cells2"
BATCHES = {  # of 50 themes each; the number of a batch is its seed
    "train": range(1000, 1200),
    "validation": range(1000, 1008),
    "test": range(1000, 1008),
}
TRAINING_STEPS = 9000  # of 384 cells; the network sees each cell seven times
NETWORK = CACHE / "net.pt"


def fetch() -> None:
    """Fetch fonts and icons as packages."""
    from training.drawings import fonts, icons

    fonts.fetch_fonts()
    icons.fetch_icons()
    icons.render_icons()
    for split, families in fonts.load_faces().items():
        print(f"{split}: {sum(map(len, families.values()))} faces of {len(families)} families")


def draw() -> None:
    """Draw the cells of every split."""
    from training import cell_dataset

    for split, batches in BATCHES.items():
        cell_dataset.draw_batches(split, batches, CELLS)


def fit() -> None:
    """Train on `train`, calibrate on `validation`, and write the cell model."""
    import torch

    from training import cell_dataset, cell_network

    held_out = cell_dataset.load_cells("validation", CELLS)
    check = (held_out[0][::5], held_out[1][::5])
    net = cell_network.train(cell_dataset.load_cells("train", CELLS), TRAINING_STEPS, check=check)
    torch.save(net.state_dict(), NETWORK)
    heat, bias = cell_network.calibrate(net, held_out)
    print(f"temperature {1 / heat:.3f}, biases {bias.round(2)}")
    print(f"checksum of the model: {cell_network.export(net, heat, bias)}")


def report() -> None:
    """Report the accuracy of the written model on the validation and test families."""
    from training import cell_dataset
    from training.cell_report import print_report

    for split in ("validation", "test"):
        print(f"\n## {split}\n")
        print_report(cell_dataset.load_cells(split, CELLS))


def run_module(name: str) -> Callable[[], None]:
    """A step that imports a module, whose packages may be missing, and runs its `main`."""
    return lambda: import_module(f"training.{name}").main()


CELL_STEPS: Mapping[str, Callable[[], None]] = {
    "fetch": fetch,
    "draw": draw,
    "fit": fit,
    "report": report,
    "links": run_module("cluster_links"),
    "weights": run_module("scorer_weights"),
}
STEPS: Mapping[str, Callable[[], None]] = {
    **CELL_STEPS,
    "priors": run_module("game_priors"),
    "digits": run_module("counter_digits"),
    "grid-judge": run_module("grids.grid_network"),
    "grid-weights": run_module("grids.grid_weights"),
    "board-check": run_module("grids.board_check"),
}


def main() -> None:
    """Run the named steps in order."""
    parser = argparse.ArgumentParser(
        prog="python -m training", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("steps", nargs="*", metavar="STEP")
    steps = parser.parse_args().steps or list(CELL_STEPS)
    for step in steps:
        if step not in STEPS:
            parser.error(f"unknown step '{step}': use one of {', '.join(STEPS)}")
    CACHE.mkdir(parents=True, exist_ok=True)
    for step in steps:
        STEPS[step]()


if __name__ == "__main__":
    sys.exit(exit_code_of(main))
