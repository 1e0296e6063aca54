"""Count the states of cells after moves, in games on simulated programs: `python -m training priors`.

Writes vision/params/game.json. The rules produce the games, and no picture is drawn.
LOST, WON and TRANSIENT are assumptions about programs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import log

import numpy as np

from games.logic import bits, cell_set
from games.minesweeper import DIGITS, EXPLODED, FLAG, HIDDEN, MINE, UNKNOWN, Board, Deal, Minefield, Move
from training.storage import Fit, digest_arrays, sized, write_params
from vision.cells.model import CLASSES
from vision.track.belief import LastMoves
from vision.track.transition import transition_kinds

GAMES, HELD_OUT = 1500, 300
SEED = 20261122
# share of observations with an animation, a highlighted cell, a message, late cells
TRANSIENT = 1 / 30
LOST = ("hit", "mines", "alike", "open")  # mines shown after a loss: exploded; all; all alike; an open board
WON = ("nothing", "flags", "mines")


def main() -> None:
    """Play, count, measure on other games, and write the file."""
    tally = _play_all(SEED, range(sized(GAMES)))
    ends = sorted(tally.ends.items())
    table = {"ended": {kind: log((found[True] + 1) / (found.total() + 2)) for kind, found in ends}}
    for kind, found in _by_kind(tally):
        total = sum(found.values()) + 7 * found["1-8"] + len(found) + 1
        table[kind] = {state: log((found[state] + 1) / total) for state in sorted(found) if found[state]}
        table[kind]["other"] = log(1 / total)
    pictures = tally.present["pictures"]
    usual = {state: log((tally.present[state] + 1) / (pictures + 2)) for state in CLASSES}
    expected = {kind: _rounded(shares) for kind, shares in table.items()}
    held = _play_all(SEED + 1, range(GAMES, GAMES + sized(HELD_OUT)))
    metrics = {"games": sized(HELD_OUT), "nats per cell": _log_loss(held, expected)}
    digest = digest_arrays([f"{kind} {sorted(found.items())}" for kind, found in _by_kind(tally)])
    data = f"{sized(GAMES)} drawn games; log probabilities in nats"
    fit = Fit(data, digest, metrics, measured_on="other games")
    write_params("game", {"expected": expected, "present": _rounded(usual)}, fit)


def _play_all(seed: int, games: range) -> _StateTally:
    rng, tally = np.random.default_rng(seed), _StateTally()
    for game in games:
        _play(rng, game, tally)
    return tally


def _by_kind(tally: _StateTally) -> Iterator[tuple[str, Counter[str]]]:
    """The counts of the states of each kind of cell; all numbers are equally likely."""
    for kind, states in sorted(tally.states.items()):
        found = Counter(states)
        if kind != "number":
            found["1-8"] = sum(found.pop(state, 0) for state in DIGITS[1:]) // 8
        yield kind, found


def _log_loss(tally: _StateTally, expected: Mapping[str, Mapping[str, float]]) -> float:
    """Mean negative log-probability of the states of changed cells, nats."""
    counts, nats = 0, 0.0
    for kind, found in tally.states.items():
        for state, count in found.items():
            name = "1-8" if kind != "number" and state in DIGITS[1:] else state
            nats -= count * expected[kind].get(name, expected[kind]["other"])
            counts += count
    return nats / max(1, counts)


def _rounded(shares: Mapping[str, float]) -> dict[str, float]:
    return {state: round(share, 2) for state, share in shares.items()}


@dataclass(frozen=True)
class _StateTally:
    """Counts of the states by kind of cell, of games that end, and of states on any board."""

    states: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    ends: dict[str, Counter[bool]] = field(default_factory=lambda: defaultdict(Counter))
    present: Counter[str] = field(default_factory=Counter)


def _play(rng: np.random.Generator, seed: int, tally: _StateTally) -> None:
    rows, columns = int(rng.integers(6, 17)), int(rng.integers(6, 31))
    deal = Deal.random(rows, columns, max(2, int(rows * columns * rng.uniform(0.1, 0.22))), seed)
    minefield = Minefield(deal, "safe")
    flags, flags_stay = bool(rng.random() < 0.5), bool(rng.random() < 0.5)
    lost, won = LOST[int(rng.integers(len(LOST)))], WON[int(rng.integers(len(WON)))]
    before = minefield.board
    while True:
        mines = minefield.truth
        certain = bool(rng.random() < 0.85) and mines is not None
        closed = list(bits(before.closed if not certain else before.closed & ~(mines or 0)))
        if not closed:
            return
        count = min(len(closed), int(rng.integers(1, 7)) if certain else 1)
        moves = [Move("open", int(k)) for k in rng.choice(closed, count, replace=False)]
        if flags and certain and mines:
            beside = [k for k in bits(mines & before.closed) if before.around[k] & before.open]
            moves += [Move("flag", k) for k in beside[: int(rng.integers(0, 4))]]
        after = minefield.play(moves)
        mines = minefield.truth or 0
        over = bool(after.shown_mines) or not after.closed & ~mines
        shown = show_end(after, mines, lost if after.shown_mines else won) if over else after
        if flags_stay:
            shown = shown.with_states(dict.fromkeys(bits(before.flagged & ~shown.open), FLAG))
        seen = _count(rng, before, shown, LastMoves(tuple(moves), certain), over, tally)
        tally.present.update({"pictures", *seen.cells})
        if over:
            return
        before = after


def show_end(board: Board, mines: int, style: str) -> Board:
    """The board of a finished game in the style of a program."""
    hit = board.cells_showing(EXPLODED)
    covered = board.cells_showing(HIDDEN + MINE)
    match style:
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
    rng: np.random.Generator, before: Board, shown: Board, acts: LastMoves, over: bool, tally: _StateTally
) -> Board:
    """Count one observation and return the observed board."""
    changed = cell_set(k for k in range(len(before)) if before[k] != shown[k])
    seen: dict[int, str] = {}
    if rng.random() < TRANSIENT:  # some cells are being redrawn
        seen |= {k: UNKNOWN for k in bits(changed) if rng.random() < 0.5}
    if rng.random() < TRANSIENT:  # some cells are highlighted
        lit = rng.choice(len(before), size=int(rng.integers(1, 9)))
        seen |= {int(k): before[int(k)] for k in lit if not changed >> int(k) & 1}
    if rng.random() < TRANSIENT:  # a message covers some cells
        first = int(rng.integers(len(before)))
        seen |= dict.fromkeys(range(first, min(len(before), first + before.columns // 2)), UNKNOWN)
    changed |= cell_set(seen)
    if rng.random() < TRANSIENT:  # the cells far from the opened ones are not drawn yet
        drawn = acts.opened(before.around)
        for _ in range(int(rng.integers(4))):
            drawn |= cell_set(near for k in bits(drawn) for near in bits(before.around[k]))
        late = changed & ~drawn
        seen |= {k: before[k] for k in bits(late)}
        changed &= ~late
    board = shown.with_states(seen)
    tally.ends["certain" if acts.certain else "guess"][over] += 1
    for k, named in enumerate(transition_kinds(before, changed, acts, over)):
        kind = named.removeprefix("redrawn, ").replace("hidden, lost", "hidden, ended")
        state = board[k]
        if kind.startswith(("same ", "anything")):
            continue
        if kind.startswith("number "):
            tally.states["number"]["same" if state == before[k] else state] += 1
        else:
            tally.states[kind][state] += 1
    return board
