"""The likeliest labellings of a picture: a state for every cluster, if the rules allow it.

Labellings are made best first: clusters are given their states one by one, and what is left can weigh no more
than the best of each. An empty cell has hardly ever a covered one beside it: whoever opens it opens all
around it.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf

import numpy as np
from numpy.typing import NDArray

from vision.cells import CLASSES
from vision.labelling.rules import IS_COVERED
from vision.labelling.scene import Scene
from vision.labelling.weighing import OTHER, UNFINISHED, Draft, Weighing, Weights
from vision.reading import Judge

Labellings = list[tuple[float, dict[int, str]]]  # nats, and the state of every cluster

BEHIND = 16.0  # nats; a labelling that is so far behind the best is left out, and a state of one cluster
DOUBT = 9.0  # nats; a labelling that is so far behind makes nothing less than sure
DRAFTED = 64  # labellings of one picture that the rules allow at a glance
TRIED = 400  # labellings that are looked at; most fail the rules at a glance
JUDGED = 8  # labellings that are judged: of the best, and of those that differ from the best in one cluster
ASKED = 32  # labellings that are judged until one is possible
DOUBTED = (2.0, 4.0, 8.0, 16.0)  # nats by which a cluster is likelier to be something than nothing
STEPS = 60_000  # steps of the search

ZERO = CLASSES.index("0")


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A state for every cluster, and how likely it is among all (0 to 1)."""

    states: Mapping[int, str]
    weight: float


def find_labellings(scene: Scene, weights: Weights, judge: Judge, mines: int | None = None) -> Labellings:
    """Labellings that are possible and not far behind the best, the likeliest first, with their nats.

    Beside the best ones, those that differ from the very best in one cluster only.
    """
    weighing = Weighing(scene, weights, judge, mines)
    found: dict[tuple[int, ...], float] = {}
    best: tuple[float, Draft, float] | None = None  # nats, the labelling, and the judge's part of them
    for place, draft in enumerate(_drafts(scene, weights, weighing)[:ASKED]):
        if best is not None and (place >= JUDGED or draft.weight < best[1].weight - DOUBT):
            break
        likely = weighing.judged(draft)
        if likely is not None:
            found[draft.labels] = draft.weight + likely
            if best is None or draft.weight + likely > best[0]:
                best = draft.weight + likely, draft, likely
    if best is None:
        best = _with_less(weights, weighing)
    if best is None:
        return []
    found[best[1].labels] = best[0]
    _, first, usual = best
    for place, draft in enumerate(_flips(weights, weighing, first)):
        if draft.labels not in found:
            likely = weighing.judged(draft) if place < JUDGED else usual
            if likely is not None:
                found[draft.labels] = draft.weight + likely
    ranked = sorted(found.items(), key=lambda each: -each[1])
    return [
        (weight, dict(zip(scene.present, (CLASSES[label] for label in labels), strict=True)))
        for labels, weight in ranked
        if weight >= ranked[0][1] - BEHIND
    ]


def _with_less(weights: Weights, weighing: Weighing) -> tuple[float, Draft, float] | None:
    """The best labelling in which clusters are nothing of the game that hardly look like anything else.

    It is asked for where none of the likeliest is possible: something lies over the board, or moves.
    """
    labels = weights.argmax(axis=1)
    lead = weights.max(axis=1) - weights[:, OTHER]
    for least in DOUBTED:
        draft = weighing.draft(np.where(lead < least, OTHER, labels).tolist())
        likely = weighing.judged(draft) if draft is not None else None
        if draft is not None and likely is not None:
            return draft.weight + likely, draft, likely
    return None


def _drafts(scene: Scene, weights: Weights, weighing: Weighing) -> list[Draft]:
    """The labellings that the rules allow at a glance, the heaviest first; the rules make none heavier."""
    drafts: list[Draft] = []
    top = -inf
    for tried, (bound, labels) in enumerate(_best_first(scene, weights)):
        if tried == TRIED or len(drafts) == DRAFTED or bound < top - DOUBT:
            break
        draft = weighing.draft(labels)
        if draft is not None:
            drafts.append(draft)
            top = max(top, draft.weight)
    return sorted(drafts, key=lambda draft: -draft.weight)


def _flips(weights: Weights, weighing: Weighing, best: Draft) -> list[Draft]:
    """Labellings that differ from the best in one cluster, and make it less than certain; heaviest first."""
    rows = np.arange(len(weights))
    near = weights > (weights[rows, list(best.labels)] - DOUBT)[:, None]
    near[rows, list(best.labels)] = False
    drafts = (
        weighing.draft([*best.labels[:place], int(label), *best.labels[place + 1 :]])
        for place, label in np.argwhere(near)
    )
    return sorted(
        (draft for draft in drafts if draft is not None and draft.weight > best.weight - DOUBT),
        key=lambda draft: -draft.weight,
    )


def normalised(found: Labellings) -> list[Hypothesis]:
    """The same with probabilities in place of nats, the likeliest first."""
    if not found:
        return []
    top = max(weight for weight, _ in found)
    kept = sorted(((w, s) for w, s in found if w >= top - BEHIND), key=lambda each: -each[0])
    everything = sum(exp(weight - top) for weight, _ in kept)
    return [Hypothesis(states, exp(weight - top) / everything) for weight, states in kept]


def confidences(hypotheses: Sequence[Hypothesis]) -> dict[int, tuple[str, float]]:
    """For each cluster its state in the likeliest labelling, and how sure that is at least.

    A state is as sure as the likeliest labelling is beside all those that say otherwise of it. Those that
    differ elsewhere are no evidence against it: of many doubts only some are among the hypotheses.
    """
    if not hypotheses:
        return {}
    best = hypotheses[0]
    against = dict.fromkeys(best.states, 0.0)
    for other in hypotheses[1:]:
        for cluster, state in other.states.items():
            if state != best.states[cluster]:
                against[cluster] += other.weight
    return {
        cluster: (state, best.weight / (best.weight + against[cluster]))
        for cluster, state in best.states.items()
    }


def _best_first(scene: Scene, weights: Weights) -> Iterator[tuple[float, list[int]]]:
    """Ways to give every cluster a state (its place in CLASSES), the heaviest first."""
    best = weights.max(axis=1)
    choices = []
    for row in weights:
        order = np.argsort(-row, kind="stable")
        choices.append(
            [(int(label), float(row[label])) for label in order if row[label] > row.max() - BEHIND]
        )
    # those that can be empty or covered first: they bind each other; then the ones that cost most to change
    is_blank = [any(label == ZERO or IS_COVERED[label] for label, _ in each) for each in choices]
    drop = [each[0][1] - each[1][1] if len(each) > 1 else inf for each in choices]
    order_of = sorted(range(len(choices)), key=lambda place: (not is_blank[place], -drop[place]))
    rest = [0.0]
    for place in reversed(order_of):
        rest.append(rest[-1] + float(best[place]))
    rest.reverse()
    beside = scene.beside[np.ix_(order_of, order_of)]
    waiting: list[tuple[float, int, tuple[int, ...]]] = [(-rest[0], 0, ())]
    for _ in range(STEPS):
        if not waiting:
            return
        negative, _, chosen = heapq.heappop(waiting)
        depth = len(chosen)
        if depth == len(order_of):
            labels = [0] * depth
            for place, label in zip(order_of, chosen, strict=True):
                labels[place] = label
            yield -negative, labels
            continue
        options = choices[order_of[depth]]
        for label, weight in options:
            cost = UNFINISHED[1] * _unopened(label, chosen, beside[depth, :depth], beside[:depth, depth])
            # the deeper one of equals first: one full labelling, not all half ones
            heapq.heappush(waiting, (negative + options[0][1] - weight - cost, -depth - 1, (*chosen, label)))


def _unopened(label: int, chosen: Sequence[int], own: NDArray[np.int64], others: NDArray[np.int64]) -> int:
    """About how many empty cells lie beside covered ones, when one more cluster gets its state.

    `own` counts its cells beside those of each cluster before it, `others` theirs beside its own.
    """
    if label == ZERO:
        return int(own[IS_COVERED[list(chosen)]].sum()) if chosen else 0
    if IS_COVERED[label]:
        return int(others[[other == ZERO for other in chosen]].sum()) if chosen else 0
    return 0
