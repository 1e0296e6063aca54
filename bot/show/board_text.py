"""A board as coloured letters for a terminal, and a progress bar.

Every cell has its own background and letter colour, so the board is readable on black and white terminals.
Only the sixteen standard colours are used, never bold: many terminals show bold black as grey
(tests/show/test_board_text.py measures the contrast on two palettes).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.text import Text

from bot.show.coordinates import Coordinates, column_label, row_label
from games.external import printable
from games.minesweeper import Board

if TYPE_CHECKING:
    from rich.progress import Progress

    from bot.show.advice import HighlightedReason, Mark


HIDDEN, OPEN = "on bright_black", "on black"
MINE_STYLE, MARK_STYLE = "bright_white on red", "black on bright_yellow"
LOOKS: Mapping[str, str] = {
    ".": f"bright_white {HIDDEN}",
    "-": f"bright_white {HIDDEN}",
    "0": f"white {OPEN}",
    "1": f"bright_blue {OPEN}",
    "2": f"bright_green {OPEN}",
    "3": f"bright_red {OPEN}",
    "4": f"bright_magenta {OPEN}",
    "5": f"bright_yellow {OPEN}",
    "6": f"bright_cyan {OPEN}",
    "7": f"bright_white {OPEN}",
    "8": f"white {OPEN}",
    "F": MARK_STYLE,
    "?": MARK_STYLE,
    "*": MINE_STYLE,
    "!": MINE_STYLE,
    "x": MINE_STYLE,
    "~": "bright_white on magenta",
}
MARKS: Mapping[Mark, tuple[str, str]] = {
    "safe": ("✓", "black on bright_green"),
    "mine": ("✱", MINE_STYLE),
    "guess": ("◆", "black on bright_cyan"),
    "wrong flag": ("x", MINE_STYLE),
}
HEAT = (
    (0.1, "black on white"),
    (0.25, "black on bright_yellow"),
    (0.5, "black on bright_magenta"),
    (1.01, "black on bright_red"),
)  # (upper limit of the risk, style)
CLUE = "underline"  # added to the style of the clues of the highlighted reason
EDGE = "bright_black"  # style of row and column numbers
LABELLED = 5  # columns between two column numbers


def render_board(
    board: Board,
    marks: Mapping[int, Mark] | None = None,
    risks: Mapping[int, float] | None = None,
    pointed: HighlightedReason | None = None,
    width: int = 80,
    coordinates: Coordinates = "r0c0",
) -> Text:
    """Render a board, one line per row, with labels of rows and columns.

    `marks` cover the cells; `risks` (0 to 1) are shown in per cent. The cell of `pointed` is in brackets, its
    clues are underlined. Cells are three letters wide if `width` permits, otherwise two.
    """
    marks, risks = marks or {}, risks or {}
    edge = len(row_label(board.rows - 1, coordinates)) + 1
    wide = 3 if edge + 3 * board.columns <= width else 2
    text = Text()
    labels = "".join(
        f"{column_label(column, coordinates):<{LABELLED * wide}}"
        for column in range(0, board.columns, LABELLED)
    )
    text.append(" " * edge + " " + labels.rstrip() + "\n", EDGE)
    for row in range(board.rows):
        text.append(f"{row_label(row, coordinates):>{edge - 1}} ", EDGE)
        for column in range(board.columns):
            k = row * board.columns + column
            letters, style = _cell(board[k], marks.get(k), risks.get(k))
            padded = f"{letters:>2}" + " " * (wide - 2)
            if pointed and k == pointed.cell:
                padded = f"[{letters}]" if wide == 3 and len(letters) == 1 else f"{letters[0]}]"
            is_clue = pointed is not None and bool(pointed.clues >> k & 1)
            text.append(padded, f"{style} {CLUE}" if is_clue else style)
        text.append("\n")
    return text


def _cell(state: str, mark: Mark | None, risk: float | None) -> tuple[str, str]:
    if mark is not None:
        letter, style = MARKS[mark]
        return (two_digit_risk(risk), style) if risk is not None and mark == "guess" else (letter, style)
    if risk is not None:
        return two_digit_risk(risk), next(style for limit, style in HEAT if risk < limit)
    return {".": "·", "0": " "}.get(state, state), LOOKS[state]


def two_digit_risk(risk: float) -> str:
    """Format a risk as a percentage from 1 to 99."""
    return str(min(99, max(1, round(100 * risk))))


PLAIN_EVERY = 30.0  # seconds between two lines without a terminal


class ProgressBar:
    """A progress bar on a terminal; otherwise a line from time to time. `quiet` suppresses both."""

    def __init__(self, what: str, quiet: bool = False) -> None:
        self._what, self._quiet = what, quiet
        self._console = Console(file=sys.stderr, highlight=False)
        self._bar: Progress | None = None
        self._said = time.monotonic()

    def __enter__(self) -> Self:
        if not self._quiet and self._console.is_terminal:
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[note]}"),
                TimeRemainingColumn(),
                console=self._console,
                transient=True,
            )
            self._task = self._bar.add_task(self._what, total=None, note="")
            self._bar.start()
        return self

    def __exit__(self, *raised: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def at(self, done: int, total: int, note: str = "") -> None:
        """Show the progress and a short note."""
        if self._bar is not None:
            self._bar.update(self._task, completed=done, total=total, note=note)
        elif not self._quiet and time.monotonic() - self._said > PLAIN_EVERY:
            self._said = time.monotonic()
            self._console.print(
                printable(f"{self._what}: {done} of {total} {note}".rstrip()), markup=False, soft_wrap=True
            )


def pluralize(number: int, what: str) -> str:
    """`1 move`, `2 guesses`."""
    return f"{number} {what}{'' if number == 1 else 'es' if what.endswith('s') else 's'}"
