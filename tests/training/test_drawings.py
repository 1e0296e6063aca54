"""Drawings of the training data: each belongs to one split."""

from __future__ import annotations

import numpy as np
import pytest

from training import splits
from training.drawings.icons import Icon, usable_icons
from training.drawings.landscapes import choose_landscape
from training.drawings.surfaces import Colour, colour_distance
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
