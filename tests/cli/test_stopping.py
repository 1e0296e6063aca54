"""Stop signals wait for code that must not be interrupted."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

import pytest

from bot.shutdown import STOPS, raise_on_stop_signals


@pytest.fixture(autouse=True)
def _handlers() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in STOPS}
    yield
    for number, was in before.items():
        signal.signal(number, was)


@pytest.mark.parametrize(
    ("file", "is_finished"),
    [("<frozen importlib._bootstrap>", True), ("<string>", True), ("somewhere.py", False)],
)
def test_stop_waits_for_imports_and_executed_strings(file: str, is_finished: bool) -> None:
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


def test_stop_while_ending_is_ignored() -> None:
    with pytest.raises(KeyboardInterrupt), raise_on_stop_signals():
        signal.raise_signal(signal.SIGTERM)
    for number in STOPS:
        os.kill(os.getpid(), number)  # the default action would end this process
