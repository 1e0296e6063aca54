"""Makes what decides in vision/locating again: `python -m training.locating [STEP…]`, all when none is named.

`network` draws boards and trains the judge of cells (cells.onnx), `weights` fits how what it says becomes a
probability, `report` says how well boards are located on families that training never saw. All need the fonts
and icons that `python -m training fetch` brings.
"""

from __future__ import annotations

import argparse

from training.locating import network, report, weights

STEPS = {"network": network.main, "weights": weights.main, "report": report.main}


def main() -> None:
    """Does the steps that are named, in order."""
    parser = argparse.ArgumentParser(
        prog="python -m training.locating", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument(
        "steps", nargs="*", choices=[*STEPS, []], default=[], metavar="STEP", help=", ".join(STEPS)
    )
    for step in parser.parse_args().steps or list(STEPS):
        STEPS[step]()


if __name__ == "__main__":
    main()
