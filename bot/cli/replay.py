"""`sapper replay`: recordings read and reasoned on again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.options import as_json, print_json, strategy
from games.errors import InvalidFile, Usage

if TYPE_CHECKING:
    from bot.recording import Recording
    from strategies import Strategy


@click.command("replay", epilog="Example: sapper replay recordings/xdemineur-001")
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path))
@strategy
@click.option("--skin", metavar="NAME_OR_FILE", help="Read with this look instead of the recorded one.")
@as_json
def command(folders: tuple[Path, ...], strategies: tuple[str, ...], skin: str | None, as_json: bool) -> int:
    """Read and reason on recordings again, and tell every difference from what was recorded.

    The recorded strategies are used unless others are named. Exit code 1 when anything differs.
    """
    from bot.recording import Recording
    from bot.replay import replay
    from strategies import Reasoner, load_strategies
    from vision.skin import load_skin

    differs = False
    for folder in folders:
        recording = Recording(folder)
        chosen = load_strategies(strategies) if strategies else _recorded(recording)
        replayed = replay(recording, Reasoner(chosen), load_skin(skin) if skin else None)
        differs = differs or bool(replayed.differences)
        if as_json:
            print_json(
                {
                    "recording": str(folder),
                    "looks": replayed.looks,
                    "acts": replayed.acts,
                    "differences": list(replayed.differences),
                    "proved_otherwise": replayed.proved_otherwise,
                }
            )
        else:
            verdict = f"differences: {len(replayed.differences)}" if replayed.differences else "the same"
            if replayed.proved_otherwise:
                verdict += f" ({replayed.proved_otherwise} certain cells are proved otherwise now)"
            click.echo(f"{folder}: {replayed.looks} looks, {replayed.acts} acts: {verdict}")
            for difference in replayed.differences:
                click.echo(f"  {difference}")
    return 1 if differs else 0


def _recorded(recording: Recording) -> tuple[Strategy, ...]:
    """The strategies that played the game. Raises InvalidFile when one is not to be had by its name."""
    from strategies import load_strategies

    try:
        return load_strategies([name for name, _ in recording.meta.strategies])
    except (InvalidFile, Usage) as error:
        raise InvalidFile(
            f"{recording.folder}: its strategies cannot be had ({error}): "
            "name them, or their files, with --strategy"
        ) from error
