"""How long a button is held is found out by what was lost, and kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.desktop.input import QUICK
from bot.play.hand import FILE, LONG, NEAR, PROBES, SELDOM, TOUCHES, TRIED, Feel, FeelShelf


def test_a_program_that_takes_everything_is_pressed_quickly() -> None:
    feel = Feel()
    for _ in range(100):
        feel.made(5)
    assert (feel.touch, feel.level) == (QUICK, 0)


def test_a_single_loss_is_pressed_longer_once() -> None:
    feel = Feel()
    feel.made(20)
    feel.lost(1)
    assert feel.touch == TOUCHES[1]
    feel.made(1)
    assert feel.touch == QUICK


def test_a_program_that_takes_nothing_stays_at_the_next_level() -> None:
    feel = Feel()
    touches = []
    for _ in TOUCHES:
        feel.made(1)
        feel.lost(1)
        touches.append(feel.touch)
    assert touches == [*TOUCHES[1:], TOUCHES[-1]]
    feel.made(1)
    assert feel.touch == TOUCHES[-1]


def looks(feel: Feel) -> list[int]:
    """The presses of a sweep of ten behind which it is to be seen whether they show."""
    return [made for made in range(1, 10) if feel.wants_look(made)]


def test_quick_presses_are_looked_at_once_until_a_few_were_taken() -> None:
    feel = Feel()
    assert looks(feel) == [PROBES]
    feel.made(TRIED)
    assert looks(feel) == []
    feel.lost(1)
    feel.made(1)  # longer: that says nothing of quick ones
    assert looks(feel) == [PROBES]
    feel.made(1)
    assert looks(feel) == []
    assert looks(Feel(0, TRIED)) == []


def test_a_program_that_loses_as_many_as_it_took_stays_at_the_next_level() -> None:
    feel = Feel()
    feel.made(1)
    feel.made(2)
    feel.lost(2)
    feel.made(2)
    assert feel.touch == TOUCHES[1]


def test_where_presses_are_held_each_is_looked_at_until_hardly_one_is_lost() -> None:
    assert looks(Feel(1, SELDOM - 1)) == [*range(1, 10)]
    assert looks(Feel(1, SELDOM)) == []


def test_where_presses_are_held_no_more_than_one_in_many_may_be_lost() -> None:
    feel = Feel(1, SELDOM)
    feel.made(20)
    feel.lost(1)
    feel.made(1 + NEAR)
    feel.lost(1)
    assert feel.level == 2


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
    shelf.keep("frames", Feel(2, 0, (2, 0)))
    shelf.keep("quick", Feel(0, 500, (0, 500)))
    assert FeelShelf(tmp_path / "new").of("frames").touch == TOUCHES[2]
    assert "quick" not in (tmp_path / "new" / FILE).read_text()


def test_a_lighter_touch_is_tried_when_nothing_was_lost_for_long(tmp_path: Path) -> None:
    shelf = FeelShelf(tmp_path)
    for clean, level in ((LONG - 1, 2), (LONG, 1)):
        shelf.keep("frames", Feel(2, clean, (2, clean)))
        assert shelf.of("frames").level == level
    shelf.keep("frames", Feel(0))
    assert shelf.of("frames") == Feel(0, 0)


@pytest.mark.parametrize("text", ["", "[]", '{"a": 3}', '{"a": ["x", 1]}', '{"frames": [99, -4]}'])
def test_a_damaged_file_says_nothing(text: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(text)
    feel = FeelShelf(tmp_path).of("frames")
    assert feel.touch in TOUCHES


def test_without_a_folder_nothing_is_kept() -> None:
    shelf = FeelShelf(None)
    shelf.keep("frames", Feel(2, 0, (2, 0)))
    assert shelf.of("frames").level == 0


def test_what_was_pressed_in_vain_at_the_end_of_a_game_is_not_remembered(tmp_path: Path) -> None:
    feel = Feel()
    for _ in range(10):
        feel.made(4)
    for _ in TOUCHES:
        feel.lost(4)
        feel.made(4)
    shelf = FeelShelf(tmp_path)
    shelf.keep("over", feel)
    assert feel.level == len(TOUCHES) - 1
    assert shelf.of("over").level == 0
