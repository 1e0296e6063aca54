"""`sapper doctor`: what this machine lacks."""

from __future__ import annotations

import click

from bot.cli.options import as_json, print_json
from games.errors import MachineLacks


@click.command("doctor", epilog="Example: sapper doctor")
@as_json
def command(as_json: bool) -> int:
    """Say what this machine lacks for live play, and the command that gets it.

    Exit code 8 when something is missing that live play cannot do without.
    """
    from bot.doctor import examine, lacks

    findings = examine()
    for finding in findings:
        if as_json:
            print_json(
                {
                    "what": finding.what,
                    "there": finding.is_there,
                    "needed": finding.is_needed,
                    "detail": finding.detail,
                    "command": finding.command,
                }
            )
        else:
            mark = "ok     " if finding.is_there else "MISSING" if finding.is_needed else "absent "
            get = "" if finding.is_there or not finding.command else f"  ->  {finding.command}"
            click.echo(f"{mark} {finding.what}: {finding.detail}{get}")
    missing = lacks(findings)
    if missing:
        names = ", ".join(finding.what for finding in missing)
        raise MachineLacks(f"live play lacks {names}: the lines above say how to get it")
    return 0
