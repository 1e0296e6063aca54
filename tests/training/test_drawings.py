"""Drawings of the training data: each belongs to one split."""

from __future__ import annotations

import numpy as np
import pytest

from training import splits
from training.drawings.icons import Icon, usable_icons
from training.drawings.landscapes import choose_landscape
from training.drawings.signs import ACCENTS, flag, mine
from training.drawings.surfaces import Colour, Floats, colour_distance, main_colour, recolour, shrink
from training.drawings.textures import FIELDS

GREY: Colour = (190.0, 190.0, 190.0)
SIZE = 30, 24  # width and height of a cell, pixels


def test_every_texture_belongs_to_one_split() -> None:
    named = [name for split in splits.FILLS for name in splits.families(splits.FILLS, split)]
    assert sorted(named) == sorted(FIELDS)


def test_icon_digits_need_complete_set() -> None:
    picture = np.zeros((64, 64, 4), np.uint8)
    digits = [Icon(str(k), picture, True) for k in range(1, 9)]
    flag = Icon("flag", picture, True)
    assert usable_icons([*digits, flag]) == [*digits, flag]
    assert usable_icons([digits[1], flag]) == [flag]  # `counter-2` of an incomplete set is no digit


def extent(mask: Floats) -> tuple[int, int, int, int]:
    """The extent of a drawing: left, right, top, bottom."""
    rows, columns = np.flatnonzero(mask.max(axis=1) > 0.2), np.flatnonzero(mask.max(axis=0) > 0.2)
    return int(columns[0]), int(columns[-1]), int(rows[0]), int(rows[-1])


@pytest.mark.parametrize("split", ["train", "validation"])
def test_landscape_covers_part_of_cell(split: str) -> None:
    for seed in range(20):
        landscape = choose_landscape(np.random.default_rng(seed), split, SIZE, GREY)
        covered = np.max([mask for mask, _ in landscape.layers], axis=0)
        assert covered.shape == SIZE[::-1]
        assert 0.02 < float((covered > 0.2).mean()) < 0.98
        assert colour_distance(landscape.colour, GREY) > 0


def test_every_landscape_belongs_to_one_split() -> None:
    named = [name for split in splits.SCENES for name in splits.families(splits.SCENES, split)]
    assert len(named) == len(set(named))


def test_shrink_reduces_and_moves() -> None:
    cloth = flag(np.random.default_rng(1), "train", SIZE, GREY, smooth=True)
    whole = extent(np.max([mask for mask, _ in cloth], axis=0))
    small = extent(np.max([mask for mask, _ in shrink(cloth, SIZE, 0.5, (-0.2, 0.0), True)], axis=0))
    assert abs((small[3] - small[2]) - (whole[3] - whole[2]) / 2) <= 2
    assert small[1] < SIZE[0] * 0.6


def test_recolour_keeps_shape() -> None:
    usual = mine(np.random.default_rng(3), "train", SIZE, GREY, smooth=True)
    struck = recolour(usual, ACCENTS[0])
    assert main_colour(struck) == ACCENTS[0] != main_colour(usual)
    assert all(a is b for (a, _), (b, _) in zip(usual, struck, strict=True))
