"""Skins: learning, matching, recognition of programs, files."""

from __future__ import annotations

import contextlib
import io
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from drawing import SCREENS, SKINS, draw, lattice_for, skin_of, tiles_of
from fuzz_mutations import flip_bits
from numpy.typing import NDArray

from games.errors import InvalidFile, UsageError
from games.minesweeper import Board
from vision.annotations import AnnotatedImage, annotated_images, load_annotated
from vision.cells.model import CLASSES, CellModel, most_likely
from vision.frame import Frame, Pixels
from vision.lattice import Lattice
from vision.skin_groups import find_groups, relabel, rename_groups
from vision.skins import (
    Skin,
    SkinModel,
    Tile,
    best_skin,
    known_skins,
    load_known_skins,
    load_skin,
    train_skin,
    train_skin_from_tiles,
)

PROGRAMS = ["ace-minesweeper", "gnome-mines", "kmines", "sgt-mines", "xdemineur"]
OPENED = "001...\n112...\n......\n......\n......\n......"


def greys(*colours: int) -> Frame:
    """A row of 10 x 10 cells, each of one grey."""
    return Frame(np.repeat(np.repeat(np.array(colours, np.uint8), 10)[None, :, None], 10, 0).repeat(3, 2))


def row(text: str, frame: Frame, source: str = "") -> AnnotatedImage:
    return AnnotatedImage(
        frame, Lattice(tuple(range(0, 10 * len(text) + 1, 10)), (0, 10)), Board.parse(text), source
    )


def opened(program: str) -> AnnotatedImage:
    """The first opening, drawn as a program does."""
    board, look = Board.parse(OPENED), skin_of(program)
    return AnnotatedImage(draw(board, look), lattice_for(board, look, 24, 32), board, "shot.png")


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
    with pytest.raises(InvalidFile, match="skin grey"):
        train_skin("grey", [row("0.", greys(100, 200), "c.png")], first)


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
    shot = opened(program)
    found = best_skin(shot.frame, shot.lattice, skins)
    assert found is not None
    assert found.name == program
    assert best_skin(shot.frame, shot.lattice, [skin for skin in skins if skin.name != program]) is None


def test_skin_half_known_board_matches_no_program() -> None:
    shot, tiles = opened("xdemineur"), tiles_of(skin_of("xdemineur"))
    few, most = (Skin("some", tuple(Tile(state, tiles[state]) for state in states)) for states in ("12", "."))
    assert best_skin(shot.frame, shot.lattice, [few]) is None
    assert best_skin(shot.frame, shot.lattice, [most]) is most


def test_skin_plain_areas_and_tables_match_nothing() -> None:
    skins = [skin_of(name) for name in PROGRAMS]
    lattice = Lattice(tuple(range(10, 300, 20)), tuple(range(10, 200, 20)))
    for grey in range(0, 256, 15):
        assert best_skin(Frame(np.full((220, 320, 3), grey, np.uint8)), lattice, skins) is None


def test_groups_named_by_their_reading() -> None:
    groups = find_groups([opened("kmines")], CellModel.load())
    said = [(group.number, group.state, len(group.cells)) for group in groups]
    assert said == [(1, ".", 30), (2, "1", 3), (3, "0", 2), (4, "2", 1)]


def test_groups_rename_changes_every_cell() -> None:
    sample = opened("kmines")
    groups = find_groups([sample], CellModel.load())
    one = next(group.number for group in groups if group.state == "1")
    (now,) = relabel([sample], rename_groups(groups, {one: "F"}))
    assert str(now.board) == OPENED.replace("1", "F")
    with pytest.raises(UsageError, match="no such group"):
        rename_groups(groups, {9: "F"})
    with pytest.raises(UsageError, match="no cell can show"):
        rename_groups(groups, {one: "9"})


# --- files ---------------------------------------------------------------------------------------------


def small_skin() -> Skin:
    rng = np.random.default_rng(5)
    tiles = tuple(
        Tile(state, rng.integers(0, 256, (height, 11, 3), dtype=np.uint8))
        for state, height in zip(".1F", (9, 10, 12), strict=True)
    )
    return Skin("small", tiles, "winmine", (("F", "a flag was set"),))


def test_skin_file_round_trip(tmp_path: Path) -> None:
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


def test_skin_file_cut_off_refused_in_one_line() -> None:
    data = small_skin().to_bytes()
    for end in range(0, len(data), 97):
        with pytest.raises(InvalidFile, match=r"\Acut\.skin: [^\n]*\Z"):
            Skin.from_bytes(data[:end], "cut.skin")


def test_skin_file_damaged_byte_refused_or_harmless() -> None:
    data = small_skin().to_bytes()
    for seed in range(0, len(data), 13):
        with contextlib.suppress(InvalidFile):  # and nothing else may be raised
            Skin.from_bytes(flip_bits(Random(seed), data), "damaged.skin")


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
def test_skin_file_inconsistent_refused(change: dict[str, object]) -> None:
    with pytest.raises(InvalidFile, match="no skin"):
        Skin.from_bytes(changed(**change), "odd.skin")


def test_skin_file_first_format_still_read() -> None:
    old = Skin.from_bytes(changed(format=1, near=12.0, far=50.5), "old.skin")
    assert old.states == ".1F"
    assert [skin_of(name).states[:6] for name in PROGRAMS] == [".01234"] * 5


def test_skins_only_from_user(tmp_path: Path) -> None:
    assert known_skins(tmp_path) == {}
    assert load_known_skins(tmp_path / "missing") == []
    assert list(known_skins(SKINS)) == PROGRAMS
    assert [skin.name for skin in load_known_skins(SKINS)] == PROGRAMS


def test_skin_found_by_name_or_file(tmp_path: Path) -> None:
    small_skin().save(tmp_path / "mine.skin")
    assert [load_skin(name, tmp_path).name for name in ("mine", tmp_path / "mine.skin")] == ["small"] * 2
    for folder, message in (
        (SKINS, ".*gnome-mines.*xdemineur"),
        (tmp_path, ".*mine"),
        (tmp_path / "x", ".* none yet"),
    ):
        with pytest.raises(UsageError, match=f"no skin is called 'winmine'{message}"):
            load_skin("winmine", folder)
    with pytest.raises(InvalidFile, match=r"none\.skin"):
        load_skin(tmp_path / "none.skin", tmp_path)
