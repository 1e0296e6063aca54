"""The cheap check: does a board still lie where it was found?"""

from __future__ import annotations

import numpy as np
import pytest
from drawing import LABELLED, labelled

from vision.frame import Frame
from vision.locating import locate, verify


@pytest.mark.parametrize("state", LABELLED)
def test_a_lattice_holds_where_it_was_found(state: str) -> None:
    shown = labelled(state)
    assert verify(shown.frame, shown.lattice)
    assert verify(shown.frame, shown.lattice, before=shown.frame)


@pytest.mark.parametrize("move", [(4, 0), (-5, 3), (0, 4), (0, -6), (200, 100)])
@pytest.mark.parametrize("state", [state for state in LABELLED if state.endswith("/fresh")])
def test_a_window_that_moved_is_noticed(state: str, move: tuple[int, int]) -> None:
    shown = labelled(state)
    before, lattice = shown.frame, shown.lattice
    after = Frame(np.roll(before.pixels, move, (1, 0)))
    assert not verify(after, lattice, before=before)


@pytest.mark.parametrize("cells", [1, -1])
@pytest.mark.parametrize("state", [state for state in LABELLED if state.endswith("/fresh")])
def test_a_window_that_moved_by_a_whole_cell_is_noticed(state: str, cells: int) -> None:
    shown = labelled(state)
    before, lattice = shown.frame, shown.lattice
    after = Frame(np.roll(before.pixels, cells * (lattice.xs[1] - lattice.xs[0]), 1))
    assert not verify(after, lattice, before=before)


def test_a_board_that_is_covered_or_gone_is_noticed() -> None:
    shown = labelled("sgt-mines/mid_game")
    before, lattice = shown.frame, shown.lattice
    covered = before.pixels.copy()
    left, top, width, height = lattice.box
    covered[top - 20 : top + height // 2, left - 20 : left + width + 20] = 200
    assert not verify(Frame(covered), lattice)
    assert not verify(Frame(np.zeros_like(before.pixels)), lattice)
    assert not verify(before.cut(0, 0, left + width // 2, before.height), lattice)


def test_the_same_board_in_another_state_still_holds() -> None:
    fresh, later = labelled("xdemineur/fresh"), labelled("xdemineur/mid_game")
    assert verify(later.frame, fresh.lattice, before=fresh.frame)


def test_cells_that_are_dithered_are_seen() -> None:
    pixels = np.full((300, 320, 3), 255, np.uint8)
    dots = np.indices((241, 241)).sum(axis=0) % 2 == 0
    pixels[40:281, 30:271][dots] = 90
    for line in range(0, 241, 20):
        pixels[40 + line, 30:271] = pixels[40:281, 30 + line] = 0
    found = locate(Frame(pixels))
    assert (found.size, found.box[2:]) == ("12x12", (240, 240))
