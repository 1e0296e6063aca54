"""Whole games on a Wayland desktop: sway without a screen, programs that speak Wayland themselves."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from headless_sway import Sway, sway
from live import Meddler, on_sway, program_on, session_on
from pywayland.protocol.wayland import WlSeat
from truth import judge
from waiting import wait_for

from bot.desktop.ports import find_windows, window_at, windows_over
from bot.desktop.wayland.capture import WaylandCapture
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


def sapper(running: Sway, *words: str) -> subprocess.CompletedProcess[str]:
    return running.run(sys.executable, "-m", "bot", *words, seconds=180)


@pytest.mark.parametrize(
    ("program", "size", "mines", "scale"),
    [("gnome-mines", "16x16", "40", 1), ("kmines", "9x9", "10", 2), ("sgt-mines", "16x16", "40", 1.5)],
)
def test_games_are_played_to_their_end_and_results_are_those_that_were_shown(
    program: str, size: str, mines: str, scale: float, tmp_path: Path
) -> None:
    with sway(scale) as running:
        done = sapper(
            running, "play", "--program", program, "--size", size, "--mines", mines, "--games", "2", "--json",
            "--record", str(tmp_path),
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    games = [json.loads(line) for line in done.stdout.splitlines()]
    assert [game["result"] in ("won", "lost") for game in games] == [True] * 2
    assert [game["wrong_certain"] for game in games] == [0] * 2
    judged = [judge(Recording(folder)) for folder in sorted(tmp_path.iterdir())]
    assert [game.result for game in judged] == [game["result"] for game in games]
    assert [game.wrong_certain for game in judged] == [0] * 2


def test_a_program_that_a_person_started_is_found_advised_on_and_played(
    plain: Sway, monkeypatch: pytest.MonkeyPatch
) -> None:
    with on_sway(plain, monkeypatch) as desktop, program_on(desktop, "gnome-mines", "8x8/10"):
        advised = sapper(plain, "advise", "--once", "--json", "--window", "Mines")
        assert advised.returncode == 0, advised.stderr
        (advice,) = [json.loads(line) for line in advised.stdout.splitlines()]
        assert len(advice["rows"]) == 8
        played = sapper(plain, "play", "--window", "Mines", "--mines", "10", "--json")
        assert played.returncode == 0, played.stderr
        assert json.loads(played.stdout)["program"] == "gnome-mines"
        nowhere = sapper(plain, "play", "--window", "Solitaire", "--json")
        assert nowhere.returncode == 3
        assert "title" in nowhere.stderr


def test_who_only_looks_has_no_mouse_and_no_keyboard(plain: Sway, monkeypatch: pytest.MonkeyPatch) -> None:
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
        assert dry.returncode == 0, dry.stderr
        assert len(json.loads(dry.stdout)["board"]) == 8
        assert json.loads(plain.run("swaymsg", "-r", "-t", "get_inputs").stdout) == []
        desktop.hands.move(30, 30)
        assert len(json.loads(plain.run("swaymsg", "-r", "-t", "get_inputs").stdout)) == 1


@pytest.mark.parametrize(
    "setting", ["scale 1", "scale 2", "scale 1.5", "transform 90", "transform flipped-270"]
)
def test_pictures_are_those_that_the_desktop_shows(
    setting: str, plain: Sway, monkeypatch: pytest.MonkeyPatch
) -> None:
    with on_sway(plain, monkeypatch) as desktop, program_on(desktop, "gnome-mines", "8x8/10"):
        plain.do(f"output HEADLESS-1 {setting}")
        try:
            plain.do("[title=Mines] move absolute position 30 50")
            time.sleep(0.5)
            with desktop.open_grabber() as grabber:
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


def test_two_screens_make_one_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    with sway() as running:
        running.do("create_output")
        running.do(
            "output HEADLESS-2 resolution 800x600 scale 2 position 1280 0 background #a03020 solid_color"
        )
        time.sleep(0.5)
        with on_sway(running, monkeypatch) as desktop, desktop.open_grabber() as grabber:
            whole = grabber.grab()
            right = grabber.grab((1300, 10, 50, 40))
            assert desktop.hands.screen == (1280 + 400, 900)
    assert (whole.width, whole.height, whole.scale) == (2 * 1680, 2 * 900, 2)
    assert whole.pixels[100, 100].tolist() == [0x60, 0x50, 0x40]
    assert whole.pixels[100, 2 * 1400].tolist() == [0x20, 0x30, 0xA0]
    assert whole.pixels[2 * 700, 2 * 1400].tolist() == [0, 0, 0]
    assert (right.pixels == [0x20, 0x30, 0xA0]).all()


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
def test_what_happens_to_the_window_or_to_the_mouse_stops_the_game(
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
            games = session.games(1)
            assert next(games).result == "stopped"
            with pytest.raises(kind, match=words):
                next(games)


def test_a_window_over_the_board_is_seen(plain: Sway, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_the_stop_keys_are_given_back(plain: Sway, monkeypatch: pytest.MonkeyPatch) -> None:
    with on_sway(plain, monkeypatch) as desktop, WaylandConnection() as other:
        person = WaylandInput(other)
        assert not desktop.windows.held_keys("Escape", "F9")
        person.hotkey("escape")
        # both in one: it is asked for twice before it is obeyed
        wait_for(lambda: desktop.windows.held_keys("Escape") and desktop.windows.held_keys("F9", "Escape"))
        time.sleep(0.5)
        assert not desktop.windows.held_keys("Escape"), "it was let go of"
        desktop.hands.press("escape")
        assert not desktop.windows.held_keys("Escape"), "Sapper pressed it itself"
        desktop.windows.close()
        for what in ("unbindsym Escape", "unbindsym --release Escape", "unbindsym F9"):
            assert plain.run("swaymsg", what).returncode != 0, "there is nothing to unbind"


@pytest.mark.parametrize("scale", [1, 2, 1.5])
def test_a_desktop_of_two_screens_is_tried_out(scale: float) -> None:
    with sway(scale) as running:
        running.do("create_output")
        running.do("output HEADLESS-2 resolution 800x600 scale 2 position 1280 0")
        time.sleep(0.5)
        tried = sapper(running, "doctor", "--try", "--json")
    assert tried.returncode == 0, tried.stdout + tried.stderr
    found = [json.loads(line) for line in tried.stdout.splitlines()]
    screens = {each["what"]: each for each in found if each["what"].startswith("screen ")}
    assert {name: each["there"] for name, each in screens.items()} == {
        "screen HEADLESS-1": True,
        "screen HEADLESS-2": True,
    }
    assert f"{scale:g} pixels to a point" in screens["screen HEADLESS-1"]["detail"]
    assert "sway" in next(each["detail"] for each in found if each["what"] == "a desktop to play on")


def test_the_server_may_speak_to_what_was_bound_as_long_as_there_is_a_connection(plain: Sway) -> None:
    """A seat that only made a mouse hears of the keyboard that is made after it."""
    with WaylandConnection(str(plain.folder / plain.variables["WAYLAND_DISPLAY"])) as connection:
        seat = weakref.ref(connection.bind(WlSeat))
        gc.collect()
        assert seat() is not None
    gc.collect()
    assert seat() is None


def test_a_picture_takes_no_longer_than_a_frame_of_the_screen_or_two(plain: Sway) -> None:
    socket = str(plain.folder / plain.variables["WAYLAND_DISPLAY"])
    with WaylandConnection(socket) as connection, WaylandCapture(connection) as grabber:
        grabber.grab()
        began = time.monotonic()
        for _ in range(20):
            grabber.grab((100, 100, 400, 400))
        assert (time.monotonic() - began) / 20 < 0.2


def test_advice_follows_a_person_and_leaves_the_mouse_alone(
    plain: Sway, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        on_sway(plain, monkeypatch) as desktop,
        program_on(desktop, "sgt-mines", "16x16/40"),
        desktop.open_grabber() as grabber,
        WaylandConnection() as other,
    ):
        person = WaylandInput(other)
        around = DesktopAccess(grabber, desktop.hands, desktop.windows)
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
                person.click(*seen.frame.point(*seen.lattice.centre(cell)))
            person.moveTo(5, 800)  # this screen draws the pointer into its pictures
            after = next(boards)
            assert isinstance(after, Board)
            assert after.open.bit_count() > board.open.bit_count()
            board = after
        assert desktop.hands.pointer is None, "Sapper never put it anywhere"
