"""Whole games on a Wayland desktop: sway without a screen, programs that speak Wayland themselves."""

from __future__ import annotations

import gc
import json
import sys
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from headless_sway import Sway, sway
from live import Meddler, on_sway, program_on, session_on, stopped
from pywayland.protocol.wayland import WlSeat
from said import Said, refused
from waiting import wait_for, wait_until_still

from benchmarks.game_verdict import judge
from bot.desktop.ports import QUICK, find_windows, window_at, windows_over
from bot.desktop.wayland.connection import WaylandConnection
from bot.desktop.wayland.input import WaylandInput
from bot.game.types import GameRules
from bot.play.finder import BoardFinder, DesktopAccess
from bot.play.spectator import Spectator
from bot.readers import ReaderFactory
from bot.recording.recording import Recording
from bot.show.advice import Advisor
from games.errors import BoardUnplayable, Interrupted, ProgramExited, SapperError
from games.logic import bits
from games.minesweeper import Board
from strategies import load_strategies

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def plain() -> Iterator[Sway]:
    with sway() as running:
        yield running


def sapper(running: Sway, *words: str) -> Said:
    return running.run(sys.executable, "-m", "bot", *words)


@pytest.mark.parametrize(
    ("program", "size", "mines", "scale"),
    [
        ("gnome-mines", "8x8", "10", 2),
        pytest.param("kmines", "9x9", "10", 2, marks=pytest.mark.campaign),
        ("sgt-mines", "16x16", "40", 1.5),
    ],
)
def test_play_sway_reports_shown_results(
    program: str, size: str, mines: str, scale: float, tmp_path: Path
) -> None:
    with sway(scale) as running:
        done = sapper(
            running, "play", "--program", program, "--size", size, "--mines", mines, "--games", "2", "--json",
            "--record", str(tmp_path),
        )  # fmt: skip
    assert done.printed
    results = [(game["result"], game["wrong_certain"]) for game in done.objects]
    assert set(results) <= {("won", 0), ("lost", 0)}
    judged = [judge(Recording(folder)) for folder in sorted(tmp_path.iterdir())]
    assert [(game.result, game.wrong_certain) for game in judged] == results
    assert len(results) == 2


def test_sway_running_program_advised_and_played(plain: Sway, monkeypatch: pytest.MonkeyPatch) -> None:
    with on_sway(plain, monkeypatch) as desktop, program_on(desktop, "gnome-mines", "8x8/10"):
        advised = sapper(plain, "advise", "--once", "--json", "--window", "Mines")
        assert len(json.loads(advised.printed)["rows"]) == 8
        played = sapper(plain, "play", "--window", "Mines", "--mines", "10", "--json")
        assert json.loads(played.printed)["program"] == "gnome-mines"
        refused(sapper(plain, "play", "--window", "Solitaire", "--json"), 3, "title")


def test_sway_dry_run_creates_no_input_device(plain: Sway, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        on_sway(plain, monkeypatch) as desktop,
        program_on(desktop, "gnome-mines", "8x8/10") as running,
        desktop.open_grabber() as grabber,
        session_on(desktop, running, looks_only=True) as session,
    ):
        assert find_windows(desktop.windows, "Mines")
        assert grabber.grab().width == 1280
        assert session.dry_run()[0].columns == 8
        dry = sapper(plain, "play", "--window", "Mines", "--dry-run", "--json")
        assert len(json.loads(dry.printed)["board"]) == 8
        assert json.loads(plain.run("swaymsg", "-r", "-t", "get_inputs").out) == []
        desktop.controls.move(30, 30)
        assert len(json.loads(plain.run("swaymsg", "-r", "-t", "get_inputs").out)) == 1


@pytest.mark.parametrize(
    "setting", ["scale 1", "scale 2", "scale 1.5", "transform 90", "transform flipped-270"]
)
def test_sway_grabber_matches_grim(setting: str, plain: Sway, monkeypatch: pytest.MonkeyPatch) -> None:
    with on_sway(plain, monkeypatch) as desktop, program_on(desktop, "gnome-mines", "8x8/10"):
        plain.do(f"output HEADLESS-1 {setting}")
        try:
            plain.do("[title=Mines] move absolute position 30 50")
            with desktop.open_grabber() as grabber:
                wait_until_still(grabber, (0, 0, 400, 400))
                whole = grabber.grab()
                part = grabber.grab((20, 40, 310, 201))
            shown = cv2.imread(str(plain.picture()))
        finally:
            plain.do("output HEADLESS-1 scale 1 transform normal")
    assert shown is not None
    apart = np.abs(whole.pixels.astype(int) - shown).mean()
    assert apart < 1 if setting == "scale 1.5" else apart == 0, (
        "grim itself resamples where pixels are no points"
    )
    left, top = round(part.left * part.scale), round(part.top * part.scale)
    assert np.array_equal(part.pixels, whole.pixels[top : top + part.height, left : left + part.width])
    assert part.scale == pytest.approx({"scale 2": 2, "scale 1.5": 1.5}.get(setting, 1), rel=0.01)


def test_sway_two_outputs_one_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    with sway() as running:
        running.do("create_output")
        running.do(
            "output HEADLESS-2 resolution 800x600 scale 2 position 1280 0 background #a03020 solid_color"
        )
        wait_for(lambda: len(outputs(running)) == 2)
        with on_sway(running, monkeypatch) as desktop, desktop.open_grabber() as grabber:
            wait_for(lambda: grabber.grab((100, 100, 1, 1)).pixels[0, 0].tolist() == [0x60, 0x50, 0x40])
            wait_for(lambda: bool((grabber.grab((1300, 10, 50, 40)).pixels == [0x20, 0x30, 0xA0]).all()))
            whole = grabber.grab()
            assert desktop.controls.screen == (0, 0, 1280 + 400, 900)
    assert (whole.width, whole.height, whole.scale) == (2 * 1680, 2 * 900, 2)
    assert whole.pixels[100, 100].tolist() == [0x60, 0x50, 0x40]
    assert whole.pixels[100, 2 * 1400].tolist() == [0x20, 0x30, 0xA0]
    assert whole.pixels[2 * 700, 2 * 1400].tolist() == [0, 0, 0]


def outputs(running: Sway) -> list[dict[str, object]]:
    """The screens of the desktop that are switched on."""
    found = json.loads(running.run("swaymsg", "-r", "-t", "get_outputs").out)
    return [each for each in found if each["current_mode"]["width"]]


Deed = Callable[[Sway, WaylandInput], object]
DEEDS: dict[str, Deed] = {
    "moved": lambda on_it, _: on_it.do("[title=Mines] move absolute position 20 30"),
    "hidden": lambda on_it, _: on_it.do("[title=Mines] move scratchpad"),
    "closed": lambda on_it, _: on_it.do("[title=Mines] kill"),
    "taken": lambda _, person: person.moveTo(700, 500),
    "stopped": lambda _, person: person.hotkey("escape"),
}


@pytest.mark.parametrize(
    ("deed", "kind", "words"),
    [
        ("moved", BoardUnplayable, "moved from"),
        ("hidden", SapperError, "went away|hidden"),
        ("closed", ProgramExited, "went away"),
        ("taken", Interrupted, "took the mouse"),
        ("stopped", Interrupted, "stop key"),
    ],
)
def test_sway_disturbed_game_stops(
    deed: str, kind: type[SapperError], words: str, plain: Sway, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        on_sway(plain, monkeypatch) as desktop,
        WaylandConnection() as other,
        program_on(desktop, "sgt-mines", "30x16/99") as running,
    ):
        person = WaylandInput(other)
        person.moveTo(5, 500)

        def interfere() -> None:
            time.sleep(0.1)
            DEEDS[deed](plain, person)
            time.sleep(0.1)

        with session_on(desktop, running, Meddler(2, interfere)) as session:
            stopped(session, kind, words)


def test_sway_window_above_is_reported(plain: Sway, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        on_sway(plain, monkeypatch) as desktop,
        program_on(desktop, "sgt-mines", "9x9/10") as board,
        program_on(desktop, "gnome-mines", "8x8/10") as above,
    ):
        left, top, width, height = board.window.box
        plain.do(f"[con_id={above.window.id}] move absolute position {left} {top}")
        over = windows_over(desktop.windows, board.window.id, board.window.box)
        assert [window.id for window in over] == [above.window.id]
        under = window_at(desktop.windows, left + width / 2, top + height / 2)
        assert under is not None
        assert under.id == above.window.id
        desktop.windows.focus(board.window.id)
        assert windows_over(desktop.windows, board.window.id, board.window.box) == []


def test_sway_stop_keys_released_at_end(plain: Sway, monkeypatch: pytest.MonkeyPatch) -> None:
    with on_sway(plain, monkeypatch) as desktop, WaylandConnection() as other:
        person = WaylandInput(other)
        assert not desktop.windows.pressed_keys("Escape", "F9")
        person.hotkey("escape")
        # both in one: it is asked for twice before it is obeyed
        keys = desktop.windows.pressed_keys
        wait_for(lambda: "Escape" in keys("Escape") and keys("F9", "Escape") == {"Escape"})
        wait_for(lambda: not desktop.windows.pressed_keys("Escape"))
        desktop.controls.press("escape")
        assert not desktop.windows.pressed_keys("Escape"), "Sapper pressed it itself"
        desktop.windows.close()
        for what in ("unbindsym Escape", "unbindsym --release Escape", "unbindsym F9"):
            assert plain.run("swaymsg", what).code != 0, "there is nothing to unbind"


@pytest.mark.parametrize("scale", [2, 1.5])
def test_doctor_sway_two_outputs_ok(scale: float) -> None:
    with sway(scale) as running:
        running.do("create_output")
        running.do("output HEADLESS-2 resolution 800x600 scale 2 position 1280 0")
        wait_for(lambda: len(outputs(running)) == 2)
        tried = sapper(running, "doctor", "--try", "--json")
    assert tried.printed
    found = tried.objects
    screens = {each["what"]: each for each in found if each["what"].startswith("screen ")}
    there = [(name, each["there"]) for name, each in screens.items()]
    assert there == [("screen HEADLESS-1", True), ("screen HEADLESS-2", True)]
    assert f"{scale:g} pixels per point" in screens["screen HEADLESS-1"]["detail"]
    assert "sway" in next(each["detail"] for each in found if each["what"] == "a desktop to play on")


def test_connection_keeps_bound_objects_alive(plain: Sway) -> None:
    """A seat that only made a mouse hears of the keyboard that is made after it."""
    with WaylandConnection(str(plain.folder / plain.variables["WAYLAND_DISPLAY"])) as connection:
        seat = weakref.ref(connection.bind(WlSeat))
        gc.collect()
        assert seat() is not None
    gc.collect()
    assert seat() is None


def test_sway_spectator_follows_user_clicks(plain: Sway, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        on_sway(plain, monkeypatch) as desktop,
        program_on(desktop, "sgt-mines", "16x16/40"),
        desktop.open_grabber() as grabber,
        WaylandConnection() as other,
    ):
        person = WaylandInput(other)
        around = DesktopAccess(grabber, desktop.controls, desktop.windows)
        finder = BoardFinder(around, ReaderFactory.load(), hands_off=True)
        boards = Spectator(grabber, finder).boards()
        adviser = Advisor(load_strategies(), GameRules(40, "opened", "open"))
        board = next(boards)
        for _ in range(3):
            assert isinstance(board, Board)
            advice = adviser.advise(board)
            seen = finder.find()
            # a person sees what is open already, also where it could not be read
            guess = [advice.guess.cell] if advice.guess else [*bits(board.closed & ~advice.mines)][-1:]
            for cell in [*bits(advice.safe & board.closed)] or guess:
                place = seen.frame.point(*seen.lattice.centre(cell))
                person.press(*place, ["left"], None, QUICK)
            person.moveTo(5, 800)  # this screen draws the pointer into its pictures
            after = next(boards)
            assert isinstance(after, Board)
            assert (after.open | after.unread) & ~board.open or after.shown_mines
            board = after
        assert desktop.controls.pointer is None, "Sapper never put it anywhere"
