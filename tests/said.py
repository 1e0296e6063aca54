"""What a command said, for tests of the command line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Said:
    """What one command came to."""

    code: int
    out: str
    err: str

    @property
    def objects(self) -> list[dict[str, Any]]:
        """The lines on stdout as JSON objects."""
        return [json.loads(line) for line in self.out.splitlines()]
