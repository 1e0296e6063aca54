"""Helpers that several benchmarks use: argument parsers, folders, timing, JSON line logs."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
SCREENS = ROOT / "fixtures" / "screens"
LOOKS = ROOT / "benchmarks" / "looks"
LOOK_PROGRAMS = ROOT / ".looks" / "bin"  # tools/get_looks.sh installs them there


def new_parser(doc: str | None) -> argparse.ArgumentParser:
    """A parser that prints the docstring of a script as its help."""
    return argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)


def time_calls(
    work: Callable[[], object], times: int, clock: Callable[[], float] = time.thread_time
) -> list[float]:
    """Milliseconds of each call; processor time by default, because other processes may run."""
    taken = []
    for _ in range(times):
        begin = clock()
        work()
        taken.append(1000 * (clock() - begin))
    return taken


def format_times(ms: Sequence[float]) -> str:
    """`mean 1.20 ms, median 1.10, 99 % 3.40, slowest 5.0`."""
    median, high = np.percentile(ms, [50, 99])
    return f"mean {np.mean(ms):.3f} ms, median {median:.3f}, 99 % {high:.3f}, slowest {max(ms):.1f}"


@contextmanager
def busy_processes(count: int) -> Iterator[None]:
    """Keep `count` processors busy with other work."""
    processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def read_log(path: Path | None) -> list[dict[str, Any]]:
    """The entries of a log of JSON lines; none if it does not exist yet. Removes an incomplete last line."""
    if path is None or not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    complete = text[: text.rfind("\n") + 1]
    if complete != text:
        path.write_text(complete, encoding="utf-8")
    return [json.loads(line) for line in complete.splitlines()]


def append_log(path: Path | None, entry: dict[str, Any]) -> None:
    """Append an entry to a log of JSON lines."""
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as log:
            log.write(json.dumps(entry) + "\n")
