"""Text files for labelled screenshots: the position of the board, then the state of every cell."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from games.errors import InvalidFile
from games.external import read_external_text
from games.minesweeper import Board
from vision.frame import Frame
from vision.lattice import Lattice


class AnnotatedImage(NamedTuple):
    """A picture with known content. `source` names it in messages (its file, or "")."""

    frame: Frame
    lattice: Lattice
    board: Board
    source: str = ""


def parse_labels(text: str, source: str = "labels") -> tuple[Lattice, Board]:
    """Read `# x:` and `# y:` lines (pixel positions of the cell lines) and the grid below them.

    Raises InvalidFile, naming `source`, if a line is missing, not ascending or inconsistent with the grid.
    """
    try:
        board = Board.parse(text)
        lattice = Lattice(_positions(text, "x"), _positions(text, "y"))
    except (InvalidFile, ValueError) as error:
        raise InvalidFile(f"{source}: {error}") from error
    if (lattice.columns, lattice.rows) != (board.columns, board.rows):
        raise InvalidFile(
            f"{source}: the lines make {lattice.size} cells, the grid has {board.columns}x{board.rows}: "
            "correct one of them"
        )
    return lattice, board


def format_labels(lattice: Lattice, board: Board, notes: Iterable[str] = ()) -> str:
    """The text form that `parse_labels` reads; each note becomes a comment line."""
    lines = ["# x: " + " ".join(map(str, lattice.xs)), "# y: " + " ".join(map(str, lattice.ys))]
    lines += [f"# {note}" for note in notes]
    return "\n".join([*lines, str(board), ""])


def load_annotated(picture: Path, labels: Path | None = None) -> AnnotatedImage:
    """A picture and its labels (default: the same name with `.txt`).

    Raises InvalidFile if either is missing or damaged, or the board reaches beyond the picture.
    """
    labels = labels or picture.with_suffix(".txt")
    try:
        text = read_external_text(labels)
    except OSError as error:
        raise InvalidFile(f"{labels}: {error.strerror or error}: name a text file with labels") from error
    except UnicodeDecodeError as error:
        raise InvalidFile(f"{labels}: this is no text: write '# x:', '# y:' and the grid") from error
    lattice, board = parse_labels(text, str(labels))
    frame = Frame.load(picture)
    if lattice.xs[-1] > frame.width or lattice.ys[-1] > frame.height or min(lattice.xs[0], lattice.ys[0]) < 0:
        raise InvalidFile(
            f"{labels}: the lines reach beyond the picture ({frame.width}x{frame.height} pixels): "
            "correct them"
        )
    return AnnotatedImage(frame, lattice, board, str(picture))


def annotated_images(folder: Path) -> list[Path]:
    """The pictures in a folder that have a label file, by name."""
    return sorted(p for p in folder.glob("*.png") if p.with_suffix(".txt").exists())


def _positions(text: str, axis: str) -> tuple[int, ...]:
    line = re.search(rf"^#\s*{axis}:((?:\s+-?\d{{1,6}})+)[ \t]*$", text, re.MULTILINE)
    if not line:
        raise InvalidFile(f"no line '# {axis}: 10 26 42 ...': write the pixel positions of the cell lines")
    return tuple(int(word) for word in line[1].split())
