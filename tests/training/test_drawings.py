"""Drawings of the training data: each belongs to one split."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from training import splits
from training.drawings.fonts import Face, Mask
from training.drawings.icons import Icon, usable_icons
from training.drawings.landscapes import choose_landscape
from training.drawings.surfaces import Colour, colour_distance
from training.drawings.textures import FIELDS
from training.drawings.theme_choice import choose_theme
from training.drawings.themes import ThemeResources

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


class PlottedFace(Face):
    """A face without a font file."""

    def mask(self, text: str, height: float, weight: int = 0, smooth: bool = True) -> Mask | None:
        face, size = cv2.FONT_HERSHEY_SIMPLEX, height / 21
        (wide, high), _ = cv2.getTextSize(text, face, size, 1 + weight)
        drawn = np.zeros((high + 4, wide + 4), np.uint8)
        return np.asarray(cv2.putText(drawn, text, (2, high + 2), face, size, 255, 1 + weight), np.uint8)


@pytest.mark.parametrize("split", ["train", "test"])
def test_covers_and_numbers_differ_from_empty_cells(split: str) -> None:
    """By 8 and 4 grey levels (root mean square), in each of 100 themes."""
    resources = ThemeResources(split, ((PlottedFace(""),),), {})
    for seed in range(100):
        theme = choose_theme(resources, np.random.default_rng(seed), SIZE)
        cells = {s: theme.draw(s, (0, 0), np.random.default_rng(0)) for s in ".012345678"}
        apart = {
            s: float(np.square(cell - cells["0"]).max(axis=2).mean()) ** 0.5 for s, cell in cells.items()
        }
        assert apart["."] >= 8
        assert min(apart[number] for number in "12345678") >= 4
