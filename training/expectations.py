"""Counts what cells show after what was done to them, in games with programs of many habits.

    python -m training.expectations    writes expectations.py and usual.py of vision/tracking

The games are dealt and answered by the rules alone; no picture is drawn. What programs do at the end of a
game, and how often a picture is taken in the middle of an animation, is taken from HABITS and PASSING.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from math import log
from pathlib import Path

import numpy as np

from games.logic import bits, cell_set
from games.minesweeper import DIGITS, EXPLODED, FLAG, HIDDEN, MINE, UNKNOWN, Board, Deal, Minefield, Move
from vision.cells.model import CLASSES
from vision.track.belief import LastMoves
from vision.track.transition import transition_kinds

GAMES = 1500
SEED = 20261122
PASSING = 1 / 30  # of the observations, assumed: an animation, a lit cell, a message (one in thirty each)
LOST = ("hit", "mines", "alike", "open")  # the mine that was hit; all; all, drawn alike; every cell opened
WON = ("nothing", "flags", "mines")
VISION = Path(__file__).resolve().parents[1] / "vision"
HEADER = '''"""{title}

Made by `python -m training.expectations` from {games} games; do not edit. {words}
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

'''
KINDS = """"opened" was clicked, "reached"
hangs together with an opened cell through changed ones, "hidden" does not; ", ended": the game is over."""


def main() -> None:
    """Play, count, write."""
    rng = np.random.default_rng(SEED)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    ends: dict[str, Counter[bool]] = defaultdict(Counter)
    present: Counter[str] = Counter()
    for seed in range(GAMES):
        _play(rng, seed, counts, ends, present)
    table = {"ended": {kind: _share(found) for kind, found in ends.items()}}
    for kind, found in sorted(counts.items()):
        if kind != "number":  # each number is as likely as any other
            numbers = sum(found.pop(state, 0) for state in DIGITS[1:]) // 8
            found["1-8"] = numbers
        total = sum(found.values()) + 7 * found["1-8"] + len(found) + 1
        table[kind] = {state: log((found[state] + 1) / total) for state in sorted(found) if found[state]}
        table[kind]["other"] = log(1 / total)
    pictures = present.pop("pictures")
    usual = {state: log((present[state] + 1) / (pictures + 2)) for state in CLASSES}
    lines = [f'        "{kind}": {_shares(shares)},' for kind, shares in table.items()]
    text = HEADER.format(
        title="How likely cells show what, after what was done to them, in nats.", games=GAMES, words=KINDS
    )
    text += (
        "EXPECTED: Mapping[str, Mapping[str, float]] = MappingProxyType(\n    {\n"
        + "\n".join(lines)
        + "\n    }\n)\n"
    )
    (VISION / "tracking" / "expectations.py").write_text(text, encoding="utf-8")
    text = HEADER.format(
        title="How likely a state is to be on a board at all, in nats.", games=GAMES, words=""
    )
    body = "".join(f'        "{state}": {share:.2f},\n' for state, share in usual.items())
    text += "PRESENT: Mapping[str, float] = MappingProxyType(\n    {\n" + body + "    }\n)\n"
    (VISION / "tracking" / "usual.py").write_text(text.replace(" \n", "\n"), encoding="utf-8")


def _share(found: Counter[bool]) -> float:
    return log((found[True] + 1) / (found.total() + 2))


def _shares(shares: dict[str, float]) -> str:
    return "{" + ", ".join(f'"{name}": {value:.2f}' for name, value in shares.items()) + "}"


def _play(
    rng: np.random.Generator,
    seed: int,
    counts: dict[str, Counter[str]],
    ends: dict[str, Counter[bool]],
    present: Counter[str],
) -> None:
    rows, columns = int(rng.integers(6, 17)), int(rng.integers(6, 31))
    deal = Deal.random(rows, columns, max(2, int(rows * columns * rng.uniform(0.1, 0.22))), seed)
    field = Minefield(deal, "safe")
    flags, flags_stay = bool(rng.random() < 0.5), bool(rng.random() < 0.5)
    lost, won = LOST[int(rng.integers(len(LOST)))], WON[int(rng.integers(len(WON)))]
    before = field.board
    while True:
        mines = field.truth
        certain = bool(rng.random() < 0.85) and mines is not None
        closed = list(bits(before.closed if not certain else before.closed & ~(mines or 0)))
        if not closed:
            return
        chosen = rng.choice(
            closed, size=min(len(closed), int(rng.integers(1, 7)) if certain else 1), replace=False
        )
        moves = [Move("open", int(k)) for k in chosen]
        if flags and certain and mines:
            beside = [k for k in bits(mines & before.closed) if before.around[k] & before.open]
            moves += [Move("flag", k) for k in beside[: int(rng.integers(0, 4))]]
        field.play(moves)
        after = field.board
        over = bool(after.shown_mines) or not after.closed & ~(field.truth or 0)
        shown = _ended(after, field.truth or 0, lost if after.shown_mines else won) if over else after
        if flags_stay:
            shown = shown.with_states(dict.fromkeys(bits(before.flagged & ~shown.open), FLAG))
        seen = _count(rng, before, shown, LastMoves(tuple(moves), certain), over, counts, ends)
        present.update({"pictures", *seen.cells})
        if over:
            return
        before = after


def _ended(board: Board, mines: int, habit: str) -> Board:
    """How a program shows a board whose game is over, after its habit."""
    hit = board.cells_showing(EXPLODED)
    covered = board.cells_showing(HIDDEN + MINE)
    match habit:
        case "hit":
            return board.with_states(dict.fromkeys(bits(board.cells_showing(MINE)), HIDDEN))
        case "alike":
            return board.with_states(dict.fromkeys(bits(mines & (covered | hit)), MINE))
        case "open":
            around = {k: DIGITS[(board.around[k] & mines).bit_count()] for k in bits(covered & ~mines)}
            return board.with_states(around | dict.fromkeys(bits(mines & covered), MINE))
        case "flags":
            return board.with_states(dict.fromkeys(bits(mines & covered), FLAG))
        case "mines" if not hit:
            return board.with_states(dict.fromkeys(bits(mines), MINE))
    return board


def _count(
    rng: np.random.Generator,
    before: Board,
    shown: Board,
    acts: LastMoves,
    over: bool,
    counts: dict[str, Counter[str]],
    ends: dict[str, Counter[bool]],
) -> Board:
    """Count one observation; what was to be seen."""
    changed = cell_set(k for k in range(len(before)) if before[k] != shown[k])
    seen: dict[int, str] = {}
    if rng.random() < PASSING:  # some cells are in between
        seen |= {k: UNKNOWN for k in bits(changed) if rng.random() < 0.5}
    if rng.random() < PASSING:  # cells that are lit
        lit = rng.choice(len(before), size=int(rng.integers(1, 9)))
        seen |= {int(k): before[int(k)] for k in lit if not changed >> int(k) & 1}
    if rng.random() < PASSING:  # a message lies over a part
        first = int(rng.integers(len(before)))
        seen |= dict.fromkeys(range(first, min(len(before), first + before.columns // 2)), UNKNOWN)
    changed |= cell_set(seen)
    board = shown.with_states(seen)
    ends["certain" if acts.certain else "guess"][over] += 1
    for k, named in enumerate(transition_kinds(before, changed, acts, over)):
        kind = named.removeprefix("redrawn, ")
        state = board[k]
        if kind.startswith(("same ", "anything")):
            continue
        if kind.startswith("number "):
            counts["number"]["same" if state == before[k] else state] += 1
        else:
            counts[kind][state] += 1
    return board


if __name__ == "__main__":
    main()
