"""Read the cells of labelled screenshots with the cell model alone.

Table: docs/results, "Cell model on screenshots".

    python -m benchmarks.cell_accuracy [FOLDER...]

A folder contains a folder for each program, as in fixtures/screens (the default). Every cell is cut out along
its true lines and read alone: without other cells, rules or a skin. A hidden and an open blank can look
identical, so the table first counts them as one class, then separately.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.shared import SCREENS, new_parser
from vision.annotations import annotated_images, load_annotated
from vision.cells.model import CLASSES, CellModel

BLANK = ".0"
SURE = 0.99  # probability


@dataclass
class CellRow:
    """Counts of the cells of one program."""

    cells: int = 0
    right: int = 0
    digits: int = 0
    digits_right: int = 0
    sure: int = 0
    sure_right: int = 0
    blanks: int = 0
    blanks_right: int = 0
    seconds: float = 0.0
    mistakes: Counter[str] = field(default_factory=Counter)

    def add(self, truth: str, read: str, blank: str, probability: float) -> None:
        """Count a cell: its state, the likeliest class with blanks as one, the likelier blank."""
        is_right = read == truth or (truth in BLANK and read in BLANK)
        self.cells += 1
        self.right += is_right
        if truth in "12345678":
            self.digits += 1
            self.digits_right += is_right
        if probability > SURE:
            self.sure += 1
            self.sure_right += is_right
        if truth in BLANK:
            self.blanks += 1
            self.blanks_right += is_right and blank == truth
        if not is_right:
            self.mistakes[f"{truth} as {read}"] += 1

    def include(self, other: CellRow) -> None:
        """Add the counts of another program."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def line(self, name: str) -> str:
        """The line of the table."""
        wrong = ", ".join(f"{mistake} ({count})" for mistake, count in self.mistakes.most_common(8)) or "-"
        return (
            f"| {name} | {self.cells} | {100 * self.right / max(1, self.cells):.2f} % | "
            f"{self.digits_right} of {self.digits} | {self.sure_right} of {self.sure} | "
            f"{self.blanks_right} of {self.blanks} | {wrong} |"
        )


def read_program(model: CellModel, folder: Path) -> CellRow:
    """Read every labelled picture of one program, cell by cell."""
    row = CellRow()
    for picture in annotated_images(folder):
        frame, lattice, board, _ = load_annotated(picture)
        boxes = [lattice.rectangle(cell) for cell in range(lattice.rows * lattice.columns)]
        cuts = [frame.pixels[top:bottom, left:right] for left, top, right, bottom in boxes]
        begin = time.process_time()
        probabilities = np.exp(model.likelihoods(cuts))
        row.seconds += time.process_time() - begin
        for cell, likely in enumerate(probabilities):
            merged = likely.copy()
            merged[0] += merged[1]
            merged[1] = 0
            best = int(merged.argmax())
            row.add(board[cell], CLASSES[best], CLASSES[int(likely[:2].argmax())], float(merged[best]))
    return row


def main() -> None:
    """Print the table."""
    parser = new_parser(__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=[SCREENS], metavar="FOLDER")
    model = CellModel.load()
    total = CellRow()
    print("| program | cells | right | digits right | above 0.99: right | blanks separated | mistakes |")
    print("|---|---|---|---|---|---|---|")
    for program in (path for folder in parser.parse_args().folders for path in sorted(folder.iterdir())):
        if program.is_dir() and list(annotated_images(program)):
            row = read_program(model, program)
            print(row.line(program.name), flush=True)
            total.include(row)
    print(total.line("all"))
    print(f"{1000 * total.seconds / max(1, total.cells):.3f} ms of processor time per cell")


if __name__ == "__main__":
    main()
