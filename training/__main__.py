"""Regenerate the learned parameters of `vision`: `python -m training STEP...`.

Steps, in order:

{steps}

    report        accuracy of the written cell model on the validation and test families
    all           all steps above that have not been completed at this commit, each in a process of its own
    check         compare the files in vision/params with their headers (no training packages required)

.cache/training contains downloads and drawings; an interrupted step continues there.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from importlib import import_module

from games.errors import MissingRequirement
from training.exit_code import exit_code_of
from training.pipeline import STEPS
from training.storage import CHANGED, SHARE, current_commit

MAINS = {step.name: step.main for step in STEPS} | {
    "report": "cell_steps:report",
    "check": "params_check:main",
    "all": "__main__:run_all",
}


def run_all() -> None:
    """Run the steps in order; skip those whose files were written at this commit from the present inputs."""
    from training.params_check import is_current

    if current_commit().endswith(CHANGED) and not os.environ.get(SHARE):
        raise MissingRequirement("the sources differ from the commit: commit them, or try --share 0.01")
    for step in STEPS:
        if is_current(step):
            print(f"{step.name}: done", flush=True)
            continue
        print(f"{step.name}: {step.about}", flush=True)
        began = time.monotonic()
        run_alone(step.name)
        print(f"{step.name}: {time.monotonic() - began:.0f} s", flush=True)


def run_alone(name: str) -> None:
    """Run one step in a process of its own; end with its exit code if it fails.

    The number of threads changes the last digits of sums, so there is one; torch has its own setting.
    """
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    code = subprocess.run([sys.executable, "-m", "training", name], env=alone, check=False).returncode
    if code:
        sys.exit(code)


def run(name: str) -> None:
    """Run one step in this process, because its packages may be missing for the others."""
    current_commit()  # of the sources that are imported now
    module, function = MAINS[name].split(":")
    getattr(import_module(f"training.{module}"), function)()


def main() -> None:
    """Run the named steps in order."""
    steps = "\n".join(f"    {step.name:13} {step.about}" for step in STEPS)
    parser = argparse.ArgumentParser(
        prog="python -m training",
        description=(__doc__ or "").format(steps=steps),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("steps", nargs="+", metavar="STEP")
    parser.add_argument("--share", help="trial run with this share of the data; the result cannot be shipped")
    options = parser.parse_args()
    for step in options.steps:
        if step not in MAINS:
            parser.error(f"unknown step '{step}': use one of {', '.join(MAINS)}")
    if options.share:
        os.environ[SHARE] = options.share
    start = run if len(options.steps) == 1 else run_alone
    for step in options.steps:
        start(step)


if __name__ == "__main__":
    sys.exit(exit_code_of(main))
