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
from pathlib import Path

import numpy as np

from benchmarks.shared import SCREENS, new_parser
from vision.annotations import annotated_images, load_annotated
from vision.cells.model import CLASSES, CellModel

BLANK = ".0"
SURE = 0.99  # probability


def read_program(model: CellModel, folder: Path) -> tuple[Counter[str], Counter[str]]:
    """Read the pictures of one program; the counts of cells with processor time, and the mistakes."""
    counts, mistakes = Counter[str](), Counter[str]()
    for picture in annotated_images(folder):
        frame, lattice, board, _ = load_annotated(picture)
        boxes = [lattice.rectangle(cell) for cell in range(len(board))]
        cuts = [frame.pixels[top:bottom, left:right] for left, top, right, bottom in boxes]
        begin = time.process_time_ns()
        probabilities = np.exp(model.likelihoods(cuts))
        counts["nanoseconds"] += time.process_time_ns() - begin
        for truth, likely in zip(board.cells, probabilities, strict=True):
            merged = np.concatenate([[likely[0] + likely[1], 0.0], likely[2:]])  # blanks as one class
            best = int(merged.argmax())
            is_right = truth == CLASSES[best] or (truth in BLANK and CLASSES[best] in BLANK)
            counts["cells"] += 1
            counts["right"] += is_right
            if truth in "12345678":
                counts["digits"] += 1
                counts["digits right"] += is_right
            if merged[best] > SURE:
                counts["sure"] += 1
                counts["sure right"] += is_right
            if truth in BLANK:
                counts["blanks"] += 1
                counts["blanks right"] += is_right and CLASSES[int(likely[:2].argmax())] == truth
            if not is_right:
                mistakes[f"{truth} as {CLASSES[best]}"] += 1
    return counts, mistakes


def line(name: str, counts: Counter[str], mistakes: Counter[str]) -> str:
    """A line of the table."""
    wrong = ", ".join(f"{mistake} ({count})" for mistake, count in mistakes.most_common(8)) or "-"
    parts = " | ".join(
        f"{counts[f'{kind} right']} of {counts[kind]}" for kind in ("digits", "sure", "blanks")
    )
    share = 100 * counts["right"] / max(1, counts["cells"])
    return f"| {name} | {counts['cells']} | {share:.2f} % | {parts} | {wrong} |"


def main() -> None:
    """Print the table."""
    parser = new_parser(__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=[SCREENS], metavar="FOLDER")
    model, total, wrong = CellModel.load(), Counter[str](), Counter[str]()
    print("| program | cells | right | digits right | above 0.99: right | blanks separated | mistakes |")
    print("|---|---|---|---|---|---|---|")
    for program in (path for folder in parser.parse_args().folders for path in sorted(folder.iterdir())):
        if program.is_dir() and list(annotated_images(program)):
            counts, mistakes = read_program(model, program)
            print(line(program.name, counts, mistakes), flush=True)
            total.update(counts)
            wrong.update(mistakes)
    print(line("all", total, wrong))
    print(f"{total['nanoseconds'] / 1e6 / max(1, total['cells']):.3f} ms of processor time per cell")


if __name__ == "__main__":
    main()
