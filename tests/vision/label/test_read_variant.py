"""Boards of variants: the neighbours that a number counts, and the placements that a number excludes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from drawing import record_game
from installed import pretend_installed
from live import replays

from bot.game.types import GameRules
from games.errors import UsageError
from games.logic import bits, cell_set
from games.minesweeper import Board
from games.minesweeper.variants import PLAIN, Variant, get_variant, variant_names
from strategies.probability.board_prior import UniformMinePrior
from strategies.testing.samples import VARIANTS
from vision.label.scene import marked_neighbours, mask_impossible_numbers

JUMPS = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
BOX = [(a, b) for a in range(-2, 3) for b in range(-2, 3) if a or b]


def at(offsets: list[tuple[int, int]]):  # type: ignore[no-untyped-def]
    """The cells of a board at these offsets (rows, columns) from each cell."""

    def counted(rows: int, columns: int) -> tuple[int, ...]:
        return tuple(
            cell_set(
                (r + a) * columns + c + b for a, b in offsets if 0 <= r + a < rows and 0 <= c + b < columns
            )
            for r in range(rows)
            for c in range(columns)
        )

    return counted


@pytest.fixture(autouse=True)
def knight(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two packages with variants: numbers count a knight's moves, or two cells in all directions."""
    moves = Variant("knight", "a number counts a knight's moves", counted=at(JUMPS))
    box = Variant("box", "a number counts two cells in all directions", counted=at(BOX))
    pretend_installed(monkeypatch, "sapper.variants", knight=moves, box=box)


@pytest.mark.parametrize("variant", [PLAIN, "cross", "knight"])
def test_marked_neighbours_counts_by_variant(variant: str) -> None:
    marks = np.random.default_rng(1).random((2, 5, 7)) < 0.4
    around = Board.fresh(5, 7, variant=variant).around
    for grid, counts in zip(marks, marked_neighbours(marks, variant), strict=True):
        cells = cell_set(np.flatnonzero(grid).tolist())
        assert counts.ravel().tolist() == [(near & cells).bit_count() for near in around]


def test_impossible_number_depends_on_variant() -> None:
    for variant, most in ((PLAIN, 3), ("cross", 4), ("knight", 2)):  # neighbours of the corner
        board = Board.fresh(3, 5, variant=variant).with_states({0: str(most)})
        assert mask_impossible_numbers(board) == board
        assert mask_impossible_numbers(board.with_states({0: str(most + 1)})).unread == 1


@pytest.mark.parametrize(
    ("variant", "text", "is_possible"),
    [
        (PLAIN, "0..\n...\n...", True),
        ("quad", "0..\n...\n...", False),  # a window without a mine
        ("quad", "1..\n...\n...", True),
        ("triplet", "..\n5.\n..", False),  # the right column would be three mines
        ("triplet", "..\n4.\n..", True),
        ("cross", "1..0\n....", True),  # the 1 and the 0 share r0c1 and r0c2
        ("cross", "2..0\n1...", False),
        ("balance", "0..\n...\n...", True),  # it states no rule without the mine total
        ("balance", "mines 3\n0..\n...\n...", False),
    ],
)
def test_prior_variant_excludes_boards(variant: str, text: str, is_possible: bool) -> None:
    board = Board.parse(text).with_variant(variant)
    assert (UniformMinePrior(variant).log_likelihood(board) is not None) == is_possible


def test_variant_with_large_numbers_refused() -> None:
    with pytest.raises(UsageError, match="counts 24 cells, but a cell shows 0 to 8"):
        assert not Board.fresh(9, 9, variant="box").around
    with pytest.raises(UsageError, match="quad do not allow a zero first click: use safe or none"):
        get_variant("quad").check_first_click("zero")
    assert set(variant_names()) == {PLAIN, *VARIANTS, "knight", "box"}


@pytest.mark.parametrize(("variant", "mines"), [("cross", 9), ("knight", 9)])
def test_reader_reads_games_of_variants(tmp_path: Path, variant: str, mines: int) -> None:
    wrong: list[str] = []

    def watched(read: Board, true: Board) -> None:
        wrong.extend(f"{true.name(k)} {read[k]}" for k in bits(true.open) if read[k] != true[k])

    rules = GameRules(mines, "safe", "open", variant=variant)
    for seed in (1, 2):
        folder = tmp_path / f"{seed}"
        result = record_game(folder, seed, mines=mines, rules=rules, watched=watched)
        assert (result.result in ("won", "lost"), result.wrong_certain) == (True, 0)
        replays(folder)
    assert not wrong
