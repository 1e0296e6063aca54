"""Files of the training: cached drawings, and the learned parameters of `vision` with their headers."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from vision.params import write_table

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / ".cache" / "training"
PARAMS = ROOT / "vision" / "params"


def write_arrays(path: Path, arrays: Mapping[str, Any]) -> None:
    """Write arrays as .npz; an interrupted run leaves no incomplete file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}.npz")
    np.savez_compressed(part, **arrays)
    part.rename(path)


def cached_arrays(path: Path, make: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
    """Load arrays from a .npz file; make and store them if it does not exist."""
    if not path.exists():
        write_arrays(path, make())
    with np.load(path) as stored:
        return dict(stored)


def write_params(
    name: str, values: object, step: str, data: str, fitted_on: str = "training families", **header: object
) -> None:
    """Write `vision/params/NAME.json` with the command, the commit, the training data and the split."""
    git = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    write_table(
        PARAMS / f"{name}.json",
        values,
        made_by=f"python -m training {step}",
        commit=commit or None,
        data=data,
        fitted_on=fitted_on,
        **header,
    )
