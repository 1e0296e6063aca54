"""Skins: what a file holds, what happens when it is damaged, and where skins are found by name."""

from __future__ import annotations

import contextlib
import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from games.errors import InvalidFile, Usage
from vision.skins import Skin, Tile, known_skins, load_known_skins, load_skin

BUILT_IN = ["ace-minesweeper", "gnome-mines", "kmines", "sgt-mines", "xdemineur"]


def small_skin() -> Skin:
    rng = np.random.default_rng(5)
    tiles = tuple(
        Tile(state, rng.integers(0, 256, (height, 11, 3), dtype=np.uint8))
        for state, height in zip(".1F", (9, 10, 12), strict=True)
    )
    return Skin("small", tiles, 12.0, 50.5)


def test_a_skin_survives_its_file(tmp_path: Path) -> None:
    skin = small_skin()
    skin.save(tmp_path / "small.skin")
    again = Skin.load(tmp_path / "small.skin")
    assert (again.name, again.near, again.far, again.states) == ("small", 12.0, 50.5, ".1F")
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


@pytest.mark.parametrize(
    "change",
    [
        {"format": 99},
        {"near": "wide"},
        {"tiles": []},
        {"tiles": [[".", 11, 900]]},
        {"tiles": [["~", 11, 9]]},
        {"tiles": [[".", 11, 9]] * 50},
        {"tiles": None},
        {"tiles": [[".", -3, 9]]},
        {"tiles": [[".", 1.5, 9]]},
        {"near": float("nan")},
    ],
)
def test_a_skin_that_does_not_add_up_is_refused(change: dict[str, object]) -> None:
    with zipfile.ZipFile(io.BytesIO(small_skin().to_bytes())) as archive:
        about, picture = json.loads(archive.read("skin.json")), archive.read("tiles.png")
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("skin.json", json.dumps(about | change))
        archive.writestr("tiles.png", picture)
    with pytest.raises(InvalidFile, match="no skin"):
        Skin.from_bytes(file.getvalue(), "odd.skin")


def test_built_in_skins_are_known(tmp_path: Path) -> None:
    assert [name for name in known_skins(tmp_path) if name in BUILT_IN] == BUILT_IN
    assert [skin.name for skin in load_known_skins(tmp_path)] == list(known_skins(tmp_path))


def test_a_persons_own_skin_goes_first(tmp_path: Path) -> None:
    small_skin().save(tmp_path / "xdemineur.skin")
    assert load_skin("xdemineur", tmp_path).name == "small"
    assert load_skin(tmp_path / "xdemineur.skin", tmp_path).name == "small"


def test_an_unknown_name_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(Usage, match=r"no skin is called 'winmine'.*gnome-mines.*xdemineur"):
        load_skin("winmine", tmp_path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidFile, match=r"none\.skin"):
        load_skin(tmp_path / "none.skin", tmp_path)
