"""`sapper read`: print the boards in screenshots as text, JSON or a table."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.common_options import as_json, print_json, print_status
from bot.cli.inputs import read_image
from games.errors import SapperError, UsageError

if TYPE_CHECKING:
    from bot.cli.inputs import ImageReading


COLUMNS = ("image", "cell", "row", "column", "shows", "confidence")


@click.command("read", epilog="Example: sapper read screenshot.png")
@click.argument("images", nargs=-1, metavar="IMAGE...")
@click.option(
    "--skin", metavar="NAME_OR_FILE", help="Read with this skin; without it a known one is recognised."
)
@click.option(
    "--skins",
    "skins_folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Know only the looks in this folder; an empty one for none.",
)
@click.option(
    "--watch",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Read every picture that appears in this folder, until Ctrl+C.",
)
@click.option("--csv", "as_csv", is_flag=True, help="A table on stdout: a line for each cell.")
@as_json
def command(
    images: tuple[str, ...],
    skin: str | None,
    skins_folder: Path | None,
    watch: Path | None,
    as_csv: bool,
    as_json: bool,
) -> int:
    """Print the board that each screenshot shows, as text.

    IMAGE is a picture, a folder of pictures, a pattern such as 'shots/*.png', or - for a picture on standard
    input. A board of which no skin is known is read from the picture alone. A cell of which the reader
    is not sure is printed as ~. A picture that cannot be read is named on stderr, the others are read all the
    same; the exit code is that of the first that failed.
    """
    from bot.image_files import expand_image_paths, watch_folder
    from vision.skins import load_known_skins, load_skin, skins_in

    if as_json and as_csv:
        raise UsageError("one form at a time: --json or --csv")
    if skin and skins_folder:
        raise UsageError("--skin names the skin, --skins says where skins are: leave one of them out")
    if bool(images) == (watch is not None):
        raise UsageError("name pictures, or a folder to --watch")
    known = skins_in(skins_folder) if skins_folder else load_known_skins()
    skins = [load_skin(skin)] if skin else known
    names = expand_image_paths(images)
    heading = watch is not None or len(names) > 1
    show = BoardPrinter("json" if as_json else "csv" if as_csv else "text", heading)
    failed = 0
    later: Iterable[Path] = ()
    if watch is not None:
        from bot.game.types import SystemClock

        later = watch_folder(watch, SystemClock())
    for image in chain(names, map(str, later)):
        try:
            show.board(image, read_image(image, skins, bool(skin)))
        except SapperError as error:
            message = str(error)
            print_status(message if image in message or image == "-" else f"{image}: {message}")
            failed = failed or error.exit_code
    return failed


class BoardPrinter:
    """Prints boards in one form: text, json or csv; with `heading`, text says which picture it is from."""

    def __init__(self, form: str, heading: bool) -> None:
        self._form, self._heading = form, heading
        self._table = csv.writer(sys.stdout, lineterminator="\n")
        if form == "csv":
            self._table.writerow(COLUMNS)

    def board(self, image: str, fit: ImageReading) -> None:
        """Print one board at once, for whoever reads along."""
        lattice, board = fit.lattice, fit.reading.board
        if self._form == "json":
            print_json(
                {
                    "image": image,
                    "x": list(lattice.xs),
                    "y": list(lattice.ys),
                    "rows": list(board.grid),
                    "skin": fit.skin.name if fit.skin else None,
                    "confidence": round(fit.reading.lowest, 4),
                    "unread": board.names(board.unread),
                    "sure": [[round(float(sure), 4) for sure in row] for row in fit.reading.confidence],
                }
            )
        elif self._form == "csv":
            for k, shows in enumerate(board.cells):
                row, column = divmod(k, board.columns)
                sure = round(float(fit.reading.confidence.flat[k]), 4)
                self._table.writerow((image, board.name(k), row, column, shows, sure))
        else:
            click.echo(f"# {image}\n{board}" if self._heading else str(board))
        sys.stdout.flush()
