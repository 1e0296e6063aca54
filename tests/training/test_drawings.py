"""Drawings for the training: each is known by its file and by one split, so that none is left out unseen."""

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


def test_every_pattern_is_drawn_by_themes_of_one_split() -> None:
    named = [name for split in splits.SPLITS for name in splits.families(splits.FILLS, split)]
    assert sorted(named) == sorted(FIELDS)


def test_digits_are_taken_from_a_set_of_icons_that_has_all_of_them() -> None:
    picture = np.zeros((64, 64, 4), np.uint8)
    digits = [Icon(str(k), picture, True) for k in range(1, 9)]
    flag = Icon("flag", picture, True)
    assert usable_icons([*digits, flag]) == [*digits, flag]
    assert usable_icons([digits[1], flag]) == [flag]  # its `counter-2` is no number


def _drawn(mask: Floats) -> tuple[int, int, int, int]:
    """Where what is drawn begins and ends: left, right, top, bottom."""
    rows, columns = np.flatnonzero(mask.max(axis=1) > 0.2), np.flatnonzero(mask.max(axis=0) > 0.2)
    return int(columns[0]), int(columns[-1]), int(rows[0]), int(rows[-1])


@pytest.mark.parametrize("split", ["train", "validation"])
def test_a_landscape_lies_within_its_cell_and_does_not_hide_all_of_it(split: str) -> None:
    for seed in range(20):
        landscape = choose_landscape(np.random.default_rng(seed), split, SIZE, GREY)
        covered = np.max([mask for mask, _ in landscape.layers], axis=0)
        assert covered.shape == SIZE[::-1]
        assert 0.02 < float((covered > 0.2).mean()) < 0.98
        assert colour_distance(landscape.colour, GREY) > 0


def test_no_split_draws_the_landscapes_of_another() -> None:
    named = [name for split in splits.SPLITS for name in splits.families(splits.SCENES, split)]
    assert len(named) == len(set(named))


def test_what_is_shrunk_is_smaller_and_stands_where_it_was_moved() -> None:
    cloth = flag(np.random.default_rng(1), "train", SIZE, GREY, smooth=True)
    whole = _drawn(np.max([mask for mask, _ in cloth], axis=0))
    small = _drawn(np.max([mask for mask, _ in shrink(cloth, SIZE, 0.5, (-0.2, 0.0), True)], axis=0))
    assert abs((small[3] - small[2]) - (whole[3] - whole[2]) / 2) <= 2
    assert small[1] < SIZE[0] * 0.6


def test_a_mine_of_another_colour_is_the_same_mine() -> None:
    usual = mine(np.random.default_rng(3), "train", SIZE, GREY, smooth=True)
    struck = recolour(usual, ACCENTS[0])
    assert main_colour(struck) == ACCENTS[0] != main_colour(usual)
    assert all(a is b for (a, _), (b, _) in zip(usual, struck, strict=True))
