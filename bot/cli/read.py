"""`sapper read`: the boards that screenshots show, as text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.boards import fit_picture
from bot.cli.options import as_json, print_json, tell
from games.errors import SapperError, Usage

if TYPE_CHECKING:
    from vision.skin import Skin


@click.command("read", epilog="Example: sapper read screenshot.png")
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--skin", metavar="NAME_OR_FILE", help="Read with this look; without it a known one is recognised."
)
@click.option(
    "--skins",
    "skins_folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Know only the looks in this folder; an empty one for none.",
)
@as_json
def command(images: tuple[Path, ...], skin: str | None, skins_folder: Path | None, as_json: bool) -> int:
    """Print the board that each screenshot shows, as text.

    A board of which no look is known is worked out from the picture alone. A cell of which the reader is not
    sure is printed as ~. A picture that cannot be read is told on stderr,
    the others are read all the same; the exit code is that of the first that failed.
    """
    from vision.skin import load_known_skins, load_skin, skins_in

    if skin and skins_folder:
        raise Usage("--skin names the look, --skins says where looks are: leave one of them out")
    known = skins_in(skins_folder) if skins_folder else load_known_skins()
    skins = [load_skin(skin)] if skin else known
    failed = 0
    for image in images:
        try:
            _read(image, skins, bool(skin), as_json, heading=len(images) > 1)
        except SapperError as error:
            message = str(error)
            tell(message if str(image) in message else f"{image}: {message}")
            failed = failed or error.exit_code
    return failed


def _read(image: Path, skins: list[Skin], named: bool, as_json: bool, heading: bool) -> None:
    fit = fit_picture(image, skins, named)
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
                "sure": [[round(float(sure), 4) for sure in row] for row in fit.reading.confidence],
            }
        )
        return
    if heading:
        click.echo(f"# {image}")
    click.echo(str(board))
