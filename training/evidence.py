"""Fit the weights of the evidence to pictures with known states, by reading them.

A pattern search changes one weight at a time, up and down, and keeps what reads the pictures best: an unread
cell costs 1, a wrong cell WRONG. It starts from assumptions about programs and players (ASSUMED), so that a
weight changes only if that helps. The steps grow after a success and are halved after a failure.

Two other fits were worse (docs/results/reading.md): maximum likelihood lowers all probabilities until rare
wrong cells are less sure, and then most cells are not read; a smooth limit misses what the search for
labellings does.

"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection

import numpy as np
from numpy.typing import NDArray

from games.minesweeper import UNKNOWN
from vision.cells.model import CLASSES
from vision.label.scene import Scene

Floats = NDArray[np.float64]
Scale = dict[str, float]
Labels = tuple[int, ...]  # an index in CLASSES for each cluster
Counts = Counter[str]  # cells that are "right", "unknown" and "wrong"
Count = Callable[[int, Mapping[str, float]], Counts]  # reads a picture, by its number, with these weights

KINDS = "right", "unknown", "wrong"
WRONG = 10.0  # unread cells that are as bad as a wrong cell
ROUNDS = 3  # over all weights
PART, LEAST, GROWTH = 0.3, 0.5, 1.5  # first step: a part of the weight, at least this; its growth
GAIN = 5e-5  # smallest decrease of the mean cost that is kept
BEHIND = 1e-3  # increase of the mean cost, from some of the pictures, at which a weight is given up
# these weights are not negative; all others are not positive, except those of marks
GAINS = {"model", "empty", "ground", "present", "numbers"}
# nats per unit. Exact, independent evidence counts fully; a mark fills two thirds of a board in one of 100
# boards; a number without visible cause is one of nine states, or as likely as not
ASSUMED: Mapping[str, float] = dict.fromkeys(GAINS, 1.0) | {
    "any F": -0.7, "any ?": -2.5, "any *": -1.1, "any !": -1.1, "any x": -2.5, "any ~": -3.0,
    "filled": -4.6, "half filled": -6.0, "pieces": -2.0, "regions": -2.0, "patched": -2.0,
    "contradicted": -8.0, "unnumbered": -2.2, "unread": -2.2, "clicks": -0.7,
    "unfinished": -4.0, "beside": -1.5, "left": -1.5, "second hit": -3.0, "unhit": -1.4, "untold": -0.7,
    "parted": -1.0, "unshown": -8.0, "astray": -4.0, "strange other": -3.0, "strange drawn": -8.0,
}  # fmt: skip


def true_labels(scene: Scene, states: Mapping[int, str]) -> Labels:
    """The labels of the clusters that are present."""
    return tuple(CLASSES.index(states[cluster]) for cluster in scene.present)


def fit_weights(names: Sequence[str], pictures: int, count: Count) -> Scale:
    """The weights with these names that read the pictures best."""
    scale = {name: ASSUMED.get(name, 0.0) for name in names}
    steps = {name: max(LEAST, PART * abs(value)) for name, value in scale.items()}
    with _readers(count) as ask:
        costs = np.array(ask([scale], np.full(pictures, np.inf))[0])
        for turn in range(1, ROUNDS + 1):
            for name in names:
                tried = [{**scale, name: value} for value in _values(name, scale[name], steps[name])]
                found = ask(tried, costs)
                sums = [each.mean() if len(each) == pictures else np.inf for each in found]
                best = int(np.argmin(sums))
                better = sums[best] < costs.mean() - GAIN
                steps[name] *= GROWTH if better else 1 / 2
                if better:
                    scale, costs = tried[best], found[best]
                    print(f"turn {turn}: {name} {scale[name]}, cost {costs.mean():.5f}", flush=True)
    return scale


def _values(name: str, value: float, step: float) -> Iterator[float]:
    """The values of a weight to try."""
    least = 0.0 if name in GAINS else -np.inf
    most = np.inf if name in GAINS or name.startswith("mark") else 0.0
    for other in (value + step, value - step):
        yield round(float(np.clip(other, least, most)), 2)


def count_states(read: str, truth: str) -> Counts:
    """The cells that are read rightly, not and wrongly; one letter of CLASSES per cell."""
    return Counter(
        "right" if a == b else "unknown" if a == UNKNOWN else "wrong"
        for a, b in zip(read, truth, strict=True)
    )


def shares(found: Iterable[Counts]) -> dict[str, float | int]:
    """The shares of right, unknown and wrong cells of pictures, and the pictures with wrong cells."""
    each = list(found)
    cells = sum(counts.total() for counts in each)
    parts = {kind: sum(counts[kind] for counts in each) / max(1, cells) for kind in KINDS}
    return {"cells": cells, **parts, "pictures with wrong cells": sum(counts["wrong"] > 0 for counts in each)}


def _cost(counts: Counts) -> float:
    """The cost of a picture per cell."""
    return (counts["unknown"] + WRONG * counts["wrong"]) / max(1, counts.total())


@contextmanager
def _readers(count: Count) -> Iterator[Callable[[list[Scale], Floats], list[Floats]]]:
    """Two processes that read with one table of weights each; they return the costs of the pictures.

    The pictures that cost most come first. A process gives up when the costs exceed the known ones by BEHIND.
    """
    context = get_context("fork")
    pipes = [context.Pipe() for _ in range(2)]
    for _, far in pipes:
        context.Process(target=_read_all, args=(far, count), daemon=True).start()
        far.close()

    def ask(scales: list[Scale], known: Floats) -> list[Floats]:
        used = [near for (near, _), _ in zip(pipes, scales, strict=False)]
        for near, scale in zip(used, scales, strict=True):
            near.send((scale, known))
        return [near.recv() for near in used]

    yield ask
    for near, _ in pipes:
        near.send(None)


def _read_all(asked: Connection, count: Count) -> None:
    while (job := asked.recv()) is not None:
        scale, known = job
        costs, more = known.copy(), 0.0
        for number in np.argsort(-known, kind="stable").tolist():
            costs[number] = _cost(count(number, scale))
            more += costs[number] - known[number]
            if more > BEHIND * len(known):
                costs = np.zeros(0)
                break
        asked.send(costs)
