"""Changes to recordings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bot.recording.recording import EVENTS


@contextmanager
def edited_events(folder: Path) -> Iterator[list[dict[str, Any]]]:
    """The events of a recording; changes are written back."""
    events = [json.loads(line) for line in (folder / EVENTS).read_text().splitlines()]
    yield events
    (folder / EVENTS).write_text("".join(json.dumps(event) + "\n" for event in events))
