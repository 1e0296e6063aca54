"""`sapper`: the program itself. Commands are imported when they are asked for, so that --help is quick."""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from importlib import metadata
from types import MappingProxyType
from typing import Any

import click

from bot.cli.common_options import print_status
from bot.shutdown import BY_KEYBOARD, classify_error, raise_on_stop_signals
from games.errors import SapperError
from games.names import did_you_mean

# name -> (module of bot.cli and its function, one line for the overview)
COMMANDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "play": ("play:command", "Find a board on the screen and play it."),
        "read": ("read:command", "Print the boards that screenshots show, as text."),
        "learn": ("skins:learn", "Learn how a program draws its cells, from labelled screenshots."),
        "skins": ("skins:skins", "List the skins that are known; show, export, import or remove one."),
        "replay": ("recordings:replay", "Play a recording again offline and print every difference."),
        "strategies": ("strategies:strategies_command", "List the strategies and where they come from."),
        "bench": ("bench:command", "Play simulated boards and count wins."),
        "generate": (
            "generate:command",
            "Make boards: without guesses, with so many openings, or alike.",
        ),
        "doctor": ("doctor:command", "Say what this machine lacks for live play, and how to get it."),
        "explain": ("explain:command", "Say what is certain on a board, and why."),
        "advise": ("advise:command", "Watch a person play and give hints."),
        "new-strategy": ("strategies:new_strategy", "Start a strategy of your own as a project."),
        "validate": ("strategies:validate", "Say whether a strategy can be relied on."),
        "install": ("strategies:install", "Install a package of strategies where Sapper can use it."),
        "uninstall": ("strategies:uninstall", "Take out a package of strategies."),
        "report": ("recordings:report", "Make a page, or a picture, of a recording."),
        "review": (
            "review:command",
            "Judge every move of a game: a recording, a video, a replay file.",
        ),
        "clue": ("clue:command", "Fill in the deduction sheet of a game of Clue, and say why."),
    }
)


class CommandGroup(click.Group):
    """Loads a command's module when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order of the overview."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, None when there is none."""
        if cmd_name not in COMMANDS:
            return None
        module, _, function = COMMANDS[cmd_name][0].partition(":")
        found = getattr(importlib.import_module(f"bot.cli.{module}"), function)
        assert isinstance(found, click.Command)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is named first. Raises UsageError, with the name that is nearest."""
        if args and args[0] not in COMMANDS:
            ctx.fail(f"no command is called '{args[0]}'{did_you_mean(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. What signals and the machine do is raised as an error of ours."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, Exception) as error:
            named = error if isinstance(error, SapperError) else classify_error(error)
            if named is error:
                raise
            raise named from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The overview, without loading a single command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=CommandGroup, invoke_without_command=True, epilog="Example: sapper play --program xdemineur")
@click.option("--version", is_flag=True, help="Print the version.")
@click.pass_context
def sapper(ctx: click.Context, version: bool) -> None:
    """Plays real Minesweeper programs: it looks at the screen, works out what is certain, and clicks.

    Exit codes: 0 done, 1 a difference or a fault of ours, 2 wrong usage, 3 no board or more than one,
    4 the board cannot be played, 5 stopped by a person, 6 the program went away, 7 a file is not valid,
    8 this machine lacks something.
    """
    if version:
        click.echo(f"sapper {sapper_version()}")
    elif ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def sapper_version() -> str:
    """The installed version, or "unknown" when Sapper runs without being installed."""
    try:
        return metadata.version("sapper")
    except metadata.PackageNotFoundError:
        return "unknown"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code. Whatever goes wrong is said in one line on stderr."""
    os.environ.setdefault("OPENCV_LOG_LEVEL", "OFF")  # its warnings of damaged pictures; we say it better
    try:
        with raise_on_stop_signals():
            words = list(arguments) if arguments is not None else None
            code = sapper.main(args=words, prog_name="sapper", standalone_mode=False)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "sapper"
        return _print_error(f"{error.format_message()} ('{command} --help' shows how it is used)", 2)
    except click.ClickException as error:
        return _print_error(error.format_message(), 2)
    except SapperError as error:
        return _print_error(str(error), error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        return _print_error(BY_KEYBOARD, 5)
    except SystemExit:  # how click ends when whoever reads our output has enough: `sapper skins | head -1`
        code = 0
    except Exception as error:  # noqa: BLE001 - whatever is left is a fault of ours, reported as one
        return _print_error(
            f"a fault in Sapper ({type(error).__name__}): the details are in {_write_details()}", 1
        )
    return code if isinstance(code, int) else 0


def _print_error(message: str, code: int) -> int:
    print_status(message)
    return code


def _write_details() -> str:
    with tempfile.NamedTemporaryFile("w", prefix="sapper-", suffix=".txt", delete=False) as file:
        file.write(f"sapper {sapper_version()}: {' '.join(sys.argv)}\n{traceback.format_exc()}")
    return file.name
