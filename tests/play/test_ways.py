"""Ways to the next game that go through menus and pages of levels."""

from __future__ import annotations

from pathlib import Path

import pytest
from restarted import BUTTON, FACE, FRESH, LARGER, MENU, Levels, next_board

from bot.play.next_game import KEYS
from bot.play.next_game_actions import RestartAction, RestartMemory
from bot.play.widgets import Menu
from games.errors import BoardUnplayable


@pytest.mark.parametrize("is_menu", [True, False])
@pytest.mark.parametrize(
    ("boards", "number"), [([FRESH, LARGER, "quit"], 0), ([LARGER, LARGER, FRESH, "quit"], 2)]
)
def test_level_menu_same_size_is_chosen(
    boards: list[str], number: int, is_menu: bool, tmp_path: Path
) -> None:
    head = MENU if is_menu else BUTTON
    choice = (
        RestartAction("entry", number=number)
        if is_menu
        else RestartAction("place", "", "over", float(number), width=3.0)
    )
    done = next_board(Levels(head, boards, is_menu), RestartMemory(tmp_path))
    assert done[-2:] == [head, choice]
    assert next_board(Levels(head, boards, is_menu), RestartMemory(tmp_path)) == [head, choice]


def test_menu_last_entry_is_never_taken() -> None:
    program = Levels(MENU, [LARGER, LARGER], is_menu=True)
    with pytest.raises(BoardUnplayable, match="neither the keys"):
        next_board(program)
    assert RestartAction("entry", number=1) not in program.done


def test_value_list_is_left_unchanged() -> None:
    class Field(Levels):
        def is_field(self, way: RestartAction, menu: Menu) -> bool:
            return True

    program = Field(FACE, [LARGER, LARGER, LARGER], is_menu=True)
    with pytest.raises(BoardUnplayable, match="neither the keys"):
        next_board(program)
    assert program.done[: len(KEYS) + 3] == [*KEYS, FACE, "escape", BUTTON]
