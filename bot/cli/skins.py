"""`sapper skins`: the looks that are known."""

from __future__ import annotations

import click

from bot.cli.options import as_json, print_json


@click.command("skins", epilog="Example: sapper skins")
@as_json
def command(as_json: bool) -> int:
    """List the looks that are known: the states that each can tell, its cell sizes, where it is kept."""
    from vision.skin import known_skins, load_skin

    for name, file in known_skins().items():
        skin = load_skin(name)
        sizes = sorted({max(size) for size in skin.sizes})
        if as_json:
            print_json({"skin": name, "states": skin.states, "cells": sizes, "file": str(file)})
        else:
            click.echo(f"{name}: {skin.states}  cells of {', '.join(map(str, sizes))} px  ({file})")
    return 0
