"""Skins: what a file holds, how they are learned, what they recall, and when a board is of their program."""

from __future__ import annotations

import contextlib
import io
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from drawing import SKINS, draw, lattice_for, skin_of, tiles_of
from numpy.typing import NDArray

from games.errors import InvalidFile, Usage
from games.minesweeper import Board
from vision.cells import CLASSES, CellModel
from vision.frame import Frame, Pixels
from vision.labels import Labelled, labelled_pictures, load_labelled
from vision.lattice import Lattice
from vision.skins import (
    Memory,
    Skin,
    Tile,
    find_groups,
    known_skins,
    learn,
    learn_tiles,
    load_known_skins,
    load_skin,
    recognise,
    relabelled,
    renamed,
)

SCREENS = Path(__file__).resolve().parents[2] / "fixtures" / "screens"
PROGRAMS = ["ace-minesweeper", "gnome-mines", "kmines", "sgt-mines", "xdemineur"]
OPENED = "001...\n112...\n......\n......\n......\n......"


def small_skin() -> Skin:
    rng = np.random.default_rng(5)
    tiles = tuple(
        Tile(state, rng.integers(0, 256, (height, 11, 3), dtype=np.uint8))
        for state, height in zip(".1F", (9, 10, 12), strict=True)
    )
    return Skin("small", tiles, "winmine", (("F", "a flag was set"),))


# --- files -------------------------------------------------------------------------------------------------


def test_a_skin_survives_its_file(tmp_path: Path) -> None:
    skin = small_skin()
    skin.save(tmp_path / "small.skin")
    again = Skin.load(tmp_path / "small.skin")
    assert (again.name, again.states, again.program) == ("small", ".1F", "winmine")
    assert again.evidence == (("F", "a flag was set"),)
    assert again.is_learned
    assert again.sizes == [(9, 11), (10, 11), (12, 11)]
    for one, other in zip(skin.tiles, again.tiles, strict=True):
        assert one.state == other.state
        assert np.array_equal(one.pixels, other.pixels)
    assert again.to_bytes() == skin.to_bytes()


def test_every_cut_of_a_file_is_refused_in_one_line() -> None:
    data = small_skin().to_bytes()
    for end in range(0, len(data), 97):
        with pytest.raises(InvalidFile, match=r"^cut\.skin: ") as raised:
            Skin.from_bytes(data[:end], "cut.skin")
        assert "\n" not in str(raised.value)


def test_every_damaged_byte_is_refused_or_harmless() -> None:
    data = bytearray(small_skin().to_bytes())
    for place in range(0, len(data), 13):
        data[place] ^= 0xFF
        with contextlib.suppress(InvalidFile):  # and nothing else may be raised
            Skin.from_bytes(bytes(data), "damaged.skin")
        data[place] ^= 0xFF


def changed(**change: object) -> bytes:
    """The file of a small skin that says something else."""
    with zipfile.ZipFile(io.BytesIO(small_skin().to_bytes())) as archive:
        about, atlas = json.loads(archive.read("skin.json")), archive.read("tiles.png")
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("skin.json", json.dumps(about | change))
        archive.writestr("tiles.png", atlas)
    return file.getvalue()


@pytest.mark.parametrize(
    "change",
    [
        {"format": 99},
        {"tiles": []},
        {"tiles": [[".", 11, 900]]},
        {"tiles": [["~", 11, 9]]},
        {"tiles": [[".", 11, 9]] * 50},
        {"tiles": None},
        {"tiles": [[".", -3, 9]]},
        {"tiles": [[".", 1.5, 9]]},
        {"evidence": [["1"]]},
    ],
)
def test_a_skin_that_does_not_add_up_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(InvalidFile, match="no skin"):
        Skin.from_bytes(changed(**change), "odd.skin")


def test_a_skin_of_the_first_format_is_still_read() -> None:
    old = Skin.from_bytes(changed(format=1, near=12.0, far=50.5), "old.skin")
    assert old.states == ".1F"
    assert [skin_of(name).states[:6] for name in PROGRAMS] == [".01234"] * 5


# --- by name -----------------------------------------------------------------------------------------------


def test_nothing_is_known_but_what_a_person_has(tmp_path: Path) -> None:
    assert known_skins(tmp_path) == {}
    assert load_known_skins(tmp_path / "missing") == []
    assert list(known_skins(SKINS)) == PROGRAMS
    assert [skin.name for skin in load_known_skins(SKINS)] == PROGRAMS


def test_a_skin_is_had_by_its_name_or_its_file(tmp_path: Path) -> None:
    small_skin().save(tmp_path / "mine.skin")
    assert load_skin("mine", tmp_path).name == "small"
    assert load_skin(tmp_path / "mine.skin", tmp_path).name == "small"


def test_an_unknown_name_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(Usage, match=r"no skin is called 'winmine'.*gnome-mines.*xdemineur"):
        load_skin("winmine", SKINS)
    with pytest.raises(Usage, match=r"no skin is called 'winmine'.* none yet"):
        load_skin("winmine", tmp_path)


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InvalidFile, match=r"none\.skin"):
        load_skin(tmp_path / "none.skin", tmp_path)


# --- learning ----------------------------------------------------------------------------------------------


def greys(*colours: int) -> Frame:
    """A row of 10 x 10 cells, each of one grey."""
    return Frame(np.repeat(np.repeat(np.array(colours, np.uint8), 10)[None, :, None], 10, 0).repeat(3, 2))


def row(text: str, frame: Frame, source: str = "") -> Labelled:
    return Labelled(
        frame, Lattice(tuple(range(0, 10 * len(text) + 1, 10)), (0, 10)), Board.parse(text), source
    )


def test_what_was_learned_is_recalled_and_nothing_else() -> None:
    skin = learn("grey", [row(".01~", greys(100, 200, 30, 60))])
    assert [skin.recall(greys(level).pixels) for level in (100, 200, 30, 60, 150)] == [
        ".",
        "0",
        "1",
        None,
        None,
    ]
    assert skin.recall(greys(101).pixels) == "."
    assert skin.recall(greys(100).pixels[:9]) is None  # another size


def test_what_is_added_stands_beside_what_was_known() -> None:
    first = Skin("grey", learn("grey", [row(".0", greys(100, 200))]).tiles, "winmine", (("0", "seen"),))
    more = learn("grey", [row("1.", greys(30, 100))], first)
    assert more.states == ".01"
    assert (more.program, more.evidence, len(more.tiles)) == ("winmine", (("0", "seen"),), 3)
    assert first.states == ".0"


def test_one_picture_with_two_labels_is_refused() -> None:
    with pytest.raises(
        InvalidFile, match=r"^a\.png: r0c2 is labelled '1', .* same as a\.png: r0c0, labelled '\.'"
    ):
        learn("two", [row(".01", greys(100, 200, 100), "a.png")])


def test_two_states_that_nobody_can_tell_apart_are_refused() -> None:
    with pytest.raises(InvalidFile, match=r"b\.png: r0c1 .* same as a\.png: r0c0"):
        learn("two", [row(".", greys(100), "a.png"), row(".0", greys(100, 101), "b.png")])


def test_what_contradicts_the_skin_is_refused() -> None:
    skin = learn("grey", [row(".0", greys(100, 200))])
    with pytest.raises(InvalidFile, match="skin grey"):
        learn("grey", [row("0.", greys(100, 200), "c.png")], skin)


def test_nothing_labelled_teaches_nothing() -> None:
    with pytest.raises(InvalidFile, match="no cell is labelled"):
        learn("nothing", [row("~~", greys(1, 2))])


def test_a_cell_beyond_the_picture_is_refused() -> None:
    with pytest.raises(InvalidFile, match="r0c2 lies beyond the picture"):
        learn("far", [row(".0.", greys(100, 200))])


def test_few_tiles_stand_for_many_pictures() -> None:
    levels = [100 + k % 3 for k in range(40)]
    skin = learn("grey", [row("." * 40 + "0", greys(*levels, 200))])
    assert [tile.state for tile in skin.tiles] == [".", "0"]
    assert len(learn_tiles("grey", skin.tiles * 2).tiles) == 2


@pytest.mark.parametrize("program", PROGRAMS)
def test_no_cell_is_recalled_wrong_by_what_the_other_pictures_teach(program: str) -> None:
    samples = [load_labelled(path) for path in labelled_pictures(SCREENS / program)]
    skin = learn(program, samples[1::2])
    recalled = 0
    for sample in samples[::2]:
        for k, state in enumerate(sample.board.cells):
            left, top, right, bottom = sample.lattice.rectangle(k)
            said = skin.recall(sample.frame.pixels[top:bottom, left:right])
            assert said in (state, None), f"{sample.source}: {sample.board.name(k)}"
            recalled += said is not None
    assert recalled > 50


# --- recalling ---------------------------------------------------------------------------------------------


class Sure:
    """A model that says of every picture that it is one state, and counts what it is asked."""

    def __init__(self, state: str) -> None:
        self._row = np.log([0.98 if each == state else 0.02 / 15 for each in CLASSES])

    def likelihoods(self, pictures: Sequence[Pixels]) -> NDArray[np.float32]:
        return np.tile(self._row, (len(pictures), 1)).astype(np.float32)


def test_what_is_remembered_is_likelier_than_what_the_model_says_and_never_certain() -> None:
    skin = learn("grey", [row(".1", greys(100, 30))])
    told = Memory(skin, Sure("5")).likelihoods([greys(level).pixels for level in (100, 30, 220)])
    assert [CLASSES[k] for k in told.argmax(axis=1)] == [".", "1", "5"]
    assert np.allclose(np.exp(told).sum(axis=1), 1, atol=1e-3)
    # of what else a remembered picture may be, the model decides
    assert told[0, CLASSES.index("5")] > told[0, CLASSES.index("4")] + 3


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_program_of_a_board_is_recognised_and_no_other(program: str) -> None:
    skins = [skin_of(name) for name in PROGRAMS]
    board = Board.parse(OPENED)
    look = skin_of(program)
    frame, lattice = draw(board, look), lattice_for(board, look, 24, 32)
    found = recognise(frame, lattice, skins)
    assert found is not None
    assert found.name == program
    assert recognise(frame, lattice, [skin for skin in skins if skin.name != program]) is None


def test_a_board_of_which_less_than_half_is_known_is_of_no_program() -> None:
    board = Board.parse(OPENED)
    look = skin_of("xdemineur")
    tiles = tiles_of(look)
    frame, lattice = draw(board, look), lattice_for(board, look, 24, 32)
    assert recognise(frame, lattice, [Skin("few", (Tile("1", tiles["1"]), Tile("2", tiles["2"])))]) is None
    assert recognise(frame, lattice, [Skin("most", (Tile(".", tiles["."]),))]) is not None


def test_plain_areas_and_tables_are_of_no_program() -> None:
    skins = [skin_of(name) for name in PROGRAMS]
    lattice = Lattice(tuple(range(10, 300, 20)), tuple(range(10, 200, 20)))
    for grey in range(0, 256, 15):
        assert recognise(Frame(np.full((220, 320, 3), grey, np.uint8)), lattice, skins) is None


# --- groups ------------------------------------------------------------------------------------------------


def grouped() -> Labelled:
    board = Board.parse(OPENED)
    look = skin_of("kmines")
    return Labelled(draw(board, look), lattice_for(board, look, 24, 32), board, "shot.png")


def test_cells_that_look_alike_are_a_group_and_groups_are_named_by_what_was_read() -> None:
    groups = find_groups([grouped()], CellModel.load())
    said = [(group.number, group.state, len(group.cells)) for group in groups]
    assert said == [(1, ".", 30), (2, "1", 3), (3, "0", 2), (4, "2", 1)]


def test_another_name_changes_every_cell_of_the_group() -> None:
    sample = grouped()
    groups = find_groups([sample], CellModel.load())
    one = next(group.number for group in groups if group.state == "1")
    (now,) = relabelled([sample], renamed(groups, {one: "F"}))
    assert str(now.board) == OPENED.replace("1", "F")
    with pytest.raises(Usage, match="no such group"):
        renamed(groups, {9: "F"})
    with pytest.raises(Usage, match="no cell can show"):
        renamed(groups, {one: "9"})
