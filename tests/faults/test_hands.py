"""Faults in the middle of a sweep on real programs: nothing but the board is ever pressed."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Timer

import pytest
from live import Meddler, program_on, session_on
from staging import Bystander, InASweep, Press, Process, field_on

from bot.desktop import Window
from bot.desktop.x11 import XWindows
from bot.live import Desktop
from bot.live.acting import guard
from bot.live.acting.touching import FILE
from bot.programs import Program
from bot.programs.started import RunningProgram
from bot.recording import Recording, replay
from bot.sight import SkinShelf
from games.errors import Interrupted, ProgramGone, SapperError, Unplayable
from strategies import Reasoner, load_strategies

pytestmark = pytest.mark.live

SCREEN = (0, 0, 1280, 900)
PACE = 0.2  # seconds between two acts: a sweep lasts long enough to be disturbed


@pytest.fixture(autouse=True)
def short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cover that stays is given up sooner."""
    monkeypatch.setattr(guard, "PASSES", 4.0)


@pytest.fixture
def below(desktop: Desktop, tmp_path: Path) -> Iterator[Bystander]:
    """A window below all others, over the whole screen."""
    with Bystander(tmp_path, SCREEN, "--below", "--title=below") as bystander:
        yield bystander


@dataclass(frozen=True)
class Scene:
    """What a deed has at hand: the screen, the game's window as it was, where files may lie."""

    windows: XWindows
    window: Window
    pids: frozenset[int]
    folder: Path
    covers: list[Process]

    def ask(self, deed: str) -> None:
        """Ask the X server for something to be done to the game's window."""
        display = self.windows._display  # noqa: SLF001
        getattr(display.create_resource_object("window", self.window.id), deed)()
        display.sync()


Deed = Callable[[Scene], object]


def scene_of(running: RunningProgram, folder: Path) -> Callable[[XWindows, list[Process]], Scene]:
    """The scene before anything happens, for whoever comes with a connection."""
    window = running.window
    pids = frozenset(running.pids)
    return lambda windows, covers: Scene(windows, window, pids, folder, covers)


def move(scene: Scene) -> None:
    left, top, _, _ = scene.window.box
    scene.windows.move(scene.window.id, left + 50, top)


def cover(*kinds: str) -> Deed:
    return lambda scene: scene.covers.append(Bystander(scene.folder, scene.window.box, *kinds))


def signalled(number: signal.Signals) -> Deed:
    def deed(scene: Scene) -> None:
        for pid in scene.pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        time.sleep(0.1)

    return deed


def half_out(scene: Scene) -> None:
    scene.windows.move(scene.window.id, SCREEN[2] - scene.window.box[2] // 2, scene.window.box[1])


FAULTS: dict[str, tuple[Deed, type[SapperError], str]] = {
    "moved": (move, Unplayable, "moved from"),
    "half off the screen": (half_out, Unplayable, "moved from"),
    "covered": (cover(), Unplayable, "covered by 'in the way'"),
    "a popup": (cover("--popup"), Unplayable, "covered by 'in the way'"),
    "not to be seen": (cover("--unseen"), Unplayable, "cannot be named"),
    "minimised": (lambda scene: scene.ask("unmap"), Unplayable, "hidden or minimised"),
    "killed": (signalled(signal.SIGKILL), ProgramGone, "went away"),
    "closed": (lambda scene: scene.ask("kill_client"), ProgramGone, "went away"),
}
PROGRAMS = ("sgt-mines", "xdemineur", "kmines", "gnome-mines")
QUICK = {(fault, "sgt-mines") for fault in FAULTS if fault != "half off the screen"}
QUICK.add(("moved", "xdemineur"))


HIDDEN = ("the keyboard is taken away", "gnome-mines")  # it pauses then, and hides its board: the game stops


def on_programs(quick: set[tuple[str, str]], faults: Iterable[str]) -> pytest.MarkDecorator:
    """Every fault on every program; those that are not quick belong to `make faults`."""
    cases = [(fault, name) for fault in faults for name in PROGRAMS if (fault, name) != HIDDEN]
    return pytest.mark.parametrize(
        ("fault", "name"),
        [pytest.param(*case, marks=[] if case in quick else [pytest.mark.campaign]) for case in cases],
    )


@on_programs(QUICK, FAULTS)
def test_nothing_else_is_pressed(
    fault: str, name: str, desktop: Desktop, below: Bystander, tmp_path: Path
) -> None:
    deed, kind, words = FAULTS[fault]
    covers: list[Process] = []
    try:
        with program_on(desktop, name, "16x16/40") as running:
            scene = scene_of(running, tmp_path)
            sweep = InASweep(lambda windows: deed(scene(windows, covers)), PACE)
            with session_on(desktop, running, sweep, record=tmp_path) as session:
                session.wishes = replace(session.wishes, delay=PACE)
                games = session.games(10)
                result = next(each for each in games if sweep.has_begun)  # a guess may end one before
                assert result.result == "stopped"
                with pytest.raises(kind, match=words):
                    next(games)
            sweep.finish()
            assert sweep.done_at is not None
    finally:
        for each in covers:
            each.go()
    assert below.presses == []
    assert [each.presses for each in covers] in ([], [[]])
    recording = Recording(Path(str(result.recording)))
    acts = [event["moves"] for event in recording.events if event["event"] == "act"]
    assert 0 < len(acts[-1]) < len(sweep.planned_moves)  # the recording has what was made, and no more
    assert words in recording.events[-1]["stopped"]
    assert replay(recording, Reasoner(load_strategies())).differences == ()


def stopped_for(seconds: float) -> Deed:
    """The program takes no more part in anything for so long."""

    def deed(scene: Scene) -> None:
        signalled(signal.SIGSTOP)(scene)
        time.sleep(seconds)
        signalled(signal.SIGCONT)(scene)

    return deed


def beside(scene: Scene) -> None:
    """Another window opens beside the board, and takes the keyboard."""
    scene.covers.append(Bystander(scene.folder, (1200, 820, 60, 60), "--title=beside"))
    window = next(each for each in scene.windows.all() or () if each.title == "beside")
    scene.windows.focus(window.id)


def screen_saver(kind: str) -> Deed:
    """The server's own screen saver comes on: the screen goes off, or a window lies over everything."""

    def deed(scene: Scene) -> None:
        from Xlib import X

        display = scene.windows._display  # noqa: SLF001
        display.set_screen_saver(600, 0, getattr(X, kind), X.DontAllowExposures)
        display.force_screen_saver(X.ScreenSaverActive)
        display.sync()

    return deed


def second_board(scene: Scene) -> None:
    """Another game comes up, at the right of the screen."""
    words = ("--size", "8x8", "--mines", "10", "--at", "950,500")
    scene.covers.append(Process(scene.folder, "field.py", *words))


PASSING: dict[str, Deed] = {
    "the program stops for a second": stopped_for(1.0),
    "the program stops for three seconds": stopped_for(3.0),
    "the program stops for twenty seconds": stopped_for(20.0),
    "the keyboard is taken away": beside,
    "covered for a moment": lambda scene: Bystander(scene.folder, scene.window.box, "--popup").go(),
    "the screen saver switches the screen off": screen_saver("PreferBlanking"),
    "the screen saver draws on the screen": screen_saver("DontPreferBlanking"),
    "another board comes up": second_board,
    "the window is raised": lambda scene: scene.ask("raise_window"),
}


@on_programs({("the program stops for three seconds", "xdemineur")}, PASSING)
def test_what_passes_ends_no_game(
    fault: str, name: str, desktop: Desktop, below: Bystander, tmp_path: Path
) -> None:
    covers: list[Process] = []
    try:
        with program_on(desktop, name, "12x12/20") as running:
            scene = scene_of(running, tmp_path)
            sweep = InASweep(lambda windows: PASSING[fault](scene(windows, covers)), PACE)
            with session_on(desktop, running, sweep, record=tmp_path) as session:
                session.wishes = replace(session.wishes, delay=PACE)
                result = next(each for each in session.games(10) if sweep.has_begun)
            sweep.finish()
    finally:
        for each in covers:
            each.go()
    assert (result.result in {"won", "lost"}, result.wrong_certain) == (True, 0), result.why
    assert below.presses == []
    assert [each.presses for each in covers] in ([], [[]])
    assert replay(Recording(Path(str(result.recording))), Reasoner(load_strategies())).differences == ()


def test_a_brief_cover_is_waited_out(desktop: Desktop, below: Bystander, tmp_path: Path) -> None:
    covers: list[Process] = []

    def deed(windows: XWindows) -> None:
        with Bystander(tmp_path, box, "--popup", "--title=a message") as message:
            covers.append(message)
            time.sleep(2.0)

    with program_on(desktop, "sgt-mines", "12x12/20") as running:
        box = running.window.box
        sweep = InASweep(deed, PACE)
        with session_on(desktop, running, sweep) as session:
            session.wishes = replace(session.wishes, delay=PACE)
            result = next(session.games(1))
        sweep.finish()
    assert (result.result, result.wrong_certain) == ("won", 0)
    assert [note for note in sweep.notes if "waiting" in note] == [
        "the board is covered by 'a message': waiting for it to go"
    ]
    assert below.presses == covers[0].presses == []


@pytest.mark.parametrize("name", ["sgt-mines", "xdemineur"])
def test_a_message_that_comes_between_two_sweeps_is_waited_out(
    name: str, desktop: Desktop, below: Bystander, tmp_path: Path
) -> None:
    covers: list[Process] = []

    def deed() -> None:
        left, top, width, height = box
        covers.append(Bystander(tmp_path, (left, top, width // 2, height), "--popup", "--title=a message"))
        Timer(2.0, covers[0].go).start()

    notes = InASweep(lambda windows: None, 0.0, least=1000)
    with program_on(desktop, name, "12x12/20") as running:
        box = running.window.box
        with session_on(desktop, running, Meddler(2, deed), notes) as session:
            results = list(session.games(1))
    assert [result.result in ("won", "lost") for result in results] == [True]
    assert sum(result.wrong_certain for result in results) == 0
    assert len([note for note in notes.notes if "waiting for it to go" in note]) >= len(covers) > 0
    assert below.presses == covers[0].presses == []


def test_a_window_that_is_resized_in_a_sweep_is_followed(
    desktop: Desktop, below: Bystander, tmp_path: Path
) -> None:
    with program_on(desktop, "sgt-mines", "12x12/20") as running:
        id = running.window.id
        sweep = InASweep(lambda windows: windows.resize(id, 800, 760), PACE)
        with session_on(desktop, running, sweep, record=tmp_path) as session:
            session.wishes = replace(session.wishes, delay=PACE)
            result = next(session.games(1))
        sweep.finish()
    assert (result.result, result.wrong_certain) == ("won", 0)
    assert below.presses == []
    assert replay(Recording(tmp_path / "sgt-mines-001"), Reasoner(load_strategies())).differences == ()


def test_a_release_is_where_its_press_was(desktop: Desktop, tmp_path: Path) -> None:
    places = [(300 + 40 * k, 300 + 30 * k) for k in range(8)]
    desktop.hands.let_go()
    with Bystander(tmp_path, SCREEN) as window, Process(tmp_path, "manager.py"):
        for x, y in places:
            assert desktop.hands.click(x, y)
        desktop.hands.move(100, 100)
        time.sleep(0.3)
    expected = [f"{what} 1 at {x} {y}" for x, y in places for what in ("press", "release")]
    assert window.presses == expected


def tap(windows: XWindows, name: str, seconds: float = 0.1) -> None:
    """Hold a key for a moment, as a person does."""
    from Xlib import XK, X
    from Xlib.ext.xtest import fake_input

    display = windows._display  # noqa: SLF001
    code = display.keysym_to_keycode(XK.string_to_keysym(name))
    fake_input(display, X.KeyPress, code)
    display.sync()
    time.sleep(seconds)
    fake_input(display, X.KeyRelease, code)
    display.sync()


def between(presses: list[Press], first: float, last: float) -> list[Press]:
    return [press for press in presses if first < press.at < last]


def test_a_pause_begins_between_two_presses(desktop: Desktop, tmp_path: Path) -> None:
    times: list[float] = []

    def deed(windows: XWindows) -> None:
        tap(windows, "F9")
        times.append(time.monotonic())
        time.sleep(1.5)
        times.append(time.monotonic())
        tap(windows, "F9")

    with field_on(desktop, tmp_path, layout="9x9/10") as (running, presses):
        sweep = InASweep(deed, PACE)
        with session_on(desktop, running, sweep) as session:
            session.wishes = replace(session.wishes, delay=PACE)
            result = next(session.games(1))
        sweep.finish()
        assert between(presses(), times[0], times[1]) == []
        assert len(between(presses(), times[1], time.monotonic())) >= 2  # the rest of that sweep
    assert result.result in ("won", "lost")


def test_escape_ends_a_sweep_at_once(desktop: Desktop, tmp_path: Path) -> None:
    times: list[float] = []

    def deed(windows: XWindows) -> None:
        times.append(time.monotonic())
        tap(windows, "Escape")

    with field_on(desktop, tmp_path, layout="9x9/10") as (running, presses):
        sweep = InASweep(deed, 1.5)
        with session_on(desktop, running, sweep, record=tmp_path) as session:
            session.wishes = replace(session.wishes, delay=1.5)
            games = session.games(1)
            assert next(games).result == "stopped"
            stopped = time.monotonic()
            with pytest.raises(Interrupted, match="Escape"):
                next(games)
        sweep.finish()
        assert stopped - times[0] < 0.6  # the delay is not waited out
        assert between(presses(), times[0], stopped) == []
    acts = [event for event in Recording(tmp_path / "field-001").events if event["event"] == "act"]
    assert len(acts[-1]["moves"]) < len(sweep.planned_moves)


def test_a_board_that_goes_black_is_not_pressed(desktop: Desktop, tmp_path: Path) -> None:
    with field_on(desktop, tmp_path, layout="9x9/10") as (running, presses):
        scene, black = scene_of(running, tmp_path), signalled(signal.SIGUSR1)
        sweep = InASweep(lambda windows: black(scene(windows, [])), 0.2)
        with session_on(desktop, running, sweep) as session:
            session.wishes = replace(session.wishes, delay=0.2)
            games = session.games(1)
            assert next(games).result == "stopped"
            with pytest.raises(Unplayable):
                next(games)
        sweep.finish()
        assert sweep.done_at is not None
        assert between(presses(), sweep.done_at, time.monotonic()) == []


def test_a_program_that_looks_at_the_mouse_once_a_frame_is_played(desktop: Desktop, tmp_path: Path) -> None:
    shelf = SkinShelf([], tmp_path / "skins")
    notes: list[list[str]] = []
    with field_on(desktop, tmp_path, "--frame", "0.033", layout="9x9/10") as (running, presses):
        for number in (2, 1):
            sweep = InASweep(lambda windows: None, 0.0, least=1000)
            with session_on(desktop, running, sweep) as session:
                session.shelf = shelf
                results = list(session.games(number))
            assert all(result.result in ("won", "lost") for result in results)
            assert sum(result.wrong_certain for result in results) == 0
            notes.append([note for note in sweep.notes if "clicked again" in note])
            running.new_game(running.window.box)
        assert all(press.cell != "-" for press in presses())
    assert len(notes[0]) <= 2  # found out once
    assert notes[1] == []  # and remembered
    assert json.loads((tmp_path / "skins" / FILE).read_text())["field"][0] >= 1


def test_no_game_is_lost_where_a_click_on_a_number_opens_all_around_it(
    desktop: Desktop, tmp_path: Path
) -> None:
    with (
        field_on(desktop, tmp_path, "--vicious", layout="16x16/30") as (running, presses),
        session_on(desktop, running) as session,
    ):
        results = list(session.games(5))
        assert not [press for press in presses() if press.did == "around"]
    assert all(result.result == "won" or result.guesses for result in results)
    assert sum(result.wrong_certain for result in results) == 0


def test_a_click_that_is_only_late_is_not_made_again(desktop: Desktop, tmp_path: Path) -> None:
    with field_on(desktop, tmp_path, "--vicious", layout="16x16/30") as (running, presses):
        scene = scene_of(running, tmp_path)
        sweep = InASweep(lambda windows: stopped_for(4.0)(scene(windows, [])), PACE)
        with session_on(desktop, running, sweep) as session:
            session.wishes = replace(session.wishes, delay=PACE)
            result = next(each for each in session.games(10) if sweep.has_begun)
        sweep.finish()
        assert not [press for press in presses() if press.did == "around"]
    assert (result.result in {"won", "lost"}, result.wrong_certain) == (True, 0)
    assert "the program does not answer: waiting for it" in sweep.notes


@pytest.mark.parametrize("name", Program.names())
def test_a_click_on_a_number_without_flags_does_nothing(name: str, desktop: Desktop) -> None:
    assert Program.load(name).clicked_number == "harmless"
    with program_on(desktop, name) as running, session_on(desktop, running) as session:
        seen = session.finder.find()
        board = seen.board
        for cell in (len(board) // 2, len(board) // 3, len(board) // 4, len(board) // 5):
            if not board.open and not board.shown_mines:
                desktop.hands.click(*seen.frame.point(*seen.lattice.centre(cell)))
                time.sleep(0.5)
                seen = session.finder.find()
                board = seen.board
        numbers = [k for k in range(len(board)) if board[k] in "12345678" and board.around[k] & board.closed]
        assert numbers, "no number to click on"
        for cell in numbers[:6]:
            desktop.hands.click(*seen.frame.point(*seen.lattice.centre(cell)))
            time.sleep(0.1)
        assert session.finder.find().board == board
