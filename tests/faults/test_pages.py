"""A web page that scrolls, reloads or shows an alert during a sweep."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from live import session_on, stopped
from staging import PACE, ROOT, InASweep

from bot.desktop.backends import Desktop
from bot.desktop.x11.windows import X11Windows
from bot.programs.program import BoardSize, Program
from bot.programs.runner import RunningProgram
from games.errors import BoardUnplayable

pytestmark = [
    pytest.mark.live,
    pytest.mark.campaign,
    pytest.mark.skipif(not shutil.which("chromium"), reason="chromium is not installed"),
    pytest.mark.filterwarnings("ignore:unclosed file.*Xauthority"),  # python3-xlib leaves it open
]
SCRIPT = """
<script>
  document.body.style.height = "3000px";
  addEventListener("keydown", event => {
    if (event.key == "s") scrollBy(0, 150);
    if (event.key == "a") alert("a message");
    if (event.key == "r") location.reload();
  });
</script>
"""


@pytest.mark.parametrize("is_known", [True, False], ids=["started", "found"])
@pytest.mark.parametrize("look", ["ink", "night"])
@pytest.mark.parametrize("key", ["s", "a", "r"], ids=["scrolls", "alert", "reloads"])
def test_page_change_in_sweep_stops(
    key: str, look: str, is_known: bool, desktop: Desktop, tmp_path: Path
) -> None:
    """No result is reported, because the game has no visible end."""
    looks = ROOT / "benchmarks" / "looks"
    (tmp_path / "page.html").write_text((looks / "page.html").read_text() + SCRIPT)
    shutil.copy(looks / f"page-{look}.toml", tmp_path / "page.toml")
    program = Program.load(str(tmp_path / "page.toml"))
    desktop.hands.forget_pointer()

    def deed(windows: X11Windows) -> None:
        windows.hotkey(key)

    with RunningProgram.start(desktop, program, BoardSize.parse("16x12/30")) as running:
        sweep = InASweep(deed, PACE)
        known, title = (running, None) if is_known else (None, "Page of mines")
        with session_on(desktop, known, sweep, delay=PACE, size=(16, 12), window=title) as session:
            stopped(session, BoardUnplayable, "cannot be read|no effect|covered", games=10)
        sweep.finish()
