"""The steps that regenerate the parameters of `vision`, in order.

Each step runs in a process of its own, because `vision.params` loads the tables when it is imported: a step
must use what the steps before it wrote. The files of a finished step have the present commit and the present
inputs in their headers, so an interrupted run continues with the next step.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Step:
    """A step: `main` (module and function), its output `files`, and its `inputs`.

    All are JSON files in `vision/params`; the JSON file of a network is its header.
    """

    name: str
    main: str
    about: str
    files: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()


# values that are not fitted, with the origin of each in the file
ASSUMED = ("assumptions.json",)
_LABELLING = ("cells.json", "class_priors.json", "links.json")
_GRIDS = ("overview.json", "grid_cells.json", "grid_judge.json")

STEPS = (
    Step("fetch", "cell_steps:fetch", "fonts and icons for all steps"),
    Step("draw", "cell_steps:draw", "cells of thousands of themes"),
    Step(
        "cells", "cell_steps:fit",
        "cells.onnx: training and calibration of the cell model; shares of the classes",
        ("cells.json", "class_priors.json"),
    ),
    Step("links", "cluster_links:main", "weights of cluster links", ("links.json",), ("cells.json",)),
    Step(
        "distances", "cluster_distances:main",
        "probability that clusters show one number, and that a board is fresh",
        ("distances.json",), ("cells.json",),
    ),
    Step("priors", "game_priors:main", "states of cells after moves", ("game.json",)),
    Step(
        "game-weights", "game_weights:main", "weights of the evidence during a game", ("game_weights.json",),
        ("cells.json", "class_priors.json", "distances.json", "game.json", *ASSUMED),
    ),
    Step(
        "weights", "scorer_weights:main", "weights of the evidence that labels a picture",
        ("picture.json",), _LABELLING,
    ),
    Step("overview", "grids.overview_network:main", "network that proposes boards", ("overview.json",)),
    Step("grid-judge", "grids.grid_network:main", "network that judges cut-outs", ("grid_cells.json",)),
    Step(
        "grid-weights", "grids.grid_weights:main", "probability of a whole grid",
        ("grid_judge.json",), ("overview.json", "grid_cells.json"),
    ),
    Step(
        "board-check", "grids.board_check:main", "probability that a labelled grid is a board",
        ("board_check.json",), (*_LABELLING, "picture.json", *_GRIDS),
    ),
    Step("digits", "counter_digits:main", "network that reads mine counters", ("digits.json",)),
)  # fmt: skip


def step_of(file: str) -> Step:
    """The step that writes this file."""
    return next(step for step in STEPS if file in step.files)
