"""`sapper read`: the boards that screenshots show, as text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.boards import fit_picture
from bot.cli.options import as_json, print_json, tell
from games.errors import SapperError

if TYPE_CHECKING:
    from vision.skin import Skin


@click.command("read", epilog="Example: sapper read screenshot.png")
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--skin", metavar="NAME_OR_FILE", help="Read with this look; without it a known one is recognised."
)
@as_json
def command(images: tuple[Path, ...], skin: str | None, as_json: bool) -> int:
    """Print the board that each screenshot shows, as text.

    A cell of which the reader is not sure is printed as ~. A picture that cannot be read is told on stderr,
    the others are read all the same; the exit code is that of the first that failed.
    """
    from vision.skin import load_known_skins, load_skin

    skins = [load_skin(skin)] if skin else load_known_skins()
    failed = 0
    for image in images:
        try:
            _read(image, skins, as_json, heading=len(images) > 1)
        except SapperError as error:
            message = str(error)
            tell(message if str(image) in message else f"{image}: {message}")
            failed = failed or error.exit_code
    return failed


def _read(image: Path, skins: list[Skin], as_json: bool, heading: bool) -> None:
    fit = fit_picture(image, skins)
    lattice, board = fit.lattice, fit.reading.board
    if as_json:
        print_json(
            {
                "image": str(image),
                "x": list(lattice.xs),
                "y": list(lattice.ys),
                "rows": list(board.grid),
                "skin": fit.skin.name if fit.skin else None,
                "confidence": round(fit.reading.lowest, 4),
                "unread": board.names(board.unread),
            }
        )
        return
    if heading:
        click.echo(f"# {image}")
    click.echo(str(board))
