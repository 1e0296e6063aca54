"""Propose boards with a network that sees the whole picture.

For each square of STEP pixels, the network (`training.grids.overview_network`) says whether it lies inside a
board, and along both axes the pitch of the lines and the phase: the position between two lines, as sine and
cosine. All squares of a connected area vote: of the pitches near their median, the best is the one at which
their phases agree most, which is the highest value of a Fourier transform. Its phase gives the lines. All
votes together determine the pitch to a fraction of a pixel, although a single square is off by several.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.locate.grid import FEWEST, Floats, Grid
from vision.params import load_network

STEP = 8  # pixels; side of a square of the network's output
DEEPEST = 16  # pixels; the sides of the network's input are multiples of it
TYPICAL = 24.0  # pixels; the network says the logarithm of the pitch by this
PLANES = ("inside", "sine x", "cosine x", "sine y", "cosine y", "log pitch x", "log pitch y")
MEAN_GREY, GREY_LEVELS = 128, 64  # grey level that is 0 in the network's input; grey levels per unit
FILE = "overview.onnx"
MOST_PIXELS = 4_000_000  # pixels of the largest picture that is not halved; they take half a second
LARGE = 48.0  # pixels; side of a cell above which the halved picture is examined too
LEAST_INSIDE = 0.5  # probability of a square to be inside of a board
FEWEST_SQUARES = 12  # squares of an area
MOST_AREAS = 6  # largest areas examined
FURTHEST = 1.5  # largest factor between the pitch and the median pitch of the squares
FINENESS = 16  # tried pitches between one with n and one with n + 1 cells on the picture
FILLED = 0.5  # share of the usual number of squares in a column or row of the board


def propose_from_overview(pixels: Pixels) -> list[Grid]:
    """The boards that the network sees, largest first. Raises MissingRequirement without the network file.

    Pictures with large cells are also examined at half size, since the network was trained on few of them,
    and huge pictures only so, which bounds memory and time.
    """
    is_huge = pixels.shape[0] * pixels.shape[1] > MOST_PIXELS
    found = [] if is_huge else _propose(pixels)
    if is_huge or any(max(grid.pitch(1), grid.pitch(0)) > LARGE for grid in found):
        half = np.asarray(cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        halved = propose_from_overview(half) if is_huge else _propose(half)
        found += [Grid(tuple(2 * x for x in grid.xs), tuple(2 * y for y in grid.ys)) for grid in halved]
    return found


def _propose(pixels: Pixels) -> list[Grid]:
    network = _network()
    network.setInput(network_input(pixels))
    high, wide = (-(-size // STEP) for size in pixels.shape[:2])
    return vote(np.asarray(network.forward(), np.float32)[0, :, :high, :wide])


def network_input(pixels: Pixels) -> Floats:
    """Network input (1, 3, height, width), enlarged by repeated borders to multiples of DEEPEST."""
    high, wide = (-size % DEEPEST for size in pixels.shape[:2])
    padded = cv2.copyMakeBorder(pixels, 0, high, 0, wide, cv2.BORDER_REPLICATE)
    mean = (MEAN_GREY, MEAN_GREY, MEAN_GREY)
    return np.asarray(cv2.dnn.blobFromImage(padded, 1 / GREY_LEVELS, mean=mean), np.float32)


def scaled(planes: NDArray[np.uint8]) -> Floats:
    """Grey levels as the network expects them."""
    return np.asarray((planes.astype(np.float32) - MEAN_GREY) / GREY_LEVELS, np.float32)


@lru_cache(maxsize=1)
def _network() -> Any:
    return load_network(FILE)


def vote(values: Floats) -> list[Grid]:
    """The grids of output planes (PLANES, squares down, squares across), largest area first."""
    inside = 1 / (1 + np.exp(-values[0]))
    _, areas, stats, _ = cv2.connectedComponentsWithStats(
        (inside > LEAST_INSIDE).astype(np.uint8), connectivity=4
    )
    found = []
    for area in np.argsort(-stats[1:, cv2.CC_STAT_AREA])[:MOST_AREAS] + 1:
        if stats[area, cv2.CC_STAT_AREA] < FEWEST_SQUARES:
            break
        weights = inside * (areas == area)
        xs = _lines(weights, values[1:3], values[5], 1)
        ys = _lines(weights, values[3:5], values[6], 0)
        if min(len(xs), len(ys)) > FEWEST - 1:
            found.append(Grid(xs, ys))
    return found


def _lines(weights: Floats, phase: Floats, log_pitch: Floats, axis: int) -> tuple[float, ...]:
    """The lines along an axis on which the squares agree most."""
    middle = TYPICAL * float(np.exp(np.median(log_pitch[weights > 0])))
    waves = (weights * (phase[1] + 1j * phase[0])).sum(axis=1 - axis)
    votes = weights.sum(axis=1 - axis)
    places = STEP * np.arange(len(votes)) + (STEP - 1) / 2
    length = STEP * int(np.count_nonzero(votes))
    tried = np.arange(1 / (FURTHEST * middle), FURTHEST / middle, 1 / (FINENESS * length))
    agreement = np.abs(np.exp(-2j * np.pi * np.outer(tried, places)) @ waves)
    pitch = 1 / float(tried[agreement.argmax()])
    offset = float(np.angle((np.exp(-2j * np.pi * places / pitch) * waves).sum()))
    first = -offset * pitch / (2 * np.pi)
    filled = np.flatnonzero(votes > FILLED * np.percentile(votes[votes > 0], 75))
    begin, end = places[filled[0]] - STEP / 2, places[filled[-1]] + STEP / 2
    start, stop = round((begin - first) / pitch), round((end - first) / pitch)
    return tuple(float(first + pitch * number) for number in range(start, stop + 1))
