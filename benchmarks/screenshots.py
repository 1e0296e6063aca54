"""Locate and read every labelled screenshot without skins, unchanged and after image changes.

Table: docs/results, "Labelled screenshots". `make unknown` runs it.

    python -m benchmarks.screenshots [FOLDER...] [--programs kmines ...] [--quick]

A folder contains a folder for each program, with STATE.png and STATE.txt (default: fixtures/screens). Each
picture is scaled (nearest and smooth), compressed, or changed in gamma or hue; then the board is located and
read. The table has a line for each program, game state and change: boards whose lines are within a fifth of a
cell, boards whose lines are exact (within two unscaled pixels), boards found elsewhere, and the cells.
`--quick` reads the unchanged main pictures only.
Below the table: the reliability of the confidence, and all misses.
"""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.shared import SCREENS, new_parser
from bot.readers import ReaderFactory
from games.errors import SapperError
from games.minesweeper import HIDDEN, MINES_SHOWN, UNKNOWN, Board
from vision.annotations import AnnotatedImage, annotated_images, load_annotated
from vision.frame import Frame
from vision.lattice import Lattice
from vision.locate.locate import locate_lattice

SCALES = (75, 100, 125, 150, 200, 250)  # per cent
READABLE = 20  # pixels of a cell whose glyphs are at least 12 pixels high
EXACT = 2.0  # pixels; largest error of an exact line in an unscaled picture
QUICK = (
    "fresh",
    "first_click",
    "half",
    "mid_game",
    "late_game",
    "lost",
    "won",
    "question_mark",
    "numbers_24",
)
Lines = tuple[list[float], list[float]]  # x and y of the lines of a board


@dataclass
class ScreenshotRow:
    """Counts of the pictures of one kind."""

    pictures: int = 0
    located: int = 0
    exact: int = 0
    misplaced: int = 0
    cells: Counter[str] = field(default_factory=Counter)
    locate_ms: list[float] = field(default_factory=list)
    read_ms: list[float] = field(default_factory=list)

    def add(self, other: ScreenshotRow) -> None:
        """Add the counts of another row."""
        self.pictures += other.pictures
        self.located += other.located
        self.exact += other.exact
        self.misplaced += other.misplaced
        self.cells += other.cells
        self.locate_ms += other.locate_ms
        self.read_ms += other.read_ms

    def line(self, name: str) -> str:
        """The line of the table; cells of boards that were not located are excluded."""
        cells = self.cells["right"] + self.cells["unknown"] + self.cells["wrong"]
        share = f"{100 * self.cells['right'] / cells:.1f} %" if cells else "-"
        times = [f"{np.median(ms):.0f}" if ms else "-" for ms in (self.locate_ms, self.read_ms)]
        return (
            f"| {name} | {self.located} of {self.pictures} | {self.exact} | {self.misplaced} | {share} | "
            f"{self.cells['unknown']} | {self.cells['wrong']} | {' | '.join(times)} |"
        )


@dataclass
class ScreenshotReport:
    """All rows, the confidence of all cells, and the misses."""

    rows: dict[tuple[str, str, str], ScreenshotRow] = field(
        default_factory=lambda: defaultdict(ScreenshotRow)
    )
    confidence: dict[str, list[tuple[float, bool]]] = field(default_factory=lambda: defaultdict(list))
    misses: list[str] = field(default_factory=list)

    def examine(
        self, readers: ReaderFactory, sample: AnnotatedImage, scale: int, kind: str, row: ScreenshotRow
    ) -> str:
        """Locate and read one picture; return a description of the errors."""
        row.pictures += 1
        frame, lines = apply_change(sample, scale, kind)
        begin = time.process_time()
        try:
            lattice = locate_lattice(frame)
        except SapperError as error:
            return f"not located ({error})"
        row.locate_ms.append(1000 * (time.process_time() - begin))
        pitch = min((each[-1] - each[0]) / (len(each) - 1) for each in lines)
        if not is_within(lattice, lines, pitch / 5):
            row.misplaced += 1
            return f"located as {lattice.size} at ({lattice.xs[0]}, {lattice.ys[0]})"
        row.located += 1
        row.exact += is_within(lattice, lines, EXACT * max(1.0, scale / 100) + 0.5)
        begin = time.process_time()
        _, reading = readers.best_skin(frame, lattice)
        row.read_ms.append(1000 * (time.process_time() - begin))
        wrong: Counter[str] = Counter()
        for k, (seen, true) in enumerate(zip(reading.board.cells, sample.board.cells, strict=True)):
            verdict = "right" if seen == true else "unknown" if seen == UNKNOWN else "wrong"
            row.cells[verdict] += 1
            wrong[f"{true} as {seen}"] += verdict == "wrong"
            judged = float(reading.confidence.flat[k]), seen == true
            self.confidence["all"].append(judged)
            if game_state(sample.board) == "in play" and lattice.pitch >= READABLE:
                self.confidence["in play"].append(judged)
        return ", ".join(f"{count} {mistake}" for mistake, count in (+wrong).items())

    def print(self) -> None:
        """Print the table, the reliability of the confidence, and the misses."""
        print(
            "| program | state | change | located | exact | elsewhere | right | unknown | wrong "
            "| locate ms | read ms |"
        )
        print("|---|---|---|---|---|---|---|---|---|---|---|")
        sums: dict[str, ScreenshotRow] = defaultdict(ScreenshotRow)
        for (program, state, change), row in self.rows.items():
            print(row.line(f"{program} | {state} | {change}"))
            sums[f"all | {state} | all"].add(row)
            sums[f"all | all | {change}"].add(row)
        for name, row in sums.items():
            print(row.line(name))
        for name, judged in self.confidence.items():
            sure = [is_right for confidence, is_right in judged if confidence > 0.99]
            right = sum(is_right for _, is_right in judged)
            print(
                f"{name}: {len(judged)} cells, {100 * right / max(1, len(judged)):.2f} % right; "
                f"confidence above 0.99: {len(sure)} cells, {100 * sum(sure) / max(1, len(sure)):.3f} % right"
            )
        print(*self.misses, sep="\n")


def changes(options: Namespace) -> Iterator[tuple[str, int, str]]:
    """Name, scale in per cent and kind of each image change."""
    if options.quick:
        yield "100 %", 100, "smooth"
        return
    for scale in SCALES:
        yield f"{scale} %", scale, "smooth"
        if scale != 100:
            yield f"{scale} % nearest", scale, "nearest"
    for kind in ("jpeg", "gamma", "hue"):
        yield kind, 100, kind


def apply_change(sample: AnnotatedImage, scale: int, kind: str) -> tuple[Frame, Lines]:
    """The changed picture, and the lines of its board."""
    pixels: NDArray[np.uint8] = sample.frame.pixels
    factor = scale / 100
    if scale != 100:
        smooth = cv2.INTER_AREA if scale < 100 else cv2.INTER_LINEAR
        way = cv2.INTER_NEAREST if kind == "nearest" else smooth
        pixels = cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=way).astype(np.uint8)
    if kind == "jpeg":
        packed = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 80])[1]
        pixels = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    elif kind == "gamma":
        curve = (255 * (np.arange(256) / 255) ** 1.15).round().astype(np.uint8)
        pixels = curve[pixels]
    elif kind == "hue":
        turned = cv2.cvtColor(pixels, cv2.COLOR_BGR2HSV)
        turned[:, :, 0] = (turned[:, :, 0] + 8) % 180
        pixels = cv2.cvtColor(turned, cv2.COLOR_HSV2BGR).astype(np.uint8)
    lines = [factor * x for x in sample.lattice.xs], [factor * y for y in sample.lattice.ys]
    return Frame(np.ascontiguousarray(pixels, np.uint8)), lines


def is_within(lattice: Lattice, lines: Lines, pixels: float) -> bool:
    """Whether all lines exist and are at most this far from their places."""
    return all(
        len(found) == len(true) and max(abs(a - b) for a, b in zip(found, true, strict=True)) <= pixels
        for found, true in zip((lattice.xs, lattice.ys), lines, strict=True)
    )


def game_state(board: Board) -> str:
    """`fresh`, `in play`, `lost` or `won`."""
    if not board.open:
        return "fresh"
    if board.cells_showing(MINES_SHOWN):
        return "lost"
    return "in play" if board.cells_showing(HIDDEN) else "won"


def main() -> int:
    """Read every picture with every change; the exit code is 1 if a cell is wrong."""
    parser = new_parser(__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=[SCREENS], metavar="FOLDER")
    parser.add_argument("--programs", nargs="+", help="only these programs")
    parser.add_argument("--quick", action="store_true", help="only the main pictures, unchanged")
    options = parser.parse_args()
    report, readers = ScreenshotReport(), ReaderFactory.load()
    programs = (path for folder in options.folders for path in sorted(folder.iterdir()) if path.is_dir())
    for program in (path for path in programs if not options.programs or path.name in options.programs):
        for path in annotated_images(program):
            if options.quick and path.stem not in QUICK:
                continue
            sample = load_annotated(path)
            for name, scale, kind in changes(options):
                row = report.rows[program.name, game_state(sample.board), name]
                miss = report.examine(readers, sample, scale, kind, row)
                if miss:
                    report.misses.append(f"{program.name}/{path.stem} {name}: {miss}")
    report.print()
    return int(any(row.cells["wrong"] for row in report.rows.values()))


if __name__ == "__main__":
    sys.exit(main())
