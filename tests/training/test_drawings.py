"""Drawings for the training: each is known by its file and by one split, so that none is left out unseen."""

from __future__ import annotations

from training import splits
from training.drawing.textures import FIELDS


def test_every_pattern_is_drawn_by_themes_of_one_split() -> None:
    named = [name for split in splits.SPLITS for name in splits.families(splits.FILLS, split)]
    assert sorted(named) == sorted(FIELDS)
