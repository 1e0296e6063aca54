"""Options shared by several commands, and `StrategyCommand`, whose --help also lists plugin options."""

from __future__ import annotations

import contextlib
import functools
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from bot.show.coordinates import Coordinates, rename_cells, standard_name
from games.errors import UsageError
from games.external import printable

Command = TypeVar("Command", bound=Callable[..., Any])
PATH = click.Path(path_type=Path)
CELL = standard_name  # the type of an option that names a cell, in any coordinates
FOLDER = click.Path(path_type=Path, file_okay=False)
POSITIVE = click.IntRange(min=1)

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line on stdout.")
backend = click.option(
    "--backend",
    type=click.Choice(["x11", "wayland"]),
    help="Desktop backend; detected automatically if only one is available.",
)
window = click.option("--window", metavar="TITLE", help="Search only windows whose title contains this text.")
size = click.option("--size", metavar="WxH", help="Columns x rows of the board.")
variant = click.option("--variant", default="plain", metavar="NAME", help="The rules of the game.")


def complete_skin(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """The names of known skins that begin like this, for shell completion."""
    from vision.skins import known_skins

    return [name for name in known_skins() if name.startswith(begun)]


def complete_program(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """The names of program files that begin like this, for shell completion."""
    from bot.programs.program import Program

    return [name for name in (*Program.names(), *Program.own_names()) if name.startswith(begun)]


def complete_strategy(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """The names of strategies that begin like this, for shell completion."""
    from strategies import available_strategies

    return [name for name, _ in available_strategies() if name.startswith(begun)]


skin = click.option(
    "--skin", metavar="NAME_OR_FILE", help="Read boards with this skin.", shell_complete=complete_skin
)
first_click = click.option(
    "--first-click",
    type=click.Choice(["safe", "zero", "none", "opened", "unknown"]),
    help="First-click guarantee; known programs set it themselves.",
)
observer = click.option(
    "--observer",
    "observers",
    multiple=True,
    metavar="NAME_OR_FILE",
    help="Game observer, such as tally; options as with --strategy.",
)
reload = click.option(
    "--reload",
    "reloads",
    is_flag=True,
    help="Run again whenever a strategy file is saved, and print the changes.",
)


def _add_options(command: Command, *options: Callable[[Command], Command]) -> Command:
    return functools.reduce(lambda each, option: option(each), reversed(options), command)


def strategy(command: Command) -> Command:
    """Add the strategy options, passed to the command as `strategies` and `trust`.

    Names of files in a --strategy-dir are replaced by paths, also in `observers` and `against`.
    """

    @functools.wraps(command)
    def with_paths(*args: Any, folders: Sequence[Path], **kwargs: Any) -> Any:
        for which in {"strategies", "observers", "against"} & kwargs.keys():
            kwargs[which] = tuple(resolve_strategy(name, folders) for name in kwargs[which])
        return command(*args, **kwargs)

    return _add_options(
        cast("Command", with_paths),
        click.option(
            "--strategy",
            "strategies",
            multiple=True,
            metavar="NAME_OR_FILE",
            shell_complete=complete_strategy,
            help="Strategy to use; repeat for more, in the order of trial. Append options after a colon, "
            "such as mine.py:depth=3; add --help to list them.",
        ),
        click.option(
            "--trust",
            is_flag=True,
            help="Run strategies inside the Sapper process: faster, but not isolated.",
        ),
        click.option(
            "--strategy-dir",
            "folders",
            multiple=True,
            envvar="SAPPER_STRATEGY_DIR",
            type=click.Path(path_type=Path, exists=True, file_okay=False),
            metavar="DIR",
            help="Folder of strategy files that can be used by name.",
        ),
    )


def resolve_strategy(text: str, folders: Sequence[Path]) -> str:
    """Replace a name by the path of its file in `folders`, keeping its options; else return it unchanged."""
    from strategies import BUILT_IN, OBSERVERS
    from strategies.options import parse_spec

    name, _ = parse_spec(text)
    if name in BUILT_IN or name in OBSERVERS or not re.fullmatch(r"[\w-]+", name):
        return text
    files = (folder / f"{stem}.py" for folder in folders for stem in (name, name.replace("-", "_")))
    file = next((file for file in files if file.is_file()), None)
    return f"{file}{text.removeprefix(name)}" if file else text


def board_options(first_click: str) -> Callable[[Command], Command]:
    """Options for simulated boards: `level`, `size`, `mines`, `seed`, `first_click`."""
    return lambda command: _add_options(
        command,
        click.option(
            "--level", type=click.Choice(["beginner", "intermediate", "expert"]), help="Standard board."
        ),
        click.option("--size", metavar="WxH", help="Columns x rows of the boards; requires --mines."),
        click.option("--mines", type=click.IntRange(min=0), help="The mine total."),
        click.option("--seed", default="1", metavar="TEXT", help="Random seed."),
        click.option(
            "--first-click",
            type=click.Choice(["safe", "zero"]),
            default=first_click,
            help="First-click guarantee: safe means no mine, zero also no mine around it.",
        ),
    )


def parse_size(text: str | None) -> tuple[int, int] | None:
    """Parse `30x16` as (columns, rows). Raises UsageError."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,4})x(\d{1,4})", text)
    if not match or not int(match[1]) or not int(match[2]):
        raise UsageError(f"invalid board size '{text}': expected COLUMNSxROWS, such as 30x16")
    return int(match[1]), int(match[2])


def chosen_coordinates() -> Coordinates:
    """The value of --coordinates of the running command."""
    context = click.get_current_context(silent=True)
    return context.find_root().ensure_object(dict).get("coordinates", "r0c0") if context else "r0c0"


def echo(text: str, err: bool = False, nl: bool = True) -> None:
    """Print text for people in their coordinates, control characters made visible: it may be a stranger's."""
    click.echo(printable(rename_cells(text, chosen_coordinates())), err=err, nl=nl)


def print_json(data: dict[str, Any]) -> None:
    """Print an object as one line on stdout."""
    click.echo(json.dumps(data))


LONGEST_STATUS = 4000  # characters of a status line


def print_status(message: str) -> None:
    """Print one line on stderr; ignore a closed stderr."""
    with contextlib.suppress(OSError, ValueError):
        text = rename_cells(" ".join(message.split()), chosen_coordinates())
        click.echo(f"sapper: {printable(text, LONGEST_STATUS)}", err=True)


NAMED = "plugins named together with --help"


class StrategyCommand(click.Command):
    """Command whose help lists plugin options: `sapper play --strategy mine.py --help`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Store the named plugins for --help, which click handles before other options."""
        if set(args) & set(self.get_help_option_names(ctx)):
            given, _, _ = self.make_parser(ctx).parse_args(list(args))
            named = (*given.get("strategies", ()), *given.get("observers", ()))
            ctx.meta[NAMED] = [
                resolve_strategy(name, [Path(f) for f in given.get("folders", ())]) for name in named
            ]
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the command's options, then those of each plugin. Raises UsageError, InvalidFile."""
        super().format_options(ctx, formatter)
        for name in ctx.meta.get(NAMED, ()):
            from strategies.registry import load_plugin

            plugin = load_plugin(name, trust=False)
            settings = [
                f":{option.name}={option.written(plugin.chosen[option.name])}" for option in plugin.options
            ]
            about = [f"{option.about} ({option.kind})" for option in plugin.options]
            with formatter.section(f"Options of {name}"):
                formatter.write_dl(list(zip(settings, about, strict=True)) or [("none", "")])
