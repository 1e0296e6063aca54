"""A board as colours and letters for a terminal, with what is known of its cells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from rich.text import Text

from games.minesweeper import Board

Mark = Literal["safe", "mine", "guess", "wrong flag"]

LOOKS = {
    ".": "grey50",
    "-": "grey50",
    "0": "grey23",
    "1": "bright_blue",
    "2": "green",
    "3": "red",
    "4": "blue",
    "5": "dark_red",
    "6": "cyan",
    "7": "white",
    "8": "grey70",
    "F": "bold black on yellow",
    "?": "magenta",
    "*": "bold red",
    "!": "bold white on red",
    "x": "red",
    "~": "bold white on magenta",
}
MARKS: Mapping[Mark, tuple[str, str]] = {
    "safe": ("✓", "bold black on green"),
    "mine": ("✱", "bold white on red"),
    "guess": ("◆", "bold black on bright_cyan"),
    "wrong flag": ("x", "bold white on red"),
}
HEAT = (
    (0.1, "green"),
    (0.25, "yellow"),
    (0.5, "dark_orange"),
    (1.01, "red"),
)  # risks below, and their colours


def drawn(
    board: Board, marks: Mapping[int, Mark] | None = None, risks: Mapping[int, float] | None = None
) -> Text:
    """The board, a line for each row.

    `marks` are drawn over the cells. With `risks` (0 to 1) cells are three letters wide, and those that have
    one show it in per cent.
    """
    marks, risks = marks or {}, risks or {}
    text = Text()
    for row in range(board.rows):
        for column in range(board.columns):
            k = row * board.columns + column
            letters, style = _cell(board[k], marks.get(k), risks.get(k))
            text.append(f"{letters:>2} " if risks else f"{letters} ", style)
        text.append("\n")
    return text


def _cell(state: str, mark: Mark | None, risk: float | None) -> tuple[str, str]:
    if mark is not None:
        letter, style = MARKS[mark]
        return (percent(risk), style) if risk is not None and mark == "guess" else (letter, style)
    if risk is not None:
        return percent(risk), next(style for limit, style in HEAT if risk < limit)
    return {".": "·", "0": " "}.get(state, state), LOOKS[state]


def percent(risk: float) -> str:
    """A risk in two digits: never 0 where there is one, never 100 where there is a chance."""
    return str(min(99, max(1, round(100 * risk))))
