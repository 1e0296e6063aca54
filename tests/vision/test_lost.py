"""A lost board whose signs the model does not know: the mines that it shows say what they are."""

from __future__ import annotations

from pathlib import Path

from drawing import sight

from games.minesweeper import UNKNOWN, Board, Move
from vision.labels import load_labelled

GREEN = Path(__file__).resolve().parents[2] / "fixtures" / "lost" / "kmines-green"
LOST = load_labelled(GREEN / "lost.png")
BEFORE, OPENED = (
    load_labelled(GREEN / name, GREEN / "lost.txt").frame for name in ("before.png", "opened.png")
)


def test_the_mines_of_a_lost_board_are_read_whose_numbers_only_they_explain() -> None:
    reader = sight().reader(LOST.lattice, None)
    reader.observe(BEFORE)
    reader.acted([Move("open", LOST.board.cell("r3c3"))], certain=True)
    assert UNKNOWN in reader.observe(OPENED).board.cells
    reader.acted([Move("open", LOST.board.cell("r0c0"))], certain=False)
    looks = [reader.observe(LOST.frame).board.cells for _ in range(4)]
    assert Board(LOST.board.rows, LOST.board.columns, looks[-1]).shown_mines == LOST.board.shown_mines
    assert all(seen in (true, UNKNOWN) for seen, true in zip(looks[-1], LOST.board.cells, strict=True))
