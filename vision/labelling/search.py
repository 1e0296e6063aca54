"""The likeliest labellings of a picture: a state for every cluster, if the rules allow it.

Labellings are made best first: clusters are given their states one by one, and what is left can weigh no more
than the best of each. An empty cell has hardly ever a covered one beside it: whoever opens it opens all
around it.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from math import inf

import numpy as np
from numpy.typing import NDArray

from vision.cells import CLASSES
from vision.labelling.climbing import climb, together
from vision.labelling.confidence import BEHIND, Labellings
from vision.labelling.evidence import OTHER, ZERO, Weights
from vision.labelling.rules import IS_COVERED
from vision.labelling.scene import Scene
from vision.labelling.weighing import Draft, Weighing, spread
from vision.labelling.weights import WEIGHTS
from vision.reading import Judge

Best = tuple[float, Draft, float]  # nats, the labelling, and the judge's part of them
Labels = tuple[int, ...]

DOUBT = 9.0  # nats; a labelling that is so far behind makes nothing less than sure
DRAFTED = 64  # labellings of one picture that the rules allow at a glance
TRIED = 400  # labellings that are looked at; most fail the rules at a glance
JUDGED = 8  # labellings that are judged: of the best, and of those that differ from the best in one cluster
ASKED = 32  # labellings that are judged until one is possible
DOUBTED = (2.0, 4.0, 8.0, 16.0)  # nats by which a cluster is likelier to be something than nothing
BETTERED = 4  # times that all changes of the best labelling are tried
ASTRAY = 20.0  # nats; a best labelling that the rules make so much less likely may not be the best
STEPS = 60_000  # steps of the search


def find_labellings(
    scene: Scene,
    weights: Weights,
    judge: Judge,
    mines: int | None = None,
    scale: Mapping[str, float] = WEIGHTS,
) -> Labellings:
    """Labellings that are possible and not far behind the best, the likeliest first, with their nats.

    Beside the best ones, those that differ from the very best in one cluster only. `scale` is for training.
    """
    weighing = Weighing(scene, weights, judge, mines, scale)
    found: dict[Labels, float] = {}
    best = _likeliest(_drafts(scene, weights, weighing, scale), weighing, found)
    if best is None or best[1].weight < float(weights.max(axis=1).sum()) - ASTRAY:
        starts = [tuple(weights.argmax(axis=1).tolist()), *([best[1].labels] if best is not None else [])]
        climbed = (_climbed(weights, weighing, labels) for labels in starts)
        best = max(
            (each for each in (best, *climbed) if each is not None), key=lambda each: each[0], default=None
        )
    if best is None:
        best = _with_less(weights, weighing)
    if best is None:
        return []
    best = _bettered(scene, weights, weighing, best)
    found[best[1].labels] = best[0]
    _, first, usual = best
    for place, draft in enumerate(_rivals(scene, weights, weighing, first)):
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


def _bettered(scene: Scene, weights: Weights, weighing: Weighing, best: Best) -> Best:
    """The best labelling that is led to by changing clusters together, or one of them, for the better."""
    for _ in range(BETTERED):
        before = best[0]
        most = weighing.known(best[1].labels) - best[0]  # rules and the judge make nothing likelier
        for labels in together(scene, weights, best[1].labels, most):
            draft = weighing.draft(labels)
            if draft is not None and draft.weight > best[1].weight:
                best = _better(weighing, best, draft)
        for draft in _flips(weights, weighing, best[1]):
            if draft.weight <= best[1].weight:
                break
            best = _better(weighing, best, draft)
        if best[0] == before:
            break
    return best


def _better(weighing: Weighing, best: Best, draft: Draft) -> Best:
    likely = weighing.judged(draft)
    if likely is None or draft.weight + likely <= best[0]:
        return best
    return draft.weight + likely, draft, likely


def _climbed(weights: Weights, weighing: Weighing, start: Labels) -> Best | None:
    """A possible labelling that climbing leads to, or one that differs from that in one cluster."""
    draft = weighing.draft(climb(weights, weighing, start))
    if draft is None:
        return None
    for each in (draft, *_flips(weights, weighing, draft)[:ASKED]):
        likely = weighing.judged(each)
        if likely is not None:
            return each.weight + likely, each, likely
    return None


def _with_less(weights: Weights, weighing: Weighing) -> Best | None:
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


def _drafts(scene: Scene, weights: Weights, weighing: Weighing, scale: Mapping[str, float]) -> list[Draft]:
    """The labellings that the rules allow at a glance, the heaviest first; the rules make none heavier."""
    drafts: list[Draft] = []
    top = -inf
    for tried, (bound, labels) in enumerate(_best_first(scene, weights, scale)):
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


def _likeliest(drafts: Sequence[Draft], weighing: Weighing, found: dict[Labels, float]) -> Best | None:
    """The best of these that is possible; all that are possible are noted in `found`."""
    best: Best | None = None
    for place, draft in enumerate(drafts[:ASKED]):
        if best is not None and (place >= JUDGED or draft.weight < best[1].weight - DOUBT):
            break
        likely = weighing.judged(draft)
        if likely is not None:
            found[draft.labels] = draft.weight + likely
            if best is None or draft.weight + likely > best[0]:
                best = draft.weight + likely, draft, likely
    return best


def _rivals(scene: Scene, weights: Weights, weighing: Weighing, best: Draft) -> list[Draft]:
    """Those and labellings in which clusters that look alike all differ from the best; heaviest first."""
    most = weighing.known(best.labels) - best.weight + DOUBT
    joint = (weighing.draft(labels) for labels in together(scene, weights, best.labels, most))
    near = [draft for draft in joint if draft is not None and draft.weight > best.weight - DOUBT]
    return sorted([*_flips(weights, weighing, best), *near], key=lambda draft: -draft.weight)


def _unfinished(left: int, scale: Mapping[str, float]) -> float:
    """What it weighs that about so many empty cells lie beside covered ones."""
    counts = {"unfinished": 1.0, "left": spread(left), "beside": left}
    return sum(scale.get(name, 0.0) * count for name, count in counts.items()) if left else 0.0


def _best_first(
    scene: Scene, weights: Weights, scale: Mapping[str, float]
) -> Iterator[tuple[float, list[int]]]:
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
    waiting: list[tuple[float, int, int, tuple[int, ...]]] = [(-rest[0], 0, 0, ())]
    for _ in range(STEPS):
        if not waiting:
            return
        negative, _, left, chosen = heapq.heappop(waiting)
        depth = len(chosen)
        if depth == len(order_of):
            labels = [0] * depth
            for place, label in zip(order_of, chosen, strict=True):
                labels[place] = label
            yield -negative, labels
            continue
        options = choices[order_of[depth]]
        for label, weight in options:
            more = left + _unopened(label, chosen, beside[depth, :depth], beside[:depth, depth])
            cost = options[0][1] - weight + _unfinished(left, scale) - _unfinished(more, scale)
            # the deeper one of equals first: one full labelling, not all half ones
            heapq.heappush(waiting, (negative + cost, -depth - 1, more, (*chosen, label)))


def _unopened(label: int, chosen: Sequence[int], own: NDArray[np.int64], others: NDArray[np.int64]) -> int:
    """About how many empty cells lie beside covered ones, when one more cluster gets its state.

    `own` counts its cells beside those of each cluster before it, `others` theirs beside its own.
    """
    if label == ZERO:
        return int(own[IS_COVERED[list(chosen)]].sum()) if chosen else 0
    if IS_COVERED[label]:
        return int(others[[other == ZERO for other in chosen]].sum()) if chosen else 0
    return 0
