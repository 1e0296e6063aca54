"""Expected states of each cell, given its previous state and the moves since.

A cell with an unchanged picture keeps its state. A number never changes. An opened cell shows a number, or a
mine if there was a risk. Any other change is connected to an opened cell (a cascade), a transient highlight,
or a sign that the game has ended. This module estimates the probability of each case; the cell model judges
appearance, and the rules consistency.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from games.logic import bits, cell_set
from games.minesweeper import CLOSED, DIGITS, FLAG, HIDDEN, MINES_SHOWN, UNKNOWN, WRONG_FLAG, Board
from vision.cells.model import CLASSES
from vision.params import EITHER, EXPECTED, LOST, MISREAD
from vision.track.belief import NONE, LastMoves, UnreadHistory, changed_with

# unlikely states and their nats: unread on a fresh board, permanently changed, click ignored; and of cells
# that a person may have opened in a game that goes on
UNLIKELY: Mapping[str, tuple[str, float]] = MappingProxyType(
    {
        "anything": ("", 0.0),
        "shut": ("".join(c for c in CLASSES if c not in HIDDEN + UNKNOWN), MISREAD),
        "lasting": (CLOSED + FLAG + WRONG_FLAG, MISREAD),
        "watched": (MINES_SHOWN, MISREAD),
        "refused": (CLOSED, LOST),
        "refused again": (CLOSED, 2 * LOST),
    }
)

# a second cause of a change, as likely: a new theme, or the last move of a person
CAUSES: Mapping[str, str] = MappingProxyType({"redrawn": f"same {HIDDEN}", "watched": "opened, ended"})

Expected = NDArray[np.float64]  # (cells, classes), natural logarithms; 0 for likely states


def expected_states(kinds: Sequence[str]) -> Expected:
    """Log-probabilities of each cell's states, from its transition kind."""
    rows = {kind: _row(kind) for kind in set(kinds)}
    return np.stack([rows[kind] for kind in kinds])


def transition_kinds(
    before: Board,
    changed: int,
    acts: LastMoves | None,
    ended: bool,
    unread: UnreadHistory = NONE,
    stayed: int = 0,
) -> list[str]:
    """The transition kind of each cell, if the game has `ended` with these moves or has not.

    `before` is the board when they were made (UNKNOWN: unread), `changed` the cell set that looks different
    now, `unread` the history of unread cells, `stayed` the cell set without animations by now. "same" and
    "number" include the previous state.
    """
    is_redrawn = 2 * (changed & before.open).bit_count() > before.open.bit_count()
    is_redrawn |= changed == before.closed == before.everything
    drawn = "redrawn, " if is_redrawn else ""  # open cells never change, so a new theme was drawn
    opened = marked = free = 0  # free: cells that may show anything after a change
    if acts is not None:
        opened, marked, free = acts.opened(before.around), acts.having("flag"), acts.having("unflag")
    freed = "anything"
    if acts is None or not acts.moves:
        free = before.cells_showing(CLOSED + FLAG)
        freed = drawn + ("watched, hidden, ended" if ended else "watched")
    clicked = acts.having("open") if acts is not None and not ended else 0
    is_risk = acts is not None and not acts.certain
    reached = changed_with(opened, changed & ~before.open & ~marked, before.around)
    closed = before.not_open & ~(changed & ~marked)
    inside = cell_set(k for k in bits(reached) if not before.around[k] & closed)  # so no mine is around them
    hidden = "hidden, lost" if is_risk and before.closed & ~changed else "hidden, ended"
    over = hidden if ended and not (opened | marked) & changed else ""  # a change: not over yet
    kinds = []
    for k, was in enumerate(before.cells):
        cell = 1 << k
        if was == UNKNOWN or changed & free & cell:
            kinds.append(_unread(cell & ~changed, unread, clicked, over) if was == UNKNOWN else freed)
        elif not changed & cell:
            kinds.append(f"same {was}")
        elif was in DIGITS:
            kinds.append(f"number {was}")
        elif marked & cell:
            kinds.append("flagged, stayed" if stayed & cell else "flagged")
        elif was == FLAG:
            kinds.append("flag, ended" if ended else "flag")
        elif was not in CLOSED:
            kinds.append(f"same {was}")
        elif opened & cell:
            kinds.append("opened, ended" if is_risk and ended else "inside" if cell & inside else "opened")
        elif ended:
            kinds.append(drawn + hidden)
        else:
            kinds.append(drawn + ("inside" if cell & inside else "reached" if cell & reached else "hidden"))
    return kinds


def _unread(same: int, unread: UnreadHistory, clicked: int, over: str) -> str:
    """The kind of an unread cell; `same` is its cell set if it is unchanged, otherwise empty.

    Permanently changed cells are open, unless the game may have ended: then `over` applies.
    """
    if same & (unread.lasting | unread.reached):
        return over or ("lasting" if same & unread.lasting else "stayed")
    if same & unread.shut:
        return "shut"
    times = bool(same & unread.refused) + bool(same & clicked)
    return ("anything", "refused", "refused again")[times]


def _row(kind: str) -> NDArray[np.float64]:
    """Log-probabilities for one transition kind."""
    name, _, state = kind.rpartition(" ")
    if name == "same":
        return np.array([0.0 if c == state else MISREAD for c in CLASSES])
    cause, _, usual = kind.partition(", ")
    if usual and cause in CAUSES:
        return np.logaddexp(_row(CAUSES[cause]), _row(usual)) + EITHER
    if kind == "hidden, lost":  # a won game has no covers left
        row = _row("hidden, ended")
        return np.where(np.array(CLASSES) == FLAG, EXPECTED["hidden, ended"]["other"], row)
    if kind.endswith("stayed"):  # transients have ended
        row = _row("reached" if kind == "stayed" else "flagged")
        return np.minimum(row, np.where(np.array(CLASSES) == UNKNOWN, MISREAD, 0.0))
    if kind in UNLIKELY:
        states, nats = UNLIKELY[kind]
        return np.array([nats if c in states else 0.0 for c in CLASSES])
    line = EXPECTED["number" if name == "number" else kind]
    row = np.array([line.get("1-8" if c in DIGITS[1:] else c, line["other"]) for c in CLASSES])
    if name == "number":
        row[CLASSES.index(state)] = line["same"]
    return row


def log_probability_ended(before: Board, changed: int, acts: LastMoves | None, mines: int | None) -> float:
    """Log-probability that the game has ended with these moves.

    Certain moves end it only with a win, which leaves no more covers than `mines`, the mine total, or than
    half of the cells if that is unknown. Otherwise a cell was misread; the first move relies on no reading,
    so that costs MISREAD twice.
    """
    if acts is not None and not acts.certain:
        return EXPECTED["ended"]["guess"]
    left = (before.closed & ~changed).bit_count()
    is_win = acts is None or left <= (len(before) // 2 if mines is None else mines)
    return EXPECTED["ended"]["certain"] if is_win else MISREAD if before.open else 2 * MISREAD
