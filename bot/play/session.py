"""Play consecutive games on one screen: locate the board, play, record, start the next game."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.desktop.ports import window_at
from bot.game.outcome import GameResult
from bot.game.plan import Planner
from bot.game.player import make_player
from bot.game.types import FlagPolicy, GameListener, GameRules, Plan, Stopwatch, WinNeeds
from bot.play.board_status import BoardStatusProbe
from bot.play.finder import BoardFinder, DesktopAccess, Follower, LocatedBoard, View
from bot.play.guard import WindowGuard
from bot.play.hand import ClickProfile, ClickProfileStore, Hand
from bot.play.mine_total import MineTotalSource
from bot.play.next_game import HELP, NextGameFinder
from bot.play.next_game_actions import RestartMemory
from bot.play.next_game_window import game_window
from bot.play.screen import QUIET, ScreenTable
from bot.programs.program import Program, State
from bot.programs.runner import RunningProgram
from bot.readers import SkinLibrary
from bot.recording.recorder import Recorder
from bot.recording.recording import RecordingMeta
from bot.shutdown import classify_error, defer_stop_signals, error_line
from games.errors import BoardNotFound, BoardUnplayable, ResultUnknown, UsageError
from games.minesweeper import Board, FirstClick
from strategies import Reasoner, Strategy
from vision.track.tracker import Tracker

TRIES = 3  # attempts to get a new board


@dataclass(frozen=True)
class PlayOptions:
    """Options of the person for a session.

    `mines` and `first_click` are None if not given. `record` is the folder for recordings, `delay` the
    minimum time between two acts, seconds. `agreed` allows clicks on a board with an unknown appearance: a
    new board and an empty spreadsheet look alike.
    """

    mines: int | None = None
    first_click: FirstClick | None = None
    flags: FlagPolicy = "needed"
    record: Path | None = None
    delay: float = 0.0
    agreed: bool = True
    variant: str = "plain"


@dataclass(frozen=True)
class FinishedGame:
    """A game that was played, the error that stopped it, and the last location and state of its board."""

    result: GameResult
    error: BaseException | None
    seen: LocatedBoard
    board: Board


@dataclass
class Session:
    """Plays games on the screen; `listeners` receive the events, `version` is the version of Sapper.

    With a `shelf`, unknown skins are learned while playing and stored there. `lies` receives the location of
    each board, and every new location. With `totals`, the mine total of programs not started by Sapper is
    read from their counter. Slow steps run within `busy`, which receives their name.
    """

    options: PlayOptions
    around: DesktopAccess
    finder: BoardFinder
    strategies: Sequence[Strategy]
    version: str
    listeners: Sequence[GameListener] = ()
    shelf: SkinLibrary | None = None
    watch: Stopwatch = field(default_factory=Stopwatch)
    restarter: NextGameFinder | None = None
    on_board_moved: Callable[[View], object] = lambda view: None
    totals: MineTotalSource | None = None
    busy: Callable[[str], AbstractContextManager[object]] = nullcontext

    def games(self, count: int) -> Iterator[GameResult]:
        """Play `count` games and yield each result. Raises GameStopped errors, UsageError.

        An interrupted game is yielded as stopped, with its recording, before its error is raised. After a
        finished game with an unknown result, the remaining games are played before its error is raised.
        """
        unknown: ResultUnknown | None = None
        seen = self._found()
        if seen.skin is None and seen.program is None and not self.options.agreed:
            raise BoardUnplayable(
                f"the {seen.lattice.size} board has an appearance that was never learned: "
                "name its window with --window, or agree to the first click with --yes"
            )
        program = self._known_program(seen)
        if self.restarter is None and (desk := game_window(self.around, self.finder, seen)) is not None:
            self.restarter = NextGameFinder(desk, RestartMemory(self.shelf.folder if self.shelf else None))
        for number in range(1, count + 1):
            game = self._game(seen, program)
            yield game.result
            if isinstance(game.error, ResultUnknown):
                unknown = game.error
            elif game.error:
                raise game.error
            if number < count:
                with self.busy("asking for the next game"):
                    seen = self._next_board(program, game)
        if unknown:
            raise unknown

    def dry_run(self) -> tuple[Board, Plan]:
        """The current board and the plan for it, without clicks."""
        seen = self._found()
        rules = self._rules(seen, self._known_program(seen))
        return seen.board, Planner(Reasoner(self.strategies), rules).plan(seen.board)

    def _found(self) -> LocatedBoard:
        with self.busy("looking for a board"):
            return self.finder.find()

    def _known_program(self, seen: LocatedBoard) -> RunningProgram | None:
        """The running program: started by Sapper, or recognised by its window; None if unknown."""
        if self.around.running or seen.program is None:
            return self.around.running
        left, top, width, height = seen.box
        windows = self.around.windows
        window = window_at(windows, left + width / 2, top + height / 2)
        if window is None:
            return None
        return RunningProgram.attach(Program.load(seen.program), windows, self.around.hands, window.id)

    def _rules(self, seen: LocatedBoard, running: RunningProgram | None) -> GameRules:
        program = running.program if running else None
        wishes = self.options
        win: WinNeeds = program.win if program else "unknown"
        if win == "flags" and wishes.flags == "none":
            name = running.program.name if running else "the program"
            raise UsageError(f"{name} is won only when every mine is flagged: leave out --flags none")
        return GameRules(
            mines=self._total(seen),
            first_click=wishes.first_click or (program.first_click if program else "unknown"),
            win_needs=win,
            can_chord=bool(program and program.chord != "none"),
            flags=wishes.flags,
            variant=wishes.variant,
            clicked_number=program.clicked_number if program else "unknown",
        )

    def _total(self, seen: LocatedBoard) -> int | None:
        """The mine total from the options or from the counter of the program."""
        if self.totals is not None and self.around.running is None:
            self.totals.begin(seen)
            return self.totals.total
        return self.options.mines

    def _next_board(self, running: RunningProgram | None, game: FinishedGame) -> LocatedBoard:
        """A new board after a game. Raises BoardUnplayable if the next game cannot be started."""
        if running is not None:
            state: State = "won" if game.result.result == "won" else "lost"
            for _ in range(TRIES):
                running.new_game(game.seen.box, state)
                try:
                    seen = self.finder.find()
                except (BoardNotFound, BoardUnplayable):
                    break  # a window that its program file does not know
                if not seen.is_finished:
                    return seen
        if self.restarter is None:
            raise BoardUnplayable(f"nothing says which window takes the keys here: {HELP}")
        return self.restarter.next_board(game.seen, game.board)

    def _game(self, seen: LocatedBoard, running: RunningProgram | None) -> FinishedGame:
        """Play one game."""
        rules = self._rules(seen, running)
        program = running.program if running else None
        view = View.of(seen.frame, seen.lattice)
        recorder = self._recorder(seen, view, rules)
        listeners = [*self.listeners, *([recorder] if recorder else [])]

        def say(text: str) -> None:
            for listener in listeners:
                listener.on_note(text)

        guard = WindowGuard(
            self.around.windows, seen.box, running, self.watch.clock, say, self.around.hands.check
        )
        guard.focus()
        self.on_board_moved(view)
        self.watch.restart()
        profiles = ClickProfileStore(self.shelf.folder if self.shelf else None)
        title = program.name if program else guard.title
        profile = profiles.of(title)
        hand = self._hand(seen, program, guard, profile)

        def found(now: LocatedBoard, view: View) -> None:
            guard.update_box(now.box)
            hand.aim(now.frame, now.lattice)
            self.on_board_moved(view)
            if recorder:
                recorder.moved(view.lattice)
            say(f"the board was found again: {now.box[2]}x{now.box[3]} at {now.box[:2]}")

        follower = Follower(seen, self.finder.find, self.finder.find_once, self.finder.screenshot, found)
        reader = self.finder.sight.reader(view.lattice, seen.skin, rules.mines)
        screen = ScreenTable(
            self.around.grabber,
            view,
            reader,
            hand,
            guard,
            self.watch,
            program.quiet if program else QUIET,
            recorder.on_frame if recorder else None,
            follower,
            learns=seen.skin is None,
            pointer_stays=program is None,
        )
        probe = self._status_probe(screen, guard, follower, recorder)
        player = make_player(
            screen,
            Reasoner(self.strategies),
            rules,
            listeners,
            self.watch,
            reader.notify_no_response,
            probe,
            None if program else probe.dismiss_dialog,
        )
        error: BaseException | None = None
        try:
            result = player.play()
        except (KeyboardInterrupt, Exception) as stopped:  # noqa: BLE001 - however a game ends, it is here
            error, result = classify_error(stopped), player.result("stopped")
            if isinstance(stopped, KeyboardInterrupt):
                self.around.hands.release()
        try:
            with defer_stop_signals():
                with contextlib.suppress(OSError):  # it would only save time
                    profiles.keep(title, profile)
                result = self._end(
                    result, error, program, recorder, lambda: self._learn(reader, program, guard)
                )
        except KeyboardInterrupt as stopped:  # it came meanwhile
            error = error or classify_error(stopped)
        return FinishedGame(result, error, follower.seen, player.board)

    def _end(
        self,
        result: GameResult,
        error: BaseException | None,
        program: Program | None,
        recorder: Recorder | None,
        learn: Callable[[], object],
    ) -> GameResult:
        """Finish a game, whatever its result: learn, record, and complete the result."""
        self.around.hands.forget_pointer()
        result = replace(result, program=program.name if program else None)
        result = replace(result, why=error_line(error) if error else None)
        try:
            learn()
        except Exception as lost:  # noqa: BLE001 - what was learned is worth less than the result
            for listener in (*self.listeners, *([recorder] if recorder else [])):
                listener.on_note(
                    f"what was learned of the program is lost: {error_line(classify_error(lost))}"
                )
        if recorder:
            result = replace(result, recording=str(recorder.folder))
            recorder.close(result.as_json(), result.why)
        return result

    def _status_probe(
        self, screen: ScreenTable, guard: WindowGuard, follower: Follower, recorder: Recorder | None
    ) -> BoardStatusProbe:
        return BoardStatusProbe(
            screen,
            self.around.windows,
            lambda: guard.board_window,
            lambda: follower.seen,
            self.finder.find_once,
            self.watch.clock,
            self._press,
            recorder,
        )

    def _press(self, window: int, key: str) -> None:
        """Press a key in a window. Raises Interrupted."""
        self.around.windows.focus(window)
        self.around.hands.press(key)

    def _learn(self, reader: Tracker, program: Program | None, guard: WindowGuard) -> None:
        """Store the learned appearance of the program. Raises InvalidFile."""
        if self.shelf is not None:
            self.shelf.keep(reader, program.name if program else None, guard.title)
            self.finder.sight = replace(self.finder.sight, skins=tuple(self.shelf.skins))

    def _hand(
        self, seen: LocatedBoard, program: Program | None, guard: WindowGuard, profile: ClickProfile
    ) -> Hand:
        hand = Hand(
            self.around.hands,
            program.chord if program else "none",
            program.question_marks if program else False,
            max(self.options.delay, program.interval if program else 0.0),
            guard,
            profile,
        )
        hand.aim(seen.frame, seen.lattice)
        return hand

    def _recorder(self, seen: LocatedBoard, view: View, rules: GameRules) -> Recorder | None:
        if self.options.record is None:
            return None
        running = self.around.running
        name = running.program.name if running else seen.program or (seen.skin.name if seen.skin else "board")
        folders = (self.options.record / f"{name}-{n:03d}" for n in itertools.count(1))
        folder = next(folder for folder in folders if not folder.exists())
        strategies = tuple((strategy.name, strategy.version) for strategy in self.strategies)
        meta = RecordingMeta(name, view.lattice, rules, strategies, self.version)
        return Recorder(folder, meta, seen.skin)
