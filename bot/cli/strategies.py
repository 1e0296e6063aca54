"""`sapper strategies`: what reasons, and where it is from."""

from __future__ import annotations

import inspect

import click

from bot.cli.options import as_json, print_json
from games.errors import SapperError


@click.command("strategies", epilog="Example: sapper strategies")
@as_json
def command(as_json: bool) -> int:
    """List the strategies that are installed, in the order in which they are tried by default."""
    from strategies import DEFAULT_ORDER, available, load_strategies

    for name, origin in available():
        try:
            strategy = next(each for each in load_strategies([name]) if each.origin == origin)
            does = " and ".join(
                word
                for word, has in (("deduces", strategy.has_deduce), ("guesses", strategy.has_guess))
                if has
            )
            about = (inspect.getdoc(strategy.plugin) or "").split("\n", 1)[0]
        except (SapperError, StopIteration) as error:
            does, about = "", f"cannot be loaded: {error}"
        if as_json:
            is_default = name in DEFAULT_ORDER
            print_json(
                {"strategy": name, "origin": origin, "does": does, "about": about, "default": is_default}
            )
        else:
            asked = "" if name in DEFAULT_ORDER else ", only with --strategy"
            click.echo(f"{name:14} {does:8} {origin}{asked}\n{'':14} {about}")
    return 0
