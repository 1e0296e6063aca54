"""The cell model: probabilities and accuracy."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.cells.model import CLASSES, CellModel, crop_to_drawing
from vision.frame import Pixels

INKS = (
    (255, 0, 0),
    (0, 128, 0),
    (0, 0, 255),
    (128, 0, 0),
    (0, 0, 128),
    (128, 128, 0),
    (0, 0, 0),
    (90, 90, 90),
)


@pytest.fixture(scope="module")
def model() -> CellModel:
    return CellModel.load()


def blank(height: int = 30, width: int = 30, raised: bool = False) -> Pixels:
    cell = np.full((height, width, 3), 192, np.uint8)
    if raised:
        cell[:3], cell[:, :3] = 255, 255
        cell[-3:], cell[:, -3:] = 128, 128
    else:
        cell[0], cell[:, 0] = 128, 128
    return cell


def digit(number: int, height: int = 30, width: int = 30) -> Pixels:
    cell = blank(height, width)
    size = height / 40
    (wide, tall), _ = cv2.getTextSize(str(number), cv2.FONT_HERSHEY_SIMPLEX, size, 2)
    corner = ((width - wide) // 2, (height + tall) // 2)
    cv2.putText(cell, str(number), corner, cv2.FONT_HERSHEY_SIMPLEX, size, INKS[number - 1], 2, cv2.LINE_AA)
    return cell


def states_of(model: CellModel, pictures: list[Pixels]) -> str:
    return "".join(CLASSES[best] for best in model.likelihoods(pictures).argmax(axis=1))


def test_cell_model_rows_are_distributions(model: CellModel) -> None:
    rng = np.random.default_rng(3)
    shapes = [(9, 9), (16, 24), (32, 32), (90, 135), (1, 1), (40, 9)]
    parts = model.likelihoods([rng.integers(0, 256, (*shape, 3), dtype=np.uint8) for shape in shapes])
    assert parts.shape == (len(shapes), len(CLASSES)) == (6, 16)
    assert parts.dtype == np.float32
    assert np.exp(parts.astype(float)).sum(axis=1) == pytest.approx(1, abs=1e-5)


def test_cell_model_no_pictures_no_likelihoods(model: CellModel) -> None:
    assert model.likelihoods([]).shape == (0, 16)


@pytest.mark.parametrize("size", [(16, 16), (24, 24), (30, 30), (48, 48), (32, 44)])
def test_cell_model_reads_drawn_digits(model: CellModel, size: tuple[int, int]) -> None:
    assert states_of(model, [digit(number, *size) for number in range(1, 9)]) == "12345678"


def small(number: int, height: int = 46, width: int = 50) -> Pixels:
    cell = np.full((height, width, 3), 238, np.uint8)
    cell[0], cell[:, 0] = 153, 153
    at = (width // 2 - 4, height // 2 + 5)
    cv2.putText(cell, str(number), at, cv2.FONT_HERSHEY_SIMPLEX, 0.4, (140, 140, 140), 1, cv2.LINE_AA)
    return cell


def test_cell_model_small_grey_numbers_read(model: CellModel) -> None:
    pictures = [small(number) for number in range(1, 9)]
    assert states_of(model, pictures) == "12345678"
    parts = crop_to_drawing([blank(), *pictures, digit(5, 12, 12)])
    assert sorted(parts) == list(range(1, 9))
    assert all(10 <= part.shape[0] == part.shape[1] <= 24 for part in parts.values())
    assert all(part.min() < 200 for part in parts.values())


@pytest.mark.parametrize(
    "picture", [blank(), blank(raised=True), digit(5, 12, 12), np.zeros((1, 1, 3), np.uint8)]
)
def test_closer_look_none_without_small_drawing(picture: Pixels) -> None:
    assert crop_to_drawing([picture]) == {}


def test_cell_model_raised_covered_flat_open(model: CellModel) -> None:
    assert states_of(model, [blank(raised=True), blank()]) == ".0"


def test_cell_model_two_digits_are_other(model: CellModel) -> None:
    cell = blank(40, 40)
    cv2.putText(cell, "27", (4, 28), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 0, 0), 2, cv2.LINE_AA)
    assert states_of(model, [cell]) == "~"


def test_cell_model_ignores_other_pictures(model: CellModel) -> None:
    pictures = [digit(1 + k % 8) for k in range(20)]
    together = model.likelihoods(pictures)
    again = CellModel.load().likelihoods(pictures)
    alone = np.concatenate([model.likelihoods([picture]) for picture in pictures])
    assert np.array_equal(together, again)
    assert together == pytest.approx(alone, abs=1e-4)
