"""How long `sapper` takes to answer: its overview, the help of each command, and Python alone beside it.

python benchmarks/playing/start.py --times 10
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time

from bot.cli.main import COMMANDS


def main() -> None:
    """Start, time and print; medians."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--times", type=int, default=7)
    times: int = words.parse_args().times
    alone = median("-c", "pass", times=times)
    print(f"{'python alone':22} {1000 * alone:6.0f} ms")
    for command in ("", *COMMANDS):
        took = median("-m", "bot", *([command] if command else []), "--help", times=times)
        print(f"sapper {command:15} {1000 * took:6.0f} ms, {took / alone:4.1f} times as long")


def median(*arguments: str, times: int) -> float:
    """The seconds that Python takes with these arguments."""
    took = []
    for _ in range(times):
        begun = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        took.append(time.perf_counter() - begun)
    return statistics.median(took)


if __name__ == "__main__":
    main()
