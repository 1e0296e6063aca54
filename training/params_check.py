"""Compare the files in `vision/params` with their headers: `python -m training check` (`make params-check`).

Each file must belong to a step, be undamaged, be loaded by `vision.params` unchanged, and have a complete
header whose inputs are the present files. The check trains nothing and needs no training packages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from games.errors import InvalidFile, SapperError
from training.pipeline import ASSUMED, STEPS, Step, step_of
from training.storage import PARAMS, current_commit, input_digests
from vision import params
from vision.locate.judge import FEATURES
from vision.params import header_name, load_data_file, load_header, load_table

FIELDS = ("command", "commit", "data", "data_sha256", "inputs", "metrics", "sha256", "split")
NETWORKS = {
    header_name(file): file for file in ("cells.onnx", "grid_cells.onnx", "overview.onnx", "digits.npz")
}
# the values that `vision` uses, by table
LOADED: Mapping[str, object] = {
    "class_priors": params.CLASS_PRIORS,
    "picture": {"strange": params.STRANGE, "weights": params.WEIGHTS, "ground": params.GROUND},
    "game_weights": params.GAME_WEIGHTS,
    "assumptions": {name: getattr(params, name.upper()) for name in ("rarest", "either", "lost", "misread")},
    "links": params.LINKED,
    "distances": {"same number": params.SAME_NUMBER, "fresh board": params.FRESH_BOARD},
    "board_check": {"weights": params.BOARD, "constant": params.BOARD_CONSTANT},
    "grid_judge": {
        "features": [*FEATURES, "constant"],
        "hidden": params.GRID_HIDDEN,
        "last": params.GRID_LAST,
    },
    "game": {"expected": params.EXPECTED, "present": params.PRESENT},
}


def main() -> None:
    """Print a line per file. Raises InvalidFile if a file contradicts its header."""
    wrong, tables = [], {file for step in STEPS for file in step.files} | set(ASSUMED)
    for name in sorted(tables):
        found = list(problems(name))
        wrong += [f"vision/params/{name}: {problem}" for problem in found]
        header = {} if found else load_header(name)
        about = [header.get("origin") or header.get("commit"), header.get("note")]
        print(f"{name:20} {'; '.join(found or [each for each in about if each])}")
    unknown = {path.name for path in PARAMS.iterdir() if path.is_file()} - tables - set(NETWORKS.values())
    wrong += [f"vision/params/{name}: no step writes it" for name in sorted(unknown)]
    if wrong:
        raise InvalidFile("; ".join(wrong) + ": run 'make params'")


def problems(name: str) -> Iterator[str]:
    """What is wrong with one JSON file and its network."""
    try:
        header = load_header(name)
        if name in NETWORKS:
            load_data_file(NETWORKS[name])
        else:
            values = load_table(name.removesuffix(".json"))
            if name.removesuffix(".json") in LOADED and values != LOADED[name.removesuffix(".json")]:
                yield "vision uses other values"
    except SapperError as error:
        yield str(error)
        return
    if name in ASSUMED:
        yield from () if header.get("origin") and header.get("units") else ("the header names no origin",)
        return
    step = step_of(name)
    if missing := [field for field in FIELDS if field not in header]:
        yield f"the header lacks {', '.join(missing)}"
        return
    if header["command"] != f"python -m training {step.name}":
        yield f"another command made it: {header['command']}"
    if not re.fullmatch(r"[0-9a-f]{40}", str(header["commit"])):
        yield f"no commit, or other sources: {header['commit']}"
    if "validation" in str(header["split"]["fitted"]):
        yield "it was fitted on validation data"
    if not (header["data_sha256"] and header["metrics"]):
        yield "no digest of the data, or no metrics"
    if header["inputs"] != input_digests(step.inputs):
        yield "its inputs have changed since"


def is_current(step: Step) -> bool:
    """Whether the files of a step were written at this commit from the present inputs."""
    return bool(step.files) and all(
        not list(problems(file)) and load_header(file)["commit"] == current_commit() for file in step.files
    )
