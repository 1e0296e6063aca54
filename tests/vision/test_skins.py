"""Skins: files, learning, matching, and recognition of programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from drawing import draw, lattice_for, skin_of, tiles_of
from numpy.typing import NDArray

from games.errors import InvalidFile, UsageError
from games.minesweeper import Board
from vision.annotations import AnnotatedImage, annotated_images, load_annotated
from vision.cells.model import CLASSES, CellModel, most_likely
from vision.frame import Frame, Pixels
from vision.lattice import Lattice
from vision.skin_groups import find_groups, relabel, rename_groups
from vision.skins import Skin, SkinModel, Tile, best_skin, train_skin, train_skin_from_tiles

SCREENS = Path(__file__).resolve().parents[2] / "fixtures" / "screens"
PROGRAMS = ["ace-minesweeper", "gnome-mines", "kmines", "sgt-mines", "xdemineur"]
OPENED = "001...\n112...\n......\n......\n......\n......"


def greys(*colours: int) -> Frame:
    """A row of 10 x 10 cells, each of one grey."""
    return Frame(np.repeat(np.repeat(np.array(colours, np.uint8), 10)[None, :, None], 10, 0).repeat(3, 2))


def row(text: str, frame: Frame, source: str = "") -> AnnotatedImage:
    return AnnotatedImage(
        frame, Lattice(tuple(range(0, 10 * len(text) + 1, 10)), (0, 10)), Board.parse(text), source
    )


def test_skin_recalls_learned_cells_only() -> None:
    skin = train_skin("grey", [row(".01~", greys(100, 200, 30, 60))])
    matches = [skin.match(greys(level).pixels) for level in (100, 200, 30, 60, 150)]
    assert matches == [".", "0", "1", None, None]
    assert skin.match(greys(101).pixels) == "."
    assert skin.match(greys(100).pixels[:9]) is None  # another size


def test_skin_addition_keeps_known_cells() -> None:
    first = Skin("grey", train_skin("grey", [row(".0", greys(100, 200))]).tiles, "winmine", (("0", "seen"),))
    more = train_skin("grey", [row("1.", greys(30, 100))], first)
    assert more.states == ".01"
    assert (more.program, more.evidence, len(more.tiles)) == ("winmine", (("0", "seen"),), 3)
    assert first.states == ".0"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [row(".01", greys(100, 200, 100), "a.png")],
            r"^a\.png: r0c2 is labelled '1', .* same as a\.png: r0c0, labelled '\.'",
        ),
        (
            [row(".", greys(100), "a.png"), row(".0", greys(100, 101), "b.png")],
            r"b\.png: r0c1 .* same as a\.png: r0c0",
        ),
        ([row("~~", greys(1, 2))], "no cell is labelled"),
        ([row(".0.", greys(100, 200))], "r0c2 lies beyond the picture"),
    ],
)
def test_skin_unusable_labels_refused(rows: list[AnnotatedImage], message: str) -> None:
    with pytest.raises(InvalidFile, match=message):
        train_skin("two", rows)


def test_skin_contradiction_refused() -> None:
    skin = train_skin("grey", [row(".0", greys(100, 200))])
    with pytest.raises(InvalidFile, match="skin grey"):
        train_skin("grey", [row("0.", greys(100, 200), "c.png")], skin)


def test_skin_few_tiles_for_many_pictures() -> None:
    levels = [100 + k % 3 for k in range(40)]
    skin = train_skin("grey", [row("." * 40 + "0", greys(*levels, 200))])
    assert [tile.state for tile in skin.tiles] == [".", "0"]
    assert len(train_skin_from_tiles("grey", skin.tiles * 2).tiles) == 2


@pytest.mark.parametrize("program", PROGRAMS)
def test_skin_leave_one_out_recalls_nothing_wrong(program: str) -> None:
    samples = [load_annotated(path) for path in annotated_images(SCREENS / program)]
    skin = train_skin(program, samples[1::2])
    recalled = 0
    for sample in samples[::2]:
        for k, state in enumerate(sample.board.cells):
            left, top, right, bottom = sample.lattice.rectangle(k)
            said = skin.match(sample.frame.pixels[top:bottom, left:right])
            assert said in (state, None), f"{sample.source}: {sample.board.name(k)}"
            recalled += said is not None
    assert recalled > 50


class Sure:
    """A model that says of every picture that it is one state, and counts what it is asked."""

    def __init__(self, state: str) -> None:
        self._row = np.log([0.98 if each == state else 0.02 / 15 for each in CLASSES])

    def likelihoods(self, pictures: Sequence[Pixels]) -> NDArray[np.float32]:
        return np.tile(self._row, (len(pictures), 1)).astype(np.float32)


def test_skin_likelier_than_model_never_certain() -> None:
    skin = train_skin("grey", [row(".1", greys(100, 30))])
    model, pictures = SkinModel(skin, Sure("5")), [greys(level).pixels for level in (100, 30, 220)]
    likely = model.likelihoods(pictures)
    assert [CLASSES[k] for k in likely.argmax(axis=1)] == [".", "1", "5"]
    assert np.allclose(np.exp(likely).sum(axis=1), 1, atol=1e-3)
    assert [model.recognise(picture) for picture in pictures] == [most_likely(likely[0]), "1", None]
    # the model ranks the other states of a remembered picture
    assert likely[0, CLASSES.index("5")] > likely[0, CLASSES.index("4")] + 3


@pytest.mark.parametrize("program", PROGRAMS)
def test_skin_recognises_its_program_only(program: str) -> None:
    skins = [skin_of(name) for name in PROGRAMS]
    board = Board.parse(OPENED)
    look = skin_of(program)
    frame, lattice = draw(board, look), lattice_for(board, look, 24, 32)
    found = best_skin(frame, lattice, skins)
    assert found is not None
    assert found.name == program
    assert best_skin(frame, lattice, [skin for skin in skins if skin.name != program]) is None


def test_skin_half_known_board_matches_no_program() -> None:
    board = Board.parse(OPENED)
    look = skin_of("xdemineur")
    tiles = tiles_of(look)
    frame, lattice = draw(board, look), lattice_for(board, look, 24, 32)
    assert best_skin(frame, lattice, [Skin("few", (Tile("1", tiles["1"]), Tile("2", tiles["2"])))]) is None
    assert best_skin(frame, lattice, [Skin("most", (Tile(".", tiles["."]),))]) is not None


def test_skin_plain_areas_and_tables_match_nothing() -> None:
    skins = [skin_of(name) for name in PROGRAMS]
    lattice = Lattice(tuple(range(10, 300, 20)), tuple(range(10, 200, 20)))
    for grey in range(0, 256, 15):
        assert best_skin(Frame(np.full((220, 320, 3), grey, np.uint8)), lattice, skins) is None


def grouped() -> AnnotatedImage:
    board = Board.parse(OPENED)
    look = skin_of("kmines")
    return AnnotatedImage(draw(board, look), lattice_for(board, look, 24, 32), board, "shot.png")


def test_groups_named_by_their_reading() -> None:
    groups = find_groups([grouped()], CellModel.load())
    said = [(group.number, group.state, len(group.cells)) for group in groups]
    assert said == [(1, ".", 30), (2, "1", 3), (3, "0", 2), (4, "2", 1)]


def test_groups_rename_changes_every_cell() -> None:
    sample = grouped()
    groups = find_groups([sample], CellModel.load())
    one = next(group.number for group in groups if group.state == "1")
    (now,) = relabel([sample], rename_groups(groups, {one: "F"}))
    assert str(now.board) == OPENED.replace("1", "F")
    with pytest.raises(UsageError, match="no such group"):
        rename_groups(groups, {9: "F"})
    with pytest.raises(UsageError, match="no cell can show"):
        rename_groups(groups, {one: "9"})
