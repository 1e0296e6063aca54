"""The game on a terminal: the board as Sapper reads it, the last reason, how it went. All on stderr."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.live import Live
from rich.text import Text

from bot.outcome import GameResult
from bot.ports import Plan, Reading
from games.minesweeper import Board, Move

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
FEWEST_SECONDS = 0.05  # between two pictures: the game is faster than the eye


class Terminal:
    """Shows one game after the other. A context manager; with `quiet`, or when piped, it draws no board."""

    def __init__(self, quiet: bool = False) -> None:
        self._console = Console(file=sys.stderr, highlight=False)
        self._quiet = quiet
        self._live: Live | None = None
        self._reason = ""
        self._certain = self._guesses = 0
        self._games = self._won = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave_picture()

    def looked(self, reading: Reading) -> None:
        """Draw the board."""
        if self._quiet or not self._console.is_terminal:
            return
        if self._live is None:
            self._live = Live(console=self._console, refresh_per_second=1 / FEWEST_SECONDS)
            self._live.start()
        self._live.update(self._picture(reading.board))

    def planned(self, board: Board, plan: Plan) -> None:
        """Remember the last reason."""
        if plan.guess:
            self._guesses += 1
            self._reason = (
                f"guess {board.name(plan.guess.cell)}: {plan.guess.safe:.1%} safe. {plan.guess.reason}"
            )
        elif plan.certain:
            reason = plan.certain[-1]
            what = "a mine" if reason.is_mine else "safe"
            self._reason = (
                f"{board.name(reason.cell)} is {what}: {reason.rule or 'it follows'} "
                f"({', '.join(reason.because[:6])}{' …' if len(reason.because) > 6 else ''})"
            )
        self._certain += 0 if plan.guess else len(plan.moves)

    def acted(self, board: Board, moves: Sequence[Move]) -> None:
        """Nothing: the next look shows it."""

    def noted(self, text: str) -> None:
        """Print what is worth telling."""
        if not self._quiet:
            self._console.print(text, style="yellow", markup=False, soft_wrap=True)

    def finished(self, result: GameResult) -> None:
        """Print how a game ended."""
        self._leave_picture()
        self._games += 1
        self._won += result.result == "won"
        total = f", {result.mines} mines" if result.mines is not None else ""
        where = f"; recorded in {result.recording}" if result.recording else ""
        self._console.print(
            f"game {self._games}: {result.result} on {result.program or 'the screen'} ({result.size}{total}) "
            f"in {result.seconds:.1f} s, {result.certain} certain moves, {result.guesses} guesses{where}",
            markup=False,
            soft_wrap=True,
        )
        if self._games > 1:
            self._console.print(f"{self._won} of {self._games} won", markup=False)
        self._reason, self._certain, self._guesses = "", 0, 0

    def _leave_picture(self) -> None:
        """The board stays on the terminal as it is; the next game draws its own below."""
        if self._live:
            self._live.stop()
            self._live = None

    def _picture(self, board: Board) -> Text:
        picture = Text()
        for row in board.grid:
            for state in row:
                picture.append(f"{'·' if state == '.' else ' ' if state == '0' else state} ", LOOKS[state])
            picture.append("\n")
        closed = board.closed.bit_count()
        picture.append(f"{closed} closed, {self._certain} certain moves, {self._guesses} guesses\n", "bold")
        picture.append(self._reason[: max(self._console.width - 1, 20)], "italic")
        return picture
