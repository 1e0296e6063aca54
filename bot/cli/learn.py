"""`sapper learn`: a skin from labelled screenshots."""

from __future__ import annotations

from pathlib import Path

import click

from games.errors import InvalidFile, Usage


@click.command("learn", epilog="Example: sapper learn myprogram fresh.png fresh.txt lost.png lost.txt")
@click.argument("name")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write the skin there.")
@click.option("--add", is_flag=True, help="Add to what is known of this look instead of starting anew.")
def command(name: str, files: tuple[Path, ...], out: Path | None, add: bool) -> int:
    """Learn how a program draws its cells, from pairs of a screenshot and its board as text.

    FILES are IMAGE TEXT IMAGE TEXT …; TEXT is the board in Sapper's text form, ~ for cells to leave out.
    Lines '# x: …' and '# y: …' with the pixels of the lines between the cells may stand before it; without
    them the board is looked for in the picture. The skin is kept with your data and used from then on.
    """
    from vision.learning import improve, learn
    from vision.skin import SUFFIX, load_skin, user_skins_folder

    if not name.replace("-", "").replace("_", "").isalnum():
        raise Usage(f"'{name}' is no name for a skin: use letters, digits, - and _")
    if len(files) % 2:
        raise Usage("pictures and texts go in pairs: IMAGE TEXT IMAGE TEXT …")
    samples = [_sample(image, text) for image, text in zip(files[::2], files[1::2], strict=True)]
    skin = improve(load_skin(name), samples) if add else learn(name, samples)
    path = out or user_skins_folder() / f"{name}{SUFFIX}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        skin.save(path)
    except OSError as error:
        raise InvalidFile(
            f"{path}: {error.strerror}: name a place that can be written to with --out"
        ) from error
    missing = "".join(state for state in ".012345678F*" if state not in skin.states)
    click.echo(f"learned {skin.name}: {len(skin.tiles)} tiles of {skin.states}, kept in {path}", err=True)
    if missing:
        click.echo(f"it has not seen {' '.join(missing)} yet: such cells will read as ~", err=True)
    return 0


def _sample(image: Path, text: Path):  # type: ignore[no-untyped-def]  # Labelled, imported late
    from games.minesweeper import Board
    from vision.frame import Frame
    from vision.labels import Labelled, load_labelled
    from vision.locate import locate

    try:
        words = text.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidFile(
            f"{text}: cannot be read as text: name the board's text after its picture"
        ) from error
    if "# x:" in words:
        return load_labelled(image, text)
    try:
        board = Board.parse(words)
    except InvalidFile as error:
        raise InvalidFile(f"{text}: {error}") from error
    frame = Frame.load(image)
    lattice = locate(frame)
    if (lattice.columns, lattice.rows) != (board.columns, board.rows):
        raise InvalidFile(
            f"{text}: {board.columns}x{board.rows} cells, but {image} shows a board of {lattice.size}: "
            "correct one of them"
        )
    return Labelled(frame, lattice, board, str(image))
