"""Reads labelled screenshots with the cell model alone: `python benchmarks/seeing/cells.py [FOLDER…]`.

A folder has one folder for each program, in the form of fixtures/screens (read when none is named). Every
cell is cut out along the true lines and read by itself: no other cell, no rule of the game, no skin. Hidden
and open blanks can look the same alone, so they are counted as one drawing first, then apart.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from vision.annotations import annotated_images, load_annotated
from vision.cells.model import CLASSES, CellModel

SCREENS = Path(__file__).resolve().parents[2] / "fixtures" / "screens"
BLANK = ".0"
SURE = 0.99


@dataclass
class Row:
    """What became of the cells of one program."""

    cells: int = 0
    right: int = 0
    digits: int = 0
    digits_right: int = 0
    sure: int = 0
    sure_right: int = 0
    blanks: int = 0
    blanks_right: int = 0
    seconds: float = 0.0
    mistaken: Counter[str] = field(default_factory=Counter)

    def add(self, truth: str, read: str, blank: str, part: float) -> None:
        """One cell: its state, the likeliest drawing with blanks as one, the likelier blank, and how sure."""
        is_right = read == truth or (truth in BLANK and read in BLANK)
        self.cells += 1
        self.right += is_right
        if truth in "12345678":
            self.digits += 1
            self.digits_right += is_right
        if part > SURE:
            self.sure += 1
            self.sure_right += is_right
        if truth in BLANK:
            self.blanks += 1
            self.blanks_right += is_right and blank == truth
        if not is_right:
            self.mistaken[f"{truth} as {read}"] += 1

    def include(self, other: Row) -> None:
        """Another program's cells, counted with these."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def line(self, name: str) -> str:
        """A row of the table."""
        wrong = ", ".join(f"{what} ({count})" for what, count in self.mistaken.most_common(8)) or "-"
        return (
            f"| {name} | {self.cells} | {100 * self.right / max(1, self.cells):.2f} % | "
            f"{self.digits_right} of {self.digits} | {self.sure_right} of {self.sure} | "
            f"{self.blanks_right} of {self.blanks} | {wrong} |"
        )


def read_program(model: CellModel, folder: Path) -> Row:
    """Every labelled picture of one program, cell by cell."""
    row = Row()
    for picture in annotated_images(folder):
        frame, lattice, board, _ = load_annotated(picture)
        boxes = [lattice.rectangle(cell) for cell in range(lattice.rows * lattice.columns)]
        cuts = [frame.pixels[top:bottom, left:right] for left, top, right, bottom in boxes]
        began = time.process_time()
        parts = np.exp(model.likelihoods(cuts))
        row.seconds += time.process_time() - began
        for cell, likely in enumerate(parts):
            merged = likely.copy()
            merged[0] += merged[1]
            merged[1] = 0
            best = int(merged.argmax())
            row.add(board[cell], CLASSES[best], CLASSES[int(likely[:2].argmax())], float(merged[best]))
    return row


def main() -> None:
    """Reads every program of the folders and prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path, default=[SCREENS])
    model = CellModel.load()
    total = Row()
    print(
        "| program | cells | right | digits right | above 0.99: right | . and 0 kept apart | mistaken for |"
    )
    print("|---|---|---|---|---|---|---|")
    for program in (one for folder in parser.parse_args().folders for one in sorted(folder.iterdir())):
        if program.is_dir() and list(annotated_images(program)):
            row = read_program(model, program)
            print(row.line(program.name), flush=True)
            total.include(row)
    print(total.line("all"))
    print(f"{1000 * total.seconds / max(1, total.cells):.3f} ms of processor time a cell")


if __name__ == "__main__":
    main()
