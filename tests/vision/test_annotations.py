"""Label files of screenshots, and lattices."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from drawing import SCREENS

from games.errors import InvalidFile
from vision.annotations import annotated_images, format_labels, load_annotated, parse_labels
from vision.lattice import Lattice

PICTURES = [p for folder in sorted(SCREENS.iterdir()) if folder.is_dir() for p in annotated_images(folder)]


@pytest.mark.parametrize("picture_file", PICTURES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_labels_round_trip(picture_file: Path) -> None:
    lattice, board = parse_labels(picture_file.with_suffix(".txt").read_text())
    assert parse_labels(format_labels(lattice, board, ["a note"])) == (lattice, board)


def test_labels_windows_line_ends(tmp_path: Path) -> None:
    picture = Path(shutil.copy(PICTURES[0], tmp_path))
    text = PICTURES[0].with_suffix(".txt").read_text()
    picture.with_suffix(".txt").write_bytes(text.replace("\n", "\r\n").encode())
    assert load_annotated(picture)[1:3] == load_annotated(PICTURES[0])[1:3]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".", "no line '# x:"),
        ("# x: 0 10\n.", "no line '# y:"),
        ("# x: 0 10 5\n# y: 0 10\n..", "rise"),
        ("# x: 0 10\n# y: 0 10\n..", "the lines make 1x1 cells, the grid has 2x1"),
        ("# x: 0 ten\n# y: 0 10\n.", "no line '# x:"),
        ("# x: 0 10\n# y: 0 10\nq", "not a cell state"),
        ("# x: 0 10\n# y: 0 10\n", "no board"),
    ],
)
def test_labels_inconsistent_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidFile, match=f"^shot.txt: .*{message}"):
        parse_labels(text, "shot.txt")


def test_lattice_missing_last_gap_completed() -> None:
    short = Lattice((0, 22, 44, 65), (3, 25, 47, 68))
    assert short.clamped(70, 69) == Lattice((0, 22, 44, 66), (3, 25, 47, 69))
    assert short.clamped(65, 68) == short
    fractional = Lattice((0, 15, 31, 46), (0, 22, 44, 60))
    assert fractional.clamped(99, 99) == fractional
