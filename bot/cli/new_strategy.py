"""`sapper new-strategy`: a ready project to start from."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("new-strategy", epilog="Example: sapper new-strategy corner-rule")
@click.argument("name")
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path(), metavar="DIR", help="Make the folder in DIR."
)
def command(name: str, out: Path) -> int:
    """Start a strategy of your own: a folder NAME with a rule, tests that pass, an entry point, a README."""
    from bot.project import new_project

    for path in new_project(name, out):
        click.echo(str(path))
    folder = out / name
    module = name.replace("-", "_")
    click.echo(
        f"now:  cd {folder} && pytest    and    sapper bench --games 20 --strategy ./{module}.py", err=True
    )
    return 0
