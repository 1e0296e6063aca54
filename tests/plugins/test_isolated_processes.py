"""No process of a strategy outlives Sapper, however it ends; its output goes to standard error."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from authored import hostile
from said import run_sapper
from waiting import PATIENCE, wait_until_ended

from strategies.isolation.supervisor import descendants

PLAYS = """
import os, sys, time
from bot.simulation.simulated_game import GameStart, play_game
from games.minesweeper import Deal
from strategies import load_strategies

strategies = load_strategies([sys.argv[1], "single-cell", "lowest-risk"])
print(os.getpid(), flush=True)
play_game(strategies, 0, Deal.random(9, 9, 10, "x"), GameStart("zero"))
if len(sys.argv) > 2 and not os.fork():  # holds all open files
    os.closerange(0, 3)
    time.sleep(100)
    os._exit(0)
print("played", flush=True)
sys.stdin.read()
"""


@contextmanager
def after_game(*words: str) -> Iterator[subprocess.Popen[str]]:
    """A process that played a game with this strategy, and waits for the end of its input."""
    command = [sys.executable, "-c", PLAYS, *words]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as player:
        assert player.stdout is not None
        assert player.stdout.readline().strip().isdecimal()
        assert player.stdout.readline() == "played\n"
        yield player


@pytest.mark.skipif(not Path("/proc").exists(), reason="needs /proc")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, None])
@pytest.mark.parametrize(
    "lines",
    [
        "return []",
        (
            "if not os.fork():\n        os.setsid()\n        if os.fork():\n            os._exit(0)\n"
            "        signal.signal(signal.SIGTERM, signal.SIG_IGN)\n        time.sleep(600)\n    return []"
        ),
    ],
    ids=["plain", "that hides a grandchild"],
)
def test_strategy_process_ends_with_sapper(tmp_path: Path, lines: str, number: int | None) -> None:
    with after_game(hostile(tmp_path, "deduce", lines)) as player:
        assert player.stdin is not None
        below = descendants(player.pid)
        assert len(below) >= 2  # the server and the strategy
        player.stdin.close() if number is None else os.kill(player.pid, number)
        player.wait(PATIENCE)
    wait_until_ended(below)


def test_strategy_process_not_kept_by_fork(tmp_path: Path) -> None:
    with after_game(hostile(tmp_path, "deduce", "return []"), "fork") as player:
        servers = [pid for pid in descendants(player.pid) if "isolation.server" in command_line(pid)]
        assert len(servers) >= 2  # and its worker, which is a fork of it
        player.kill()
    wait_until_ended(servers)


def command_line(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8").replace("\0", " ")


def test_strategy_print_goes_to_stderr(tmp_path: Path) -> None:
    file = hostile(tmp_path, "deduce", "print('hello')\n    os.write(1, b'there')\n    return []")
    said = run_sapper("bench", "--level", "beginner", "--games", "1", "--json", "--strategy", file)
    assert json.loads(said.printed)["games"] == 1
    assert "hello" in said.err
    assert "there" in said.err
