"""How sure a state is, beside all labellings that were found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp

Labellings = list[tuple[float, dict[int, str]]]  # nats, and the state of every cluster

BEHIND = 16.0  # nats; a labelling that is so far behind the best is left out, and a state of one cluster


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A state for every cluster, and how likely it is among all (0 to 1)."""

    states: Mapping[int, str]
    weight: float


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
