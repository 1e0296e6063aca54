"""Faults during a sweep on real programs: Sapper never clicks outside the board."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator
from pathlib import Path
from threading import Thread

import pytest
from live import Meddler, played, program_on, replays, session_on
from staging import (
    SCREEN,
    Bystander,
    Deed,
    InASweep,
    Process,
    StagedGame,
    signalled,
    stopped_for,
    x_display,
)
from waiting import wait_for

from bot.desktop.backends import Desktop
from games.errors import BoardUnplayable, ProgramExited, SapperError

pytestmark = [
    pytest.mark.live,
    pytest.mark.usefixtures("short_patience"),
    pytest.mark.filterwarnings("ignore:unclosed file.*Xauthority"),  # python3-xlib leaves it open
]


@pytest.fixture
def below(desktop: Desktop, tmp_path: Path) -> Iterator[Bystander]:
    """A full-screen window below all others."""
    with Bystander(tmp_path, SCREEN, "--below", "--title=below") as bystander:
        yield bystander


def move(scene: StagedGame) -> None:
    left, top, _, _ = scene.window.box
    scene.windows.move(scene.window.id, left + 50, top)


def cover(*kinds: str) -> Deed:
    return lambda scene: scene.covers.append(Bystander(scene.folder, scene.window.box, *kinds))


def half_out(scene: StagedGame) -> None:
    scene.windows.move(scene.window.id, SCREEN[2] - scene.window.box[2] // 2, scene.window.box[1])


FAULTS: dict[str, tuple[Deed, type[SapperError], str]] = {
    "moved": (move, BoardUnplayable, "moved from"),
    "half off the screen": (half_out, BoardUnplayable, "moved from"),
    "covered": (cover(), BoardUnplayable, "covered by 'in the way'"),
    "a popup": (cover("--popup"), BoardUnplayable, "covered by 'in the way'"),
    "not to be seen": (cover("--unseen"), BoardUnplayable, "unknown window covers"),
    "minimised": (lambda scene: scene.ask("unmap"), BoardUnplayable, "hidden or minimised"),
    "killed": (signalled(signal.SIGKILL), ProgramExited, "went away"),
    "closed": (lambda scene: scene.ask("kill_client"), ProgramExited, "went away"),
}
LONG = 8  # moves of a sweep; a cover is a process, which needs some time to start
PROGRAMS = ("sgt-mines", "xdemineur", "kmines", "gnome-mines")
QUICK = {(fault, "sgt-mines") for fault in ("moved", "covered", "not to be seen", "minimised", "closed")}


HIDDEN = ("the focus is lost", "gnome-mines")  # it pauses and hides its board, so the game stops


def on_programs(quick: set[tuple[str, str]], faults: Iterable[str]) -> pytest.MarkDecorator:
    """Every fault on every program; cases not in `quick` run only in `make faults`."""
    cases = [(fault, name) for fault in faults for name in PROGRAMS if (fault, name) != HIDDEN]
    return pytest.mark.parametrize(
        ("fault", "name"),
        [pytest.param(*case, marks=[] if case in quick else [pytest.mark.campaign]) for case in cases],
    )


@on_programs(QUICK, FAULTS)
def test_sweep_fault_nothing_else_clicked(
    fault: str, name: str, desktop: Desktop, below: Bystander, tmp_path: Path
) -> None:
    deed, kind, words = FAULTS[fault]
    with program_on(desktop, name, "16x16/40") as running:
        sweep = InASweep(running, tmp_path, deed, least=LONG)
        result = sweep.play(desktop, kind, words, record=tmp_path)
    assert below.presses == []
    assert [each.presses for each in sweep.covers] in ([], [[]])
    recording = replays(result.recording)
    acts = [event["moves"] for event in recording.events if event["event"] == "act"]
    assert 0 < len(acts[-1]) < len(sweep.planned_moves)  # only the moves made
    assert words in recording.events[-1]["stopped"]


def other_focus(scene: StagedGame) -> None:
    """Open a window next to the board, and give it the focus."""
    scene.covers.append(Bystander(scene.folder, (1200, 820, 60, 60), "--title=other"))
    window = next(each for each in scene.windows.all() or () if each.title == "other")
    scene.windows.focus(window.id)


def screen_saver(kind: str) -> Deed:
    """Activate the X server's screen saver, which blanks the screen or covers it with a window."""

    def deed(scene: StagedGame) -> None:
        from Xlib import X

        with x_display() as display:
            display.set_screen_saver(600, 0, getattr(X, kind), X.DontAllowExposures)
            display.force_screen_saver(X.ScreenSaverActive)

    return deed


def second_board(scene: StagedGame) -> None:
    """Open another game at the right edge of the screen."""
    words = ("--size", "8x8", "--mines", "10", "--at", "950,500")
    scene.covers.append(Process(scene.folder, "field.py", *words))


PASSING: dict[str, Deed] = {
    "the program stops for a second": stopped_for(1.0),
    "the program stops for three seconds": stopped_for(3.0),
    "the program stops for twenty seconds": stopped_for(20.0),
    "the focus is lost": other_focus,
    "covered for a moment": lambda scene: Bystander(scene.folder, scene.window.box, "--popup").go(),
    "the screen saver switches the screen off": screen_saver("PreferBlanking"),
    "the screen saver draws on the screen": screen_saver("DontPreferBlanking"),
    "another board appears": second_board,
    "the window is raised": lambda scene: scene.ask("raise_window"),
}


@on_programs(set(), PASSING)
def test_sweep_passing_fault_game_ends(
    fault: str, name: str, desktop: Desktop, below: Bystander, tmp_path: Path
) -> None:
    with program_on(desktop, name, "12x12/20") as running:
        sweep = InASweep(running, tmp_path, PASSING[fault])
        result = sweep.play(desktop, record=tmp_path)
    played(result)
    assert below.presses == []
    assert [each.presses for each in sweep.covers] in ([], [[]])
    replays(result.recording)


def test_sweep_brief_cover_is_waited_out(desktop: Desktop, below: Bystander, tmp_path: Path) -> None:
    def deed(scene: StagedGame) -> None:
        with Bystander(tmp_path, scene.window.box, "--popup", "--title=a message") as message:
            scene.covers.append(message)
            wait_for(lambda: any("waiting" in note for note in sweep.notes))

    with program_on(desktop, "sgt-mines", "9x9/10") as running:
        sweep = InASweep(running, tmp_path, deed)
        played(sweep.play(desktop))
    assert [note for note in sweep.notes if "waiting" in note] == [
        "the board is covered by 'a message': waiting for it to disappear"
    ]
    assert below.presses == sweep.covers[0].presses == []


@pytest.mark.parametrize("name", ["sgt-mines", pytest.param("xdemineur", marks=pytest.mark.campaign)])
def test_session_message_between_sweeps_waited_out(
    name: str, desktop: Desktop, below: Bystander, tmp_path: Path
) -> None:
    covers: list[Process] = []

    def end_when_noticed() -> None:
        wait_for(lambda: any("waiting" in note for note in meddler.notes))
        covers[0].go()

    def deed() -> None:
        left, top, width, height = box
        covers.append(Bystander(tmp_path, (left, top, width // 2, height), "--popup", "--title=a message"))
        Thread(target=end_when_noticed).start()

    with program_on(desktop, name, "12x12/20") as running:
        box = running.window.box
        meddler = Meddler(2, deed)
        with session_on(desktop, running, meddler) as session:
            played(*session.games(1))
    assert any("waiting for it to disappear" in note for note in meddler.notes)
    assert below.presses == covers[0].presses == []


@pytest.mark.parametrize(
    ("name", "layout"),
    [("sgt-mines", "9x9/10"), pytest.param("kmines", "30x16/99", marks=pytest.mark.campaign)],
)
def test_sweep_resized_window_is_followed(
    name: str, layout: str, desktop: Desktop, below: Bystander, tmp_path: Path
) -> None:
    with program_on(desktop, name, layout) as running:
        sweep = InASweep(running, tmp_path, lambda scene: scene.windows.resize(scene.window.id, 800, 760))
        result = sweep.play(desktop, record=tmp_path)
    played(result)
    assert below.presses == []
    assert any("lattice" in event for event in replays(result.recording).events)
