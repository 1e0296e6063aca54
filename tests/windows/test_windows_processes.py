"""Process trees, isolated strategies and stop signals of Windows. Run under Wine by `make windows`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("winreg", reason="Windows only: make windows")
assert sys.platform == "win32"

from waiting import wait_for

from games.minesweeper import Board
from games.minesweeper.position import board_knowledge
from strategies import Reasoner, load_strategies
from strategies.isolation.jobs import Job, is_running, program_name
from strategies.isolation.protocol import ResourceLimits
from strategies.isolation.supervisor import SupervisedProcess

SLEEPS = "import time; time.sleep(60)"
STARTS_ANOTHER = (
    "import subprocess, sys\n"
    f"print(subprocess.Popen([sys.executable, '-c', {SLEEPS!r}]).pid, flush=True)\n{SLEEPS}"
)
KNOWLEDGE = board_knowledge(Board.parse("mines 1\n1.\n.."))
HEAD = "from strategies import hookimpl\n@hookimpl\ndef deduce(knowledge):\n    "


def test_job_close_ends_descendants() -> None:
    job = Job()
    process = job.start([sys.executable, "-c", STARTS_ANOTHER], stdout=subprocess.PIPE)
    assert process.stdout is not None
    with process.stdout as output:
        child = int(output.readline())
    assert {process.pid, child} <= job.pids()
    assert program_name(child) == "python"
    job.close()
    wait_for(lambda: not is_running(child) and process.poll() is not None)


def test_supervised_process_ends_with_sapper() -> None:
    """Windows closes the job of a killed process."""
    code = (
        "import os, sys, time; from strategies.isolation.supervisor import SupervisedProcess\n"
        f"kept = SupervisedProcess([sys.executable, '-c', {SLEEPS!r}], os.environ)\n"
        f"print(kept.pid, flush=True); {SLEEPS}"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as sapper:
        assert sapper.stdout is not None
        kept = int(sapper.stdout.readline())
        assert is_running(kept)
        sapper.kill()
    wait_for(lambda: not is_running(kept))


def test_supervised_process_output_and_code(tmp_path: Path) -> None:
    log = tmp_path / "log"
    process = SupervisedProcess([sys.executable, "-c", "print('said'); raise SystemExit(3)"], os.environ, log)
    wait_for(lambda: process.poll() is not None)
    process.close()
    assert (process.poll(), log.read_text(encoding="utf-8").strip()) == (3, "said")


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ("while True: pass", "no answer after"),
        ("import os; os._exit(7)", "its process ended (exit code 7)"),
        ("raise ValueError('none')", "it raised ValueError: none"),
    ],
    ids=["hangs", "exits", "raises"],
)
def test_isolated_strategy_fault_is_named(lines: str, fault: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(HEAD + lines, encoding="utf-8")
    limits = ResourceLimits(call=1.0, waiting=3.0)
    outcome = Reasoner(load_strategies([str(file)], trust=False, limits=limits)).deduce(KNOWLEDGE)
    (said,) = outcome.faults
    assert fault in str(said)
    assert "mine.py, line 4" in str(said) or "exit code" in fault


def test_ctrl_break_is_named() -> None:
    """The signal of Ctrl+Break, of a closed console and of a log-off."""
    code = (
        "import signal; from bot.shutdown import raise_on_stop_signals\n"
        "with raise_on_stop_signals(): signal.raise_signal(signal.SIGBREAK)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "KeyboardInterrupt: stopped by Ctrl+Break, or the console was closed" in done.stderr
