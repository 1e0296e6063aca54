"""Position and time of every press."""

from __future__ import annotations

import ctypes
import json
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from live import played, program_on, session_on, stopped
from staging import (
    PACE,
    SCREEN,
    Bystander,
    Deed,
    InASweep,
    Process,
    StagedGame,
    field_on,
    signalled,
    stopped_for,
    x_display,
)
from waiting import wait_for
from Xlib import X

from bot.desktop.backends import Desktop
from bot.desktop.input import load_pyautogui
from bot.desktop.ports import QUICK
from bot.desktop.x11.input import X11ButtonPresser
from bot.desktop.x11.windows import X11Windows
from bot.game.outcome import GameResult
from bot.play.hand import FILE
from bot.programs.program import Program
from bot.readers import SkinLibrary
from bot.recording.recording import Recording
from games.errors import BoardUnplayable, Interrupted, SapperError

pytestmark = [
    pytest.mark.live,
    pytest.mark.usefixtures("short_patience"),
    pytest.mark.filterwarnings("ignore:unclosed file.*Xauthority"),  # python3-xlib leaves it open
]


def test_click_release_at_press_position(desktop: Desktop, tmp_path: Path) -> None:
    places = [(300 + 40 * k, 300 + 30 * k) for k in range(8)]
    with Bystander(tmp_path, SCREEN) as window, Process(tmp_path, "manager.py"):
        for x, y in places:
            assert desktop.controls.click(x, y)
        expected = [f"{what} 1 at {x} {y}" for x, y in places for what in ("press", "release")]
        wait_for(lambda: len(window.presses) >= len(expected))
        assert window.presses == expected


def test_release_after_interrupted_request(desktop: Desktop, tmp_path: Path) -> None:
    """A stop signal in the middle of a request leaves python-xlib's connection unusable."""
    module = load_pyautogui().platformModule
    with Bystander(tmp_path, SCREEN) as window:
        module._mouseDown(400, 300, "left")  # noqa: SLF001 - as Input.release
        wait_for(lambda: window.presses == ["press 1 at 400 300"])
        module._display.display.send_active = 1  # noqa: SLF001 - as an interrupt leaves it
        desktop.controls.release()
        wait_for(lambda: "release 1 at 400 300" in window.presses)


def test_press_swapped_buttons_are_heard_as_meant(desktop: Desktop, tmp_path: Path) -> None:
    with x_display() as display, Bystander(tmp_path, SCREEN) as window:
        usual = list(display.get_pointer_mapping())
        display.set_pointer_mapping([3, 2, 1, *usual[3:]])
        try:
            with X11Windows() as windows:
                presser = windows.presser()
                assert presser is not None
                for button in ("left", "right"):
                    presser.press(400, 300, [button], None, QUICK)
            wait_for(lambda: len(window.presses) >= 4)
        finally:
            display.set_pointer_mapping(usual)
    assert window.presses == [
        f"{what} {number} at 400 300" for number in (1, 3) for what in ("press", "release")
    ]


def tap(name: str) -> None:
    """Hold a key for 0.1 s."""
    from Xlib import XK, X
    from Xlib.ext.xtest import fake_input

    with x_display() as display:
        code = display.keysym_to_keycode(XK.string_to_keysym(name))
        fake_input(display, X.KeyPress, code)
        display.sync()
        time.sleep(0.1)
        fake_input(display, X.KeyRelease, code)


def blacken(scene: StagedGame) -> None:
    """The board turns black; returns when this is visible."""
    signalled(signal.SIGUSR1)(scene)
    left, top, width, height = scene.window.box
    with x_display() as display:
        middle = left + width // 2, top + height // 2, 1, 1
        root = display.screen().root
        black = b"\0\0\0", "\0\0\0"  # python3-xlib decodes some images
        wait_for(lambda: root.get_image(*middle, X.ZPixmap, 0xFFFFFFFF).data[:3] in black)


def acts_of(game: GameResult) -> list[list[str]]:
    """The moves of each act of a recorded game."""
    events = Recording(Path(str(game.recording))).events
    return [event["moves"] for event in events if event["event"] == "act"]


@pytest.fixture
def press_times(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """When Sapper pressed a button (`time.monotonic`); a busy program receives the press later."""
    times: list[float] = []
    press = X11ButtonPresser.press

    def log_press(self: X11ButtonPresser, *arguments: Any) -> bool:
        times.append(time.monotonic())
        return press(self, *arguments)

    monkeypatch.setattr(X11ButtonPresser, "press", log_press)
    return times


@pytest.mark.parametrize("name", [pytest.param("sgt-mines", marks=pytest.mark.campaign), "xdemineur"])
def test_press_waits_for_foreign_grab(name: str, desktop: Desktop, tmp_path: Path) -> None:
    """Another client grabs the pointer in the middle of a sweep: no press goes to it, and the game ends."""
    stolen: list[object] = []

    def grab(_: StagedGame) -> None:
        with x_display() as display:
            root = display.screen().root
            mask, mode = X.ButtonPressMask | X.ButtonReleaseMask, X.GrabModeAsync
            assert root.grab_pointer(False, mask, mode, mode, X.NONE, X.NONE, X.CurrentTime) == X.GrabSuccess
            display.sync()
            wait_for(lambda: any("grabbed the mouse" in note for note in sweep.notes))
            stolen.extend(display.next_event() for _ in range(display.pending_events()))

    with program_on(desktop, name, "12x7/10") as running:
        sweep = InASweep(running, tmp_path, grab)
        played(sweep.play(desktop))
    assert stolen == []
    assert not [note for note in sweep.notes if "clicked again" in note]


def test_press_grab_that_stays_stops(desktop: Desktop, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("bot.play.guard.PASSES", 0.5)
    with x_display() as display, program_on(desktop, "sgt-mines", "12x12/20") as running:
        mask, mode = X.ButtonPressMask, X.GrabModeAsync
        root = display.screen().root
        with session_on(desktop, running, record=tmp_path) as session:
            session.finder.find()
            root.grab_pointer(False, mask, mode, mode, X.NONE, X.NONE, X.CurrentTime)
            stopped(session, BoardUnplayable, "another program has grabbed the mouse")
        assert display.pending_events() == 0


@pytest.mark.parametrize(
    ("name", "is_known"),
    [
        ("xdemineur", False),
        *(
            pytest.param(*case, marks=pytest.mark.campaign)
            for case in (("xdemineur", True), ("sgt-mines", False), ("sgt-mines", True))
        ),
    ],
)
def test_press_stopped_program_is_pressed_once(
    name: str,
    is_known: bool,
    desktop: Desktop,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    press_times: list[float],
) -> None:
    """The program is stopped for good in the middle of a sweep."""
    monkeypatch.setattr("bot.play.guard.HANGS", 1.0)
    with program_on(desktop, name, "12x12/20") as running:
        sweep = InASweep(running, tmp_path, signalled(signal.SIGSTOP))
        sweep.play(
            desktop, BoardUnplayable, "does not answer", is_known,
            size=(12, 12), mines=20, window=None if is_known else running.window.title,
        )  # fmt: skip
        assert len([at for at in press_times if at > sweep.done_at]) <= 1
    assert "the program does not answer: waiting for it" in sweep.notes


@contextmanager
def keyboard_layout(name: str, group: int = 0) -> Iterator[None]:
    """Use another keyboard layout; `group` is the chosen one of several."""
    subprocess.run(["setxkbmap", name], check=True)
    library = ctypes.CDLL("libX11.so.6")
    library.XOpenDisplay.restype = ctypes.c_void_p
    display = ctypes.c_void_p(library.XOpenDisplay(None))
    try:
        library.XkbLockGroup(display, 0x100, group)  # XkbUseCoreKbd
        library.XSync(display, 0)
        yield
    finally:
        library.XkbLockGroup(display, 0x100, 0)
        library.XSync(display, 0)
        library.XCloseDisplay(display)
        subprocess.run(["setxkbmap", "us"], check=True)


@pytest.mark.skipif(not shutil.which("setxkbmap"), reason="setxkbmap is not installed")
@pytest.mark.parametrize(
    ("name", "layout", "group"),
    [
        ("sgt-mines", "ru", 0),
        *(
            pytest.param(*case, marks=pytest.mark.campaign)
            for case in (("sgt-mines", "us,ru", 1), ("gnome-mines", "ru", 0), ("gnome-mines", "us,ru", 1))
        ),
    ],
)
def test_key_russian_layout_starts_next_game(name: str, layout: str, group: int, desktop: Desktop) -> None:
    """The layout changes after the first game; the next games start with keys (n, ctrl+r)."""
    with program_on(desktop, name, "8x8/10") as running, session_on(desktop, running) as session:
        games = session.games(3)
        results = [next(games)]
        with keyboard_layout(layout, group):
            results.extend(games)
    played(*results)
    assert len(results) == 3


@pytest.mark.skipif(not shutil.which("setxkbmap"), reason="setxkbmap is not installed")
def test_key_added_to_layout_is_removed(desktop: Desktop) -> None:
    with keyboard_layout("ru"), x_display() as display:
        before = display.get_keyboard_mapping(8, 248)
        with X11Windows() as windows:
            windows.hotkey("n")
            assert display.get_keyboard_mapping(8, 248) != before
        assert display.get_keyboard_mapping(8, 248) == before


@pytest.mark.parametrize("name", ["sgt-mines", pytest.param("xdemineur", marks=pytest.mark.campaign)])
def test_press_flickering_window_gets_none(name: str, desktop: Desktop, tmp_path: Path) -> None:
    """A window is raised over the board for 30 ms, ten times per second. No window manager holds presses."""
    heard: list[object] = []

    def flicker(scene: StagedGame) -> None:
        with x_display() as display:
            cover = display.screen().root.create_window(
                *scene.window.box, 0, X.CopyFromParent, override_redirect=True, event_mask=X.ButtonPressMask
            )
            cover.configure(stack_mode=X.Below)
            cover.map()
            while not sweep.is_over.is_set():
                for mode, seconds in ((X.Above, 0.03), (X.Below, 0.07)):
                    cover.configure(stack_mode=mode)
                    display.sync()
                    sweep.is_over.wait(seconds)
            heard.extend(display.next_event() for _ in range(display.pending_events()))

    with program_on(desktop, name, "16x16/40") as running:
        sweep = InASweep(running, tmp_path, flicker, pace=0.02)
        sweep.play(desktop, BoardUnplayable, "cover|cannot be read")
    assert heard == []


def test_pause_starts_between_two_presses(desktop: Desktop, tmp_path: Path, press_times: list[float]) -> None:
    counts: list[int] = []

    def deed(_: StagedGame) -> None:
        tap("F9")
        counts.append(len(press_times))
        time.sleep(4 * PACE)
        counts.append(len(press_times))
        tap("F9")

    with field_on(desktop, tmp_path, layout="9x9/10") as (running, _):
        played(InASweep(running, tmp_path, deed).play(desktop))
    assert counts[0] == counts[1] < len(press_times)  # the rest of the sweep


@pytest.mark.parametrize(
    ("deed", "kind", "words"),
    [
        (lambda scene: tap("Escape"), Interrupted, "Escape"),
        (blacken, BoardUnplayable, "board"),
    ],
    ids=["escape", "black"],
)
def test_sweep_disturbed_stops_at_once(
    deed: Deed,
    kind: type[SapperError],
    words: str,
    desktop: Desktop,
    tmp_path: Path,
    press_times: list[float],
) -> None:
    """The delay between two presses is longer than the key press."""
    with field_on(desktop, tmp_path, layout="9x9/10") as (running, _):
        sweep = InASweep(running, tmp_path, deed)
        result = sweep.play(desktop, kind, words, record=tmp_path)
    assert max(press_times) < sweep.done_at
    assert len(acts_of(result)[-1]) < len(sweep.planned_moves)


def test_click_frame_polling_program_is_played(desktop: Desktop, tmp_path: Path) -> None:
    library = SkinLibrary([], tmp_path / "skins")
    with field_on(desktop, tmp_path, "--frame", "0.033", layout="9x9/10") as (running, presses):
        with session_on(desktop, running, library=library) as session:
            played(*session.games(1))
        assert all(cell != "-" for cell, _ in presses())
    assert json.loads((tmp_path / "skins" / FILE).read_text())["field"][0] >= 1


def test_click_late_pointer_query_hits_meant_cell(desktop: Desktop, tmp_path: Path) -> None:
    library = SkinLibrary([], tmp_path / "skins")
    words = ("--size", "9x9", "--mines", "10", "--frame", "0.033", "--asks")
    with (
        Process(tmp_path, "field.py", *words) as program,
        session_on(
            desktop, None, size=(9, 9), window="Test Field", record=tmp_path, library=library
        ) as session,
    ):
        (result,) = session.games(1)
        presses = [line.split() for line in program.presses]
    played(result)
    meant = [move.split()[1] for moves in acts_of(result) for move in moves]
    # a press that was too short may act on the next cell, which is also safe
    assert {cell for cell, did in presses if did != "nothing"} <= {*meant}
    assert [presses[0][0]] == meant[:1]
    assert json.loads((tmp_path / "skins" / FILE).read_text())["Test Field"][0] >= 1


def test_click_vicious_chords_lose_no_game(desktop: Desktop, tmp_path: Path) -> None:
    with (
        field_on(desktop, tmp_path, "--vicious", layout="16x16/30") as (running, presses),
        session_on(desktop, running) as session,
    ):
        results = list(session.games(2))
        assert "around" not in [did for _, did in presses()]
    assert all(result.result == "won" or result.guesses for result in results)
    played(*results)


def test_click_late_program_not_clicked_again(desktop: Desktop, tmp_path: Path) -> None:
    with field_on(desktop, tmp_path, "--vicious", layout="9x9/10") as (running, presses):
        sweep = InASweep(running, tmp_path, stopped_for(4.0))
        played(sweep.play(desktop))
        assert "around" not in [did for _, did in presses()]
    assert "the program does not answer: waiting for it" in sweep.notes


def clicks_on_numbers(name: str, desktop: Desktop) -> bool:
    """Start a program, open a few cells, click on numbers; whether there were any. Nothing may change."""
    with program_on(desktop, name) as running, session_on(desktop, running) as session:
        seen = session.finder.find()
        board = fresh = seen.board
        for cell in (len(board) // 2, len(board) // 3, len(board) // 4, len(board) // 5):
            if not board.open and not board.shown_mines:
                desktop.controls.click(*seen.frame.point(*seen.lattice.centre(cell)))
                wait_for(lambda: session.finder.find().board != fresh)
                seen = session.finder.find()
                board = seen.board
        numbers = [k for k in range(len(board)) if board[k] in "12345678" and board.around[k] & board.closed]
        for cell in numbers[:6]:
            desktop.controls.click(*seen.frame.point(*seen.lattice.centre(cell)))
            time.sleep(0.1)
        assert session.finder.find().board == board
    return bool(numbers)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.campaign] * (name != "sgt-mines")) for name in Program.names()],
)
def test_click_on_number_without_flags_is_harmless(name: str, desktop: Desktop) -> None:
    assert Program.load(name).clicked_number == "harmless"
    assert any(clicks_on_numbers(name, desktop) for _ in range(5))  # the first click may hit a mine
