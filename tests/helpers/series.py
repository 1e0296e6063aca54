"""Series of games as `sapper play` plays them, on a screen with a window manager, beside busy processes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.desktop import VirtualScreen
from bot.recording import Recording

AGAIN = re.compile(r"clicked again, since it did not show: .*?(?: and (\d+) more)?$")
SPIN = "while True: pass"


@dataclass(frozen=True)
class Series:
    """What `sapper play --json` said of its games, its exit code, and what it said on stderr."""

    games: tuple[Mapping[str, Any], ...]
    code: int
    said: str

    @property
    def acts(self) -> int:
        """Clicks that were made, in all games."""
        return sum(int(game["clicks"]) for game in self.games)

    def again(self, first: int = 0) -> int:
        """Those of them that made an act again, from this game on."""
        notes = [note for game in self.games[first:] for note in notes_of(Path(game["recording"]))]
        return sum(1 + int(said[1] or 0) for note in notes if (said := AGAIN.match(note)))


def notes_of(folder: Path) -> list[str]:
    """What a recording says was told."""
    return [str(event["text"]) for event in Recording(folder).events if event["event"] == "note"]


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """So many processes that do nothing but compute."""
    spinning = [subprocess.Popen([sys.executable, "-c", SPIN]) for _ in range(processes)]
    try:
        yield
    finally:
        for each in spinning:
            each.kill()
            each.wait()


def play_series(folder: Path, program: str, games: int, *words: str, beside: int = 0) -> Series:
    """Play so many games in a row under openbox; nothing that was learned before is known."""
    command = [sys.executable, "-m", "bot", "play", "--program", program, "--games", str(games), "--json"]
    with VirtualScreen(1280, 900, window_manager=True), busy(beside):
        done = subprocess.run(
            [*command, "--record", str(folder / "games"), *words],
            env=os.environ | {"XDG_DATA_HOME": str(folder / "data")},
            capture_output=True,
            text=True,
            check=False,
        )
    return Series(tuple(json.loads(line) for line in done.stdout.splitlines()), done.returncode, done.stderr)
