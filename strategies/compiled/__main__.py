"""`python -m strategies.compiled` compiles the inner loops now, instead of during a game."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from strategies.compiled.compiling import ENTRIES, compiled
from strategies.compiled.keeping import BUSY, COMPLETE, WHY_NOT, alone
from strategies.compiled.kernels import kernels

FRAME_WORDS = 80_000  # of 8 bytes: the next power of two, 1 MiB, leaves 400 KB for the calls


def main(words: list[str]) -> int:
    """Compile and keep; 0, or 1 and why there will be no compiled loops.

    With a directory it does the work for another process, in there, as long as that one lives.
    """
    if words:
        if sys.platform != "win32":
            os.nice(10)  # the game goes first
        gc.set_threshold(100_000)  # millions of small objects, of which none can go before the end
        threading.Thread(target=_end_with_the_other, daemon=True).start()
        return _with_deep_frames(compile_into, Path(words[0]))
    if kernels().wait(lambda share: sys.stderr.write(f"compiling once, {share:.0%}\n".replace("%", " %"))):
        return 0
    sys.stderr.write(f"not compiled, so guesses take longer: {kernels().error}\n")
    return 1


def _with_deep_frames(work: Callable[[Path], int], directory: Path) -> int:
    """Call it from one frame so large that the calls in it share a single piece of CPython's frame memory.

    CPython (3.11 on) keeps frames in pieces of 16 KiB, and maps and unmaps one at each call that crosses an
    edge. A compiler's recursion does that 250,000 times, which took a third of its time; a piece is as large
    as its first frame asks.
    """

    def call() -> int:
        return work(directory)

    call.__code__ = call.__code__.replace(co_stacksize=FRAME_WORDS)
    return call()


def _end_with_the_other() -> None:
    """Wait until the other process closes its end of the pipe, or ends."""
    with contextlib.suppress(OSError):
        while os.read(0, 1):
            pass
    os._exit(BUSY)


def compile_into(directory: Path) -> int:
    """Compile unless that has been done; 1 when it cannot be, with the reason in a file beside.

    `BUSY` when another process of this user compiles.
    """
    with alone() as is_alone:
        if not is_alone:
            return BUSY
        if (directory / COMPLETE).exists():
            return 0
        try:
            from strategies.compiled.linking import linked_late

            with linked_late(ENTRIES):
                compiled(directory)
        except Exception as error:  # noqa: BLE001 - whatever numba says: the plain code stays
            (directory / WHY_NOT).write_text(f"{type(error).__name__}: {error}", encoding="utf-8")
            return 1
        (directory / COMPLETE).touch()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
