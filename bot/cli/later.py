"""Commands that have their name but are not built yet: they say so."""

from __future__ import annotations

import click

from games.errors import Usage


def command(name: str) -> click.Command:
    """A command that says that it is not built yet (exit 2)."""

    @click.command(name, context_settings={"ignore_unknown_options": True})
    @click.argument("words", nargs=-1, type=click.UNPROCESSED)
    def not_built(words: tuple[str, ...]) -> None:
        """Not built yet."""
        raise Usage(f"'sapper {name}' is not built yet: 'sapper --help' lists what is")

    return not_built
