"""One picture, no skin: ways are tried best first, scaled looks are one look, an ended game is read."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from synthetic import random_look

from bot.judging import Solver
from games.minesweeper.board import UNKNOWN
from vision.choosing import best_first
from vision.frame import Frame
from vision.labels import load_labelled
from vision.locating import locate
from vision.merging import merge
from vision.single import read_unknown

SCREENS = Path(__file__).resolve().parents[1] / "fixtures" / "screens"

some_options = some.lists(some.integers(-40, 0), min_size=1, max_size=4).map(
    lambda weights: [(str(n), float(w)) for n, w in enumerate(sorted(weights, reverse=True))]
)


@settings(deadline=None)
@given(some.lists(some_options, max_size=4))
def test_every_way_to_choose_comes_once_and_the_heaviest_first(
    options: list[list[tuple[str, float]]],
) -> None:
    choices = dict(enumerate(options))
    ways = list(best_first(choices))
    weights = [weight for weight, _ in ways]
    assert weights == sorted(weights, reverse=True)
    assert sorted(tuple(chosen.values()) for _, chosen in ways) == sorted(
        product(*([name for name, _ in each] for each in options))
    )
    for weight, chosen in ways:
        assert weight == sum(dict(choices[look])[name] for look, name in chosen.items())


def test_a_digit_a_fraction_of_a_pixel_aside_is_the_same_look_and_another_digit_is_not() -> None:
    tiles = {tile.state: tile.pixels for tile in random_look(5).tiles}
    aside = [
        cv2.warpAffine(tiles[digit], np.array([[1, 0, x], [0, 1, y]], np.float32), tiles[digit].shape[1::-1])
        for digit in "1368"
        for x, y in ((0.0, 0.0), (0.5, 0.0), (-0.3, 0.6))
    ]
    pictures = [np.asarray(picture, np.uint8) for picture in aside]
    kept, ids = merge(pictures, np.arange(len(pictures), dtype=np.int32))
    assert len(kept) == 4
    assert ids.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]


@pytest.mark.parametrize(
    ("name", "scale", "least"),
    [
        ("xdemineur/mid_game", 0.75, 0.97),
        ("xdemineur/mid_game", 1.5, 0.97),
        ("kmines/mid_game", 0.75, 0.97),
        ("gnome-mines/numbers_31", 1.0, 0.97),  # its 4 and 6 differ by little
        ("ace-minesweeper/lost_24", 1.0, 0.97),
        ("gnome-mines/lost", 1.0, 0.97),
        ("xdemineur/lost", 1.0, 0.97),  # with wrong flags
        ("sgt-mines/lost", 1.0, 0.97),  # shows only the mine that was hit
        ("xdemineur/lost", 0.75, 0.97),  # its first line is astray
        ("ace-minesweeper/mid_game", 0.75, 0.97),  # 9 pixels
    ],
)
def test_scaled_and_ended_boards_are_read_and_nothing_is_wrong(name: str, scale: float, least: float) -> None:
    sample = load_labelled(SCREENS / f"{name}.png")
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    pixels = cv2.resize(sample.frame.pixels, None, fx=scale, fy=scale, interpolation=way)
    frame = Frame(np.ascontiguousarray(pixels, np.uint8))
    board = read_unknown(frame, locate(frame), Solver()).board
    assert all(seen in (true, UNKNOWN) for seen, true in zip(board.cells, sample.board.cells, strict=True))
    right = sum(seen == true for seen, true in zip(board.cells, sample.board.cells, strict=True))
    assert right >= least * len(board)
