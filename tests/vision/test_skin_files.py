"""Skins as files: damaged ones, formats, and which one a name means."""

from __future__ import annotations

import contextlib
import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from drawing import SKINS, skin_of

from games.errors import InvalidFile, UsageError
from vision.skins import Skin, Tile, known_skins, load_known_skins, load_skin

PROGRAMS = ["ace-minesweeper", "gnome-mines", "kmines", "sgt-mines", "xdemineur"]


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


def test_skin_file_truncated_refused_in_one_line() -> None:
    data = small_skin().to_bytes()
    for end in range(0, len(data), 97):
        with pytest.raises(InvalidFile, match=r"^cut\.skin: ") as raised:
            Skin.from_bytes(data[:end], "cut.skin")
        assert "\n" not in str(raised.value)


def test_skin_file_damaged_byte_refused_or_harmless() -> None:
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
    assert load_skin("mine", tmp_path).name == "small"
    assert load_skin(tmp_path / "mine.skin", tmp_path).name == "small"


def test_skin_unknown_name_or_file_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no skin is called 'winmine'.*gnome-mines.*xdemineur"):
        load_skin("winmine", SKINS)
    with pytest.raises(UsageError, match=r"no skin is called 'winmine'.* none yet"):
        load_skin("winmine", tmp_path)
    with pytest.raises(InvalidFile, match=r"none\.skin"):
        load_skin(tmp_path / "none.skin", tmp_path)
