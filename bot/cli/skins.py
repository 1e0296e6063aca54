"""`sapper learn` learns a skin from screenshots; `sapper skins` manages the known skins.

The boards in the screenshots are annotated, or Sapper reads them itself.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.common_options import as_json, print_json
from bot.cli.inputs import PICTURES
from games.errors import InvalidFile, UsageError
from games.external import LARGEST_FILE, read_external, read_external_text

if TYPE_CHECKING:
    from vision.annotations import AnnotatedImage
    from vision.skin_groups import CellGroup
    from vision.skins import Skin


ASK = "Correct a name as NUMBER=STATE (5=F); Enter when all are right"


@click.command("learn", epilog="Example: sapper learn myprogram screenshot.png")
@click.argument("name")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--group", "corrections", multiple=True, metavar="NUMBER=STATE", help="What a group shows.")
@click.option("--sheet", type=click.Path(path_type=Path), metavar="FILE", help="Draw the groups there.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write the skin there.")
@click.option("--add", is_flag=True, help="Add to what is known of this skin instead of starting again.")
def learn(
    name: str,
    files: tuple[Path, ...],
    corrections: tuple[str, ...],
    sheet: Path | None,
    out: Path | None,
    add: bool,
) -> int:
    """Learn how a program draws its cells, from screenshots.

    FILES are pictures of whole boards. Sapper groups the cells that look alike, names the groups, and draws
    them in one picture; on a terminal you can correct a name, in a script with --group. A picture may be
    followed by its board as text, in Sapper's text form, ~ for cells to leave out. Lines '# x: …' and
    '# y: …' with the pixels of the lines between the cells may stand before it; without them the board is
    looked for in the picture. The skin is kept with your data and used from then on.
    """
    from vision.skins import SUFFIX, load_skin, train_skin, user_skins_folder

    if not name.replace("-", "").replace("_", "").isalnum():
        raise UsageError(f"'{name}' is no name for a skin: use letters, digits, - and _")
    path = out or user_skins_folder() / f"{name}{SUFFIX}"
    base = load_skin(name) if add else None
    named = dict(_correction(words) for words in corrections)
    pairs = list(_pairs(files))
    samples = [_sample(image, text) for image, text in pairs if text]
    unlabelled = [_read_without_labels(image, base) for image, text in pairs if not text]
    if named and not unlabelled:
        raise UsageError("--group corrects what Sapper reads: leave out the text of a picture")
    if unlabelled:
        samples += _named(unlabelled, named, sheet or path.with_suffix(".png"))
    skin = train_skin(name, samples, base)
    skin.keep(path, "name a place that can be written to with --out")
    _describe(skin, path)
    return 0


def _describe(skin: Skin, path: Path) -> None:
    missing = "".join(state for state in ".012345678F*" if state not in skin.states)
    click.echo(f"learned {skin.name}: {len(skin.tiles)} tiles of {skin.states}, kept in {path}", err=True)
    if missing:
        click.echo(f"it has not seen {' '.join(missing)} yet: such cells will read as ~", err=True)


def _correction(words: str) -> tuple[int, str]:
    """The number of a group and its state, from `5=F`. Raises Usage."""
    number, sign, state = words.strip().partition("=")
    if not sign or not number.strip().isdecimal():
        raise UsageError(f"'{words}' is no correction: write NUMBER=STATE, such as 5=F")
    return int(number), state.strip()


def _pairs(files: Sequence[Path]) -> Iterable[tuple[Path, Path | None]]:
    """Every picture with its text, None where another picture or nothing follows."""
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
    """A picture with what Sapper reads in it."""
    from bot.readers import ReaderFactory
    from vision.annotations import AnnotatedImage
    from vision.frame import Frame
    from vision.locate.locate import locate_lattice
    from vision.skins import load_known_skins

    frame = Frame.load(image)
    lattice = locate_lattice(frame)
    _, reading = ReaderFactory.load([base] if base else load_known_skins(), bool(base)).best_skin(
        frame, lattice
    )
    return AnnotatedImage(frame, lattice, reading.board, str(image))


def _named(samples: Sequence[AnnotatedImage], named: dict[int, str], sheet: Path) -> list[AnnotatedImage]:
    """The pictures as their groups are named, after somebody looked at the groups."""
    from vision.cells.model import CellModel
    from vision.skin_groups import contact_sheet, find_groups, relabel, rename_groups

    groups = rename_groups(find_groups(samples, CellModel.load()), named)
    try:
        sheet.parent.mkdir(parents=True, exist_ok=True)
        sheet.write_bytes(contact_sheet(groups))
    except OSError as error:
        raise InvalidFile(f"{sheet}: {error.strerror}: name a picture to write with --sheet") from error
    _list_groups(groups, samples)
    click.echo(f"the groups are drawn in {sheet}", err=True)
    while sys.stdin.isatty() and (words := click.prompt(ASK, default="", show_default=False, err=True)):
        try:
            groups = rename_groups(groups, dict([_correction(words)]))
        except UsageError as error:
            click.echo(str(error), err=True)
        else:
            _list_groups(groups, samples)
    return relabel(samples, groups)


def _list_groups(groups: Sequence[CellGroup], samples: Sequence[AnnotatedImage]) -> None:
    """The groups as lines of text: number, state, in words, how many cells, and where the first one is."""
    from vision.skin_groups import state_name

    for group in groups:
        picture, k = group.cells[0]
        where = samples[picture].board.name(k)
        words, count = state_name(group.state), len(group.cells)
        click.echo(f"{group.number:3}  {group.state}  {words:20} {count:5}, first at {where}", err=True)


def _sample(image: Path, text: Path) -> AnnotatedImage:
    from games.minesweeper import Board
    from vision.annotations import AnnotatedImage, load_annotated
    from vision.frame import Frame
    from vision.locate.locate import locate_lattice

    try:
        words = read_external_text(text)
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidFile(
            f"{text}: cannot be read as text: name the board's text after its picture"
        ) from error
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
    """List the skins that are known: the states that each can read, its cell sizes, where it is kept.

    ACTION may be `show NAME` (what each state was learned from), `export NAME FILE`, `import FILE` or
    `remove NAME`.
    """
    match action, words:
        case "list", ():
            _list_skins(as_json)
        case "show", (name,):
            _show(name, as_json)
        case "export", (name, file):
            _export(name, Path(file))
        case "import", (file,):
            _import(Path(file))
        case "remove", (name,):
            _remove(name)
        case _:
            raise UsageError(f"'{' '.join((action, *words))}' is no way to use it: {USAGE}")
    return 0


def _list_skins(as_json: bool) -> None:
    from vision.skins import known_skins, load_skin

    for name, file in known_skins().items():
        skin = load_skin(name)
        sizes = sorted({max(size) for size in skin.sizes})
        if as_json:
            print_json(_about(skin) | {"file": str(file)})
        else:
            learned = ", learned by playing" if skin.is_learned else ""
            click.echo(f"{name}: {skin.states}  cells of {', '.join(map(str, sizes))} px{learned}  ({file})")


def _about(skin: Skin) -> dict[str, object]:
    sizes = sorted({max(size) for size in skin.sizes})
    return {"skin": skin.name, "states": skin.states, "cells": sizes, "learned": skin.is_learned}


def _show(name: str, as_json: bool) -> None:
    from vision.skins import load_skin

    skin = load_skin(name)
    evidence = dict(skin.evidence)
    if as_json:
        print_json(_about(skin) | {"program": skin.program, "evidence": evidence})
        return
    for state in skin.states:
        count = sum(tile.state == state for tile in skin.tiles)
        click.echo(f"{state}  {count} tiles  {evidence.get(state, 'labelled pictures')}")


def _export(name: str, file: Path) -> None:
    from vision.skins import load_skin

    load_skin(name).keep(file, "name a file that can be written to")


def _import(file: Path) -> None:
    from vision.skins import SUFFIX, Skin, known_skins, user_skins_folder

    skin = Skin.load(file)
    if not skin.name.replace("-", "").replace("_", "").isalnum():
        raise InvalidFile(
            f"{file}: its name is '{skin.name}': learn it again under a name of letters and digits"
        )
    if skin.name in known_skins():
        raise UsageError(f"a skin called '{skin.name}' is known already: remove it first, or keep it")
    skin.keep(user_skins_folder() / f"{skin.name}{SUFFIX}")
    click.echo(f"imported {skin.name}: {len(skin.tiles)} tiles of {skin.states}", err=True)


def _remove(name: str) -> None:
    from vision.skins import SUFFIX, known_skins, user_skins_folder

    if name not in known_skins():
        raise UsageError(f"no skin is called '{name}': 'sapper skins' lists those that are known")
    file = user_skins_folder() / f"{name}{SUFFIX}"
    try:
        file.unlink()
    except OSError as error:
        raise InvalidFile(f"{file}: {error.strerror}: make it removable") from error
    click.echo(f"removed {name}", err=True)
