"""What a person sees of a game: a picture that never writes on stdout, and lines that stay."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import click
import pytest

from bot.game.outcome import GameResult
from bot.game.types import Plan
from bot.show import terminal as terminal_module
from bot.show.board_text import LOOKS
from bot.show.terminal import PAUSED, GameTerminal, KeyReader
from games.errors import Interrupted
from games.minesweeper import STATES, Board, Guess, Move
from strategies import CertainCell
from vision.reading import Reading


class Tty(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def stream(monkeypatch: pytest.MonkeyPatch) -> Callable[[io.StringIO], None]:
    """Use this stream as standard error."""

    def use(stderr: io.StringIO) -> None:
        seen = SimpleNamespace(stderr=stderr, stdin=None, platform=sys.platform)
        monkeypatch.setattr(terminal_module, "sys", seen)
        for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
            monkeypatch.delenv(name, raising=False)

    return use


@pytest.fixture
def piped(stream: Callable[[io.StringIO], None]) -> io.StringIO:
    stream(stderr := io.StringIO())
    return stderr


@pytest.fixture
def tty(stream: Callable[[io.StringIO], None], monkeypatch: pytest.MonkeyPatch) -> Tty:
    stream(stderr := Tty())
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")
    return stderr


def result(outcome: str = "won", mines: int | None = 10, recording: str | None = None) -> GameResult:
    return GameResult(
        outcome,  # type: ignore[arg-type]
        "kmines", "9x9", mines, 40, 2, 42, 0, 0, 3.14159, 0, 0, 0, 0, 0, 12, recording,
    )  # fmt: skip


BOARD = Board.parse("1F.\n110")
CERTAIN = Plan(
    (Move("open", 2),),
    (CertainCell(1, True, "single clue", ("r0c0",)), CertainCell(2, False, "single clue", ("r1c1", "r0c1"))),
    reasons=(CertainCell(2, False, "single clue", ("r1c1", "r0c1")),),
)
FIRST = Plan(CERTAIN.moves, reasons=(CertainCell(2, False, "first click", ("the first click is zero",)),))
GUESS = Plan((Move("open", 2),), guess=Guess(2, 0.875, "the least risk"))


def test_terminal_pipe_prints_lines_only(piped: io.StringIO, capsys: pytest.CaptureFixture[str]) -> None:
    with GameTerminal() as terminal:
        terminal.on_reading(Reading.sure(BOARD))
        terminal.on_plan(BOARD, CERTAIN)
        terminal.on_moves(BOARD, CERTAIN.moves)
        terminal.on_reading(Reading.sure(BOARD))
        terminal.finished(result())
        terminal.on_reading(Reading.sure(BOARD))
    begun, ended, next_begun = piped.getvalue().splitlines()
    assert (begun, next_begun) == ("playing game 1, 3x2", "playing game 2, 3x2")
    assert ended.startswith("game 1: won")
    assert capsys.readouterr().out == ""


def display(board: Board, plan: Plan | None = None) -> None:
    """Show a board after the moves of a plan."""
    with GameTerminal() as terminal:
        if plan:
            terminal.on_plan(board, plan)
            terminal.on_moves(board, plan.moves)
        terminal.on_reading(Reading.sure(board))


def plan_for(clues: int) -> Plan:
    """A move with this number of clues next to it, in `ROW`."""
    reason = CertainCell(0, False, "a rule", tuple(f"r0c{k}" for k in range(1, clues + 1)))
    return Plan((Move("open", 0),), (reason,), reasons=(reason,))


ROW = Board.parse("." + "1" * 13)
PROMISE = "r0c2 is safe: the program puts no mine under the first click or next to it"


@pytest.mark.parametrize(
    ("board", "plan", "said"),
    [
        (BOARD, CERTAIN, ("r0c2 is safe: single clue (r1c1, r0c1)", "1 closed, 1 certain move, 0 guesses")),
        (BOARD, FIRST, (PROMISE, "1 closed, 1 certain move, 0 guesses")),
        (BOARD, GUESS, ("guess r0c2: 87.5 % safe: the least risk", "1 closed, 0 certain moves, 1 guess")),
        (ROW, plan_for(5), ("(the underlined clues)",)),
        (ROW, plan_for(13), ("(13 clues)",)),
        (Board(1, len(STATES), STATES), None, ("closed",)),
    ],
)
def test_terminal_shows_board_and_last_reason(
    board: Board, plan: Plan | None, said: tuple[str, ...], tty: Tty, capsys: pytest.CaptureFixture[str]
) -> None:
    display(board, plan)
    assert all(text in tty.getvalue() for text in said)
    assert capsys.readouterr().out == ""


def test_terminal_no_closed_cell_not_counted(tty: Tty) -> None:
    display(Board.parse("1F1\n111"))
    assert "closed" not in tty.getvalue()


def test_terminal_every_state_has_its_look() -> None:
    assert set(STATES) <= set(LOOKS)


@pytest.mark.parametrize("keys", [("",), ("r",)])
def test_terminal_known_mines_stay_visible(
    keys: tuple[str, ...], tty: Tty, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal, _ = with_keys(monkeypatch, *keys)
    board = Board.parse("..\n11\n..\n..")
    with terminal:
        terminal.on_plan(board, Plan((Move("open", 6),), mines=1))
        terminal.on_reading(Reading.sure(board))
    assert "✱" in tty.getvalue()
    assert ("m25 " in tty.getvalue()) == (keys == ("r",))


def test_terminal_new_game_resets_counts(tty: Tty) -> None:
    with GameTerminal() as terminal:
        terminal.on_plan(BOARD, CERTAIN)
        terminal.on_moves(BOARD, CERTAIN.moves)
        terminal.finished(result())
        terminal.on_reading(Reading.sure(BOARD))
    assert "1 closed, 0 certain moves, 0 guesses" in tty.getvalue()


def test_terminal_results_go_to_stdout(tty: Tty, capsys: pytest.CaptureFixture[str]) -> None:
    with GameTerminal() as terminal:
        terminal.on_reading(Reading.sure(BOARD))
        click.echo("open r0c2")
    assert capsys.readouterr().out == "open r0c2\n"


class Typed:
    """A keyboard on which these keys are pressed; "" is a poll without a key. Further polls are errors."""

    def __init__(self, *keys: str) -> None:
        self._keys = list(keys)
        self.are_open = True

    def open(self) -> None:
        pass

    def close(self) -> None:
        pass

    def pressed(self) -> str:
        return self._keys.pop(0)


def played(terminal: GameTerminal) -> None:
    """A look, its plan, and a press of it."""
    terminal.on_reading(Reading.sure(BOARD))
    terminal.on_plan(BOARD, CERTAIN)
    terminal.obey()


def with_keys(monkeypatch: pytest.MonkeyPatch, *keys: str) -> tuple[GameTerminal, list[str]]:
    monkeypatch.setattr(terminal_module, "KeyReader", lambda: Typed(*keys))
    behind: list[str] = []
    return GameTerminal(after_pause=lambda: behind.append("behind a pause")), behind


def test_terminal_p_pauses_at_plan(tty: Tty, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, behind = with_keys(monkeypatch, "p", "", "r", "p", "")
    with terminal:
        terminal.on_reading(Reading.sure(BOARD))
        assert PAUSED not in tty.getvalue()
        terminal.on_plan(BOARD, CERTAIN)
        assert PAUSED in tty.getvalue()
        assert len(behind) == 1
        terminal.obey()
    assert "r0c2 is safe" in tty.getvalue()


def test_terminal_s_executes_one_plan(tty: Tty, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, behind = with_keys(monkeypatch, "p", "s", "", "", "s", "", "", "p", "", "", "")
    with terminal:
        for paused in (1, 2, 3, 3):
            played(terminal)
            assert len(behind) == paused


def test_terminal_p_between_presses_pauses_q_stops(tty: Tty, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, behind = with_keys(monkeypatch, "", "p", "p", "p", "q")
    with terminal:
        played(terminal)
        assert len(behind) == 1
        with pytest.raises(Interrupted):
            played(terminal)


def test_terminal_quiet_draws_nothing(tty: Tty) -> None:
    with GameTerminal(quiet=True) as terminal:
        terminal.on_plan(BOARD, CERTAIN)
        terminal.on_reading(Reading.sure(BOARD))
        terminal.on_note("a strategy was switched off")
    assert tty.getvalue() == ""


def test_terminal_aborted_game_ends_display(tty: Tty) -> None:
    def play() -> None:
        with GameTerminal() as terminal:
            terminal.on_reading(Reading.sure(BOARD))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        play()
    assert "\x1b[?25h" in tty.getvalue()  # the cursor is back


def test_terminal_notes_keep_brackets(piped: io.StringIO) -> None:
    with GameTerminal() as terminal:
        terminal.on_note("strategy [bold]mine[/bold] was switched off")
    assert piped.getvalue() == "strategy [bold]mine[/bold] was switched off\n"


def test_terminal_results_are_counted(piped: io.StringIO) -> None:
    with GameTerminal() as terminal:
        terminal.finished(result(recording="somewhere/" + "long/" * 40))
        for outcome in ("lost", "won"):
            terminal.finished(result(outcome, mines=None))
    first, *_, last, total = piped.getvalue().splitlines()
    assert first.startswith("game 1: won on kmines (9x9, 10 mines) in 3.1 s, 40 certain moves, 2 guesses")
    assert last.startswith("game 3: won on kmines (9x9) in")
    assert total == "2 of 3 won, 3.8 3BV/s"


@pytest.mark.parametrize("quiet", [False, True])
def test_terminal_intro_with_first_board(tty: Tty, quiet: bool) -> None:
    with GameTerminal(quiet, takes_mouse=True) as terminal:
        assert not tty.getvalue()
        for _ in range(2):
            terminal.on_reading(Reading.sure(BOARD))
    said = " ".join(tty.getvalue().split())
    assert said.count("corner of the screen (the fail-safe)") == (not quiet)


def test_terminal_intro_without_terminal_omitted(piped: io.StringIO) -> None:
    GameTerminal(takes_mouse=True).on_reading(Reading.sure(BOARD))
    assert "fail-safe" not in piped.getvalue()


@pytest.mark.parametrize("has_ended", [False, True])
def test_terminal_status_shown_during_pause(has_ended: bool, tty: Tty) -> None:
    with GameTerminal() as terminal:
        terminal.on_reading(Reading.sure(BOARD))
        terminal.on_pause("paused: press F9")
        if has_ended:
            terminal.on_pause("")
    assert ("paused" in tty.getvalue().rpartition("closed, 0 certain moves")[2]) != has_ended


def test_terminal_pause_without_board_is_note(piped: io.StringIO) -> None:
    GameTerminal().on_pause("paused: press F9")
    assert piped.getvalue() == "paused: press F9\n"


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The other end of the terminal of standard input."""
    person, program = os.openpty()
    with os.fdopen(program, "r") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield person
    os.close(person)


def test_keys_reported_once_and_at_once(typed: int) -> None:
    keys = KeyReader()
    assert keys.pressed() == ""
    keys.open()
    assert keys.are_open
    os.write(typed, b"xR")
    assert [keys.pressed(), keys.pressed()] == ["r", ""]
    keys.close()
    os.write(typed, b"q\n")
    assert keys.pressed() == ""


def test_keys_without_terminal_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: False))
    keys = KeyReader()
    keys.open()
    assert (keys.are_open, keys.pressed()) == (False, "")
