"""Is every labelled board located exactly? `python benchmarks/seeing/located.py [FOLDER…] [--quick]`.

A folder holds one folder for each program, with STATE.png and STATE.txt. Each picture is looked at as it is
and changed as `unknown.py` changes it. Prints a table by program and change, the misses, and processor time.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import Counter
from pathlib import Path

from unknown import changed, changes

from games.errors import SapperError
from vision.annotations import AnnotatedImage, annotated_images, load_annotated
from vision.frame import Frame
from vision.lattice import Lattice
from vision.locate.locate import locate_lattice

SCREENS = Path(__file__).resolve().parents[2] / "fixtures" / "screens"
NEAR = 2.0  # pixels that a line may be off in a picture of 100 %, more in larger ones


def is_exact(found: Lattice, lines: tuple[list[float], list[float]], factor: float) -> bool:
    """Whether there are as many lines, each within two unscaled pixels of where it should be."""
    return all(
        len(seen) == len(true)
        and max(abs(a - b) for a, b in zip(seen, true, strict=True)) <= NEAR * max(1.0, factor) + 0.5
        for seen, true in zip((found.xs, found.ys), lines, strict=True)
    )


def outcome(frame: Frame, lines: tuple[list[float], list[float]], factor: float) -> tuple[str, float]:
    """What became of one picture, "" for an exact board, and milliseconds of the processor."""
    began = time.process_time()
    try:
        found = locate_lattice(frame)
    except SapperError as error:
        return f"{type(error).__name__}: {error}", 1000 * (time.process_time() - began)
    took = 1000 * (time.process_time() - began)
    if is_exact(found, lines, factor):
        return "", took
    size = f"{len(lines[0]) - 1}x{len(lines[1]) - 1} at ({lines[0][0]:.0f}, {lines[1][0]:.0f})"
    return f"found {found.size} at {found.box}, not {size}", took


def main() -> int:
    """Look at every picture in every way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=[SCREENS])
    parser.add_argument("--quick", action="store_true", help="the pictures as they are only")
    words = parser.parse_args()
    ways = [way for way in changes() if not words.quick or way[0] == "100 %"]
    exact: Counter[tuple[str, str]] = Counter()
    seen: Counter[tuple[str, str]] = Counter()
    took: list[float] = []
    for folder in words.folders:
        for program in sorted(each for each in folder.iterdir() if each.is_dir()):
            for sample in whole(program):
                for name, scale, kind in ways:
                    frame, lines = changed(sample, scale, kind)
                    wrong, ms = outcome(frame, lines, scale / 100)
                    seen[program.name, name] += 1
                    exact[program.name, name] += not wrong
                    took += [ms] if name == "100 %" else []
                    if wrong:
                        print(f"{program.name}/{Path(sample.source).stem} {name}: {wrong}", flush=True)
    print("| program |" + "".join(f" {name} |" for name, _, _ in ways))
    for program_name in sorted({key[0] for key in seen}):
        cells = (f" {exact[program_name, name]} of {seen[program_name, name]} |" for name, _, _ in ways)
        print(f"| {program_name} |" + "".join(cells))
    print(
        f"{exact.total()} of {seen.total()} exact; at 100 %: median {statistics.median(took):.1f} ms", end=""
    )
    print(f", {statistics.quantiles(took, n=20)[-1]:.1f} in 19 of 20, {max(took):.1f} at most")
    return 0 if exact.total() == seen.total() else 1


def whole(program: Path) -> list[AnnotatedImage]:
    """The labelled pictures of a program that show more than the cells alone."""
    paths = [path for path in annotated_images(program) if not path.stem.startswith("recorded_")]
    return [load_annotated(path) for path in paths]


if __name__ == "__main__":
    sys.exit(main())
