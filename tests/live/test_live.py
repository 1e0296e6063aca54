"""Whole games on real programs: pixels in, clicks out."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path

import pytest
from live import Meddler, program_on, session_on
from truth import judge

from bot.desktop.backends import Desktop
from bot.desktop.x11.windows import X11Windows
from bot.game.types import GameRules
from bot.play.finder import BoardFinder, DesktopAccess
from bot.play.spectator import Spectator
from bot.programs.program import Program
from bot.readers import ReaderFactory
from bot.recording.recording import Recording
from bot.recording.replay import replay
from bot.review.importer import import_recorder
from bot.review.pages import review
from bot.show.advice import Advisor
from games.errors import (
    AmbiguousBoard,
    BoardNotFound,
    BoardUnplayable,
    Interrupted,
    ProgramExited,
    SapperError,
)
from games.logic import bits
from games.minesweeper import Board
from strategies import Reasoner, load_strategies
from vision.frame import MssCapture

pytestmark = pytest.mark.live

ROOT = Path(__file__).resolve().parents[2]
MOST_UNREAD = 3  # cells of 256: a number that is on the board once may be unread for a look
# board sizes on which a game takes a moment; None is the program's own default
BOARDS = {"kmines": "9x9/10", "gnome-mines": "8x8/10", "ace-minesweeper": "11x11/20", "xdemineur": "16x16/40"}


@pytest.mark.parametrize("name", Program.names())
def test_games_are_played_to_their_end_and_replay_the_same(
    name: str, desktop: Desktop, tmp_path: Path
) -> None:
    with (
        program_on(desktop, name, BOARDS.get(name)) as running,
        session_on(desktop, running, record=tmp_path) as session,
    ):
        results = list(session.games(3))
    assert [result.result in ("won", "lost") for result in results] == [True] * 3
    assert sum(result.wrong_certain for result in results) == 0
    assert max(result.unread for result in results) <= MOST_UNREAD
    for result in results:
        assert result.recording
        recording = Recording(Path(result.recording))
        assert recording.events[-1]["result"]["result"] == result.result
        replayed = replay(recording, Reasoner(load_strategies()))
        assert replayed.differences == ()
        assert replayed.looks > 1


def test_numbers_of_another_font_are_read(
    desktop: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fonts = tmp_path / "fonts.conf"
    subprocess.run([ROOT / "tools" / "monospace.sh", "Inconsolata", fonts], check=True)
    monkeypatch.setenv("FONTCONFIG_FILE", str(fonts))
    with (
        program_on(desktop, "gnome-mines", "16x16/40") as running,
        session_on(desktop, running, record=tmp_path / "games") as session,
    ):
        results = list(session.games(2))
    games = [judge(Recording(Path(str(result.recording)))) for result in results]
    assert [game.result in ("won", "lost") and game.proved for game in games] == [True] * 2
    assert [game.wrong for game in games] == [()] * 2
    assert sum(result.wrong_certain for result in results) == sum(game.wrong_certain for game in games) == 0
    assert max(result.unread for result in results) <= MOST_UNREAD


def test_boards_that_need_no_guess_are_won_without_one(desktop: Desktop) -> None:
    with program_on(desktop, "sgt-mines", "30x16/99") as running, session_on(desktop, running) as session:
        results = list(session.games(3))
    assert [(result.result, result.guesses) for result in results] == [("won", 0)] * 3


def test_advice_follows_a_person_and_leaves_the_mouse_alone(desktop: Desktop) -> None:
    with program_on(desktop, "xdemineur", "16x16/40") as running, MssCapture() as grabber:
        left, top, width, height = running.window.box
        desktop.hands.move(left + width / 2, top + height / 2)  # on the board, where a person's pointer is
        pointer = desktop.hands.pointer
        finder = BoardFinder(
            DesktopAccess(grabber, desktop.hands, desktop.windows), ReaderFactory.load(), hands_off=True
        )
        boards = Spectator(grabber, finder).boards()
        adviser = Advisor(load_strategies(), GameRules(40, "opened", "open"))
        board = next(boards)
        assert isinstance(board, Board)
        advice = adviser.advise(board)
        assert desktop.hands.pointer == pointer
        cell = advice.guess.cell if advice.guess else next(bits(advice.safe & board.closed), 0)
        seen = finder.find()
        x, y = seen.frame.point(*seen.lattice.centre(cell))
        desktop.hands.click(x, y)  # the person
        after = next(boards)
        assert isinstance(after, Board)
        assert (after.open | after.unread) >> cell & 1 or after.shown_mines  # one picture may leave it unread
        assert desktop.hands.pointer == (round(x), round(y))


def test_a_persons_game_is_recorded_and_reviewed(desktop: Desktop, tmp_path: Path) -> None:
    """Somebody opens cell after cell as the adviser says, and once where something else was certain."""
    said: list[str] = []
    rules = GameRules(40, "zero", "open", can_chord=True)
    with program_on(desktop, "sgt-mines", "16x16/40"), MssCapture() as grabber:
        finder = BoardFinder(
            DesktopAccess(grabber, desktop.hands, desktop.windows), ReaderFactory.load(), hands_off=True
        )
        adviser = Advisor(load_strategies(), rules)
        with import_recorder(tmp_path, rules, "under test", said.append) as on_look:
            seen, clicked, rash = finder.find(), [], -1
            for board in Spectator(grabber, finder, on_look=on_look).boards():
                assert isinstance(board, Board)
                advice = adviser.advise(board)
                left = board.closed & ~advice.mines  # a person sees what is open, also where it is not read
                if board.shown_mines or not left:
                    break
                safe = left & advice.safe if board.open else 1 << 34
                cell = advice.guess.cell if advice.guess else next(bits(safe or left))
                if rash < 0 and board.open.bit_count() > 40 and advice.safe:
                    cell = rash = next(bits(board.closed & ~advice.safe & ~advice.mines))
                clicked.append(cell)
                desktop.hands.click(*seen.frame.point(*seen.lattice.centre(cell)))
    (folder,) = tmp_path.iterdir()
    assert said == [f"the game is recorded in {folder}"]
    judged = review(Recording(folder), load_strategies())
    assert judged.program == "sgt-mines"
    assert judged.game.ended == ("lost" if judged.game.last.shown_mines else "won")
    opened = [each for each in judged.verdicts if each.made.opened]
    assert all(each.made.opened >> cell & 1 for each, cell in zip(opened, clicked, strict=True))
    assert [each.made.opened >> rash & 1 for each in opened if each.kind == "unnecessary guess"] == [1] * (
        rash >= 0  # else a guess hit a mine before it came to that
    )
    assert {each.kind for each in opened} <= {"first click", "certain", "guess", "unnecessary guess"}


@pytest.mark.parametrize("mines", [None, 40])
def test_a_board_that_is_open_already_is_found_and_played(desktop: Desktop, mines: int | None) -> None:
    with program_on(desktop, "xdemineur", "16x16/40") as running:
        assert isinstance(desktop.windows, X11Windows)
        desktop.windows.move(running.window.id, 511, 333)
        with session_on(desktop, None, mines=mines) as session:
            results = list(session.games(2))
    assert all(result.result in ("won", "lost") and result.size == "16x16" for result in results)
    assert all(result.program == "xdemineur" and result.mines == mines for result in results)
    assert sum(result.wrong_certain for result in results) == 0


@pytest.mark.parametrize(
    ("name", "size"),
    [("sgt-mines", (900, 700)), pytest.param("kmines", (800, 600), marks=pytest.mark.campaign)],
)
def test_a_game_goes_on_in_a_window_that_is_resized(
    name: str, size: tuple[int, int], desktop: Desktop, tmp_path: Path
) -> None:
    with program_on(desktop, name, "30x16/99") as running:
        windows = desktop.windows
        assert isinstance(windows, X11Windows)
        meddler = Meddler(3, lambda: windows.resize(running.window.id, *size))
        with session_on(desktop, running, meddler, record=tmp_path) as session:
            result = next(session.games(1))
    assert result.result in ("won", "lost")
    assert result.wrong_certain == 0
    recording = Recording(tmp_path / f"{name}-001")
    assert any("lattice" in event for event in recording.events)
    assert replay(recording, Reasoner(load_strategies())).differences == ()


def stopped_by(desktop: Desktop, name: str, layout: str, deed: str, record: Path) -> SapperError:
    """What stops a game in whose third sweep something happens."""
    with program_on(desktop, name, layout) as running:
        windows = desktop.windows
        assert isinstance(windows, X11Windows)
        children: list[subprocess.Popen[bytes]] = []
        deeds = {
            "moved": lambda: windows.move(running.window.id, 300, 200),
            "covered": lambda: children.append(covering_window(windows)),
            "closed": running.close,
            "taken": lambda: move_like_a_person(700, 700),
        }
        try:
            with session_on(desktop, running, Meddler(2, deeds[deed]), record=record) as session:
                games = session.games(1)
                assert next(games).result == "stopped"
                with pytest.raises(SapperError) as caught:
                    next(games)
        finally:
            for child in children:
                child.kill()
                child.wait()
    return caught.value


def move_like_a_person(x: int, y: int) -> None:
    """Move the pointer behind the back of Sapper's hands."""
    import pyautogui

    pyautogui.moveTo(x, y)


def covering_window(windows: X11Windows) -> subprocess.Popen[bytes]:
    """A plain window over the upper left of the screen, once it is there."""
    code = "import tkinter as tk; t = tk.Tk(); t.title('in the way'); t.geometry('300x300+0+0'); t.mainloop()"
    child = subprocess.Popen([sys.executable, "-c", code])
    for _ in itertools.count():
        if any(window.title == "in the way" and window.is_shown for window in windows.all() or ()):
            return child
        assert child.poll() is None, "the covering window did not come up"
    raise AssertionError


@pytest.mark.parametrize(
    ("deed", "kind", "words"),
    [
        ("moved", BoardUnplayable, "moved from"),
        ("covered", BoardUnplayable, "covered by 'in the way'"),
        ("closed", ProgramExited, "went away"),
        ("taken", Interrupted, "took the mouse"),
    ],
)
def test_what_happens_to_the_window_stops_the_game_and_is_reported(
    deed: str, kind: type[SapperError], words: str, desktop: Desktop, tmp_path: Path
) -> None:
    # no guess is ever needed here, so the game goes on long enough to be disturbed
    error = stopped_by(desktop, "sgt-mines", "30x16/99", deed, tmp_path)
    assert isinstance(error, kind)
    assert words in str(error)
    recording = Recording(tmp_path / "sgt-mines-001")
    assert recording.events[-1]["result"]["result"] == "stopped"
    assert words in recording.events[-1]["stopped"]
    assert replay(recording, Reasoner(load_strategies())).differences == ()


def test_an_empty_screen_holds_no_board(desktop: Desktop) -> None:
    with session_on(desktop, None) as session, pytest.raises(BoardNotFound):
        next(session.games(1))


def test_two_boards_are_distinguished_by_the_title_of_a_window(desktop: Desktop) -> None:
    with program_on(desktop, "xdemineur", "16x16/40") as one, program_on(desktop, "sgt-mines", "9x9/10"):
        assert isinstance(desktop.windows, X11Windows)
        desktop.windows.move(one.window.id, 700, 400)
        with session_on(desktop, None) as session, pytest.raises(AmbiguousBoard, match="2 boards"):
            next(session.games(1))
        with session_on(desktop, None, window="Mines") as session:
            assert session.dry_run()[0].columns == 9
        with (
            session_on(desktop, None, window="Solitaire") as session,
            pytest.raises(BoardNotFound, match="title"),
        ):
            next(session.games(1))


def test_a_window_half_off_the_screen_is_not_played(desktop: Desktop) -> None:
    with program_on(desktop, "xdemineur", "30x16/99") as running:
        assert isinstance(desktop.windows, X11Windows)
        desktop.windows.move(running.window.id, 1280 - 400, 100)
        with session_on(desktop, None) as session, pytest.raises(BoardUnplayable, match="cut at the right"):
            next(session.games(1))
