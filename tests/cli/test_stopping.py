"""Stop signals: running imports, executed strings, and further signals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.shutdown import IMPORTING, STOPS, raise_on_stop_signals


@pytest.fixture(autouse=True)
def _handlers() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in STOPS}
    yield
    for number, was in before.items():
        signal.signal(number, was)


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


STOPPED = """
import signal, sys
sys.path.insert(0, {root!r})
from bot.shutdown import raise_on_stop_signals

def stop():
    signal.raise_signal(signal.SIGINT)

try:
    with raise_on_stop_signals():
        exec("stop()")
except KeyboardInterrupt:
    sys.exit(5)
"""


def test_stop_in_executed_string_exit_code(tmp_path: Path) -> None:
    """Python ended such a process with SIGINT."""
    (tmp_path / "stopped.py").write_text(STOPPED.format(root=str(Path(__file__).parents[2])))
    done = subprocess.run([sys.executable, "-m", "stopped"], cwd=tmp_path, check=False)
    assert done.returncode == 5


def test_stop_while_ending_is_ignored() -> None:
    with pytest.raises(KeyboardInterrupt), raise_on_stop_signals():
        signal.raise_signal(signal.SIGTERM)
    for number in STOPS:
        os.kill(os.getpid(), number)  # the default action would end this process
