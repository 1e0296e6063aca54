"""Five games in a row on known programs without their descriptions."""

from __future__ import annotations

from pathlib import Path

import pytest
from live import played, program_on, replays, session_on

from bot.desktop.backends import Desktop

pytestmark = [pytest.mark.live, pytest.mark.campaign]


@pytest.mark.parametrize(
    ("name", "layout"),
    [("sgt-mines", "9x9/20"), ("xdemineur", "16x16/40"), ("kmines", "9x9/10"), ("gnome-mines", "8x8/10")],
)
def test_session_undescribed_programs_five_games(
    name: str, layout: str, desktop: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with program_on(desktop, name, layout) as running:
        monkeypatch.setattr("bot.programs.program.Program.of_window", lambda title, command: None)
        with session_on(desktop, None, window=running.window.title, record=tmp_path) as session:
            results = list(session.games(5))
    assert [result.program for result in results] == [None] * 5
    assert {result.known for result in results} <= {"seen", "inferred"}
    played(*results)
    for result in results:
        replays(result.recording)
