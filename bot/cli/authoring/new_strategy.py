"""`sapper new-strategy`: a ready project to start from."""

from __future__ import annotations

from pathlib import Path

import click

from games.errors import Usage


@click.command("new-strategy", epilog="Example: sapper new-strategy corner-rule")
@click.argument("name")
@click.option("--guess", "guesses", is_flag=True, help="One that guesses where nothing is certain.")
@click.option("--observer", "observes", is_flag=True, help="An observer of games instead.")
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path(), metavar="DIR", help="Make the folder in DIR."
)
def command(name: str, guesses: bool, observes: bool, out: Path) -> int:
    """Start a strategy of your own: a folder NAME with code, tests that pass, an entry point, a README."""
    from bot.project import new_project

    if guesses and observes:
        raise Usage("--guess and --observer make two projects: take one of them at a time")
    for path in new_project(name, out, "guess" if guesses else "observer" if observes else "deduce"):
        click.echo(str(path))
    folder, module = out / name, name.replace("-", "_")
    use = "--observer" if observes else "--strategy"
    click.echo(f"now:  cd {folder} && pytest    and    sapper bench --games 20 {use} ./{module}.py", err=True)
    return 0
