"""Cells of a theme: flags, question marks, exploded mines and landscapes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from training.drawings.fonts import Face
from training.drawings.landscapes import choose_landscape
from training.drawings.letters import LetterStyle
from training.drawings.surfaces import Colour, Floats, Surface
from training.drawings.theme_choice import choose_theme
from training.drawings.themes import Theme, ThemeResources
from training.grids.random_looks import random_look
from training.splits import SPLITS
from vision.cells.model import CLASSES

LIGHT: Colour = (210.0, 210.0, 210.0)
DARK: Colour = (120.0, 120.0, 120.0)
RED: Colour = (0.0, 0.0, 255.0)
SIZE = 32, 32


class Bar(Face):
    """A face whose letters are bars."""

    def mask(self, text: str, height: float, weight: int = 0, smooth: bool = True) -> NDArray[np.uint8]:
        return np.full((max(1, round(height)), max(1, round(height / 3))), 255, np.uint8)


def theme(**ways: str) -> Theme:
    """A theme with drawn signs on two greys; `ways` changes its styles."""
    cover = Surface("plain", "none", LIGHT, LIGHT, LIGHT, LIGHT, LIGHT, 1, 0.1)
    ground = replace(cover, colour=DARK)
    letters = LetterStyle(Bar("bar"), 0.5)
    usual = {
        "marks": "cover", "mines": "ground", "flag": "drawn", "mine": "drawn", "question": "letter",
        "digits": "letter", "cross": "drawn", "!": "mine", "x": "flag cross", "x ground": "ground",
    }  # fmt: skip
    return Theme(
        ThemeResources("train", (), {}), SIZE, 1, cover, ground, replace(ground, colour=RED),
        letters, letters,
        ((0.0, 0.0, 0.0),) * 8, 6, styles=usual | ways,
    )  # fmt: skip


def drawn(drawing: Theme, state: str) -> Floats:
    return drawing.draw(state, (0, 0), np.random.default_rng(0))


def reddish(cell: Floats) -> int:
    """The number of red pixels."""
    return int((cell[..., 2] - cell[..., :2].max(axis=2) > 60).sum())


@pytest.mark.parametrize("split", SPLITS)
def test_theme_of_split_draws_all_states(split: str) -> None:
    resources = ThemeResources(split, ((Bar("bar"),),), {})
    for seed in range(15):
        rng = np.random.default_rng(seed)
        chosen = choose_theme(resources, rng)
        assert all(chosen.draw(state, (0, 0), rng).size for state in CLASSES)


def test_question_beside_flag_draws_small_flag() -> None:
    flag, plain = drawn(theme(), "F"), drawn(theme(), "?")
    both = drawn(theme(question="beside flag"), "?")
    assert reddish(plain) == 0 < reddish(both) < reddish(flag)
    assert not np.array_equal(both, flag)


def test_exploded_mine_coloured_on_ground() -> None:
    mine, hit = drawn(theme(), "*"), drawn(theme(**{"!": "coloured"}), "!")
    assert np.array_equal(mine[0, 0], hit[0, 0])
    assert reddish(mine) == 0 < reddish(hit)
    assert np.array_equal(drawn(theme(), "!")[0, 0], RED)  # the usual style: an accent colour


def test_floor_is_under_numbers_not_on_covers() -> None:
    bare, laid = theme(), theme()
    laid.floor = choose_landscape(np.random.default_rng(2), "train", SIZE, DARK).layers
    assert np.array_equal(drawn(bare, "."), drawn(laid, "."))
    assert not np.array_equal(drawn(bare, "0"), drawn(laid, "0"))
    ink = drawn(bare, "3").max(axis=2) == 0
    assert ink.any()
    assert (drawn(laid, "3")[ink] == 0).all()


@pytest.mark.parametrize("seed", range(12))
def test_random_look_draws_all_states(seed: int) -> None:
    resources = ThemeResources("train", ((Bar("bar"),),), {})
    rng = np.random.default_rng(seed)
    look = random_look(rng, resources, 17, 13)
    cells = {state: look.draw(state, (0, 0), rng) for state in ".0123F?*!"}
    assert {cell.shape for cell in cells.values()} == {(13, 17, 3)}
    assert not np.array_equal(cells["1"], cells["0"])
    assert not np.array_equal(cells["F"], cells["."])
