"""`sapper read`: print the boards in screenshots as text, JSON or CSV."""

from __future__ import annotations

import csv
import sys
from itertools import chain
from pathlib import Path

import click

from bot.cli.common_options import FOLDER, PATH, as_json, echo, print_json, print_status, skin
from bot.cli.inputs import read_image, skin_library
from bot.game.types import SystemClock
from bot.image_files import expand_image_paths, watch_folder
from games.errors import SapperError, UsageError
from vision.screenshot import ImageReading

COLUMNS = ("image", "cell", "row", "column", "shows", "confidence")


@click.command("read", epilog="Example: sapper read screenshot.png")
@click.argument("images", nargs=-1, metavar="IMAGE...")
@skin
@click.option(
    "--skins", "skins_folder", type=FOLDER, metavar="DIR", help="Use only the skins in this folder."
)
@click.option(
    "--watch", type=PATH, metavar="DIR", help="Read every image that appears in this folder, until Ctrl+C."
)
@click.option("--csv", "as_csv", is_flag=True, help="Print a CSV table with one line per cell.")
@as_json
def command(
    images: tuple[str, ...],
    skin: str | None,
    skins_folder: Path | None,
    watch: Path | None,
    as_csv: bool,
    as_json: bool,
) -> int:
    """Print the boards in screenshots as text.

    IMAGE is an image, a folder of images, a pattern such as 'shots/*.png', or - for an image on standard
    input. Boards without a known skin can be read too. An unreadable cell is printed as ~. Unreadable images
    are reported on stderr and skipped; the exit code is that of the first failure.
    """
    if as_json and as_csv:
        raise UsageError("--json and --csv exclude each other: leave one of them out")
    if bool(images) == (watch is not None):
        raise UsageError(
            "images and --watch exclude each other: leave one of them out"
            if images
            else "no image: name images, - for standard input, or a folder with --watch"
        )
    skins = skin_library(skin, skins_folder).skins
    names = expand_image_paths(images)
    has_heading = watch is not None or len(names) > 1
    printer = BoardPrinter("json" if as_json else "csv" if as_csv else "text", has_heading)
    exit_code = 0
    later = map(str, watch_folder(watch, SystemClock())) if watch else ()
    for image in chain(names, later):
        try:
            printer.print(image, read_image(image, skins, bool(skin)))
        except SapperError as error:
            message = str(error)
            print_status(message if image in message or image == "-" else f"{image}: {message}")
            exit_code = exit_code or error.exit_code
    return exit_code


class BoardPrinter:
    """Prints boards as `form`: text, json or csv. With `has_heading`, text names the image."""

    def __init__(self, form: str, has_heading: bool) -> None:
        self._form, self._has_heading = form, has_heading
        self._table = csv.writer(sys.stdout, lineterminator="\n")
        if form == "csv":
            self._table.writerow(COLUMNS)

    def print(self, image: str, found: ImageReading) -> None:
        """Print one board and flush."""
        lattice, reading, board = found.lattice, found.reading, found.reading.board
        if self._form == "json":
            print_json(
                {
                    "image": image,
                    "x": list(lattice.xs),
                    "y": list(lattice.ys),
                    "rows": list(board.grid),
                    "skin": found.skin.name if found.skin else None,
                    "confidence": round(reading.lowest, 4),
                    "unread": board.names(board.unread),
                    "sure": [[round(float(sure), 4) for sure in row] for row in reading.confidence],
                }
            )
        elif self._form == "csv":
            for k, shows in enumerate(board.cells):
                row, column = divmod(k, board.columns)
                sure = round(float(reading.confidence.flat[k]), 4)
                self._table.writerow((image, board.name(k), row, column, shows, sure))
        else:
            echo(f"# {image}\n{board}" if self._has_heading else str(board))
        sys.stdout.flush()
