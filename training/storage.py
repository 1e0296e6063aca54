"""Files of the training: cached drawings, and the learned parameters of `vision` with their headers."""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from training.pipeline import ROOT, STEPS, step_of
from vision.params import header_name, load_header, write_header, write_table

CACHE = ROOT / ".cache" / "training"
PARAMS = ROOT / "vision" / "params"
# sources of all drawings: their digest names the folder of cached drawings
DRAWING = (
    "training/drawings/*.py", "training/splits.py", "training/game_states.py", "training/drawn_pictures.py",
    "training/cell_dataset.py", "training/grids/scene*.py", "training/grids/random_looks.py",
    "training/grids/grid_samples.py", "vision/cells/model.py", "vision/locate/judge.py",
)  # fmt: skip
# sources of which a step is made; a header says if they differ from the commit
SOURCES = ("games", "strategies", "training", ":(glob)vision/**/*.py")
CHANGED = "-changed"  # follows a commit from which the sources of the training differ
SHARE = "SAPPER_TRAINING_SHARE"  # environment variable: share of the data of a trial run


def _digest_sources(*patterns: str) -> str:
    found = hashlib.sha256()
    for path in sorted(path for pattern in patterns for path in ROOT.glob(pattern)):
        found.update(path.read_bytes())
    return found.hexdigest()


DRAWN = CACHE / f"drawn-{_digest_sources(*DRAWING)[:12]}"
CHUNK = 20  # seeds per file of cached evidence
# the families of all fits that use the output of a network, which is overconfident on its training families
CALIBRATION = "calibration families"


def sized(count: int) -> int:
    """The number of drawings or steps: `count`, or fewer in a trial run."""
    return max(1, round(count * float(os.environ.get(SHARE, "1"))))


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


def cached_evidence(
    step: str, split: str, seeds: range, draw: Callable[[range], tuple[Any, Any]]
) -> tuple[Any, Any]:
    """The features and labels of the scenes of these seeds; an interrupted step continues where it ended.

    The files belong to the present sources and to the present inputs of the step.
    """
    inputs = next(each.inputs for each in STEPS if each.name == step)
    sources = _digest_sources("games/**/*.py", "strategies/**/*.py", "training/**/*.py", "vision/**/*.py")
    key = hashlib.sha256(f"{sources} {input_digests(inputs)}".encode()).hexdigest()[:12]
    parts = []
    for at in range(0, len(seeds), CHUNK):
        some = seeds[at : at + CHUNK]

        def make(some: range = some) -> dict[str, Any]:
            print(f"{split}: scene {some[0]}", flush=True)
            return dict(zip(("rows", "right"), draw(some), strict=True))

        name = f"{split}-{some[0]}-{len(some)}.npz"
        parts.append(cached_arrays(CACHE / f"{step}-{key}" / name, make))
    return np.vstack([each["rows"] for each in parts]), np.concatenate([each["right"] for each in parts])


@dataclass(frozen=True)
class Fit:
    """How numbers were fitted: the data with their digest, and the metrics.

    `fitted_on` are the families of the data, `measured_on` those of the metrics; nothing is fitted on these.
    """

    data: str
    digest: str
    metrics: Mapping[str, float | int]
    fitted_on: str = "training families"
    measured_on: str = "validation families"


def digest_arrays(*arrays: Any) -> str:
    """The SHA-256 of the types, shapes and values of arrays."""
    found = hashlib.sha256()
    for each in arrays:
        array = np.ascontiguousarray(each)
        found.update(f"{array.dtype.str} {array.shape}".encode())
        found.update(array.data)
    return found.hexdigest()


def write_params(name: str, values: object, fit: Fit, **more: object) -> None:
    """Write the table `vision/params/NAME.json`."""
    write_table(PARAMS / f"{name}.json", values, make_header(f"{name}.json", fit) | more)
    print(f"wrote {name}.json: {dict(fit.metrics)}", flush=True)


def write_network(file: str, fit: Fit) -> None:
    """Write the header of a network that was written to PARAMS."""
    write_header(PARAMS / file, make_header(header_name(file), fit))
    print(f"wrote {file}: {dict(fit.metrics)}", flush=True)


def make_header(file: str, fit: Fit) -> dict[str, object]:
    """The header of a file: the command and the commit, the inputs, the data, the split and the metrics."""
    step = step_of(file)
    share = os.environ.get(SHARE)
    return {
        "command": f"python -m training {step.name}{f' --share {share}' if share else ''}",
        "commit": current_commit(),
        "inputs": input_digests(step.inputs),
        "data": fit.data,
        "data_sha256": fit.digest,
        "split": {"fitted": fit.fitted_on, "measured": fit.measured_on},
        "metrics": {
            name: round(value, 5) if isinstance(value, float) else value
            for name, value in fit.metrics.items()
        },
    }


def input_digests(names: tuple[str, ...]) -> dict[str, str]:
    """The SHA-256 of the parameters that a step reads, by file."""
    return {name: load_header(name)["sha256"] for name in names}


@cache
def current_commit() -> str:
    """The commit at the first call, and CHANGED if sources of the training differ from it."""
    changed = CHANGED if _git("status", "--porcelain", "--", *SOURCES) else ""
    return (_git("rev-parse", "HEAD") or "unknown") + changed


def _git(*command: str) -> str:
    done = subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()
