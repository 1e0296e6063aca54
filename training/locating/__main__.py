"""Makes what decides in vision/locating again: `python -m training.locating [STEP…]`, all steps if none.

`network` draws boards and trains the judge of cells (cells.onnx), `weights` fits how what it says becomes a
probability, `readings` how what is read then makes it likelier or less (vision/labelling/boardlike). All need
the fonts and icons that `python -m training fetch` brings; what is drawn for `network` is kept in
.cache/training, and goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import importlib
import sys

from training.ending import exit_code_of

STEPS = "network", "weights", "readings"


def main() -> None:
    """Does the steps that are named, in order."""
    parser = argparse.ArgumentParser(
        prog="python -m training.locating", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("steps", nargs="*", metavar="STEP", help=", ".join(STEPS))
    steps = parser.parse_args().steps or STEPS
    for step in steps:
        if step not in STEPS:
            parser.error(f"no step is called {step}: there are {', '.join(STEPS)}")
    for step in steps:
        importlib.import_module(f"training.locating.{step}").main()  # with what trains, which may be missing


if __name__ == "__main__":
    sys.exit(exit_code_of(main))
