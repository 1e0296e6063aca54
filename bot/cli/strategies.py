"""Commands for strategy authors: list, install, uninstall, create and validate strategies."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from bot.cli import common_options as shared
from bot.cli.common_options import echo, print_json, print_status, resolve_strategy
from bot.plugin_template import create_project
from games.errors import SapperError, UsageError
from strategies import CONTRACT, DEFAULT_ORDER, Strategy, available_strategies, load_strategies
from strategies.registry import load_plugin


@click.command(
    "strategies", cls=shared.StrategyCommand, epilog="Example: sapper strategies --trace board.txt"
)
@click.argument("names", nargs=-1, metavar="[NAME_OR_FILE...]")
@click.option(
    "--trace",
    "board",
    metavar="BOARD_OR_RECORDING",
    help="Show each call of a strategy on this board, its answers and its time.",
)
@click.option(
    "--look", type=shared.POSITIVE, metavar="N", help="Observation of a recording; default the last decision."
)
@click.option(
    "--pdb", "stops", is_flag=True, help="Stop in your own strategies with Python's debugger (with --trust)."
)
@shared.reload
@shared.strategy
@shared.as_json
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
    """List the strategies that can be used by name, in the default order of trial.

    With names or files, describe these strategies and their options. With --trace, decide on a board: a text
    file, a screenshot, - for standard input, or an observation of a recording.
    """
    if names and (board is not None or strategies):
        raise UsageError("names exclude --trace and --strategy: use names to describe, --strategy to trace")
    if board is not None:
        from bot.cli.status import rerun_on_change
        from bot.cli.trace import debug, load_decision, trace

        if stops and (as_json or reloads):
            other = "--json" if as_json else "--reload"
            raise UsageError(f"--pdb and {other} exclude each other: leave one of them out")
        decision = load_decision(board, look)

        def run() -> dict[str, str]:
            return trace(decision, load_strategies(strategies or None, trust), as_json)

        if stops:
            chosen = load_strategies(strategies or None, trust=True)
            debug(chosen, lambda: trace(decision, chosen, as_json, shrinks=False))
        elif reloads:
            rerun_on_change(strategies, run, as_json)
        else:
            run()
    elif strategies or look or stops or reloads:
        raise UsageError("--strategy, --look, --pdb and --reload require --trace: name a board with it")
    else:
        folders = click.get_current_context().params["folders"]
        if names:
            print_details([resolve_strategy(name, folders) for name in names], trust, as_json)
        else:
            list_all(folders, trust, as_json)
    return 0


def list_all(folders: Sequence[Path], trust: bool, as_json: bool) -> None:
    """Print the strategies that can be used by name: built in, installed, or in one of these folders."""
    files = [
        (path.stem.replace("_", "-"), str(path))
        for folder in folders
        for path in sorted(folder.glob("*.py"))
        if not path.stem.startswith("_")
    ]
    for name, origin in (*available_strategies(), *files):
        try:
            data = strategy_details(load_plugin(origin if (name, origin) in files else name, trust))
        except SapperError as error:
            data = {"strategy": name, "origin": origin, "version": "", "does": "", "about": ""}
            data["error"] = str(error)
        data["default"] = name in DEFAULT_ORDER
        if as_json:
            print_json(data)
            continue
        option = "--observer" if data["does"] == "observes" else "--strategy"
        use = "" if data["default"] else f", only with {option}"
        about = f"unusable: {data['error']}" if data["error"] else data["about"]
        version = f" {data['version']}" if data["version"] and data["origin"] != "built-in" else ""
        echo(f"{name:20} {data['does']:8} {data['origin']}{version}{use}\n{'':20} {about}")


def print_details(names: Sequence[str], trust: bool, as_json: bool) -> None:
    """Print origin, purpose and options of these strategies. Raises UsageError, InvalidFile."""
    for name in names:
        strategy = load_plugin(name, trust)
        data = strategy_details(strategy)
        if as_json:
            print_json(data)
            continue
        echo(f"{data['strategy']}: {data['about'] or 'no description'}")
        if data["error"]:
            echo(f"  unusable: {data['error']}")
        echo(f"  {data['does']}; from {data['origin']}, version {data['version'] or 'unknown'}")
        echo(f"  contract {CONTRACT}" + "".join(f"; {note}" for note in strategy.notes))
        for option in strategy.options:
            value = option.written(strategy.chosen[option.name])
            echo(f"  :{option.name}={value:12} {option.about} ({option.kind})")


def strategy_details(strategy: Strategy) -> dict[str, Any]:
    """The JSON object of a strategy; `error` is empty if the strategy is usable."""
    does = {"deduces": strategy.has_deduce, "guesses": strategy.has_guess, "observes": strategy.has_observer}
    return {
        "strategy": strategy.name,
        "origin": strategy.origin,
        "version": strategy.version,
        "does": " and ".join(word for word, has_hook in does.items() if has_hook),
        "about": strategy.about,
        "contract": CONTRACT,
        "options": [o.as_json() | {"value": strategy.chosen[o.name]} for o in strategy.options],
        "notes": list(strategy.notes),
        "error": strategy.fault,
    }


@click.command("install", epilog="Example: sapper install ./corner-rule")
@click.argument("what", metavar="PACKAGE_OR_DIR")
@click.argument("extra", nargs=-1, metavar="[-- WORDS...]")
@click.option(
    "--editable", is_flag=True, help="Use the project's folder directly, so that changes take effect."
)
@shared.as_json
def install(what: str, extra: tuple[str, ...], editable: bool, as_json: bool) -> int:
    """Install a package of strategies or variants into Sapper's environment.

    PACKAGE_OR_DIR is a name on the package index, a wheel, or the folder of a project. Words after -- are
    passed to pip or uv.
    """
    from bot import plugins

    return _print_package("installed", *plugins.install(what, editable, extra), as_json)


@click.command("uninstall", epilog="Example: sapper uninstall corner-rule")
@click.argument("what", metavar="NAME")
@shared.as_json
def uninstall(what: str, as_json: bool) -> int:
    """Uninstall the strategy package with this name, or with a strategy of this name."""
    from bot import plugins

    return _print_package("removed", *plugins.uninstall(what), as_json)


def _print_package(done: str, package: str, names: tuple[str, ...], as_json: bool) -> int:
    if as_json:
        print_json({"package": package, "done": done, "strategies": list(names)})
    else:
        echo(f"{done} {package}: {', '.join(names)}")
    return 0


@click.command("new-strategy", epilog="Example: sapper new-strategy corner-rule")
@click.argument("name")
@click.option("--guess", "guesses", is_flag=True, help="Create a strategy that ranks guesses.")
@click.option("--observer", "observes", is_flag=True, help="Create a game observer instead.")
@click.option(
    "--out", type=shared.PATH, default=Path(), metavar="DIR", help="Create the project in this folder."
)
def new_strategy(name: str, guesses: bool, observes: bool, out: Path) -> int:
    """Create a strategy project: a folder NAME with code, passing tests, an entry point and a README."""
    if guesses and observes:
        raise UsageError("--guess and --observer exclude each other: leave one of them out")
    for path in create_project(name, out, "guess" if guesses else "observer" if observes else "deduce"):
        echo(str(path))
    folder, module = out / name, name.replace("-", "_")
    use = "--observer" if observes else "--strategy"
    echo(f"now:  cd {folder} && pytest    and    sapper bench --games 20 {use} ./{module}.py", err=True)
    return 0


@click.command("validate", epilog="Example: sapper validate ./mine.py")
@click.argument("what", nargs=-1, required=True, metavar="FILE_OR_PACKAGE...")
@click.option(
    "--boards",
    type=click.IntRange(1, 100_000),
    default=500,
    show_default=True,
    metavar="N",
    help="Number of small boards on which each deduction is checked against all layouts.",
)
@shared.as_json
def validate(what: tuple[str, ...], boards: int, as_json: bool) -> int:
    """Check strategies and observers: a file, an installed name, a package, or the folder of a project.

    The checks: it loads, keeps the contract, concludes nothing false, gives repeatable answers, and is fast.
    The exit code is 1 if a check fails.
    """
    from bot.plugins import validate_all

    has_failed = False
    for report in validate_all(what, boards, print_status):
        has_failed = has_failed or not report.is_ok
        if as_json:
            print_json(report.as_json())
            continue
        echo(f"{report.strategy.name if report.strategy else report.source}:")
        for check in report.checks:
            head, *board = check.detail.splitlines() or [""]
            echo(f"  {'ok    ' if check.is_ok else 'FAILED'}  {check.check:26} {head}".rstrip())
            for row in board:
                echo(f"{'':36}{row}")
        echo("  valid" if report.is_ok else "  not valid")
    return 1 if has_failed else 0
