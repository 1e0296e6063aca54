"""Games of variants on a real window."""

from __future__ import annotations

from pathlib import Path

import pytest
from live import played, replays, session_on
from staging import field_on

from bot.desktop.backends import Desktop
from games.errors import UsageError
from strategies.testing.samples import VARIANTS

pytestmark = pytest.mark.live
LAYOUTS = {"quad": "6x6/10", "balance": "6x6/6"}


@pytest.mark.parametrize("variant", VARIANTS)
def test_variant_played_on_window(desktop: Desktop, tmp_path: Path, variant: str) -> None:
    layout = LAYOUTS.get(variant, "8x8/8")
    words = "--variant", variant, "--first-click", "safe"
    with (
        field_on(desktop, tmp_path, *words, layout=layout) as (running, _),
        session_on(
            desktop, running, record=tmp_path / "games", variant=variant, first_click="safe"
        ) as session,
    ):
        (result,) = session.games(1)
    played(result)
    replays(result.recording)


def test_impossible_first_click_not_clicked(desktop: Desktop, tmp_path: Path) -> None:
    with (
        field_on(desktop, tmp_path, layout="8x8/9") as (running, presses),
        session_on(desktop, running, variant="quad", first_click="zero") as session,
        pytest.raises(UsageError, match="zero first click"),
    ):
        list(session.games(1))
    assert not presses()
