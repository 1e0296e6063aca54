"""Whole games on real programs: pixels in, clicks out."""

from __future__ import annotations

import subprocess
from importlib import resources
from pathlib import Path

import pytest
from live import Meddler, played, program_on, replays, session_on, stopped
from staging import field_on

from benchmarks.game_verdict import judge
from bot.desktop.backends import Desktop
from bot.desktop.x11.windows import X11Windows
from bot.game.types import GameRules
from bot.play.finder import BoardFinder, DesktopAccess
from bot.play.spectator import Spectator
from bot.programs.program import Program
from bot.readers import ReaderFactory
from bot.recording.recording import Recording
from bot.review.importer import import_recorder
from bot.review.pages import review
from bot.show.advice import Advisor
from games.errors import BoardNotFound, BoardUnplayable, Interrupted, UsageError
from games.logic import bits
from games.minesweeper import Board
from strategies import load_strategies
from strategies.testing.samples import VARIANTS
from vision.frame import MssCapture

pytestmark = pytest.mark.live

ROOT = Path(__file__).resolve().parents[2]
# small boards for short games; None is the program's default
BOARDS = {"kmines": "9x9/10", "gnome-mines": "8x8/10", "ace-minesweeper": "11x11/20", "xdemineur": "16x16/40"}
VARIANT_BOARDS = {"quad": "6x6/10", "balance": "6x6/6"}


@pytest.mark.parametrize("name", Program.names())
def test_session_each_program_plays_and_replays(name: str, desktop: Desktop, tmp_path: Path) -> None:
    with (
        program_on(desktop, name, BOARDS.get(name)) as running,
        session_on(desktop, running, record=tmp_path) as session,
    ):
        results = list(session.games(2))
    played(*results)
    for result in results:
        assert result.result == "won" or result.guesses
        assert replays(result.recording).events[-1]["result"]["result"] == result.result


def test_session_other_font_reads_numbers(
    desktop: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fonts = tmp_path / "fonts.conf"
    subprocess.run([ROOT / "tools" / "monospace.sh", "Inconsolata", fonts], check=True)
    monkeypatch.setenv("FONTCONFIG_FILE", str(fonts))
    with (
        program_on(desktop, "gnome-mines", "16x16/40") as running,
        session_on(desktop, running, record=tmp_path / "games") as session,
    ):
        (result,) = session.games(1)
    played(result)
    game = judge(Recording(Path(str(result.recording))))
    assert (game.result, game.proved, game.wrong, game.wrong_certain) == (result.result, True, (), 0)


def test_spectator_user_game_records_and_reviews(desktop: Desktop, tmp_path: Path) -> None:
    """The user follows the advice, except for one guess on a fixed board."""
    said: list[str] = []
    rules = GameRules(10, "zero", "open", can_chord=True)
    known = resources.files("bot.programs") / "known" / "sgt-mines.toml"
    (tmp_path / "fixed.toml").write_text(known.read_text().replace("n{mines}", "n{mines}#5"))
    with program_on(desktop, str(tmp_path / "fixed.toml"), "9x9/10"), MssCapture() as grabber:
        finder = BoardFinder(
            DesktopAccess(grabber, desktop.controls, desktop.windows), ReaderFactory.load(), hands_off=True
        )
        adviser = Advisor(load_strategies(), rules)
        with import_recorder(tmp_path / "games", rules, "under test", said.append) as on_look:
            seen, clicked, rash = finder.find(), [], -1
            pointer = desktop.controls.pointer
            for board in Spectator(grabber, finder, on_look=on_look).boards():
                assert isinstance(board, Board)
                assert desktop.controls.pointer == pointer, "only the person moves it"
                advice = adviser.advise(board)
                left = board.closed & ~advice.mines  # a person sees what is open, also where it is not read
                if board.shown_mines or not left:
                    break
                safe = left & advice.safe if board.open else 1 << 40
                cell = advice.guess.cell if advice.guess else next(bits(safe or left))
                if rash < 0 and board.open and left & advice.safe:
                    # next to a mine: to the review, a click on a zero may look like several certain moves
                    unknown = left & ~advice.safe
                    rash = next((k for k in bits(unknown) if board.around[k] & advice.mines), -1)
                    cell = cell if rash < 0 else rash
                clicked.append(cell)
                desktop.controls.click(*seen.frame.point(*seen.lattice.centre(cell)))
                pointer = desktop.controls.pointer
    (folder,) = (tmp_path / "games").iterdir()
    assert said == [f"the game is recorded in {folder}"]
    judged = review(Recording(folder), load_strategies())
    assert judged.program == "sgt-mines"
    assert judged.game.ended == ("lost" if judged.game.last.shown_mines else "won")
    opened = [each for each in judged.verdicts if each.made.opened]
    assert {*clicked} <= {cell for each in opened for cell in bits(each.made.opened)}
    assert [each.kind for each in opened if each.made.opened >> rash & 1] == ["unnecessary guess"]


@pytest.mark.parametrize("mines", [None, 40])
def test_session_running_program_plays(desktop: Desktop, mines: int | None) -> None:
    with program_on(desktop, "xdemineur", "16x16/40") as running:
        assert isinstance(desktop.windows, X11Windows)
        desktop.windows.move(running.window.id, 511, 333)
        with session_on(desktop, None, mines=mines) as session:
            results = list(session.games(2))
    played(*results)
    assert {(each.size, each.program, each.mines) for each in results} == {("16x16", "xdemineur", mines)}


def test_session_user_moves_mouse_stops_game(desktop: Desktop, tmp_path: Path) -> None:
    """tests/faults has everything that happens to windows. No guess is ever needed on this board."""
    import pyautogui

    meddler = Meddler(2, lambda: pyautogui.moveTo(700, 700))
    with (
        program_on(desktop, "sgt-mines", "30x16/99") as running,
        session_on(desktop, running, meddler, record=tmp_path) as session,
    ):
        result = stopped(session, Interrupted, "took the mouse")
    last = replays(result.recording).events[-1]
    assert last["result"]["result"] == "stopped"
    assert "took the mouse" in last["stopped"]


def test_session_empty_screen_no_board(desktop: Desktop) -> None:
    with session_on(desktop, None) as session, pytest.raises(BoardNotFound):
        next(session.games(1))


def test_session_window_off_screen_unplayable(desktop: Desktop) -> None:
    with program_on(desktop, "xdemineur", "30x16/99") as running:
        assert isinstance(desktop.windows, X11Windows)
        desktop.windows.move(running.window.id, 1280 - 400, 100)
        with session_on(desktop, None) as session, pytest.raises(BoardUnplayable, match="cut at the right"):
            next(session.games(1))


@pytest.mark.parametrize("variant", VARIANTS)
def test_variant_played_on_window(desktop: Desktop, tmp_path: Path, variant: str) -> None:
    layout = VARIANT_BOARDS.get(variant, "8x8/8")
    words = "--variant", variant, "--first-click", "safe"
    with (
        field_on(desktop, tmp_path, *words, layout=layout) as (running, _),
        session_on(
            desktop, running, record=tmp_path / "games", variant=variant, first_click="safe"
        ) as session,
    ):
        (result,) = session.games(1)
    played(result)
    replays(result.recording)


def test_impossible_first_click_not_clicked(desktop: Desktop, tmp_path: Path) -> None:
    with (
        field_on(desktop, tmp_path, layout="8x8/9") as (running, presses),
        session_on(desktop, running, variant="quad", first_click="zero") as session,
        pytest.raises(UsageError, match="zero first click"),
    ):
        list(session.games(1))
    assert not presses()
