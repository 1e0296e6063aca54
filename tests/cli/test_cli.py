"""The command line: words, exit codes, one-line errors, completion."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from drawing import SKIN, draw, save, skin_of
from said import Said, Sapper, refused

import games.errors
from bot.cli.common_options import parse_size
from bot.cli.main import COMMANDS
from bot.cli.main import sapper as sapper_group
from games.errors import UsageError
from games.minesweeper import Board

HOUSE = Path(__file__).resolve().parents[2]


def test_cli_no_command_shows_overview(sapper: Sapper) -> None:
    for name in COMMANDS:
        assert f"\n  {name}" in sapper().printed


@pytest.mark.parametrize("name", COMMANDS)
def test_cli_every_command_has_help(name: str, sapper: Sapper) -> None:
    said = sapper(name, "--help")
    assert said.code == 0
    assert said.out.startswith(f"Usage: sapper {name}")
    assert f"Example: sapper {name}" in said.out


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
        said = sapper(command, *named, "--help")
        assert said.code == 0
        assert ":depth=3  how far it looks (a whole number from 1 to 5)" in said.out
        assert ":every=1" in said.out
        assert ":every" not in sapper(command, "--help").out
    refused(sapper("play", "--strategy", str(tmp_path / "nosuch.py"), "--help"), 7, "nosuch.py")


def test_cli_version(sapper: Sapper) -> None:
    assert sapper("--version").out.startswith("sapper ")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nosuch"], "'nosuch'"),
        (["--nosuch"], "--nosuch"),
        (["read", "--nosuch"], "'sapper read --help'"),
        (["read"], "name images"),
        (["replay"], "DIR_OR_IMAGE"),
        (["learn"], "NAME"),
        (["learn", "mine"], "FILES"),
        (["skins", "too", "much"], "'sapper skins --help'"),
        (["strategies", "--json=3"], "--json"),
        (["play", "--mines"], "--mines"),
        (["play", "--mines", "many"], "'many'"),
        (["play", "--mines", "0"], "--mines"),
        (["play", "--games", "0"], "--games"),
        (["play", "--first-click", "lucky"], "'lucky'"),
        (["play", "--flags", "some"], "'some'"),
        (["play", "--delay", "-1"], "--delay"),
        (["play", "--variant", "nosuch"], "'nosuch'"),
        (["play", "extra"], "extra"),
    ],
)
def test_cli_wrong_words_usage_error(words: list[str], told: str, sapper: Sapper) -> None:
    refused(sapper(*words), 2, told)


@pytest.mark.parametrize(
    "text", ["", "5", "5x", "x5", "0x5", "5x0", "5 x 5", "-5x5", "5x5x5", "10000x5", "axb", "5x5\n"]
)
def test_size_invalid_refused(text: str) -> None:
    with pytest.raises(UsageError, match="30x16"):
        parse_size(text)


def test_size_valid_parsed() -> None:
    assert parse_size("30x16") == (30, 16)
    assert parse_size(None) is None


def test_strategies_listed_in_order(sapper: Sapper) -> None:
    from strategies import BUILT_IN

    listed = [json.loads(line) for line in sapper("strategies", "--json").out.splitlines()]
    names = [each["strategy"] for each in listed]
    assert names[: len(BUILT_IN)] == list(BUILT_IN)
    assert all(each["does"] and each["about"] for each in listed)
    assert sapper("strategies").out.count("built-in") >= len(BUILT_IN)


# --- errors of every kind ----------------------------------------------------------------------------


def leaves(kind: type[games.errors.SapperError]) -> list[type[games.errors.SapperError]]:
    return [kind, *(leaf for child in kind.__subclasses__() for leaf in leaves(child))]


ERRORS = [each for each in leaves(games.errors.SapperError) if each.__module__ == games.errors.__name__]


@pytest.mark.parametrize("kind", ERRORS)
def test_errors_each_has_exit_code(
    kind: type[games.errors.SapperError], sapper: Sapper, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise kind("what happened\nand what to do")

    monkeypatch.setattr("vision.skins.known_skins", fail)
    refused(sapper("skins"), kind.exit_code, "what happened and what to do")


def test_cli_internal_error_one_line_keeps_details(sapper: Sapper, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise ZeroDivisionError("a secret detail")

    monkeypatch.setattr("vision.skins.known_skins", fail)
    said = sapper("skins")
    refused(said, 1, "internal error (ZeroDivisionError)")
    assert "a secret detail" in Path(said.err.rsplit(" ", 1)[1].strip()).read_text()


@pytest.mark.parametrize("signal", [KeyboardInterrupt, click.Abort])
def test_cli_control_c_exits_as_stopped(
    signal: type[BaseException], sapper: Sapper, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt() -> None:
        raise signal

    monkeypatch.setattr("vision.skins.known_skins", interrupt)
    said = sapper("skins")
    assert said.code == 5
    assert said.err.strip().endswith("stopped by the keyboard")


# --- as a process ------------------------------------------------------------------------------------


def process(*words: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    return subprocess.run(
        [sys.executable, "-m", "bot", *words],
        cwd=HOUSE,
        env=environment | {"XDG_DATA_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("words", "code"),
    [(["--version"], 0), (["nosuch"], 2), (["read", "nosuch.png"], 7), (["play"], 2)],
)
def test_cli_process_exit_code(words: list[str], code: int, tmp_path: Path) -> None:
    done = process(*words, tmp_path=tmp_path)
    assert done.returncode == code
    assert done.stderr.count("\n") == (1 if code else 0)
    assert "Traceback" not in done.stderr


def test_read_damaged_picture_one_line(tmp_path: Path) -> None:
    """OpenCV has warnings of its own, which no test in this process can see."""
    save(draw(Board.fresh(8, 8), skin_of(SKIN)), tmp_path / "board.png")
    (tmp_path / "stub.png").write_bytes((tmp_path / "board.png").read_bytes()[:60])
    done = process("read", str(tmp_path / "stub.png"), tmp_path=tmp_path)
    refused(Said(done.returncode, done.stdout, done.stderr), 7, "stub.png")


def test_cli_closed_pipe_no_error(tmp_path: Path) -> None:
    """`sapper strategies | head -1`."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "bot", "skins"],
            cwd=HOUSE,
            env={**os.environ, "XDG_DATA_HOME": str(tmp_path)},
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    finally:
        os.close(writing)
    assert done.stderr == ""
    assert done.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of another kind")
def test_cli_closed_terminal_no_error(tmp_path: Path) -> None:
    person, program = os.openpty()
    os.close(person)
    command = [sys.executable, "-m", "bot", "strategies"]
    with os.fdopen(program, "wb") as terminal:
        done = subprocess.run(
            command, stdout=terminal, stderr=subprocess.PIPE, text=True, cwd=tmp_path, check=False
        )
    assert (done.returncode, done.stderr) == (5, "sapper: the terminal was closed: start again in another\n")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_each_shell_has_script(shell: str) -> None:
    asked = os.environ | {"_SAPPER_COMPLETE": f"{shell}_source"}
    script = subprocess.run(
        [sys.executable, "-m", "bot"], env=asked, capture_output=True, text=True, check=False
    )
    assert "_SAPPER_COMPLETE" in script.stdout, script.stderr


def test_completion_commands_and_options() -> None:
    def completed(*words: str) -> set[str]:
        found = ShellComplete(sapper_group, {}, "sapper", "_SAPPER_COMPLETE")
        return {each.value for each in found.get_completions(list(words[:-1]), words[-1])}

    assert completed("re") == {"read", "replay", "report", "review"}
    assert "--first-click" in completed("play", "--f")
    assert completed("play", "--flags", "n") == {"none", "needed"}
