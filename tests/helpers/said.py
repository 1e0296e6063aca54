"""The output of a command, for tests of the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Said:
    """Exit code and output of one command."""

    code: int
    out: str
    err: str

    @property
    def printed(self) -> str:
        """The output of a successful command."""
        assert self.code == 0, self
        return self.out

    @property
    def objects(self) -> list[dict[str, Any]]:
        """The lines on stdout as JSON objects."""
        return [json.loads(line) for line in self.out.splitlines()]


Sapper = Callable[..., Said]  # runs a command with these arguments


def run_process(*words: str | Path, **options: Any) -> Said:
    """Run a program to its end, with the options of `subprocess.run`."""
    usual = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "timeout": 200}
    done = subprocess.run([str(word) for word in words], check=False, **(usual | options))
    return Said(done.returncode, done.stdout, done.stderr)


def run_sapper(*words: str | Path, **options: Any) -> Said:
    """Run `sapper` in a process of its own."""
    return run_process(sys.executable, "-m", "bot", *words, **options)


def refused(said: Said, code: int, *words: str) -> None:
    """Check that the command failed with this code and printed one line, with these words, on stderr."""
    assert said.code == code, said
    assert said.err.startswith("sapper: ")
    assert said.err.count("\n") == 1
    assert "Traceback" not in said.err
    assert said.out == ""
    for word in words:
        assert word in said.err
