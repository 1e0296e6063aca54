"""How long a button is held is found out by what was lost, and kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.desktop.ports import QUICK
from bot.play.hand import (
    FILE,
    LONG,
    NEAR,
    PRESS_TIMINGS,
    PROBES,
    SELDOM,
    TRIED,
    ClickProfile,
    ClickProfileStore,
)


def test_click_profile_no_losses_stays_fast() -> None:
    feel = ClickProfile()
    for _ in range(100):
        feel.record_presses(5)
    assert (feel.touch, feel.level) == (QUICK, 0)


def test_click_profile_single_loss_slow_once() -> None:
    feel = ClickProfile()
    feel.record_presses(20)
    feel.record_losses(1)
    assert feel.touch == PRESS_TIMINGS[1]
    feel.record_presses(1)
    assert feel.touch == QUICK


def test_click_profile_constant_loss_stays_slow() -> None:
    feel = ClickProfile()
    touches = []
    for _ in PRESS_TIMINGS:
        feel.record_presses(1)
        feel.record_losses(1)
        touches.append(feel.touch)
    assert touches == [*PRESS_TIMINGS[1:], PRESS_TIMINGS[-1]]
    feel.record_presses(1)
    assert feel.touch == PRESS_TIMINGS[-1]


def looks(feel: ClickProfile) -> list[int]:
    """The presses of a sweep of ten behind which it is to be seen whether they show."""
    return [made for made in range(1, 10) if feel.should_verify(made)]


def test_click_profile_fast_clicks_checked_at_first() -> None:
    feel = ClickProfile()
    assert looks(feel) == [PROBES]
    feel.record_presses(TRIED)
    assert looks(feel) == []
    feel.record_losses(1)
    feel.record_presses(1)  # longer: that says nothing of quick ones
    assert looks(feel) == [PROBES]
    feel.record_presses(1)
    assert looks(feel) == []
    assert looks(ClickProfile(0, TRIED)) == []


def test_click_profile_even_losses_stay_slow() -> None:
    feel = ClickProfile()
    feel.record_presses(1)
    feel.record_presses(2)
    feel.record_losses(2)
    feel.record_presses(2)
    assert feel.touch == PRESS_TIMINGS[1]


def test_click_profile_held_clicks_checked_first() -> None:
    assert looks(ClickProfile(1, SELDOM - 1)) == [*range(1, 10)]
    assert looks(ClickProfile(1, SELDOM)) == []


def test_click_profile_held_clicks_rare_loss_allowed() -> None:
    feel = ClickProfile(1, SELDOM)
    feel.record_presses(20)
    feel.record_losses(1)
    feel.record_presses(1 + NEAR)
    feel.record_losses(1)
    assert feel.level == 2


@pytest.mark.parametrize(("between", "level"), [(NEAR - 1, 1), (NEAR + 1, 0)])
def test_click_profile_two_quick_losses_slow_down(between: int, level: int) -> None:
    feel = ClickProfile()
    feel.record_presses(20)
    feel.record_losses(1)
    feel.record_presses(1 + between)
    feel.record_losses(1)
    assert feel.level == level


def test_click_profile_is_remembered(tmp_path: Path) -> None:
    shelf = ClickProfileStore(tmp_path / "new")
    assert shelf.of("frames").level == 0
    shelf.keep("frames", ClickProfile(2, 0, (2, 0)))
    shelf.keep("quick", ClickProfile(0, 500, (0, 500)))
    assert ClickProfileStore(tmp_path / "new").of("frames").touch == PRESS_TIMINGS[2]
    assert "quick" not in (tmp_path / "new" / FILE).read_text()


def test_click_profile_long_without_loss_speeds_up(tmp_path: Path) -> None:
    shelf = ClickProfileStore(tmp_path)
    for clean, level in ((LONG - 1, 2), (LONG, 1)):
        shelf.keep("frames", ClickProfile(2, clean, (2, clean)))
        assert shelf.of("frames").level == level
    shelf.keep("frames", ClickProfile(0))
    assert shelf.of("frames") == ClickProfile(0, 0)


@pytest.mark.parametrize("text", ["", "[]", '{"a": 3}', '{"a": ["x", 1]}', '{"frames": [99, -4]}'])
def test_click_profile_damaged_file_ignored(text: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(text)
    feel = ClickProfileStore(tmp_path).of("frames")
    assert feel.touch in PRESS_TIMINGS


def test_click_profile_without_folder_not_kept() -> None:
    shelf = ClickProfileStore(None)
    shelf.keep("frames", ClickProfile(2, 0, (2, 0)))
    assert shelf.of("frames").level == 0


def test_click_profile_losses_at_game_end_ignored(tmp_path: Path) -> None:
    feel = ClickProfile()
    for _ in range(10):
        feel.record_presses(4)
    for _ in PRESS_TIMINGS:
        feel.record_losses(4)
        feel.record_presses(4)
    shelf = ClickProfileStore(tmp_path)
    shelf.keep("over", feel)
    assert feel.level == len(PRESS_TIMINGS) - 1
    assert shelf.of("over").level == 0
