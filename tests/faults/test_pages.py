"""A web page that scrolls, reloads, shows an alert, ignores clicks in a sweep, or darkens after a game."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from live import played, program_on, session_on
from staging import ROOT, InASweep

from bot.desktop.backends import Desktop
from games.errors import BoardUnplayable
from games.minesweeper import Board, Move

pytestmark = [
    pytest.mark.live,
    pytest.mark.campaign,
    pytest.mark.skipif(not shutil.which("chromium"), reason="chromium is not installed"),
    pytest.mark.filterwarnings("ignore:unclosed file.*Xauthority"),  # python3-xlib leaves it open
]
SCRIPT = """
<script>
  document.body.style.height = "3000px";
  const ignoreClicks = () => {
    const cover = document.body.appendChild(document.createElement("div"));
    cover.style = "position: fixed; inset: 0";  // invisible
  };
  addEventListener("keydown", event => {
    if (event.key == "s") scrollBy(0, 150);
    if (event.key == "a") alert("a message");
    if (event.key == "r") location.reload();
    if (event.key == "i") ignoreClicks();
  });
</script>
"""
DARKENS = """
<script>
  const watch = setInterval(() => {
    if (!over) return;
    clearInterval(watch);
    const veil = document.body.appendChild(document.createElement("div"));
    veil.style = "position: fixed; inset: 0; background: rgba(0, 0, 0, 0.6)";
    veil.innerHTML = "<p style='background: white; width: 9em; margin: 9em auto; padding: 2em'>Game over</p>";
  });
</script>
"""
FIRST = 2  # moves before the page changes
MOST = {"s": 2, "a": 7, "r": 2, "i": 7}  # moves after the change; ignored ones are tried again
WORDS = "cannot be read|covers|has no effect after 3 clicks"


class MoveCounter(InASweep):
    """Counts the moves from the sweep with the deed on."""

    made = 0

    def on_moves(self, board: Board, moves: Sequence[Move]) -> None:
        self.made += len(moves) if self.has_begun else 0


@pytest.mark.parametrize("is_known", [True, False], ids=["started", "found"])
@pytest.mark.parametrize("look", ["ink", "night"])
@pytest.mark.parametrize("key", ["s", "a", "r", "i"], ids=["scrolls", "alert", "reloads", "ignores"])
def test_page_change_in_sweep_stops(
    key: str, look: str, is_known: bool, desktop: Desktop, tmp_path: Path
) -> None:
    """No result is reported, because the game has no visible end; few moves are made after the change.

    In an unknown program, Sapper closes the message and plays on.
    """
    looks = ROOT / "benchmarks" / "looks"
    (tmp_path / "page.html").write_text((looks / "page.html").read_text() + SCRIPT)
    shutil.copy(looks / f"page-{look}.toml", tmp_path / "page.toml")
    with program_on(desktop, str(tmp_path / "page.toml"), "16x12/30") as running:
        sweep = MoveCounter(running, tmp_path, lambda scene: scene.windows.hotkey(key))
        options: Any = {
            "is_known": is_known,
            "size": (16, 12),
            "window": None if is_known else "Page of mines",
        }
        if key == "a" and not is_known:
            played(sweep.play(desktop, **options))
            assert "closed a dialog of the program that covered the board" in sweep.notes
        else:
            sweep.play(desktop, BoardUnplayable, WORDS, **options)
            assert sweep.made <= FIRST + MOST[key]


@pytest.mark.parametrize("look", ["ink", "night"])
def test_page_darkens_after_each_game_plays_on(look: str, desktop: Desktop, tmp_path: Path) -> None:
    looks = ROOT / "benchmarks" / "looks"
    (tmp_path / "page.html").write_text((looks / "page.html").read_text() + DARKENS)
    shutil.copy(looks / f"page-{look}.toml", tmp_path / "page.toml")
    with (
        program_on(desktop, str(tmp_path / "page.toml"), "12x10/18"),
        session_on(desktop, None, size=(12, 10), window="Page of mines") as session,
    ):
        results = list(session.games(3))
    assert len(results) == 3
    played(*results)
