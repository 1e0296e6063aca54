"""Readers of boards in several looks."""

from __future__ import annotations

import pytest
from tracked import LOOKS, name_of, opened_one

from vision.skins import Skin
from vision.track.tracker import Tracker


@pytest.fixture(params=LOOKS, ids=name_of)
def look(request: pytest.FixtureRequest) -> Skin:
    """A look of a known program, or a random one."""
    found: Skin = request.param
    return found


@pytest.fixture
def reader(look: Skin) -> Tracker:
    """A reader that has observed the first opening in this look."""
    return opened_one(look)
