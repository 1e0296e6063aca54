"""Games on one screen, one after the other: find the board, play, record, start again."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.desktop.windows import XWindows, window_at
from bot.live.actuator import Actuator
from bot.live.desk import desk_of
from bot.live.finding import Finder, Seen, Surroundings
from bot.live.following import Follower
from bot.live.guard import WindowGuard
from bot.live.restarting import HELP, Restarter
from bot.live.screen import QUIET, Screen, View
from bot.live.ways import KnownWays
from bot.live.witness import BoardWitness
from bot.loop.game import put_together
from bot.loop.outcome import GameResult
from bot.loop.planner import Planner
from bot.loop.ports import FlagPolicy, Listener, Rules, WinNeeds
from bot.loop.stopwatch import Stopwatch
from bot.programs.description import Program, State
from bot.programs.running import RunningProgram
from bot.recording.recording import Meta, Recorder
from bot.sight import SkinShelf
from games.errors import EndUnknown, Interrupted, NoBoard, SapperError, Unplayable, Usage
from games.minesweeper import Board, FirstClick, Move
from strategies import Reasoner, Strategy

TRIES = 3  # times that a fresh board is asked for


@dataclass(frozen=True)
class Wishes:
    """What the person asked for.

    `mines`, `first_click` are None when not said. `record` is the folder for recordings; `delay` is the
    least time between two acts, seconds. `agreed`: a look that was never learned may be clicked
    on, too; a fresh board and an empty spreadsheet look alike. `variant` names the rules.
    """

    mines: int | None = None
    first_click: FirstClick | None = None
    flags: FlagPolicy = "needed"
    record: Path | None = None
    delay: float = 0.0
    agreed: bool = True
    variant: str = "plain"


@dataclass(frozen=True)
class Played:
    """A game that was played: what stopped it, if anything did; where its board was, and showed, at last."""

    result: GameResult
    error: SapperError | None
    seen: Seen
    board: Board


@dataclass
class Session:
    """Plays games on the screen; `listeners` are told what happens, `version` is Sapper's own.

    With a `shelf`, looks that nobody taught are learned while playing, and kept there.
    """

    wishes: Wishes
    around: Surroundings
    finder: Finder
    strategies: Sequence[Strategy]
    version: str
    listeners: Sequence[Listener] = ()
    shelf: SkinShelf | None = None
    watch: Stopwatch = field(default_factory=Stopwatch)
    restarter: Restarter | None = None

    def games(self, count: int) -> Iterator[GameResult]:
        """Play so many games; each result as soon as it is there. Raises Stop errors, Usage.

        A game that breaks off is yielded as stopped, its recording complete up to there, before its error.
        After one that is over, and of which nobody saw how it ended, the others are played before its error.
        """
        unknown: EndUnknown | None = None
        seen = self.finder.find()
        if seen.skin is None and seen.program is None and not self.wishes.agreed:
            raise Unplayable(
                f"the {seen.lattice.size} board has a look that was never learned: "
                "name its window with --window, or agree to the first click with --yes"
            )
        program = self._program(seen)
        if self.restarter is None and (desk := desk_of(self.around, self.finder, seen)) is not None:
            self.restarter = Restarter(desk, KnownWays(self.shelf.folder if self.shelf else None))
        for number in range(1, count + 1):
            game = self._game(seen, program)
            yield game.result
            if isinstance(game.error, EndUnknown):
                unknown = game.error
            elif game.error:
                raise game.error
            if number < count:
                seen = self._next_board(program, game)
        if unknown:
            raise unknown

    def dry_run(self) -> tuple[Board, tuple[Move, ...]]:
        """The board as it stands and the moves that would be made; nothing is clicked."""
        seen = self.finder.find()
        rules = self._rules(seen, self._program(seen))
        return seen.board, Planner(Reasoner(self.strategies), rules).plan(seen.board).moves

    def _program(self, seen: Seen) -> RunningProgram | None:
        """The program under play: the one that was started, or a known one whose window it is.

        None where neither is so, or where the desktop does not say which windows it has.
        """
        if self.around.running or seen.program is None:
            return self.around.running
        left, top, width, height = seen.box
        windows = self.around.windows
        window = window_at(windows, left + width / 2, top + height / 2)
        if window is None or not isinstance(windows, XWindows):
            return None
        return RunningProgram.attach(Program.load(seen.program), windows, self.around.hands, window.id)

    def _rules(self, seen: Seen, running: RunningProgram | None) -> Rules:
        program = running.program if running else None
        wishes = self.wishes
        win: WinNeeds = program.win if program else "unknown"
        if win == "flags" and wishes.flags == "none":
            name = running.program.name if running else "the program"
            raise Usage(f"{name} is won only when every mine is flagged: leave out --flags none")
        return Rules(
            mines=wishes.mines,
            first_click=wishes.first_click or (program.first_click if program else "unknown"),
            win_needs=win,
            can_chord=bool(program and program.chord != "none"),
            flags=wishes.flags,
            variant=wishes.variant,
        )

    def _next_board(self, running: RunningProgram | None, game: Played) -> Seen:
        """A fresh board after a game. Raises Unplayable when there is no way to get one."""
        if running is not None:
            state: State = "won" if game.result.result == "won" else "lost"
            for _ in range(TRIES):
                running.new_game(game.seen.box, state)
                try:
                    seen = self.finder.find()
                except (NoBoard, Unplayable):
                    break  # a window that its program file does not know
                if not seen.is_finished:
                    return seen
        if self.restarter is None:
            raise Unplayable(f"nothing says which window takes the keys here: {HELP}")
        return self.restarter.next_board(game.seen, game.board)

    def _game(self, seen: Seen, running: RunningProgram | None) -> Played:
        """Play one game."""
        rules = self._rules(seen, running)
        program = running.program if running else None
        view = View.of(seen.frame, seen.lattice)
        guard = WindowGuard(self.around.windows, seen.box, running)
        guard.focus()
        self.watch.restart()
        recorder = self._recorder(seen, view, rules)
        hand = self._hand(seen, program)
        listeners = [*self.listeners, *([recorder] if recorder else [])]

        def found(now: Seen, view: View) -> None:
            guard.follow(now.box)
            hand.aim(now.frame, now.lattice)
            if recorder:
                recorder.moved(view.lattice)
            for listener in listeners:
                listener.noted(f"the board was found again: {now.box[2]}x{now.box[3]} at {now.box[:2]}")

        follower = Follower(seen, self.finder.find, self.finder.glance, found)
        reader = self.finder.sight.reader(view.lattice, seen.skin, rules.mines)
        screen = Screen(
            self.around.grabber,
            view,
            reader,
            hand,
            guard,
            self.watch,
            program.quiet if program else QUIET,
            recorder.saw if recorder else None,
        )
        screen.finds, screen.learns = follower, seen.skin is None
        witness = BoardWitness(
            screen,
            self.around.windows,
            lambda: guard.board_window,
            lambda: follower.seen,
            self.finder.glance,
            self.watch.clock,
            recorder.witnessed if recorder else lambda *_: None,
        )
        screen.is_ended = witness.is_ended
        player = put_together(
            screen,
            Reasoner(self.strategies),
            rules,
            listeners,
            self.watch,
            reader.stuck,
            witness,
        )
        error: SapperError | None = None
        try:
            result = player.play()
        except SapperError as stopped:
            error, result = stopped, player.result("stopped")
        except KeyboardInterrupt:
            error, result = Interrupted("stopped by the keyboard"), player.result("stopped")
        self.around.hands.let_go()
        result = replace(result, program=program.name if program else None)
        if self.shelf is not None:
            self.shelf.keep(reader, program.name if program else None, guard.title)
            self.finder.sight = replace(self.finder.sight, skins=tuple(self.shelf.skins))
        if recorder:
            result = replace(result, recording=str(recorder.folder))
            recorder.close(result.as_json(), str(error) if error else None)
        return Played(result, error, follower.seen, player.board)

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
        running = self.around.running
        name = running.program.name if running else seen.program or (seen.skin.name if seen.skin else "board")
        folders = (self.wishes.record / f"{name}-{n:03d}" for n in itertools.count(1))
        folder = next(folder for folder in folders if not folder.exists())
        strategies = tuple((strategy.name, strategy.version) for strategy in self.strategies)
        meta = Meta(name, view.lattice, rules, strategies, self.version)
        return Recorder(folder, meta, seen.skin)
