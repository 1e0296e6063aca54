"""Fixtures of several test files."""

from __future__ import annotations

import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from browsing import recorded_story
from drawing import SKIN, draw, record_game, save, skin_of
from hypothesis import HealthCheck, settings
from plain_kernels import plain_kernels
from said import Said, Sapper
from waiting import wait_for

import strategies.kernels
from bot.cli.main import main
from bot.desktop.backends import Desktop, open_desktop
from bot.desktop.input import PAUSE_KEYS, STOP_KEY
from bot.game.types import GameRules
from bot.show.story import GameStory
from games.minesweeper import Board
from strategies import guesser
from strategies.probability import kernel_input, risks
from vision.frame import Frame

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")  # no test depends on the speed of the machine


def pytest_configure() -> None:
    """Restore the signals that background shells ignore, for the programs that tests start."""
    for name in ("SIGINT", "SIGHUP", "SIGQUIT"):
        number = getattr(signal, name, None)  # Windows has only SIGINT
        if number is not None and signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler if name == "SIGINT" else signal.SIG_DFL)


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Guesses and probabilities use the kernels as plain Python."""
    kernels = plain_kernels()
    for module in (kernel_input, guesser, risks):
        for name in strategies.kernels.__all__:
            if hasattr(module, name):
                monkeypatch.setattr(module, name, getattr(kernels, name))
    return kernels


@pytest.fixture(scope="session")
def only_desktop() -> Iterator[Desktop]:
    """One virtual screen for the test process, because pyautogui opens its display only once."""
    with open_desktop(virtual=True, size=(1280, 900)) as opened:
        yield opened


@pytest.fixture
def desktop(only_desktop: Desktop) -> Desktop:
    """The virtual screen, without the keys and the pointer position of the test before."""
    import pyautogui

    keys = STOP_KEY, *PAUSE_KEYS
    only_desktop.windows.pressed_keys(*keys)  # begins to listen
    pyautogui.press("pause", _pause=False)  # keys arrive in order: the earlier ones are here with it
    wait_for(lambda: "Pause" in only_desktop.windows.pressed_keys(*keys))
    only_desktop.controls.forget_pointer()
    return only_desktop


@pytest.fixture
def sapper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Sapper:
    """Run a command in this process, in an empty folder, without a display and without skins."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("SAPPER_COORDINATES", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("OPENCV_LOG_LEVEL", "OFF")  # otherwise main changes it permanently

    def run(*words: str | Path) -> Said:
        capsys.readouterr()
        code = main([str(word) for word in words])
        return Said(code, *capsys.readouterr())

    return run


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """A folder with pictures that cannot be read, for different reasons."""
    skin = skin_of(SKIN)
    board = draw(Board.fresh(8, 8), skin)
    save(board, tmp_path / "board.png")
    save(Frame(np.hstack([board.pixels, board.pixels])), tmp_path / "two.png")
    save(Frame(np.full((200, 300, 3), 200, np.uint8)), tmp_path / "grey.png")
    save(board.crop(60, 0, board.width - 60, board.height), tmp_path / "cut.png")
    (tmp_path / "empty.png").write_bytes(b"")
    (tmp_path / "text.png").write_text("no picture")
    (tmp_path / "stub.png").write_bytes((tmp_path / "board.png").read_bytes()[:60])
    (tmp_path / "folder.png").mkdir()
    return tmp_path


@pytest.fixture(scope="session")
def kmines() -> GameStory:
    return recorded_story(Path(__file__).resolve().parents[1] / "fixtures" / "recordings" / "kmines-001")


@pytest.fixture(scope="session")
def expert(tmp_path_factory: pytest.TempPathFactory) -> GameStory:
    """A long Expert game without chords."""
    folder = tmp_path_factory.mktemp("expert") / "game"
    rules = GameRules(99, "zero", "open", flags="all")
    assert record_game(folder, 1, (30, 16), 99, rules=rules).clicks > 280
    return recorded_story(folder)


@pytest.fixture
def explain(sapper: Sapper, tmp_path: Path) -> Sapper:
    """Run the command on a board text, in an empty folder."""

    def run(board: str, *words: str) -> Said:
        (tmp_path / "board.txt").write_text(board, encoding="utf-8")
        return sapper("explain", "board.txt", *words)

    return run


@pytest.fixture
def clue(sapper: Sapper, tmp_path: Path) -> Sapper:
    """Run the command on the text of a Clue log, in an empty folder."""

    def run(log: str, *words: str) -> Said:
        (tmp_path / "game.clue").write_text(log, encoding="utf-8")
        return sapper("clue", "game.clue", *words)

    return run


@pytest.fixture
def short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait only four seconds for a cover to disappear, and two for a message in the window."""
    monkeypatch.setattr("bot.play.guard.PASSES", 4.0)
    monkeypatch.setattr("bot.play.board_status.PASSES", 2.0)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recordings") / "game-001"
    assert record_game(folder, seed=1, remembers=True).result in ("won", "lost")
    return folder
