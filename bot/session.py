"""Games on one screen, one after the other: find the board, pick the skin, play, record, start again."""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from bot.actuator import Actuator
from bot.guard import WindowGuard
from bot.hands import Hands
from bot.launch import RunningProgram
from bot.outcome import GameResult
from bot.planner import Planner
from bot.player import Player
from bot.ports import FlagPolicy, Listener, Rules, WinNeeds
from bot.program import Program, State
from bot.recording import Meta, Recorder
from bot.screen import QUIET, Screen, View
from bot.stopwatch import Stopwatch
from bot.windows import Box, Windows, find_windows
from games.errors import ManyBoards, NoBoard, SapperError, Stop, Unplayable, Usage
from games.minesweeper import Board, FirstClick, Move
from strategies import Reasoner, Strategy
from vision.capture import Grabber, Region
from vision.frame import Frame
from vision.lattice import Lattice
from vision.locate import locate
from vision.reader import Reader, read
from vision.recognise import best_fit
from vision.skin import Skin

FRESH_BOARD = 10.0  # seconds that a program gets to show a board that can be played
STILL = 0.15  # seconds that the whole picture must be still before a board is looked for
NEVER_STILL = 1.5  # seconds after which it is looked for all the same: clocks and animations go on


@dataclass(frozen=True)
class Wishes:
    """What the person asked for.

    `size` is (columns, rows) when it is known; `mines`, `first_click` None when not said. `window` is a
    pattern for the title of the window to look in. `record` is the folder for recordings.
    """

    size: tuple[int, int] | None = None
    mines: int | None = None
    first_click: FirstClick | None = None
    flags: FlagPolicy = "needed"
    window: str | None = None
    record: Path | None = None
    delay: float = 0.0
    dry_run: bool = False


@dataclass(frozen=True)
class Surroundings:
    """The edges to the outside that one session uses."""

    grabber: Grabber
    hands: Hands
    windows: Windows
    running: RunningProgram | None = None


@dataclass(frozen=True)
class Seen:
    """A board that was found: where, and with which skin it is read."""

    frame: Frame
    lattice: Lattice
    skin: Skin

    @property
    def box(self) -> Box:
        """The board on the screen: left, top, width, height in points."""
        left, top, width, height = self.lattice.box
        x, y = self.frame.point(left, top)
        return round(x), round(y), round(width / self.frame.scale), round(height / self.frame.scale)


@dataclass
class Session:
    """Plays games on the screen. `skins` are tried in their order; `listeners` are told what happens."""

    wishes: Wishes
    around: Surroundings
    skins: Sequence[Skin]
    strategies: Sequence[Strategy]
    version: str
    listeners: Sequence[Listener] = ()
    watch: Stopwatch = field(default_factory=Stopwatch)

    def games(self, count: int) -> Iterator[GameResult]:
        """Play so many games; each result as soon as it is there. Raises Stop errors.

        A game that breaks off is yielded as stopped, its recording complete up to there, before its error.
        """
        seen: Seen | None = None
        state: State = "playing"
        for _ in range(count):
            if seen:
                self._new_game(seen, state)
            seen = self.find()
            result, error = self._game(seen)
            yield result
            if error:
                raise error
            state = "won" if result.result == "won" else "lost"

    def find(self) -> Seen:
        """The board on the screen and its skin, once the picture is still. Raises NoBoard, Unplayable …"""
        deadline = time.monotonic() + (FRESH_BOARD if self.around.running else 1.0)
        while True:
            try:
                frame, lattice = self._locate()
                skin, lattice = self._fit(frame, lattice)
                return Seen(frame, lattice, skin)
            except Stop as error:
                # a program that was just started may still be drawing
                if time.monotonic() > deadline or isinstance(error, ManyBoards):
                    raise
                if self.around.running:
                    self.around.running.dismiss_popups(0.1)

    def dry_run(self) -> tuple[Board, tuple[Move, ...]]:
        """The board as it stands and the moves that would be made; nothing is clicked."""
        seen = self.find()
        board = read(seen.frame, seen.lattice, seen.skin).board
        rules = self._rules(seen)
        return board, Planner(Reasoner(self.strategies), rules).plan(board).moves

    def _game(self, seen: Seen) -> tuple[GameResult, SapperError | None]:
        self.watch.restart()
        rules = self._rules(seen)
        program = self._program(seen)
        view = View.of(seen.frame, seen.lattice)
        guard = WindowGuard(self.around.windows, seen.box, self.around.running)
        guard.focus()
        recorder = self._recorder(seen, view, rules)
        listeners = [*self.listeners, *([recorder] if recorder else [])]
        screen = Screen(
            self.around.grabber,
            view,
            Reader(seen.skin, view.lattice),
            self._hand(seen, program),
            guard,
            self.watch,
            program.quiet if program else QUIET,
            recorder.saw if recorder else None,
        )
        player = Player(screen, Planner(Reasoner(self.strategies), rules), rules, listeners, self.watch)
        error: SapperError | None = None
        try:
            result = player.play()
        except SapperError as stopped:
            error, result = stopped, player.result("stopped")
        finally:
            self.around.hands.let_go()
            if recorder:
                recorder.close()
        result = replace(result, program=program.name if program else None)
        if recorder:
            result = replace(result, recording=str(recorder.folder))
            recorder.close(result.as_json(), str(error) if error else None)
        return result, error

    def _hand(self, seen: Seen, program: Program | None) -> Actuator:
        hand = Actuator(
            self.around.hands,
            program.chord if program else "none",
            program.question_marks if program else False,
            max(self.wishes.delay, program.interval if program else 0.0),
        )
        hand.aim(seen.frame, seen.lattice)
        return hand

    def _recorder(self, seen: Seen, view: View, rules: Rules) -> Recorder | None:
        if self.wishes.record is None:
            return None
        name = seen.skin.name
        taken = {path.name for path in self.wishes.record.glob("*")} if self.wishes.record.is_dir() else set()
        number = next(n for n in itertools.count(1) if f"{name}-{n:03d}" not in taken)
        strategies = tuple((strategy.name, strategy.version) for strategy in self.strategies)
        meta = Meta(name, view.lattice, rules, strategies, self.version)
        return Recorder(self.wishes.record / f"{name}-{number:03d}", meta, seen.skin)

    def _program(self, seen: Seen) -> Program | None:
        """What is known of the program: the one that was started, or the one whose skin fits."""
        if self.around.running:
            return self.around.running.program
        return Program.load(seen.skin.name) if seen.skin.name in Program.names() else None

    def _rules(self, seen: Seen) -> Rules:
        program = self._program(seen)
        running, wishes = self.around.running, self.wishes
        win: WinNeeds = program.win if program else "unknown"
        if win == "flags" and wishes.flags == "none":
            raise Usage(f"{seen.skin.name} is won only when every mine is flagged: leave out --flags none")
        return Rules(
            mines=wishes.mines if wishes.mines is not None else running.layout.mines if running else None,
            first_click=wishes.first_click or (program.first_click if program else "unknown"),
            win_needs=win,
            can_chord=bool(program and program.chord != "none"),
            flags=wishes.flags,
        )

    def _whole_picture(self) -> Frame:
        """The screen, or the window that was named, once it is still or has been moving for too long."""
        region = self._region()
        began = still_since = time.monotonic()
        frame = self.around.grabber.grab(region)
        while time.monotonic() - still_since < STILL and time.monotonic() - began < NEVER_STILL:
            time.sleep(0.02)
            latest = self.around.grabber.grab(region)
            if not np.array_equal(latest.pixels, frame.pixels):
                frame, still_since = latest, time.monotonic()
        return frame

    def _region(self) -> Region | None:
        """Where to look: in the program's window, in the window that was named, or everywhere (None)."""
        if self.around.running:
            return inside(self.around.running.window.box, self.around.hands.screen)
        if self.wishes.window is None:
            return None
        found = find_windows(self.around.windows, re.escape(self.wishes.window))
        if not found:
            raise NoBoard(f"no window has '{self.wishes.window}' in its title: open it, or correct the title")
        if len(found) > 1:
            titles = ", ".join(f"'{window.title}'" for window in found)
            raise ManyBoards(f"'{self.wishes.window}' is in the title of {len(found)} windows ({titles}): say more")
        return inside(found[0].box, self.around.hands.screen)

    def _locate(self) -> tuple[Frame, Lattice]:
        """The board, seen with the pointer off it: many programs draw the cell under the pointer otherwise."""
        frame = self._whole_picture()
        lattice = locate(frame)
        if self._points_at(frame, lattice):
            hand = Actuator(self.around.hands)
            hand.aim(frame, lattice)
            hand.park()
            self.around.hands.let_go()
            frame = self._whole_picture()
            lattice = locate(frame)
        self._check_size(lattice)
        return frame, lattice

    def _points_at(self, frame: Frame, lattice: Lattice) -> bool:
        x, y = self.around.hands.pointer
        left, top = frame.point(lattice.xs[0], lattice.ys[0])
        right, bottom = frame.point(lattice.xs[-1], lattice.ys[-1])
        return left <= x < right and top <= y < bottom

    def _check_size(self, lattice: Lattice) -> None:
        layout = self.around.running.layout if self.around.running else None
        wanted = self.wishes.size or ((layout.columns, layout.rows) if layout else None)
        if wanted and wanted != (lattice.columns, lattice.rows):
            raise Unplayable(
                f"a board of {lattice.size} is to be seen, not of {wanted[0]}x{wanted[1]}: "
                "enlarge the window until all of it shows, or correct --size"
            )

    def _fit(self, frame: Frame, lattice: Lattice) -> tuple[Skin, Lattice]:
        """The skin to read this board with, and the lattice exactly where that skin wants it."""
        program = self.around.running.program.name if self.around.running else None
        own = [skin for skin in self.skins if skin.name == program]
        found = (best_fit(frame, lattice, own) if own else None) or best_fit(frame, lattice, self.skins)
        if found is None:
            raise Unplayable(
                f"the {lattice.size} board has a look that no known skin fits: teach it with 'sapper learn'"
            )
        return found.skin, found.lattice

    def _new_game(self, seen: Seen, after: State) -> None:
        if self.around.running is None:
            raise Usage("Sapper does not know how to start the next game here: use --program, or one game")
        self.around.running.new_game(seen.box, after)


def inside(box: Box, screen: tuple[int, int]) -> Region:
    """The part of a box that is on the screen. Raises Unplayable when the box reaches beyond it."""
    left, top, width, height = box
    if left < 0 or top < 0 or left + width > screen[0] or top + height > screen[1]:
        raise Unplayable("the window reaches beyond the edge of the screen: move all of it into view")
    return left, top, width, height
