"""How long finding and checking a board takes: medians over the labelled screenshots.

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

if __package__ in (None, ""):  # run as a file
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from vision.frame import Frame
from vision.locating import locate_all, verify

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
    checking: list[float] = []
    for text in sorted(SCREENS.glob("*/*.txt")):
        frame = Frame.load(text.with_suffix(".png"))
        seen = locate_all(frame)
        if not seen:
            print(f"{text.parent.name}/{text.stem}: no board found")
            continue
        lattice = seen[0].lattice
        found = milliseconds(partial(locate_all, frame), times)
        checked = milliseconds(partial(verify, frame, lattice, before=frame), times)
        finding.append(found)
        checking.append(checked)
        print(
            f"{text.parent.name + '/' + text.stem:45} {frame.width}x{frame.height} {lattice.size:7}"
            f" locate {found:6.1f} ms   verify {checked:5.2f} ms"
        )
    for what, took in (("locate", finding), ("verify", checking)):
        if took:
            print(f"{what}: median {statistics.median(took):.2f} ms, slowest {max(took):.2f} ms")


if __name__ == "__main__":
    main()
