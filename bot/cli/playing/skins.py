"""`sapper skins`: the skins that are known; showing, exporting, importing and removing them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.options import as_json, print_json
from games.errors import InvalidFile, Usage

if TYPE_CHECKING:
    from vision.skins import Skin

ACTIONS = ("list", "show", "export", "import", "remove")
USAGE = "use 'sapper skins', or 'sapper skins show NAME', 'export NAME FILE', 'import FILE', 'remove NAME'"


@click.command("skins", epilog="Example: sapper skins export sgt-mines-learned mine.skin")
@click.argument("action", required=False, default="list", type=click.Choice(ACTIONS))
@click.argument("words", nargs=-1, metavar="[NAME] [FILE]")
@as_json
def command(action: str, words: tuple[str, ...], as_json: bool) -> int:
    """List the skins that are known: the states that each can read, its cell sizes, where it is kept.

    ACTION may be `show NAME` (what each state was learned from), `export NAME FILE`, `import FILE` or
    `remove NAME`.
    """
    match action, words:
        case "list", ():
            _list(as_json)
        case "show", (name,):
            _show(name, as_json)
        case "export", (name, file):
            _export(name, Path(file))
        case "import", (file,):
            _import(Path(file))
        case "remove", (name,):
            _remove(name)
        case _:
            raise Usage(f"'{' '.join((action, *words))}' is no way to use it: {USAGE}")
    return 0


def _list(as_json: bool) -> None:
    from vision.skins import known_skins, load_skin

    for name, file in known_skins().items():
        skin = load_skin(name)
        sizes = sorted({max(size) for size in skin.sizes})
        if as_json:
            print_json(_about(skin) | {"file": str(file)})
        else:
            learned = ", learned by playing" if skin.is_learned else ""
            click.echo(f"{name}: {skin.states}  cells of {', '.join(map(str, sizes))} px{learned}  ({file})")


def _about(skin: Skin) -> dict[str, object]:
    sizes = sorted({max(size) for size in skin.sizes})
    return {"skin": skin.name, "states": skin.states, "cells": sizes, "learned": skin.is_learned}


def _show(name: str, as_json: bool) -> None:
    from vision.skins import load_skin

    skin = load_skin(name)
    evidence = dict(skin.evidence)
    if as_json:
        print_json(_about(skin) | {"program": skin.program, "evidence": evidence})
        return
    for state in skin.states:
        count = sum(tile.state == state for tile in skin.tiles)
        click.echo(f"{state}  {count} tiles  {evidence.get(state, 'labelled pictures')}")


def _export(name: str, file: Path) -> None:
    from vision.skins import load_skin

    load_skin(name).keep(file, "name a file that can be written to")


def _import(file: Path) -> None:
    from vision.skins import SUFFIX, Skin, known_skins, user_skins_folder

    skin = Skin.load(file)
    if not skin.name.replace("-", "").replace("_", "").isalnum():
        raise InvalidFile(
            f"{file}: its name is '{skin.name}': learn it again under a name of letters and digits"
        )
    if skin.name in known_skins():
        raise Usage(f"a skin called '{skin.name}' is known already: remove it first, or keep it")
    skin.keep(user_skins_folder() / f"{skin.name}{SUFFIX}")
    click.echo(f"imported {skin.name}: {len(skin.tiles)} tiles of {skin.states}", err=True)


def _remove(name: str) -> None:
    from vision.skins import SUFFIX, known_skins, user_skins_folder

    if name not in known_skins():
        raise Usage(f"no skin is called '{name}': 'sapper skins' lists those that are known")
    file = user_skins_folder() / f"{name}{SUFFIX}"
    try:
        file.unlink()
    except OSError as error:
        raise InvalidFile(f"{file}: {error.strerror}: make it removable") from error
    click.echo(f"removed {name}", err=True)
