"""Faults in the middle of a sweep on real programs: nothing but the board is ever pressed."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Timer

import pytest
from live import Meddler, program_on, session_on
from staging import PACE, SCREEN, Bystander, Deed, InASweep, Process, Scene, scene_of, signalled, stopped_for

from bot.desktop.backends import Desktop
from bot.desktop.x11.windows import X11Windows
from bot.recording.recording import Recording
from bot.recording.replay import replay
from games.errors import BoardUnplayable, ProgramExited, SapperError
from strategies import Reasoner, load_strategies

pytestmark = [pytest.mark.live, pytest.mark.usefixtures("short_patience")]


@pytest.fixture
def below(desktop: Desktop, tmp_path: Path) -> Iterator[Bystander]:
    """A window below all others, over the whole screen."""
    with Bystander(tmp_path, SCREEN, "--below", "--title=below") as bystander:
        yield bystander


def move(scene: Scene) -> None:
    left, top, _, _ = scene.window.box
    scene.windows.move(scene.window.id, left + 50, top)


def cover(*kinds: str) -> Deed:
    return lambda scene: scene.covers.append(Bystander(scene.folder, scene.window.box, *kinds))


def half_out(scene: Scene) -> None:
    scene.windows.move(scene.window.id, SCREEN[2] - scene.window.box[2] // 2, scene.window.box[1])


FAULTS: dict[str, tuple[Deed, type[SapperError], str]] = {
    "moved": (move, BoardUnplayable, "moved from"),
    "half off the screen": (half_out, BoardUnplayable, "moved from"),
    "covered": (cover(), BoardUnplayable, "covered by 'in the way'"),
    "a popup": (cover("--popup"), BoardUnplayable, "covered by 'in the way'"),
    "not to be seen": (cover("--unseen"), BoardUnplayable, "cannot be named"),
    "minimised": (lambda scene: scene.ask("unmap"), BoardUnplayable, "hidden or minimised"),
    "killed": (signalled(signal.SIGKILL), ProgramExited, "went away"),
    "closed": (lambda scene: scene.ask("kill_client"), ProgramExited, "went away"),
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

    def deed(windows: X11Windows) -> None:
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
