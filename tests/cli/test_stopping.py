"""Signals that ask Sapper to stop, at moments at which nothing must be cut off."""

from __future__ import annotations

import signal
import time

import pytest

from bot.shutdown import IMPORTING, raise_on_stop_signals


def stopped_in(file: str) -> list[int]:
    """What code in a file of this name came to after its own SIGINT, before the stop."""
    reached: list[int] = []
    code = compile("stop(SIGINT)\nreached.append(1)", file, "exec")
    names = {"stop": signal.raise_signal, "SIGINT": signal.SIGINT, "reached": reached}

    def run() -> None:
        with raise_on_stop_signals():
            exec(code, names)  # noqa: S102 - code of ours, in a file of another name
            time.sleep(10)

    with pytest.raises(KeyboardInterrupt):
        run()
    return reached


def test_stop_during_import_waits_for_import() -> None:
    assert stopped_in(f"{IMPORTING}._bootstrap>") == [1]


def test_stop_elsewhere_is_immediate() -> None:
    assert stopped_in("somewhere.py") == []
