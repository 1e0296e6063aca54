"""Command line: help, exit codes, one-line errors, shell completion."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.shell_completion import ShellComplete
from places import HOUSE
from said import Said, Sapper, refused, run_sapper

from bot.cli.common_options import parse_size
from bot.cli.main import COMMANDS
from bot.cli.main import sapper as sapper_group
from games import errors
from games.errors import SapperError, UsageError
from strategies import BUILT_IN


def test_cli_no_command_shows_overview(sapper: Sapper) -> None:
    assert sapper("--version").out.startswith("sapper ")
    overview = sapper().printed
    assert [name for name in COMMANDS if f"\n  {name}" not in overview] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_cli_every_command_has_help(name: str, sapper: Sapper) -> None:
    printed = sapper(name, "--help").printed
    assert printed.startswith(f"Usage: sapper {name}")
    assert f"Example: sapper {name}" in printed


def test_cli_help_lists_options_of_named_target(sapper: Sapper, tmp_path: Path) -> None:
    (tmp_path / "deep.py").write_text(
        "from strategies import Option, hookimpl\n"
        "OPTIONS = Option('depth', 2, 'how far it looks', 1, 5)\n"
        "@hookimpl\n"
        "def deduce(knowledge):\n"
        "    return ()\n"
    )
    named = ("--strategy-dir", str(tmp_path), "--strategy", "deep:depth=3", "--observer", "tally")
    for command in ("play", "bench"):
        printed = sapper(command, *named, "--help").printed
        assert ":depth=3  how far it looks (a whole number from 1 to 5)" in printed
        assert ":every=1" in printed
        assert ":every" not in sapper(command, "--help").out
    refused(sapper("play", "--strategy", str(tmp_path / "nosuch.py"), "--help"), 7, "nosuch.py")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("nosuch", "'nosuch'"),
        ("--nosuch", "--nosuch"),
        ("read --nosuch", "'sapper read --help'"),
        ("read", "name images"),
        ("learn mine", "FILES"),
        ("skins too much", "'sapper skins --help'"),
        ("play --mines 0", "--mines"),
        ("play --delay -1", "--delay"),
        ("play --variant nosuch", "'nosuch'"),
        ("play extra", "extra"),
    ],
)
def test_cli_wrong_words_usage_error(words: str, message: str, sapper: Sapper) -> None:
    refused(sapper(*words.split()), 2, message)


def test_size_parsed_or_refused() -> None:
    assert (parse_size("30x16"), parse_size(None)) == ((30, 16), None)
    for text in ("", "5", "x5", "0x5", "5x0", "5 x 5", "-5x5", "5x5x5", "10000x5", "5x5\n"):
        with pytest.raises(UsageError, match="30x16"):
            parse_size(text)


def test_strategies_listed_in_order(sapper: Sapper) -> None:
    listed = sapper("strategies", "--json").objects
    assert [each["strategy"] for each in listed][: len(BUILT_IN)] == list(BUILT_IN)
    assert all(each["does"] and each["about"] for each in listed)
    assert sapper("strategies").out.count("built-in") >= len(BUILT_IN)


ERRORS = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, SapperError)]
Failing = Callable[[BaseException], Said]


@pytest.fixture
def failing(sapper: Sapper, monkeypatch: pytest.MonkeyPatch) -> Failing:
    """Run a command that raises this error."""

    def run(error: BaseException) -> Said:
        def fail() -> None:
            raise error

        monkeypatch.setattr("bot.cli.skins.known_skins", fail)
        return sapper("skins")

    return run


@pytest.mark.parametrize("kind", ERRORS)
def test_errors_each_has_exit_code(kind: type[SapperError], failing: Failing) -> None:
    refused(failing(kind("problem\nand remedy")), kind.exit_code, "problem and remedy")


def test_cli_internal_error_one_line_keeps_details(failing: Failing) -> None:
    said = failing(ZeroDivisionError("a secret detail"))
    refused(said, 1, "internal error (ZeroDivisionError)")
    assert "a secret detail" in Path(said.err.rsplit(" ", 1)[1].strip()).read_text(encoding="utf-8")


@pytest.mark.parametrize("signal", [KeyboardInterrupt, click.Abort])
def test_cli_control_c_exits_as_stopped(signal: type[BaseException], failing: Failing) -> None:
    refused(failing(signal()), 5, "stopped by the keyboard")


def process(*words: str, folder: Path, **options: Any) -> Said:
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    return run_sapper(*words, cwd=HOUSE, env=environment | {"XDG_DATA_HOME": str(folder)}, **options)


@pytest.mark.parametrize(
    ("words", "code"), [(["--version"], 0), (["nosuch"], 2), (["read", "nosuch.png"], 7)]
)
def test_cli_process_exit_code(words: list[str], code: int, tmp_path: Path) -> None:
    done = process(*words, folder=tmp_path)
    assert (done.code, done.err.count("\n")) == (code, 1 if code else 0)
    assert "Traceback" not in done.err


def test_read_damaged_image_one_line(pictures: Path) -> None:
    """OpenCV writes its own warnings, which tests in this process do not see."""
    refused(process("read", str(pictures / "stub.png"), folder=pictures), 7, "stub.png")


def test_cli_closed_pipe_no_error(tmp_path: Path) -> None:
    """As with `sapper strategies | head -1`."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb"):
        done = process("skins", folder=tmp_path, stdout=writing)
    assert (done.code, done.err) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of another kind")
def test_cli_closed_terminal_no_error(tmp_path: Path) -> None:
    person, program = os.openpty()
    os.close(person)
    with os.fdopen(program, "wb"):
        done = process("strategies", folder=tmp_path, stdout=program)
    assert (done.code, done.err) == (5, "sapper: the terminal was closed: start again in another\n")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_each_shell_has_script(
    shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_SAPPER_COMPLETE", f"{shell}_source")
    assert "_SAPPER_COMPLETE" in process(folder=tmp_path).out


def completed(*words: str) -> set[str]:
    completion = ShellComplete(sapper_group, {}, "sapper", "_SAPPER_COMPLETE")
    return {each.value for each in completion.get_completions(list(words[:-1]), words[-1])}


def test_completion_offers_commands_options_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "sapper" / "skins").mkdir(parents=True)
    (tmp_path / "sapper" / "skins" / "mygame.skin").touch()
    assert completed("re") == {"read", "replay", "report", "review"}
    assert "--first-click" in completed("play", "--f")
    assert completed("play", "--flags", "n") == {"none", "needed"}
    assert completed("play", "--program", "km") == {"kmines"}
    assert completed("bench", "--strategy", "bes") == {"best"}
    assert completed("read", "--skin", "my") == {"mygame"}
