"""The output of a command, for tests of the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
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


def refused(said: Said, code: int, *words: str) -> None:
    """Check that the command failed with this code and printed one line, with these words, on stderr."""
    assert said.code == code, said
    assert said.err.startswith("sapper: ")
    assert said.err.count("\n") == 1
    assert "Traceback" not in said.err
    assert said.out == ""
    for word in words:
        assert word in said.err
