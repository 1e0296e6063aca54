"""How long a button is held is found out by what was lost, and kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.desktop.presses import QUICK
from bot.live.touching import FILE, LEVELS, LONG, NEAR, TRIED, Feel, FeelShelf


def test_a_program_that_takes_everything_is_pressed_quickly() -> None:
    feel = Feel()
    for _ in range(100):
        feel.made(5)
    assert (feel.touch, feel.level) == (QUICK, 0)


def test_a_single_loss_is_pressed_longer_once() -> None:
    feel = Feel()
    feel.made(20)
    feel.lost(1)
    assert feel.touch == LEVELS[1]
    feel.made(1)
    assert feel.touch == QUICK


def test_a_program_that_takes_nothing_stays_at_the_next_level() -> None:
    feel = Feel()
    touches = []
    for _ in LEVELS:
        feel.made(1)
        feel.lost(1)
        touches.append(feel.touch)
    assert touches == [*LEVELS[1:], LEVELS[-1]]
    feel.made(1)
    assert feel.touch == LEVELS[-1]


def test_a_program_is_tried_once_it_took_a_few_presses_of_that_level() -> None:
    feel = Feel()
    told = [feel.is_tried]
    feel.made(TRIED)
    feel.lost(1)
    told.append(feel.is_tried)
    feel.made(1)
    told.append(feel.is_tried)
    assert told == [False, False, True]
    feel.lost(2)
    assert (feel.level, feel.is_tried) == (1, False)
    assert Feel(1, TRIED).is_tried


@pytest.mark.parametrize(("between", "level"), [(NEAR - 1, 1), (NEAR + 1, 0)])
def test_two_losses_within_a_short_time_are_no_accident(between: int, level: int) -> None:
    feel = Feel()
    feel.made(20)
    feel.lost(1)
    feel.made(1 + between)
    feel.lost(1)
    assert feel.level == level


def test_what_a_program_wants_is_remembered(tmp_path: Path) -> None:
    shelf = FeelShelf(tmp_path / "new")
    assert shelf.of("frames").level == 0
    shelf.keep("frames", Feel(2))
    shelf.keep("quick", Feel(0, 500))
    assert FeelShelf(tmp_path / "new").of("frames").touch == LEVELS[2]
    assert "quick" not in (tmp_path / "new" / FILE).read_text()


def test_a_lighter_touch_is_tried_when_nothing_was_lost_for_long(tmp_path: Path) -> None:
    shelf = FeelShelf(tmp_path)
    for clean, level in ((LONG - 1, 2), (LONG, 1)):
        shelf.keep("frames", Feel(2, clean))
        assert shelf.of("frames").level == level
    shelf.keep("frames", Feel(0))
    assert shelf.of("frames") == Feel(0, 0)


@pytest.mark.parametrize("text", ["", "[]", '{"a": 3}', '{"a": ["x", 1]}', '{"frames": [99, -4]}'])
def test_a_damaged_file_says_nothing(text: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(text)
    feel = FeelShelf(tmp_path).of("frames")
    assert feel.touch in LEVELS


def test_without_a_folder_nothing_is_kept() -> None:
    shelf = FeelShelf(None)
    shelf.keep("frames", Feel(2))
    assert shelf.of("frames").level == 0
