"""Drawings for the training: each is known by its file and by one split, so that none is left out unseen."""

from __future__ import annotations

import numpy as np

from training import splits
from training.drawing.icons import Icon, meant
from training.drawing.textures import FIELDS


def test_every_pattern_is_drawn_by_themes_of_one_split() -> None:
    named = [name for split in splits.SPLITS for name in splits.families(splits.FILLS, split)]
    assert sorted(named) == sorted(FIELDS)


def test_digits_are_taken_from_a_set_of_icons_that_has_all_of_them() -> None:
    picture = np.zeros((64, 64, 4), np.uint8)
    digits = [Icon(str(k), picture, True) for k in range(1, 9)]
    flag = Icon("flag", picture, True)
    assert meant([*digits, flag]) == [*digits, flag]
    assert meant([digits[1], flag]) == [flag]  # its `counter-2` is no number
