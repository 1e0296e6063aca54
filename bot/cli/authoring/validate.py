"""`sapper validate`: whether a strategy can be relied on, before anybody else does."""

from __future__ import annotations

import click

from bot.cli.options import as_json, print_json, say


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
def command(what: tuple[str, ...], boards: int, as_json: bool) -> int:
    """Try a strategy, or an observer, on many boards, and say whether it can be relied on.

    Does it load and keep the contract, conclude nothing false, always answer alike, and how long does it
    take? What is named is a file, the name of one that is installed, a package, or the folder of a project.
    Exit code 1 when any check fails.
    """
    from bot.validating import verdicts

    failed = False
    for verdict in verdicts(what, boards, say):
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
