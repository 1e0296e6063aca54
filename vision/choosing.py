"""Ways to choose one of each of several sorted lists, the heaviest choice first."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from math import inf

Options = Sequence[tuple[str, float]]  # what can be chosen, with its weight, the heaviest first


def best_first(choices: Mapping[int, Options]) -> Iterator[tuple[float, dict[int, str]]]:
    """Every way to choose one of each, the heaviest first; each list must be sorted, heaviest first.

    One way leads to at most three others, so that the first few ways through many lists are cheap: the lists
    are put in the order of what it costs to leave their best (Lawler 1972, for sums of independent parts).
    """
    best = {name: options[0][0] for name, options in choices.items()}
    whole = sum(options[0][1] for options in choices.values())
    yield whole, dict(best)
    names = sorted(
        (name for name in choices if len(choices[name]) > 1), key=lambda name: _drop(choices[name])
    )
    if not names:
        return
    # a way is (the list that was changed last, its place there) after what was chosen in lists before
    waiting: list[tuple[float, int, int, int, tuple[tuple[int, int], ...]]] = []
    made = 0

    def push(weight: float, last: int, at: int, before: tuple[tuple[int, int], ...]) -> None:
        nonlocal made
        made += 1
        heapq.heappush(waiting, (-weight, made, last, at, before))

    push(whole - _drop(choices[names[0]]), 0, 1, ())
    while waiting:
        negative, _, last, at, before = heapq.heappop(waiting)
        changed = (*before, (last, at))
        yield -negative, best | {names[k]: choices[names[k]][place][0] for k, place in changed}
        options = choices[names[last]]
        if at + 1 < len(options):
            push(-negative - options[at][1] + options[at + 1][1], last, at + 1, before)
        if last + 1 < len(names):
            further = -negative - _drop(choices[names[last + 1]])
            push(further, last + 1, 1, changed)
            if at == 1:  # this list goes back to its best, and the next one leaves its own
                push(further + _drop(options), last + 1, 1, before)


def _drop(options: Options) -> float:
    """What it costs to take the second instead of the best."""
    return options[0][1] - options[1][1] if len(options) > 1 else inf
