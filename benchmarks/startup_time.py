"""Start-up time of `sapper` and of the help of each command, next to Python alone.

Table: docs/results, "Start-up time".

    python -m benchmarks.startup_time --times 10
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from functools import partial

from benchmarks.shared import new_parser, time_calls
from bot.cli.main import COMMANDS


def median_ms(times: int, *arguments: str) -> float:
    """Median wall time of Python with these arguments."""
    run = partial(subprocess.run, [sys.executable, *arguments], check=True, capture_output=True)
    return statistics.median(time_calls(run, times, time.perf_counter))


def main() -> None:
    """Print the median times."""
    parser = new_parser(__doc__)
    parser.add_argument("--times", type=int, default=7)
    times: int = parser.parse_args().times
    alone = median_ms(times, "-c", "pass")
    print(f"{'python alone':22} {alone:6.0f} ms")
    for command in ("", *COMMANDS):
        ms = median_ms(times, "-m", "bot", *([command] if command else []), "--help")
        print(f"sapper {command:15} {ms:6.0f} ms, {ms / alone:4.1f} times as long")


if __name__ == "__main__":
    main()
