"""`sapper doctor`: what this machine lacks."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import click

from bot.cli.options import as_json, backend, print_json
from games.errors import MachineLacks

if TYPE_CHECKING:
    from bot.desktop import Kind
    from bot.doctor import Finding


@click.command("doctor", epilog="Example: sapper doctor --try")
@click.option("--try", "tries", is_flag=True, help="Move the mouse and take pictures, to see that both work.")
@backend
@as_json
def command(tries: bool, backend: Kind | None, as_json: bool) -> int:
    """Say what this machine lacks for live play, and the command that gets it.

    Exit code 8 when something is missing that live play cannot do without. With --try a small pattern is
    shown for a moment on each screen, found in a picture, and pointed at with the mouse.
    """
    from bot.doctor import examine, lacks, try_out

    findings: list[Finding] = []
    for finding in itertools.chain(examine(), try_out(backend) if tries else ()):
        findings.append(finding)
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
