"""Terminal display of a game: a board that is redrawn, lines that stay, keys; nothing on stdout."""

from __future__ import annotations

import io
import sys
from types import SimpleNamespace

import click
import pytest

from bot.game.outcome import GameResult
from bot.game.types import CertainCell, Plan
from bot.show import terminal as terminal_module
from bot.show.board_text import LOOKS
from bot.show.terminal import PAUSED, GameTerminal
from games.errors import Interrupted
from games.minesweeper import STATES, Board, Guess, Move
from vision.reading import Reading


class Tty(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


def use_stderr(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    streams = SimpleNamespace(stderr=stream, stdin=None, platform=sys.platform)
    monkeypatch.setattr(terminal_module, "sys", streams)
    for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    stream = io.StringIO()
    use_stderr(stream, monkeypatch)
    return stream


@pytest.fixture
def tty(monkeypatch: pytest.MonkeyPatch) -> Tty:
    stream = Tty()
    use_stderr(stream, monkeypatch)
    return stream


def result(outcome: str = "won", mines: int | None = 10, recording: str | None = None) -> GameResult:
    return GameResult(
        outcome,  # type: ignore[arg-type]
        "kmines", "9x9", mines, 40, 2, 42, 0, 0, 3.14159, 0, 0, 0, 0, 0, 12, recording,
    )  # fmt: skip


BOARD = Board.parse("1F.\n110")
CERTAIN = Plan(
    (Move("open", 2),),
    (CertainCell(1, True, "single clue", ("r0c0",)), CertainCell(2, False, "single clue", ("r1c1", "r0c1"))),
)
GUESS = Plan((Move("open", 2),), guess=Guess(2, 0.875, "the least risk"))


def show(terminal: GameTerminal, plan: Plan = CERTAIN, board: Board = BOARD) -> None:
    """A plan, its moves, and the next reading."""
    terminal.on_plan(board, plan)
    terminal.on_moves(board, plan.moves)
    terminal.on_reading(Reading.sure(board))


def test_terminal_pipe_prints_lines_only(piped: io.StringIO, capsys: pytest.CaptureFixture[str]) -> None:
    with GameTerminal() as terminal:
        terminal.on_reading(Reading.sure(BOARD))
        show(terminal)
        terminal.finished(result())
        terminal.on_reading(Reading.sure(BOARD))
    begun, ended, next_begun = piped.getvalue().splitlines()
    assert (begun, next_begun) == ("playing game 1, 3x2", "playing game 2, 3x2")
    assert ended.startswith("game 1: won")
    assert capsys.readouterr().out == ""


def test_terminal_shows_board_and_last_reason(tty: Tty, capsys: pytest.CaptureFixture[str]) -> None:
    with GameTerminal() as terminal:
        show(terminal)
        click.echo("open r0c2")
    assert "r0c2 is safe: single clue (r1c1, r0c1)" in tty.getvalue()
    assert "1 closed, 1 certain moves, 0 guesses" in tty.getvalue()
    assert capsys.readouterr().out == "open r0c2\n"


@pytest.mark.parametrize(("count", "said"), [(5, "(the underlined clues)"), (13, "(13 clues)")])
def test_terminal_many_clues_marked_then_counted(tty: Tty, count: int, said: str) -> None:
    board = Board.parse("." + "1" * 13)
    reason = CertainCell(0, False, "a rule", tuple(f"r0c{k}" for k in range(1, count + 1)))
    with GameTerminal() as terminal:
        show(terminal, Plan((Move("open", 0),), (reason,)), board)
    assert said in tty.getvalue()


def test_terminal_guess_shows_chance(tty: Tty) -> None:
    with GameTerminal() as terminal:
        show(terminal, GUESS)
    assert "guess r0c2: 87.5% safe. the least risk" in tty.getvalue()
    assert "0 certain moves, 1 guesses" in tty.getvalue()


@pytest.mark.parametrize("state", STATES)
def test_terminal_every_board_can_be_drawn(state: str, tty: Tty) -> None:
    with GameTerminal() as terminal:
        terminal.on_reading(Reading.sure(Board(1, 3, state * 3)))
    assert state in LOOKS
    assert tty.getvalue()


def play_turn(terminal: GameTerminal) -> None:
    """A reading, its plan, and a click."""
    terminal.on_reading(Reading.sure(BOARD))
    terminal.on_plan(BOARD, CERTAIN)
    terminal.obey()


def with_keys(monkeypatch: pytest.MonkeyPatch, *keys: str) -> tuple[GameTerminal, list[str]]:
    """A terminal with these keys ("" for none), and its finished pauses."""
    reader = SimpleNamespace(
        are_open=True, open=lambda: None, close=lambda: None, pressed=list(keys[::-1]).pop
    )
    monkeypatch.setattr(terminal_module, "KeyReader", lambda: reader)
    terminal, pauses = GameTerminal(), []
    terminal.let_go = lambda: pauses.append("pause")
    return terminal, pauses


def test_terminal_p_pauses_at_plan(tty: Tty, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, pauses = with_keys(monkeypatch, "p", "", "r", "p", "")
    with terminal:
        terminal.on_reading(Reading.sure(BOARD))
        assert PAUSED not in tty.getvalue()
        terminal.on_plan(BOARD, CERTAIN)
        assert PAUSED in tty.getvalue()
        assert len(pauses) == 1
        terminal.obey()
    assert "r0c2 is safe" in tty.getvalue()


def test_terminal_s_executes_one_plan(tty: Tty, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, pauses = with_keys(monkeypatch, "p", "s", "", "", "s", "", "", "p", "", "", "")
    with terminal:
        for paused in (1, 2, 3, 3):
            play_turn(terminal)
            assert len(pauses) == paused


def test_terminal_p_between_presses_pauses_q_stops(tty: Tty, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, pauses = with_keys(monkeypatch, "", "p", "p", "p", "q")
    with terminal:
        play_turn(terminal)
        assert len(pauses) == 1
        with pytest.raises(Interrupted):
            play_turn(terminal)


def test_terminal_quiet_draws_nothing(tty: Tty) -> None:
    with GameTerminal(quiet=True) as terminal:
        show(terminal)
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


def test_terminal_result_is_one_line(piped: io.StringIO) -> None:
    with GameTerminal() as terminal:
        terminal.finished(result(recording="somewhere/" + "long/" * 40))
    assert piped.getvalue().count("\n") == 1
    assert piped.getvalue().startswith(
        "game 1: won on kmines (9x9, 10 mines) in 3.1 s, 40 certain moves, 2 guesses"
    )


def test_terminal_several_games_counted(piped: io.StringIO) -> None:
    with GameTerminal() as terminal:
        for outcome in ("won", "lost", "won"):
            terminal.finished(result(outcome, mines=None))
    lines = piped.getvalue().splitlines()
    assert lines[-2].startswith("game 3: won on kmines (9x9) in")
    assert lines[-1] == "2 of 3 won, 3.8 3BV/s"


def test_terminal_new_game_resets_counts(tty: Tty) -> None:
    with GameTerminal() as terminal:
        show(terminal)
        terminal.finished(result())
        terminal.on_reading(Reading.sure(BOARD))
    assert "1 closed, 0 certain moves, 0 guesses" in tty.getvalue()


def test_terminal_intro_names_keys(tty: Tty) -> None:
    GameTerminal().print_intro()
    assert "corner of the screen (the fail-safe)" in " ".join(tty.getvalue().split())


def test_terminal_no_viewer_no_intro(piped: io.StringIO) -> None:
    GameTerminal().print_intro()
    GameTerminal(quiet=True).print_intro()
    assert not piped.getvalue()
