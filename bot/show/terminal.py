"""Display of a game in a terminal (stderr): the board as read, the last reason, the result.

Keys: `r` shows risks, `p` pauses before the next plan, `s` executes only that plan, `q` stops.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Self

from rich.console import Console
from rich.live import Live
from rich.text import Text

from bot.game.outcome import GameResult
from bot.game.types import GameListener, Plan
from bot.show.advice import (
    UNDERLINED,
    HighlightedReason,
    Mark,
    describe_reason,
    highlight_of_plan,
    marks_of_plan,
)
from bot.show.board_text import pluralize, render_board
from bot.show.coordinates import Coordinates, rename_cells
from bot.show.explainer import Explainer
from games.errors import Contradiction, Interrupted
from games.external import printable
from games.logic import bits
from games.minesweeper import Board, Move
from strategies import load_strategies
from strategies.guesser import describe_guess
from vision.reading import Reading


class KeyReader:
    """Reads single keys from standard input between `open` and `close`, if it is a terminal."""

    def __init__(self) -> None:
        self._before: list[Any] | None = None
        self.are_open = False

    def open(self) -> None:
        """Switch the terminal to unbuffered input without echo."""
        if self.are_open or not sys.stdin or not sys.stdin.isatty():
            return
        if sys.platform != "win32":
            import termios
            import tty

            self._before = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin)
        self.are_open = True

    def close(self) -> None:
        """Restore the terminal."""
        if self._before is not None:
            import termios

            with contextlib.suppress(termios.error, OSError, ValueError):  # the terminal may be closed
                termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._before)
            self._before = None
        self.are_open = False

    def pressed(self) -> str:
        """The latest key since the previous call, in lower case; empty if there is none."""
        key = ""
        while self.are_open and (letter := _next()):
            key = letter
        return key.lower()


def _next() -> str:
    if sys.platform == "win32":
        import msvcrt

        while msvcrt.kbhit():
            key = msvcrt.getwch()
            if key not in "\0\xe0":  # a function or arrow key, followed by its code
                return key
            msvcrt.getwch()
        return ""
    import os
    import select

    ready, _, _ = select.select([sys.stdin], [], [], 0)
    return os.read(sys.stdin.fileno(), 1).decode(errors="replace") if ready else ""


HOW_TO_STOP = (
    "Sapper takes the mouse now. To stop it move the mouse, hold Escape, or push the pointer into a corner "
    "of the screen (the fail-safe). Pause or F9 makes it wait."
)
KEYS = "r risks, p pause, q stop"
PAUSED = "paused: s one step, r risks, p goes on, q stops"
FEW = 4  # clues; reasons with more do not name them
LONGEST_NOTE = 4000  # characters
REDRAW = 0.05  # seconds between two redraws


class _QuietConsole(Console):
    """A console that ignores a closed terminal or pipe."""

    def on_broken_pipe(self) -> None:
        self.quiet = True

    def _check_buffer(self) -> None:
        try:
            super()._check_buffer()
        except OSError:  # the terminal was closed
            self.quiet = True


class GameTerminal(GameListener):
    """Shows successive games; a context manager. With `quiet`, or without a terminal, it draws no board.

    `after_pause` is called after each pause, because the mouse may have moved, and `while_waiting` during
    pauses and other waits. With `takes_mouse`, the first board is preceded by how to stop Sapper.
    `coordinates` is the style of cell names.
    """

    def __init__(
        self,
        quiet: bool = False,
        after_pause: Callable[[], object] | None = None,
        while_waiting: Callable[[], object] | None = None,
        takes_mouse: bool = False,
        coordinates: Coordinates = "r0c0",
    ) -> None:
        self._console = _QuietConsole(file=sys.stderr, highlight=False)
        self._quiet = quiet
        self._live: Live | None = None
        self._keys = KeyReader()
        self._after_pause = after_pause
        self._while_waiting = while_waiting
        self._takes_mouse = takes_mouse  # and the user has not been told yet
        self._coordinates = coordinates
        self._held = ""  # why the game is held by a pause key
        self._mines = 0  # known mines (a cell set)
        self._risks: tuple[Board, dict[int, float]] | None = None  # of the last board drawn with risks
        self._board: Board | None = None
        self._marks: dict[int, Mark] = {}
        self._pointed: HighlightedReason | None = None
        self._is_guess = False
        self._with_risks = False
        self._pauses = self._is_paused = False  # whether the next plan pauses; whether the game is paused
        self._reason = ""
        self._certain = self._guesses = 0
        self._games = self._won = 0
        self._bv3, self._seconds = 0, 0.0

    def __enter__(self) -> Self:
        if not self._quiet and self._console.is_terminal:
            self._keys.open()
        return self

    def __exit__(self, *raised: object) -> None:
        self._leave_picture()
        self._keys.close()

    def on_reading(self, reading: Reading) -> None:
        """Draw the board and handle keys. Raises Interrupted."""
        if self._quiet:
            return
        if not self._console.is_terminal:
            if self._board is None:
                self.on_note(f"playing game {self._games + 1}, {reading.board.columns}x{reading.board.rows}")
            self._board = reading.board
            return
        self._board, self._pointed = reading.board, None
        self._marks = dict.fromkeys(bits(self._mines & reading.board.closed), "mine")
        if self._takes_mouse:
            self._takes_mouse = False
            self.on_note(HOW_TO_STOP)
        if self._live is None:
            self._live = Live(console=self._console, refresh_per_second=1 / REDRAW)
            self._live.start()
        self._draw()
        self._pauses = self._handle_key() == "p" or self._pauses  # pause once the plan is visible

    def on_plan(self, board: Board, plan: Plan) -> None:
        """Mark the planned moves and keep the last reason. Raises Interrupted."""
        self._board, self._mines = board, plan.mines
        self._marks = marks_of_plan(board, plan)
        self._is_guess, self._pointed = plan.guess is not None, highlight_of_plan(board, plan)
        if plan.guess:
            others = (plan.next_guess,) if plan.next_guess else ()
            self._reason = f"guess {board.name(plan.guess.cell)}: {describe_guess(plan.guess, others)}"
        elif reason := next(iter(plan.reasons), None):
            what = "a mine" if reason.is_mine else "safe"
            why = describe_reason(reason, _named(reason.because))
            self._reason = f"{board.name(reason.cell)} is {what}: {why}"
        self._draw()
        if self._pauses:
            self._pause()

    def on_moves(self, board: Board, moves: Sequence[Move]) -> None:
        """Count the moves."""
        if self._is_guess:
            self._guesses += 1
        else:
            self._certain += len(moves)

    def on_note(self, text: str) -> None:
        """Print a note."""
        if not self._quiet:
            note = printable(rename_cells(text, self._coordinates), LONGEST_NOTE)
            self._console.print(note, style="yellow", markup=False, soft_wrap=True)

    def on_pause(self, status: str) -> None:
        """Show why the game is held; an empty text ends the pause."""
        self._held = status
        if self._live is not None:
            self._draw()
        elif status:
            self.on_note(status)

    def finished(self, result: GameResult) -> None:
        """Print the result of a game."""
        self._leave_picture()
        self._games += 1
        self._won += result.result == "won"
        total = f", {result.mines} mines" if result.mines is not None else ""
        where = f"; recorded in {result.recording}" if result.recording else ""
        how = f"{result.result}{' (inferred)' if result.known == 'inferred' else ''}"
        program = printable(result.program or "the screen")
        self._console.print(
            f"game {self._games}: {how} on {program} ({result.size}{total}) "
            f"in {result.seconds:.1f} s, {pluralize(result.certain, 'certain move')}, "
            f"{pluralize(result.guesses, 'guess')}{where}",
            markup=False,
            soft_wrap=True,
        )
        self._bv3 += result.bv3 or 0
        self._seconds += result.seconds if result.bv3 else 0
        if self._games > 1:
            pace = f", {self._bv3 / self._seconds:.1f} 3BV/s" if self._seconds else ""
            self._console.print(f"{self._won} of {self._games} won{pace}", markup=False)
        self._board, self._reason, self._certain, self._guesses, self._mines = None, "", 0, 0, 0

    def _leave_picture(self) -> None:
        """Keep the last board on the terminal; the next game is drawn below it."""
        if self._live:
            self._live.stop()
            self._live = None

    def _draw(self) -> None:
        if self._live is not None and self._board is not None:
            self._live.update(self._picture(self._board))

    def obey(self) -> None:
        """Handle keys; returns at once if none was pressed. Raises Interrupted."""
        if self._while_waiting is not None:
            self._while_waiting()
        if self._handle_key() == "p":
            self._pause()

    def _handle_key(self) -> str:
        """Handle `r` and `q`, and return the key. Raises Interrupted for `q`."""
        key = self._keys.pressed()
        if key == "q":
            raise Interrupted("q was pressed: start again when you are ready")
        if key == "r":
            self._with_risks = not self._with_risks
            self._draw()
        return key

    def _pause(self) -> None:
        """Wait for `p` (continue) or `s` (continue until the next plan). Raises Interrupted."""
        self._is_paused = True
        self._draw()
        if self._live is None:
            self.on_note(PAUSED)
        while (key := self._handle_key()) not in ("p", "s"):
            if self._while_waiting is not None:
                self._while_waiting()
            time.sleep(REDRAW)
        self._pauses, self._is_paused = key == "s", False
        self._draw()
        if self._after_pause is not None:
            self._after_pause()

    def _picture(self, board: Board) -> Text:
        if self._with_risks and (self._risks is None or self._risks[0] != board):
            self._risks = board, {}
            with contextlib.suppress(Contradiction):
                self._risks = board, dict(Explainer(board, load_strategies()).risks())
        risks = self._risks[1] if self._with_risks and self._risks else None
        picture = render_board(
            board, self._marks, risks, self._pointed, self._console.width, self._coordinates
        )
        closed = f"{count} closed, " if (count := board.closed.bit_count()) else ""
        made = f"{pluralize(self._certain, 'certain move')}, {pluralize(self._guesses, 'guess')}"
        picture.append(f"{closed}{made}\n", "bold")
        reason = rename_cells(self._reason, self._coordinates)
        picture.append(printable(reason, max(self._console.width - 1, 20)), "italic")
        if self._held:
            picture.append(f"\n{self._held}", "black on bright_yellow")
        elif self._keys.are_open:
            picture.append(f"\n{PAUSED if self._is_paused else KEYS}", "grey50")
        return picture


def _named(because: Sequence[str]) -> str:
    if len(because) <= FEW:
        return ", ".join(because)
    return "the underlined clues" if len(because) <= UNDERLINED else f"{len(because)} clues"
