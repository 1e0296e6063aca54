"""`sapper install` and `sapper uninstall`: packages of strategies."""

from __future__ import annotations

import click

from bot.cli.options import as_json, print_json


@click.command("install", epilog="Example: sapper install ./corner-rule")
@click.argument("what", metavar="PACKAGE_OR_DIR")
@click.argument("extra", nargs=-1, metavar="[-- WORDS...]")
@click.option("--editable", is_flag=True, help="Use the folder as it is: changes count at once.")
@as_json
def command(what: str, extra: tuple[str, ...], editable: bool, as_json: bool) -> int:
    """Install a package of strategies where Sapper can use it, into its own environment.

    PACKAGE_OR_DIR is a name on the package index, a wheel, or the folder of a project. Words behind -- go to
    pip, or uv, as they are.
    """
    from bot.installing import install

    package, names = install(what, editable, extra)
    _say("installed", package, names, as_json)
    return 0


@click.command("uninstall", epilog="Example: sapper uninstall corner-rule")
@click.argument("what", metavar="NAME")
@as_json
def remove(what: str, as_json: bool) -> int:
    """Take out a package of strategies: by its name, or that of one of its strategies."""
    from bot.installing import uninstall

    package, names = uninstall(what)
    _say("removed", package, names, as_json)
    return 0


def _say(done: str, package: str, names: tuple[str, ...], as_json: bool) -> None:
    if as_json:
        print_json({"package": package, "done": done, "strategies": list(names)})
    else:
        click.echo(f"{done} {package}: {', '.join(names)}")
