"""What `sapper strategies` prints: what there is, with versions and origins, or all about some."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from bot.cli.options import print_json
from games.errors import SapperError
from strategies import CONTRACT, DEFAULT_ORDER, Strategy, available
from strategies.registry import load_plugin


def list_all(folders: Sequence[Path], trust: bool, as_json: bool) -> None:
    """Everything that can be used by name: built in, installed, or in one of these folders."""
    in_folders = [
        (path.stem.replace("_", "-"), str(path))
        for folder in folders
        for path in sorted(folder.glob("*.py"))
        if not path.stem.startswith("_")
    ]
    for name, origin in (*available(), *in_folders):
        source = origin if (name, origin) in in_folders else name
        try:
            data: dict[str, Any] = about(load_plugin(source, trust))
        except SapperError as error:
            data = {
                "strategy": name,
                "origin": origin,
                "version": "",
                "does": "",
                "about": "",
                "error": str(error),
            }
        data["default"] = name in DEFAULT_ORDER
        if as_json:
            print_json(data)
            continue
        asked = (
            ""
            if data["default"]
            else ", only with --observer"
            if data["does"] == "observes"
            else ", only with --strategy"
        )
        wrong = f"cannot be loaded: {data['error']}" if data["error"] else data["about"]
        version = f" {data['version']}" if data["version"] and data["origin"] != "built-in" else ""
        click.echo(f"{name:20} {data['does']:8} {data['origin']}{version}{asked}\n{'':20} {wrong}")


def show(names: Sequence[str], trust: bool, as_json: bool) -> None:
    """All about these: where they are from, what they do, their options. Raises Usage, InvalidFile."""
    for name in names:
        strategy = load_plugin(name, trust)
        data = about(strategy)
        if as_json:
            print_json(data)
            continue
        click.echo(f"{data['strategy']}: {data['about'] or 'its file does not say what it does'}")
        if data["error"]:
            click.echo(f"  cannot be used: {data['error']}")
        click.echo(f"  {data['does']}; from {data['origin']}, version {data['version'] or 'unknown'}")
        click.echo(f"  contract {CONTRACT}" + "".join(f"; {note}" for note in strategy.notes))
        for option in strategy.options:
            value = option.written(strategy.chosen[option.name])
            click.echo(f"  :{option.name}={value:12} {option.about} ({option.kind})")


def about(strategy: Strategy) -> dict[str, Any]:
    """Its parts by name; `error` says why it cannot be used, empty where it can."""
    does = (
        ("deduces", strategy.has_deduce),
        ("guesses", strategy.has_guess),
        ("observes", strategy.has_observer),
    )
    return {
        "strategy": strategy.name,
        "origin": strategy.origin,
        "version": strategy.version,
        "does": " and ".join(word for word, has in does if has),
        "about": strategy.about,
        "contract": CONTRACT,
        "options": [o.as_json() | {"value": strategy.chosen[o.name]} for o in strategy.options],
        "notes": list(strategy.notes),
        "error": strategy.fault,
    }
