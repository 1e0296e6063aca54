"""`ClickProfile`: slower clicks after losses, stored per program."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.desktop.ports import QUICK
from bot.play.hand import (
    FILE,
    NEAR,
    PATIENCE,
    PRESS_TIMINGS,
    PROBES,
    SELDOM,
    TRIED,
    ClickProfile,
    ClickProfileStore,
)


def test_click_profile_losses_decide_speed() -> None:
    profile = ClickProfile()
    for _ in range(100):
        profile.record_presses(5)
    assert (profile.touch, profile.level) == (QUICK, 0)
    profile.record_losses(1)
    assert profile.touch == PRESS_TIMINGS[1]
    profile.record_presses(1)
    assert profile.touch == QUICK  # a single loss
    profile, touches = ClickProfile(), []
    for _ in (*PRESS_TIMINGS, 0):
        profile.record_presses(1)
        touches.append(profile.touch)
        profile.record_losses(1)
    assert touches == [*PRESS_TIMINGS, PRESS_TIMINGS[-1]]


def looks(profile: ClickProfile) -> list[int]:
    """The presses of a sweep of ten after which their effect is checked."""
    return [made for made in range(1, 10) if profile.should_verify(made)]


def test_click_profile_fast_clicks_checked_at_first() -> None:
    profile = ClickProfile()
    assert looks(profile) == [PROBES]
    profile.record_presses(TRIED)
    assert looks(profile) == []
    profile.record_losses(1)
    profile.record_presses(1)  # a longer press does not count
    assert looks(profile) == [PROBES]
    profile.record_presses(1)
    assert looks(profile) == []
    assert looks(ClickProfile(0, TRIED)) == []
    assert looks(ClickProfile(1, SELDOM - 1)) == [*range(1, 10)]  # held clicks are checked first
    assert looks(ClickProfile(1, SELDOM)) == []


@pytest.mark.parametrize(
    ("before", "between", "level"),
    [
        (ClickProfile(), NEAR - 1, 1),
        (ClickProfile(), NEAR + 1, 0),
        (ClickProfile(1, SELDOM), NEAR, 2),  # longer presses may be lost only rarely
    ],
)
def test_click_profile_two_losses(before: ClickProfile, between: int, level: int) -> None:
    profile = replace(before)
    profile.record_presses(20)
    profile.record_losses(1)
    profile.record_presses(1 + between)
    profile.record_losses(1)
    assert profile.level == level


def test_click_profile_is_remembered(tmp_path: Path) -> None:
    for folder in (tmp_path / "new", None):
        store = ClickProfileStore(folder)
        assert store.of("frames").level == 0
        store.keep("frames", ClickProfile(2, 0, (2, 0)))
        store.keep("quick", ClickProfile(0, 500, (0, 500)))
        assert ClickProfileStore(folder).of("frames").touch == PRESS_TIMINGS[2 if folder else 0]
    assert "quick" not in (tmp_path / "new" / FILE).read_text()


def test_click_profile_long_without_loss_speeds_up(tmp_path: Path) -> None:
    store = ClickProfileStore(tmp_path)
    for clean, level in ((PATIENCE - 1, 2), (PATIENCE, 1)):
        store.keep("frames", ClickProfile(2, clean, (2, clean)))
        assert store.of("frames").level == level
    store.keep("frames", ClickProfile(0))
    assert store.of("frames") == ClickProfile(0, 0)


def test_click_profile_slow_program_few_trials(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"slow": [1, 0]}')  # older files have two numbers
    store, trials = ClickProfileStore(tmp_path), []
    for game in range(100):
        profile = store.of("slow")
        if profile.level == 0:
            trials.append(game)
            profile = replace(profile, level=1, clean=0)  # the program lost presses
        profile.record_presses(PATIENCE // 2)
        profile.record_presses(PATIENCE // 2)
        store.keep("slow", profile)
    assert trials == [2, 6, 14, 30, 62, 94]


INFINITE = '{"frames": [1e999, 0]}', '{"frames": [0, Infinity]}'


@pytest.mark.parametrize(
    "text", ["", "[]", "[" * 5000, '{"a": 3}', '{"a": ["x", 1]}', '{"frames": [99, -4]}', *INFINITE]
)
def test_click_profile_damaged_file_ignored(text: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(text)
    assert ClickProfileStore(tmp_path).of("frames").touch in PRESS_TIMINGS


def test_click_profile_losses_at_game_end_ignored(tmp_path: Path) -> None:
    profile = ClickProfile()
    for _ in range(10):
        profile.record_presses(4)
    for _ in PRESS_TIMINGS:
        profile.record_losses(4)
        profile.record_presses(4)
    store = ClickProfileStore(tmp_path)
    store.keep("over", profile)
    assert profile.level == len(PRESS_TIMINGS) - 1
    assert store.of("over").level == 0
