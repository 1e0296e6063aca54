"""Play consecutive games on one screen: locate the board, play, record, start the next game."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.desktop.backends import Kind
from bot.desktop.ports import window_of
from bot.game.outcome import GameResult, outcome_on_board
from bot.game.plan import Planner
from bot.game.player import Player
from bot.game.types import FlagPolicy, GameListener, GameRules, Plan, Stopwatch, WinNeeds
from bot.play.board_status import BoardStatusProbe
from bot.play.finder import BoardFinder, DesktopAccess, LocatedBoard
from bot.play.guard import WindowGuard, require_whole_board
from bot.play.hand import ClickProfile, ClickProfileStore, Hand, MovePacer
from bot.play.mine_total import MineTotalSource, with_total
from bot.play.next_game import HELP, NextGameFinder
from bot.play.next_game_actions import RestartMemory
from bot.play.next_game_window import game_window
from bot.play.screen import QUIET, Promptness, ScreenTable, learn_promptness
from bot.programs.program import Program, State
from bot.programs.runner import RunningProgram
from bot.readers import SkinLibrary
from bot.recording.recorder import Recorder, free_folder
from bot.recording.recording import RecordingMeta
from bot.shutdown import classify_error, defer_stop_signals, error_line
from games.errors import BoardNotFound, BoardUnplayable, Contradiction, ResultUnknown, UsageError
from games.minesweeper import Board, FirstClick
from games.minesweeper.variants import get_variant
from strategies import Reasoner, Strategy
from vision.track.tracker import Tracker

TRIES = 3  # attempts to start the next game through the program file
FOLLOWED = 200.0  # milliseconds between clicks from which viewers can follow single moves


@dataclass(frozen=True)
class PlayOptions:
    """The options of `sapper play`.

    `virtual` is also set if there is no display. `mines` and `first_click` are None if not given. `record`
    and `skins_folder` are folders. `delay` is the minimum time between two clicks, milliseconds.
    """

    program: str | None = None
    virtual: bool = False
    screen: str = "1280x900"
    size: str | None = None
    mines: int | None = None
    first_click: FirstClick | None = None
    games: int = 1
    backend: Kind | None = None
    strategies: tuple[str, ...] = ()
    trust: bool = False
    observers: tuple[str, ...] = ()
    flags: FlagPolicy = "needed"
    skin: str | None = None
    skins_folder: Path | None = None
    record: Path | None = None
    window: str | None = None
    yes: bool = False
    dry_run: bool = False
    delay: float = 0.0
    overlay: bool = False
    variant: str = "plain"
    as_json: bool = False


@dataclass(frozen=True)
class FinishedGame:
    """Result of a game, the error that stopped it, if any, and the last location and state of its board."""

    result: GameResult
    error: BaseException | None
    located: LocatedBoard
    board: Board


@dataclass
class Session:
    """Plays games on the screen; `listeners` receive the events, `version` is the version of Sapper.

    `access` gives access to the desktop. `library` is the library in which learned skins are stored; without
    it, nothing is stored. `on_board_moved` receives the location of the board at the start of each game and
    whenever the board has moved on the screen. With `totals`, the mine total of programs not started by
    Sapper is read from their counter. `busy(name)` returns a context manager in which a slow step runs.
    """

    options: PlayOptions
    access: DesktopAccess
    finder: BoardFinder
    strategies: Sequence[Strategy]
    version: str
    listeners: Sequence[GameListener] = ()
    library: SkinLibrary | None = None
    on_board_moved: Callable[[LocatedBoard], object] | None = None
    totals: MineTotalSource | None = None
    busy: Callable[[str], AbstractContextManager[object]] = nullcontext
    _watch: Stopwatch = field(default_factory=Stopwatch, init=False)
    _promptness: Sequence[Promptness] = field(default_factory=learn_promptness, init=False)
    _restarter: NextGameFinder | None = field(default=None, init=False)

    def games(self, count: int) -> Iterator[GameResult]:
        """Play `count` games and yield each result. Raises UsageError and the subclasses of GameStopped.

        The result of a stopped game is yielded before the error that stopped it is raised. If the result of a
        finished game is unknown, the remaining games are played first; then ResultUnknown is raised.
        """
        unknown: ResultUnknown | None = None
        located = self._find()
        options = self.options
        # an unknown theme may be an empty spreadsheet, unless the user named the program or the window
        is_allowed = options.virtual or options.program or options.window or options.yes
        if located.skin is None and located.program is None and not is_allowed:
            raise BoardUnplayable(
                f"the {located.lattice.size} board has an unknown theme: name its window with --window, "
                "or allow clicks with --yes"
            )
        require_whole_board(self.access.windows, located.box, located.lattice.columns, located.lattice.rows)
        program = self._known_program(located)
        if self._restarter is None and (window := game_window(self.access, self.finder, located)) is not None:
            memory = RestartMemory(self.library.folder if self.library else None)
            self._restarter = NextGameFinder(window, memory)
        rules = self._rules(located, program)
        if self._is_over(located, rules):
            located = self._first_game(located, program)
            rules = self._rules(located, program)
        for number in range(1, count + 1):
            game = self._game(located, program, rules)
            yield game.result
            if isinstance(game.error, ResultUnknown):
                unknown = game.error
            elif game.error:
                raise game.error
            if number < count:
                with self.busy("asking for the next game"):
                    state: State = "won" if game.result.result == "won" else "lost"
                    located = self._next_board(program, game.located, game.board, state)
                rules = self._rules(located, program)
        if unknown:
            raise unknown

    def dry_run(self) -> tuple[Board, Plan]:
        """The current board and the plan for it, without clicks."""
        located = self._find()
        rules = replace(self._rules(located, self._known_program(located)), one_by_one=False)
        return located.board, Planner(Reasoner(self.strategies), rules).plan(located.board)

    def _find(self) -> LocatedBoard:
        with self.busy("looking for a board"):
            return self.finder.find_first()

    def _known_program(self, located: LocatedBoard) -> RunningProgram | None:
        """The running program: started by Sapper, or recognised by its window; None if unknown."""
        if self.access.running or located.program is None:
            return self.access.running
        windows = self.access.windows
        window = window_of(windows, located.box)
        if window is None:
            return None
        return RunningProgram.attach(Program.load(located.program), windows, self.access.controls, window.id)

    def _is_over(self, located: LocatedBoard, rules: GameRules) -> bool:
        """Whether the game on this board has ended before our first click; single cells may be unread."""
        if not (located.board.open or located.board.shown_mines):
            return False
        planner = Planner(Reasoner(self.strategies), rules)
        try:
            planner.plan(located.board)
        except Contradiction:
            return False  # a misread board, which is read again in the game
        return outcome_on_board(located.board.with_mines(rules.mines), rules, planner.knowledge) is not None

    def _first_game(self, ended: LocatedBoard, program: RunningProgram | None) -> LocatedBoard:
        """The board of the next game after a finished one. Raises BoardUnplayable if it cannot be started."""
        if program is None and self._restarter is None:
            raise BoardUnplayable("the game is already over: start the next game and run sapper again")
        state: State = "lost" if ended.board.shown_mines else "won"
        with self.busy("asking for the next game"):
            return self._next_board(program, ended, ended.board, state)

    def _rules(self, located: LocatedBoard, running: RunningProgram | None) -> GameRules:
        program = running.program if running else None
        options = self.options
        win: WinNeeds = program.win if program else "unknown"
        if program and win == "flags" and options.flags == "none":
            raise UsageError(f"{program.name} requires flags on all mines to win: leave out --flags none")
        first_click = options.first_click or (program.first_click if program else "unknown")
        if first_click not in ("unknown", "opened"):
            get_variant(options.variant).check_first_click(first_click)
        rules = GameRules(
            first_click=first_click,
            win_needs=win,
            can_chord=bool(program and program.chord != "none"),
            flags=options.flags,
            variant=options.variant,
            clicked_number=program.clicked_number if program else "unknown",
            one_by_one=options.delay >= FOLLOWED,
        )
        if self.access.running is not None:
            return replace(rules, mines=self.access.running.size.mines)
        if self.totals is None:
            return with_total(rules, None, options.mines)
        self.totals.begin(located)
        return self.totals.in_rules(rules)

    def _next_board(
        self, running: RunningProgram | None, before: LocatedBoard, board: Board, state: State
    ) -> LocatedBoard:
        """A new board after a game that began on the board `before` and ended on `board`.

        Raises BoardUnplayable if the next game cannot be started.
        """
        if running is not None:
            for _ in range(TRIES):
                running.new_game(before.box, state)
                try:
                    located = self.finder.find()
                except (BoardNotFound, BoardUnplayable):
                    break  # probably a window that the program file does not describe
                if not located.is_finished and (located.board.closed or not located.board.open):
                    return located
        if self._restarter is None:
            raise BoardUnplayable(f"this desktop does not report which window receives keys: {HELP}")
        located = self._restarter.next_board(before, board)
        if located.lattice.size != before.lattice.size:
            self._drop_total(f"the next game has another size: {located.lattice.size}")
        return located

    def _drop_total(self, why: str) -> None:
        for listener in self.listeners:
            listener.on_note(why)
        self.options = replace(self.options, mines=None)
        if self.totals is not None:
            self.totals.drop_claim()

    def _game(self, located: LocatedBoard, running: RunningProgram | None, rules: GameRules) -> FinishedGame:
        program = running.program if running else None
        recorder = self._recorder(located, rules)
        listeners = [*self.listeners, *([recorder] if recorder else [])]

        def say(text: str) -> None:
            for listener in listeners:
                listener.on_note(text)

        def on_moved(now: LocatedBoard) -> None:
            if self.on_board_moved:
                self.on_board_moved(now)
            if recorder:
                recorder.set_lattice(now.region_lattice)
            say(f"the board was found again: {now.box[2]}x{now.box[3]} at {now.box[:2]}")

        controls, watch = self.access.controls, self._watch
        guard = WindowGuard(self.access.windows, located.box, say, controls.check, running, watch.clock)
        guard.focus()
        if self.on_board_moved:
            self.on_board_moved(located)
        watch.restart()
        profiles = ClickProfileStore(self.library.folder if self.library else None)
        title = program.name if program else guard.title
        profile = profiles.of(title)
        reader = self.finder.readers.reader(located.region_lattice, located.skin, rules.mines)
        hand = self._hand(located, program, guard, profile)
        screen = ScreenTable(
            self.access.grabber,
            located,
            reader,
            hand,
            guard,
            self.finder,
            watch,
            program.quiet if program else QUIET,
            recorder.on_frame if recorder else None,
            on_moved,
            learns=located.skin is None,
            pointer_stays=program is None,
            promptness=self._promptness,
        )
        probe = BoardStatusProbe(screen, self.access.windows, controls, recorder)
        player = Player(
            screen,
            Planner(Reasoner(self.strategies), rules),
            [*listeners, MovePacer(hand)] if rules.one_by_one else listeners,
            watch,
            reader.notify_no_response,
            probe,
            None if program else probe.dismiss_dialog,
        )
        error: BaseException | None = None
        try:
            result = player.play()
        except (KeyboardInterrupt, Exception) as stopped:  # noqa: BLE001 - every error ends a game and is reported
            error, result = classify_error(stopped), player.result("stopped")
            if isinstance(stopped, KeyboardInterrupt):
                controls.release()
        if self.totals is not None and rules.assumed_mines and result.mines is None:
            self.totals.drop_claim()
        try:
            with defer_stop_signals():
                with contextlib.suppress(OSError):  # a lost click profile costs only time
                    profiles.keep(title, profile)
                controls.forget_pointer()
                self._learn(reader, program, guard, say)
                result = replace(
                    result,
                    program=program.name if program else None,
                    why=error_line(error) if error else None,
                    recording=str(recorder.folder) if recorder and recorder.folder.exists() else None,
                )
                if recorder:
                    recorder.close(result.as_json(), result.why)
        except KeyboardInterrupt as stopped:  # a signal that arrived in the block above
            error = error or classify_error(stopped)
        return FinishedGame(result, error, screen.located, player.board)

    def _learn(
        self, reader: Tracker, program: Program | None, guard: WindowGuard, say: Callable[[str], None]
    ) -> None:
        """Store the learned appearance of the program; failures are only reported."""
        if self.library is None:
            return
        try:
            self.library.keep(reader, program.name if program else None, guard.title)
            self.finder.set_skins(self.library.skins)
        except Exception as error:  # noqa: BLE001 - must not hide the result of the game
            say(f"the learned skin is lost: {error_line(classify_error(error))}")

    def _hand(
        self, located: LocatedBoard, program: Program | None, guard: WindowGuard, profile: ClickProfile
    ) -> Hand:
        return Hand(
            self.access.controls,
            located.frame,
            located.lattice,
            guard,
            program.chord if program else "none",
            program.question_marks if program else False,
            max(self.options.delay / 1000, program.interval if program else 0.0),
            profile,
        )

    def _recorder(self, located: LocatedBoard, rules: GameRules) -> Recorder | None:
        if self.options.record is None:
            return None
        name = located.program or (located.skin.name if located.skin else "board")
        strategies = tuple((strategy.name, strategy.version) for strategy in self.strategies)
        meta = RecordingMeta(name, located.region_lattice, rules, strategies, self.version)
        return Recorder(free_folder(self.options.record, name), meta, located.skin)
