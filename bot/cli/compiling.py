"""Says that the inner loops are being compiled, which happens once, and how far that is."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from bot.cli.options import say

EVERY = 3.0  # seconds between two looks
STEP = 0.2  # of the work, after which it is reported again


@contextmanager
def reporting_compilation() -> Iterator[None]:
    """While this is open, and somebody of this user compiles, say so now and then."""
    over = threading.Event()
    reporter = threading.Thread(target=_report, args=(over,), daemon=True)
    reporter.start()
    try:
        yield
    finally:
        over.set()
        reporter.join()


def report_what_is_left() -> None:
    """After a program that did not wait for it: say how far it came, and that it goes on next time."""
    from strategies.compiled import kernels

    share = kernels().share
    if share is not None and share < 1:
        say(
            f"the inner loops are compiled once, {_percent(share)} done; that goes on with the next run. "
            "Until then guesses take longer; `python -m strategies.compiled` does it now"
        )


def _report(over: threading.Event) -> None:
    from strategies.compiled import digest, find_directory, is_under_way, share_done

    reported = -1.0
    while not over.wait(EVERY):
        directory = find_directory(digest()) if is_under_way() else None
        share = share_done(directory) if directory is not None else 1.0
        if reported + STEP <= share < 1:
            say(f"compiling once, {_percent(share)}")
            reported = share


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
