"""Commands for strategy authors: list, install, uninstall, create and validate strategies."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from bot.cli.common_options import (
    StrategyCommand,
    as_json,
    print_json,
    print_status,
    reload,
    resolve_strategy,
    strategy,
)
from games.errors import SapperError, UsageError
from strategies import CONTRACT, DEFAULT_ORDER, Strategy, available_strategies
from strategies.registry import load_plugin


@click.command("strategies", cls=StrategyCommand, epilog="Example: sapper strategies --trace board.txt")
@click.argument("names", nargs=-1, metavar="[NAME_OR_FILE...]")
@click.option(
    "--trace",
    "board",
    metavar="BOARD_OR_RECORDING",
    help="Say who is asked on this board, what they answer, how long it takes.",
)
@click.option(
    "--look",
    type=click.IntRange(min=1),
    metavar="N",
    help="Which observation of a recording; its last decision.",
)
@click.option(
    "--pdb", "stops", is_flag=True, help="Stop in your own strategies with Python's debugger (with --trust)."
)
@reload
@strategy
@as_json
def strategies_command(
    names: tuple[str, ...],
    board: str | None,
    look: int | None,
    stops: bool,
    reloads: bool,
    strategies: tuple[str, ...],
    trust: bool,
    as_json: bool,
) -> int:
    """List the strategies that can be used by name, in the order in which they are tried by default.

    Those that are named are described with their options. With --trace they decide on a board (a text file, a
    screenshot, - for standard input, or an observation of a recording) instead.
    """
    if names and (board is not None or strategies):
        raise UsageError("name those to describe, or those to --trace with --strategy")
    if board is not None:
        from bot.cli.status import rerun_on_change
        from bot.cli.trace import load_decision, trace
        from strategies import load_strategies

        if stops and as_json:
            raise UsageError("--pdb talks with a person and --json does not: leave one of them out")
        if stops and reloads:
            raise UsageError("--pdb and --reload wait for different things: leave one of them out")
        decision = load_decision(board, look)

        def run() -> dict[str, str]:
            return trace(decision, load_strategies(strategies or None, trust), as_json)

        if stops:
            from bot.cli.trace import debug

            chosen = load_strategies(strategies or None, trust=True)
            debug(chosen, lambda: trace(decision, chosen, as_json, shrinks=False))
        elif reloads:
            rerun_on_change(strategies, run, as_json)
        else:
            run()
    elif strategies or look or stops or reloads:
        raise UsageError("--strategy, --look, --pdb and --reload say how to --trace: name a board with it")
    else:
        folders = click.get_current_context().params["folders"]
        if names:
            print_details([resolve_strategy(name, folders) for name in names], trust, as_json)
        else:
            list_all(folders, trust, as_json)
    return 0


def list_all(folders: Sequence[Path], trust: bool, as_json: bool) -> None:
    """Everything that can be used by name: built in, installed, or in one of these folders."""
    in_folders = [
        (path.stem.replace("_", "-"), str(path))
        for folder in folders
        for path in sorted(folder.glob("*.py"))
        if not path.stem.startswith("_")
    ]
    for name, origin in (*available_strategies(), *in_folders):
        source = origin if (name, origin) in in_folders else name
        try:
            data: dict[str, Any] = strategy_details(load_plugin(source, trust))
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


def print_details(names: Sequence[str], trust: bool, as_json: bool) -> None:
    """All about these: where they are from, what they do, their options. Raises Usage, InvalidFile."""
    for name in names:
        strategy = load_plugin(name, trust)
        data = strategy_details(strategy)
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


def strategy_details(strategy: Strategy) -> dict[str, Any]:
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


@click.command("install", epilog="Example: sapper install ./corner-rule")
@click.argument("what", metavar="PACKAGE_OR_DIR")
@click.argument("extra", nargs=-1, metavar="[-- WORDS...]")
@click.option("--editable", is_flag=True, help="Use the folder as it is: changes count at once.")
@as_json
def install(what: str, extra: tuple[str, ...], editable: bool, as_json: bool) -> int:
    """Install a package of strategies where Sapper can use it, into its own environment.

    PACKAGE_OR_DIR is a name on the package index, a wheel, or the folder of a project. Words behind -- go to
    pip, or uv, as they are.
    """
    from bot.plugins import install

    package, names = install(what, editable, extra)
    _say("installed", package, names, as_json)
    return 0


@click.command("uninstall", epilog="Example: sapper uninstall corner-rule")
@click.argument("what", metavar="NAME")
@as_json
def uninstall(what: str, as_json: bool) -> int:
    """Take out a package of strategies: by its name, or that of one of its strategies."""
    from bot.plugins import uninstall as uninstall_package

    package, names = uninstall_package(what)
    _say("removed", package, names, as_json)
    return 0


def _say(done: str, package: str, names: tuple[str, ...], as_json: bool) -> None:
    if as_json:
        print_json({"package": package, "done": done, "strategies": list(names)})
    else:
        click.echo(f"{done} {package}: {', '.join(names)}")


@click.command("new-strategy", epilog="Example: sapper new-strategy corner-rule")
@click.argument("name")
@click.option("--guess", "guesses", is_flag=True, help="One that guesses where nothing is certain.")
@click.option("--observer", "observes", is_flag=True, help="An observer of games instead.")
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path(), metavar="DIR", help="Make the folder in DIR."
)
def new_strategy(name: str, guesses: bool, observes: bool, out: Path) -> int:
    """Start a strategy of your own: a folder NAME with code, tests that pass, an entry point, a README."""
    from bot.plugin_template import create_project

    if guesses and observes:
        raise UsageError("--guess and --observer make two projects: take one of them at a time")
    for path in create_project(name, out, "guess" if guesses else "observer" if observes else "deduce"):
        click.echo(str(path))
    folder, module = out / name, name.replace("-", "_")
    use = "--observer" if observes else "--strategy"
    click.echo(f"now:  cd {folder} && pytest    and    sapper bench --games 20 {use} ./{module}.py", err=True)
    return 0


@click.command("validate", epilog="Example: sapper validate ./mine.py")
@click.argument("what", nargs=-1, required=True, metavar="FILE_OR_PACKAGE...")
@click.option(
    "--boards",
    type=click.IntRange(1, 100_000),
    default=500,
    show_default=True,
    metavar="N",
    help="Small boards on which every deduction is compared with all layouts.",
)
@as_json
def validate(what: tuple[str, ...], boards: int, as_json: bool) -> int:
    """Try a strategy, or an observer, on many boards, and say whether it can be relied on.

    Does it load and keep the contract, conclude nothing false, always answer alike, and how long does it
    take? What is named is a file, the name of one that is installed, a package, or the folder of a project.
    Exit code 1 when any check fails.
    """
    from bot.plugins import validate_all

    failed = False
    for verdict in validate_all(what, boards, print_status):
        failed = failed or not verdict.is_ok
        if as_json:
            print_json(verdict.as_json())
            continue
        named = verdict.strategy
        click.echo(f"{named.name if named else verdict.source}:")
        for check in verdict.checks:
            head, *board = check.detail.splitlines() or [""]
            click.echo(f"  {'ok    ' if check.is_ok else 'FAILED'}  {check.check:26} {head}".rstrip())
            for row in board:
                click.echo(f"{'':36}{row}")
        click.echo("  valid" if verdict.is_ok else "  not valid")
    return 1 if failed else 0
