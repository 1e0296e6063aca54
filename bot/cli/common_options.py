"""What several commands read from their command line.

The --help of commands that take strategies: it also lists the options of those named beside it.
"""

from __future__ import annotations

import contextlib
import functools
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from games.errors import UsageError

Command = TypeVar("Command", bound=Callable[..., Any])

as_json = click.option("--json", "as_json", is_flag=True, help="One JSON object a line on stdout.")
backend = click.option(
    "--backend",
    type=click.Choice(["x11", "wayland"]),
    help="The kind of this desktop; found by itself where there is only one.",
)
window = click.option("--window", metavar="TITLE", help="Look only in the window with this in its title.")
skin = click.option("--skin", metavar="NAME_OR_FILE", help="Read boards with this skin.")
first_click = click.option(
    "--first-click",
    type=click.Choice(["safe", "zero", "none", "opened", "unknown"]),
    help="What the program promises for the first click; known of known programs.",
)
_named = click.option(
    "--strategy",
    "strategies",
    multiple=True,
    metavar="NAME_OR_FILE",
    help="A strategy to use; repeat for more. The order is the order of trial. Its options follow a colon, "
    "mine.py:depth=3; --help beside it lists them.",
)
observer = click.option(
    "--observer",
    "observers",
    multiple=True,
    metavar="NAME_OR_FILE",
    help="An observer of the games, such as tally; options as with --strategy.",
)
_trusted = click.option(
    "--trust", is_flag=True, help="Run strategies inside Sapper: quicker, and nothing holds them back."
)


_folder = click.option(
    "--strategy-dir",
    "folders",
    multiple=True,
    envvar="SAPPER_STRATEGY_DIR",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="A folder of strategy files: each can be used by its name.",
)


def strategy(command: Command) -> Command:
    """The options about strategies: `strategies`, and whether to `trust` those that are not built in.

    What is named and lies in a folder of strategies comes as its path, also in `observers` and `against`.
    """

    @functools.wraps(command)
    def found(*args: Any, folders: Sequence[Path], **kwargs: Any) -> Any:
        for which in {"strategies", "observers", "against"} & kwargs.keys():
            kwargs[which] = tuple(resolve_strategy(name, folders) for name in kwargs[which])
        return command(*args, **kwargs)

    return cast("Command", _named(_trusted(_folder(found))))


def resolve_strategy(text: str, folders: Sequence[Path]) -> str:
    """The file that a name means, with its options, if one of these folders has it; else the name itself."""
    from strategies import BUILT_IN, OBSERVERS
    from strategies.options import parse_spec

    name, _ = parse_spec(text)
    if name in BUILT_IN or name in OBSERVERS or not re.fullmatch(r"[\w-]+", name):
        return text
    files = (folder / f"{stem}.py" for folder in folders for stem in (name, name.replace("-", "_")))
    file = next((file for file in files if file.is_file()), None)
    return f"{file}{text.removeprefix(name)}" if file else text


def board_options(first_click: str) -> Callable[[Command], Command]:
    """The options about simulated boards: `level`, `size`, `mines`, `seed`, `first_click`."""
    options = (
        click.option(
            "--level", type=click.Choice(["beginner", "intermediate", "expert"]), help="Boards of a level."
        ),
        click.option("--size", metavar="WxH", help="Columns x rows of the boards; wants --mines."),
        click.option("--mines", type=click.IntRange(min=0), help="The mine total."),
        click.option("--seed", default="1", metavar="TEXT", help="Other boards of the same kind."),
        click.option(
            "--first-click",
            type=click.Choice(["safe", "zero"]),
            default=first_click,
            help="What the first click is promised: no mine, or none around it either.",
        ),
    )
    return lambda command: functools.reduce(lambda each, option: option(each), reversed(options), command)


reload = click.option(
    "--reload", "reloads", is_flag=True, help="Again whenever a strategy's file is saved; says what changed."
)


def parse_size(text: str | None) -> tuple[int, int] | None:
    """`30x16` as (columns, rows). Raises Usage."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,4})x(\d{1,4})", text)
    if not match or not int(match[1]) or not int(match[2]):
        raise UsageError(f"'{text}' is no board size: write columns x rows, such as 30x16")
    return int(match[1]), int(match[2])


def print_json(data: dict[str, Any]) -> None:
    """One object as one line on stdout."""
    click.echo(json.dumps(data))


def print_status(message: str) -> None:
    """One line for a person, on stderr; nobody's where that is closed."""
    with contextlib.suppress(OSError, ValueError):
        click.echo(f"sapper: {' '.join(message.split())}", err=True)


NAMED = "plugins named beside --help"


class StrategyCommand(click.Command):
    """`sapper play --strategy mine.py --help` ends with what may be set, as in `mine.py:option=value`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep what is named for the help, which is printed before anything else is looked at."""
        if set(args) & set(self.get_help_option_names(ctx)):
            given, _, _ = self.make_parser(ctx).parse_args(list(args))
            named = (*given.get("strategies", ()), *given.get("observers", ()))
            ctx.meta[NAMED] = [
                resolve_strategy(name, [Path(f) for f in given.get("folders", ())]) for name in named
            ]
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The command's own, then each plugin's. Raises Usage, InvalidFile where one cannot be loaded."""
        super().format_options(ctx, formatter)
        for name in ctx.meta.get(NAMED, ()):
            from strategies.registry import load_plugin

            plugin = load_plugin(name, trust=False)
            set_so = [
                f":{option.name}={option.written(plugin.chosen[option.name])}" for option in plugin.options
            ]
            about = [f"{option.about} ({option.kind})" for option in plugin.options]
            with formatter.section(f"Options of {name}"):
                formatter.write_dl(list(zip(set_so, about, strict=True)) or [("none", "")])
