"""Reads every labelled screenshot with nothing remembered: `python benchmarks/seeing/unknown.py [PROGRAM…]`.

Each picture is scaled (nearest and smooth), or compressed, or its gamma or hue is changed; then the board is
located and read. Prints a table by program, state of the game and change, the misses, and how far the
confidence can be believed. `--quick` takes the main pictures of each program only.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.readers import ReaderFactory
from games.errors import SapperError
from games.minesweeper import MINES_SHOWN, UNKNOWN, Board
from vision.annotations import AnnotatedImage, annotated_images, load_annotated
from vision.frame import Frame
from vision.lattice import Lattice
from vision.locate.locate import locate_lattice

SCREENS = Path(__file__).resolve().parents[2] / "fixtures" / "screens"
SCALES = (75, 100, 125, 150, 200, 250)
READABLE = 20  # pixels of a cell whose glyphs are 12 pixels high or more
QUICK = ("fresh", "first_click", "mid_game", "late_game", "lost", "won", "question_mark", "numbers_24")


@dataclass
class Row:
    """What became of the pictures of one kind."""

    pictures: int = 0
    located: int = 0
    cells: Counter[str] = field(default_factory=Counter)
    ms: list[float] = field(default_factory=list)


def changes() -> Iterator[tuple[str, int, str]]:
    """Name, scale in per cent and kind of each change."""
    for scale in SCALES:
        yield f"{scale} %", scale, "smooth"
        if scale != 100:
            yield f"{scale} % nearest", scale, "nearest"
    for kind in ("jpeg", "gamma", "hue"):
        yield kind, 100, kind


def changed(sample: AnnotatedImage, scale: int, kind: str) -> tuple[Frame, tuple[list[float], list[float]]]:
    """The picture after a change, and where its lines are then."""
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


def is_right(lattice: Lattice, lines: tuple[list[float], list[float]]) -> bool:
    """Whether every line is within a fifth of a cell of where it should be."""
    for found, true in zip((lattice.xs, lattice.ys), lines, strict=True):
        if len(found) != len(true):
            return False
        near = (true[-1] - true[0]) / (len(true) - 1) / 5
        if max(abs(a - b) for a, b in zip(found, true, strict=True)) > near:
            return False
    return True


def stage(board: Board) -> str:
    """How far the game of a picture is."""
    if not board.open:
        return "fresh"
    return "ended" if board.cells_showing(MINES_SHOWN) or not board.closed else "in play"


def main() -> None:
    """Read every picture in every way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--screens", type=Path, default=SCREENS, help="the folder with a folder a program")
    parser.add_argument("--quick", action="store_true")
    words = parser.parse_args()
    rows: dict[tuple[str, str, str], Row] = defaultdict(Row)
    trust: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    misses: list[str] = []
    sight = ReaderFactory.load()
    for program in words.programs or sorted(p.name for p in words.screens.iterdir() if p.is_dir()):
        for path in annotated_images(words.screens / program):
            if words.quick and path.stem not in QUICK:
                continue
            sample = load_annotated(path)
            for name, scale, kind in changes():
                row = rows[program, stage(sample.board), name]
                miss = examine(sight, sample, scale, kind, row, trust)
                if miss:
                    misses.append(f"{program}/{path.stem} {name}: {miss}")
    report(rows, trust, misses)


def examine(
    sight: ReaderFactory,
    sample: AnnotatedImage,
    scale: int,
    kind: str,
    row: Row,
    trust: dict[str, list[tuple[float, bool]]],
) -> str:
    """Read one picture; what went wrong, in words."""
    row.pictures += 1
    frame, lines = changed(sample, scale, kind)
    try:
        lattice = locate_lattice(frame)
    except SapperError as error:
        row.cells["unseen"] += len(sample.board)
        return f"not located ({type(error).__name__})"
    if not is_right(lattice, lines):
        row.cells["unseen"] += len(sample.board)
        return f"located as {lattice.size} at ({lattice.xs[0]}, {lattice.ys[0]})"
    row.located += 1
    began = time.process_time()
    _, reading = sight.best_skin(frame, lattice)
    row.ms.append(1000 * (time.process_time() - began))
    pitch = lattice.pitch
    wrong: Counter[str] = Counter()
    for k, (seen, true) in enumerate(zip(reading.board.cells, sample.board.cells, strict=True)):
        verdict = "right" if seen == true else "unknown" if seen == UNKNOWN else "wrong"
        row.cells[verdict] += 1
        if verdict == "wrong":
            wrong[f"{true} as {seen}"] += 1
        if stage(sample.board) == "in play" and pitch >= READABLE:
            trust["in play"].append((float(reading.confidence.flat[k]), seen == true))
        trust["all"].append((float(reading.confidence.flat[k]), seen == true))
    return ", ".join(f"{count} {what}" for what, count in wrong.items())


def report(
    rows: dict[tuple[str, str, str], Row], trust: dict[str, list[tuple[float, bool]]], misses: list[str]
) -> None:
    """Print the table, the confidence and the misses."""
    print("| program | state | change | located | right | unknown | wrong | ms |")
    print("|---|---|---|---|---|---|---|---|")
    by_change: dict[str, Row] = defaultdict(Row)
    for (program, state, change), row in rows.items():
        print(line(f"{program} | {state} | {change}", row))
        total = by_change[change]
        total.pictures, total.located = total.pictures + row.pictures, total.located + row.located
        total.cells += row.cells
        total.ms += row.ms
    for change, row in by_change.items():
        print(line(f"all | all | {change}", row))
    for name, read in trust.items():
        sure = [right for confidence, right in read if confidence > 0.99]
        right = sum(is_so for _, is_so in read)
        print(
            f"{name}: {len(read)} cells, {right} ({100 * right / max(1, len(read)):.2f} %) right; above 0.99 "
            f"{len(sure)}, of them {sum(sure)} ({100 * sum(sure) / max(1, len(sure)):.3f} %) right; "
            f"{100 * sum(sure) / max(1, right):.1f} % of the right ones are above 0.99"
        )
    print(*misses, sep="\n")


def line(name: str, row: Row) -> str:
    """A line of the table; cells of boards that were not located are left out."""
    cells = row.cells["right"] + row.cells["unknown"] + row.cells["wrong"]
    share = f"{100 * row.cells['right'] / cells:.1f} %" if cells else "-"
    ms = f"{sorted(row.ms)[len(row.ms) // 2]:.0f}" if row.ms else "-"
    return (
        f"| {name} | {row.located} of {row.pictures} | {share} "
        f"| {row.cells['unknown']} | {row.cells['wrong']} | {ms} |"
    )


if __name__ == "__main__":
    main()
