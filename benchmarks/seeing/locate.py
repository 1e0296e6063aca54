"""How long finding a board takes: medians over the labelled screenshots.

Run from the top of the repository: `python -m benchmarks.seeing.locate [--times 7]`.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from vision.frame import Frame
from vision.locate.locate import locate_all

if __package__ in (None, ""):  # run as a file
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))


SCREENS = Path(__file__).resolve().parents[2] / "fixtures" / "screens"


def milliseconds(work: Callable[[], object], times: int) -> float:
    """The median duration of the work."""
    took = []
    for _ in range(times):
        begin = time.perf_counter()
        work()
        took.append((time.perf_counter() - begin) * 1000)
    return statistics.median(took)


def main() -> None:
    """Prints one line for each screenshot, then the medians."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--times", type=int, default=7, help="runs of each (the median counts)")
    times = parser.parse_args().times
    finding: list[float] = []
    for text in sorted(SCREENS.glob("*/*.txt")):
        frame = Frame.load(text.with_suffix(".png"))
        seen = locate_all(frame)
        if not seen:
            print(f"{text.parent.name}/{text.stem}: no board found")
            continue
        finding.append(milliseconds(partial(locate_all, frame), times))
        size = f"{frame.width}x{frame.height} {seen[0].lattice.size:7}"
        print(f"{text.parent.name + '/' + text.stem:45} {size} {finding[-1]:6.1f} ms")
    if finding:
        print(f"median {statistics.median(finding):.2f} ms, slowest {max(finding):.2f} ms")


if __name__ == "__main__":
    main()
