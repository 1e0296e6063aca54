"""Entry point `sapper`. Command modules are imported on use, so that --help starts quickly."""

from __future__ import annotations

import importlib
import io
import os
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from importlib import metadata
from typing import Any

import click

from bot.cli.common_options import print_status
from bot.show.coordinates import STYLES, Coordinates, rename_cells
from bot.shutdown import BY_KEYBOARD, classify_error, raise_on_stop_signals, require_memory
from games.errors import SapperError
from games.names import did_you_mean

# name -> (module of bot.cli and its function, one line for the overview)
COMMANDS: Mapping[str, tuple[str, str]] = {
    "play": ("play:command", "Find a board on the screen and play it."),
    "read": ("read:command", "Read boards from screenshots and print them as text."),
    "learn": ("skins:learn", "Learn how a program draws its cells, from labelled screenshots."),
    "skins": ("skins:skins", "List known skins; show, export, import or remove one."),
    "replay": ("recordings:replay", "Replay a recording offline and print every difference."),
    "strategies": ("strategies:strategies_command", "List the strategies and where they come from."),
    "bench": ("bench:command", "Play simulated boards and count wins."),
    "generate": ("generate:command", "Generate boards, such as boards solvable without guessing."),
    "doctor": ("doctor:command", "Check the requirements for live play and name the remedies."),
    "explain": ("explain:command", "Explain what is certain on a board."),
    "analyse": ("analyse:command", "Analyse boards and screenshots on a page in the browser."),
    "advise": ("advise:command", "Watch you play and show hints."),
    "new-strategy": ("strategies:new_strategy", "Create a project for a new strategy."),
    "validate": ("strategies:validate", "Check a strategy for errors."),
    "install": ("strategies:install", "Install a strategy package."),
    "uninstall": ("strategies:uninstall", "Uninstall a strategy package."),
    "report": ("recordings:report", "Create an HTML page, image or video of a recording."),
    "review": ("review:command", "Judge every move of a recording, video or replay file."),
    "clue": ("clue:command", "Fill in the deduction sheet of a game of Clue and explain it."),
}
READS_IMAGES = frozenset({"play", "read", "learn", "replay", "advise", "report", "review"})


class CommandGroup(click.Group):
    """Loads a command's module when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order of the overview."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with this name, or None. Raises MissingRequirement."""
        if cmd_name not in COMMANDS:
            return None
        if cmd_name in READS_IMAGES:
            require_memory()
        module, _, function = COMMANDS[cmd_name][0].partition(":")
        found = getattr(importlib.import_module(f"bot.cli.{module}"), function)
        assert isinstance(found, click.Command)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve the command name. Raises UsageError with the closest known name."""
        if args and args[0] not in COMMANDS:
            ctx.fail(f"no command is called '{args[0]}'{did_you_mean(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Convert signals and system errors to SapperError."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, Exception) as error:
            named = error if isinstance(error, SapperError) else classify_error(error)
            if named is error:
                raise
            raise named from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the overview without importing any command module."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=CommandGroup, invoke_without_command=True, epilog="Example: sapper play --program xdemineur")
@click.option("--version", is_flag=True, help="Print the version.")
@click.option(
    "--coordinates",
    type=click.Choice(STYLES),
    default="r0c0",
    envvar="SAPPER_COORDINATES",
    help="Print the first cell as r0c0, R1C1 or A1; JSON output keeps r0c0. Or set SAPPER_COORDINATES.",
)
@click.pass_context
def sapper(ctx: click.Context, version: bool, coordinates: Coordinates) -> None:
    """Play real Minesweeper programs: read the board from the screen, derive certain moves, and click.

    Exit codes: 0 success, 1 difference found or internal error, 2 usage error, 3 no board or several boards
    found, 4 board unplayable, 5 stopped by the user, 6 program or display gone, 7 invalid file,
    8 missing requirement.
    """
    ctx.ensure_object(dict)["coordinates"] = coordinates
    if version:
        click.echo(f"sapper {sapper_version()}")
    elif ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def sapper_version() -> str:
    """The installed version; "unknown" if Sapper is not installed."""
    try:
        return metadata.version("sapper")
    except metadata.PackageNotFoundError:
        return "unknown"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code. Errors are printed as one line on stderr."""
    os.environ.setdefault("OPENCV_LOG_LEVEL", "OFF")  # suppress its warnings about damaged images
    os.environ["OPENCV_IO_MAX_IMAGE_PIXELS"] = "34000000"  # its own limit, as in vision.frame
    # numpy's small products take a hundred times as long if its threads wait for a busy processor
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() != "utf-8":
            stream.reconfigure(errors="replace")  # a console or a pipe of Windows may lack a character
    settings: dict[str, Coordinates] = {}
    try:
        with raise_on_stop_signals():
            code = sapper.main(args=arguments, prog_name="sapper", standalone_mode=False, obj=settings)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "sapper"
        return _print_error(f"{error.format_message()} ('{command} --help' shows the usage)", 2)
    except click.ClickException as error:
        return _print_error(error.format_message(), 2)
    except SapperError as error:
        return _print_error(rename_cells(str(error), settings.get("coordinates", "r0c0")), error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        return _print_error(BY_KEYBOARD, 5)
    except SystemExit:  # raised by click if stdout is closed: `sapper skins | head -1`
        code = 0
    except Exception as error:  # noqa: BLE001 - any other exception is an internal error
        return _print_error(f"internal error ({type(error).__name__}): see {_write_details()}", 1)
    return code if isinstance(code, int) else 0


def _print_error(message: str, code: int) -> int:
    print_status(message)
    return code


def _write_details() -> str:
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", prefix="sapper-", suffix=".txt", delete=False
    ) as file:
        file.write(f"sapper {sapper_version()}: {' '.join(sys.argv)}\n{traceback.format_exc()}")
    return file.name
