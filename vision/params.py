"""Learned parameters of `vision`: files in `vision/params/`, written by `python -m training`.

Each file has a header: the command, the commit, the parameter files that were its inputs, the training data
and its digest, the split, the metrics and the SHA-256. Tables are JSON: the header and `values`. The header
of a network (`.onnx`, `.npz`) is a JSON file of the same name. A missing or damaged file is an error with
exit code 8. `make params` regenerates the files; `make params-check` compares them with their headers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path, PurePath
from typing import Any

from games.errors import MissingRequirement
from games.external import DAMAGE

AGAIN = "install Sapper again"


def load_data_file(name: str) -> bytes:
    """The bytes of a file in `vision/params`. Raises MissingRequirement if it is missing or damaged."""
    place = f"vision/params/{name}"
    try:
        data = (resources.files("vision").joinpath("params") / name).read_bytes()
    except OSError as error:
        raise MissingRequirement(f"{place}: {error.strerror or 'it cannot be read'}: {AGAIN}") from error
    if hashlib.sha256(data).hexdigest() != load_header(header_name(name))["sha256"]:
        raise MissingRequirement(f"{place}: the file is damaged (its checksum is another): {AGAIN}")
    return data


def load_network(name: str) -> Any:
    """The `cv2.dnn` network in a file of `vision/params`.

    Raises MissingRequirement if the file is missing or damaged, or OpenCV cannot run it.
    """
    import cv2
    import numpy as np

    data = np.frombuffer(load_data_file(name), np.uint8)
    try:
        return cv2.dnn.readNetFromONNX(data)
    except cv2.error as error:
        why = f"OpenCV {cv2.__version__} cannot run it"
        raise MissingRequirement(f"vision/params/{name}: {why}: {AGAIN}") from error


def header_name(name: str) -> str:
    """The name of the file that holds the header of a network."""
    return PurePath(name).with_suffix(".json").name


def load_header(name: str) -> dict[str, Any]:
    """A JSON file in `vision/params`. Raises MissingRequirement if it is missing or damaged."""
    try:
        file = json.loads((resources.files("vision").joinpath("params") / name).read_bytes())
        return {**file, "sha256": str(file["sha256"])}
    except (OSError, *DAMAGE) as error:
        reason = getattr(error, "strerror", None) or "it is no table of parameters"
        raise MissingRequirement(f"vision/params/{name}: {reason}: {AGAIN}") from error


def load_table(name: str) -> Any:
    """The values of `vision/params/NAME.json`. Raises MissingRequirement if they are missing or damaged."""
    file, place = load_header(f"{name}.json"), f"vision/params/{name}.json"
    if "values" not in file:
        raise MissingRequirement(f"{place}: it is no table of parameters: {AGAIN}")
    if digest_of(file["values"]) != file["sha256"]:
        raise MissingRequirement(f"{place}: the file is damaged (its checksum is another): {AGAIN}")
    return file["values"]


def digest_of(values: object) -> str:
    """The SHA-256 of the values of a table."""
    text = json.dumps(values, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def write_table(file: Path, values: object, header: Mapping[str, object]) -> None:
    """Write a table that `load_table` reads."""
    _write(file, {**header, "sha256": digest_of(values), "values": values})


def write_header(file: Path, header: Mapping[str, object]) -> None:
    """Write the header of a network, with the checksum of its file."""
    checksum = hashlib.sha256(file.read_bytes()).hexdigest()
    _write(file.with_name(header_name(file.name)), {**header, "sha256": checksum})


def _write(file: Path, content: Mapping[str, object]) -> None:
    file.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


# fractions of the classes among the training cells; the cell model's probabilities divided by them are
# likelihoods
CLASS_PRIORS: Mapping[str, float] = load_table("class_priors")

_picture = load_table("picture")
# nats for a mark that the cell model does not know, by the class that it sees
STRANGE: Mapping[str, float] = _picture["strange"]
# nats per unit of each feature of a labelling of a single picture; the file describes the units
WEIGHTS: Mapping[str, float] = _picture["weights"]
# nats for an empty cell against a covered one, by its difference from open ground (below each step, above)
GROUND: Sequence[float] = _picture["ground"]

# the same features during a game, where the transitions in EXPECTED decide most
GAME_WEIGHTS: Mapping[str, float] = load_table("game_weights")
_assumptions = load_table("assumptions")
RAREST: float = _assumptions["rarest"]  # nats; minimum prior of a state
EITHER: float = _assumptions["either"]
LOST: float = _assumptions["lost"]
MISREAD: float = _assumptions["misread"]

# nats; log-odds of one state at both ends of a link against two, by the kind of the link: a constant, and
# coefficients of the log length, the model's confidence, and the gap ratio of the longest link between blanks
LINKED: Mapping[str, Sequence[float]] = load_table("links")
_distances = load_table("distances")
SAME_NUMBER: Sequence[float] = _distances["same number"]  # log-odds; the file describes the terms
FRESH_BOARD: Sequence[float] = _distances["fresh board"]

_board_check = load_table("board_check")
BOARD: Mapping[str, float] = _board_check["weights"]  # nats per unit of each board feature
BOARD_CONSTANT: float = _board_check["constant"]  # nats

_grid_judge = load_table("grid_judge")
GRID_HIDDEN: Sequence[Sequence[float]] = _grid_judge["hidden"]  # a row per feature and one for the constant
GRID_LAST: Sequence[float] = _grid_judge["last"]

_game = load_table("game")
# nats of each state of a cell after a move: "opened" was clicked, "reached" is connected to an opened cell
# through changed cells, "inside" is either of them without a closed neighbour, "hidden" is not connected;
# ", ended": the game is over
EXPECTED: Mapping[str, Mapping[str, float]] = _game["expected"]
PRESENT: Mapping[str, float] = _game["present"]  # nats of a state occurring on a board
