"""Stop signals wait for a running import."""

from __future__ import annotations

import signal
import time

import pytest

from bot.shutdown import IMPORTING, raise_on_stop_signals


@pytest.mark.parametrize(
    ("file", "is_finished"), [(f"{IMPORTING}._bootstrap>", True), ("somewhere.py", False)]
)
def test_stop_during_import_waits_for_import(file: str, is_finished: bool) -> None:
    """Code in a file of this name sends SIGINT to its own process; does its next line run?"""
    reached: list[int] = []
    code = compile("stop(SIGINT)\nreached.append(1)", file, "exec")
    names = {"stop": signal.raise_signal, "SIGINT": signal.SIGINT, "reached": reached}

    def run() -> None:
        with raise_on_stop_signals():
            exec(code, names)  # noqa: S102 - the code above, under another file name
            time.sleep(10)

    with pytest.raises(KeyboardInterrupt):
        run()
    assert bool(reached) == is_finished
