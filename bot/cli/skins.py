"""`sapper learn`: learn a skin from screenshots; `sapper skins`: manage the known skins."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from bot.cli.common_options import PATH, as_json, echo, print_json
from bot.cli.inputs import PICTURES
from bot.readers import ReaderFactory
from games.errors import InvalidFile, UsageError
from games.external import LARGEST_FILE, file_errors, read_external, read_external_text
from games.minesweeper import Board
from vision.annotations import AnnotatedImage, load_annotated
from vision.cells.model import CellModel
from vision.frame import Frame
from vision.locate.locate import locate_lattice
from vision.skin_groups import CellGroup, contact_sheet, find_groups, relabel, rename_groups, state_name
from vision.skins import SUFFIX, Skin, known_skins, load_known_skins, load_skin, train_skin, user_skins_folder

PROMPT = "Correct a label as NUMBER=STATE (5=F); press Enter when all are right"


@click.command("learn", epilog="Example: sapper learn myprogram screenshot.png")
@click.argument("name")
@click.argument("files", nargs=-1, required=True, type=PATH)
@click.option(
    "--group", "corrections", multiple=True, metavar="NUMBER=STATE", help="Correct the label of a group."
)
@click.option("--sheet", type=PATH, metavar="FILE", help="File of the contact sheet of the groups.")
@click.option("--out", type=PATH, metavar="FILE", help="File of the skin; by default with your data.")
@click.option("--add", is_flag=True, help="Extend the known skin instead of replacing it.")
def learn(
    name: str,
    files: tuple[Path, ...],
    corrections: tuple[str, ...],
    sheet: Path | None,
    out: Path | None,
    add: bool,
) -> int:
    """Learn how a program draws its cells, from screenshots.

    FILES are images of whole boards. Sapper groups cells that look alike, labels the groups, and draws them
    on a contact sheet; correct labels in the terminal, or in a script with --group. An image may be followed
    by its board as text, with ~ for cells to leave out. Lines '# x: …' and '# y: …' before the board give the
    pixel positions of the grid lines; without them, Sapper locates the board. The skin is saved with your
    data and used from then on.
    """
    if not _is_valid_name(name):
        raise UsageError(f"invalid skin name '{name}': use letters, digits, - and _")
    path = out or user_skins_folder() / f"{name}{SUFFIX}"
    base = load_skin(name) if add else None
    labels = dict(map(_parse_correction, corrections))
    pairs = list(_pairs(files))
    samples = [_sample(image, text) for image, text in pairs if text]
    unlabelled = [_read_without_labels(image, base) for image, text in pairs if not text]
    if labels and not unlabelled:
        raise UsageError("--group corrects what Sapper reads: leave out the text of an image")
    if unlabelled:
        samples += _label_groups(unlabelled, labels, sheet or path.with_suffix(".png"))
    skin = train_skin(name, samples, base)
    skin.keep(path, "name a writable place with --out")
    echo(f"learned {skin.name}: {len(skin.tiles)} tiles of {skin.states}, saved as {path}", err=True)
    missing = " ".join(state for state in ".012345678F*" if state not in skin.states)
    if missing:
        echo(f"not seen yet: {missing}; Sapper reads such cells as ~", err=True)
    return 0


def _is_valid_name(name: str) -> bool:
    return name.replace("-", "").replace("_", "").isalnum()


def _parse_correction(text: str) -> tuple[int, str]:
    """Parse `5=F` as the number of a group and its state. Raises UsageError."""
    number, sign, state = text.strip().partition("=")
    if not sign or not number.strip().isdecimal():
        raise UsageError(f"invalid correction '{text}': expected NUMBER=STATE, such as 5=F")
    return int(number), state.strip()


def _pairs(files: Sequence[Path]) -> Iterable[tuple[Path, Path | None]]:
    """Yield each image with its text; None if another image or nothing follows."""
    left = list(files)
    while left:
        image = left.pop(0)
        yield image, left.pop(0) if left and not _is_picture(left[0]) else None


def _is_picture(file: Path) -> bool:
    try:
        return read_external(file, LARGEST_FILE).startswith(PICTURES)
    except OSError:
        return False


def _read_without_labels(image: Path, base: Skin | None) -> AnnotatedImage:
    frame = Frame.load(image)
    lattice = locate_lattice(frame)
    readers = ReaderFactory.load([base] if base else load_known_skins(), bool(base))
    _, reading = readers.best_skin(frame, lattice)
    return AnnotatedImage(frame, lattice, reading.board, str(image))


def _label_groups(
    samples: Sequence[AnnotatedImage], labels: dict[int, str], sheet: Path
) -> list[AnnotatedImage]:
    """Label the groups of cells, draw the contact sheet, and let the user correct labels on a terminal."""
    groups = rename_groups(find_groups(samples, CellModel.load()), labels)
    with file_errors(sheet, "name a writable image file with --sheet"):
        sheet.parent.mkdir(parents=True, exist_ok=True)
        sheet.write_bytes(contact_sheet(groups))
    _print_groups(groups, samples)
    echo(f"contact sheet of the groups: {sheet}", err=True)
    while sys.stdin.isatty() and (text := click.prompt(PROMPT, default="", show_default=False, err=True)):
        try:
            groups = rename_groups(groups, dict([_parse_correction(text)]))
        except UsageError as error:
            echo(str(error), err=True)
        else:
            _print_groups(groups, samples)
    return relabel(samples, groups)


def _print_groups(groups: Sequence[CellGroup], samples: Sequence[AnnotatedImage]) -> None:
    for group in groups:
        image, k = group.cells[0]
        name, count, first = state_name(group.state), len(group.cells), samples[image].board.name(k)
        echo(f"{group.number:3}  {group.state}  {name:20} {count:5}, first at {first}", err=True)


def _sample(image: Path, text: Path) -> AnnotatedImage:
    try:
        words = read_external_text(text)
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidFile(f"{text}: unreadable as text: name the board's text after its image") from error
    if "# x:" in words:
        return load_annotated(image, text)
    try:
        board = Board.parse(words)
    except InvalidFile as error:
        raise InvalidFile(f"{text}: {error}") from error
    frame = Frame.load(image)
    lattice = locate_lattice(frame)
    if (lattice.columns, lattice.rows) != (board.columns, board.rows):
        raise InvalidFile(
            f"{text}: {board.columns}x{board.rows} cells, but {image} shows a board of {lattice.size}: "
            "correct one of them"
        )
    return AnnotatedImage(frame, lattice, board, str(image))


ACTIONS = ("list", "show", "export", "import", "remove")
USAGE = "use 'sapper skins', or 'sapper skins show NAME', 'export NAME FILE', 'import FILE', 'remove NAME'"


@click.command("skins", epilog="Example: sapper skins export sgt-mines-learned mine.skin")
@click.argument("action", required=False, default="list", type=click.Choice(ACTIONS))
@click.argument("words", nargs=-1, metavar="[NAME] [FILE]")
@as_json
def skins(action: str, words: tuple[str, ...], as_json: bool) -> int:
    """List the known skins: the states that each can read, its cell sizes, and its file.

    ACTION may be `show NAME` (the source of each state), `export NAME FILE`, `import FILE` or `remove NAME`.
    """
    match action, words:
        case "list", ():
            _list_skins(as_json)
        case "show", (name,):
            _show(name, as_json)
        case "export", (name, file):
            load_skin(name).keep(Path(file), "name a writable file")
        case "import", (file,):
            _import(Path(file))
        case "remove", (name,):
            _remove(name)
        case _:
            raise UsageError(f"invalid action '{' '.join((action, *words))}': {USAGE}")
    return 0


def _list_skins(as_json: bool) -> None:
    for name, file in known_skins().items():
        skin = load_skin(name)
        if as_json:
            print_json(_skin_json(skin) | {"file": str(file)})
        else:
            learned = ", learned by playing" if skin.is_learned else ""
            sizes = ", ".join(map(str, _cell_sizes(skin)))
            echo(f"{name}: {skin.states}  cells of {sizes} px{learned}  ({file})")


def _cell_sizes(skin: Skin) -> list[int]:
    return sorted({max(size) for size in skin.sizes})


def _skin_json(skin: Skin) -> dict[str, object]:
    cells = _cell_sizes(skin)
    return {"skin": skin.name, "states": skin.states, "cells": cells, "learned": skin.is_learned}


def _show(name: str, as_json: bool) -> None:
    skin = load_skin(name)
    evidence = dict(skin.evidence)
    if as_json:
        print_json(_skin_json(skin) | {"program": skin.program, "evidence": evidence})
        return
    for state in skin.states:
        count = sum(tile.state == state for tile in skin.tiles)
        echo(f"{state}  {count} tiles  {evidence.get(state, 'labelled pictures')}")


def _import(file: Path) -> None:
    skin = Skin.load(file)
    if not _is_valid_name(skin.name):
        raise InvalidFile(f"{file}: invalid skin name '{skin.name}': learn it again with a valid name")
    if skin.name in known_skins():
        raise UsageError(f"the skin '{skin.name}' is already known: remove it first, or keep it")
    skin.keep(user_skins_folder() / f"{skin.name}{SUFFIX}")
    echo(f"imported {skin.name}: {len(skin.tiles)} tiles of {skin.states}", err=True)


def _remove(name: str) -> None:
    if name not in known_skins():
        raise UsageError(f"unknown skin '{name}': 'sapper skins' lists the known skins")
    file = user_skins_folder() / f"{name}{SUFFIX}"
    with file_errors(file, "make it removable"):
        file.unlink()
    echo(f"removed {name}", err=True)
