"""A board on a terminal: what stands where, and whether it can be read on every kind of terminal."""

from __future__ import annotations

import pytest
from rich.color import ANSI_COLOR_NAMES, Color, ColorSystem
from rich.color_triplet import ColorTriplet
from rich.style import Style

from bot.terminal.drawing import HEAT, LOOKS, MARKS, Pointed, drawn
from games.minesweeper import Board

STYLES: dict[str, str] = dict(LOOKS)
STYLES.update({name: style for name, (_, style) in MARKS.items()})
STYLES.update({f"below {limit}": style for limit, style in HEAT})
EXPERT = Board.fresh(16, 30)


def luminance(colour: ColorTriplet) -> float:
    """WCAG 2.1, relative luminance."""
    parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in colour.normalized]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(style: Style, system: ColorSystem) -> float:
    """WCAG 2.1, contrast ratio: 1 to 21."""
    assert style.color is not None
    assert style.bgcolor is not None
    shown = [each.downgrade(system).get_truecolor() for each in (style.color, style.bgcolor)]
    darker, lighter = sorted(map(luminance, shown))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("system", [ColorSystem.TRUECOLOR, ColorSystem.EIGHT_BIT, ColorSystem.STANDARD])
def test_every_cell_can_be_read(name: str, system: ColorSystem) -> None:
    least = 4.5 if system is ColorSystem.TRUECOLOR else 3.9  # WCAG asks 4.5 of text, 3 of bold text
    assert contrast(Style.parse(STYLES[name]), system) >= least


def test_the_measure_knows_what_cannot_be_read() -> None:
    assert contrast(Style.parse("black on green"), ColorSystem.STANDARD) > 3
    assert contrast(Style.parse("blue on black"), ColorSystem.STANDARD) < 2
    assert Color.parse("green").number == ANSI_COLOR_NAMES["green"]


def test_rows_and_columns_have_their_numbers() -> None:
    assert drawn(Board.parse("1F.\n110")).plain == "   0\n0  1  F  · \n1  1  1    \n"
    head = drawn(EXPERT, width=100).plain.splitlines()[0]
    for column in (0, 5, 10, 25):
        assert head[3 + 3 * column :].split()[0] == str(column)


@pytest.mark.parametrize(("width", "widest"), [(80, 63), (100, 93), (40, 63)])
def test_an_expert_board_fits_with_its_risks(width: int, widest: int) -> None:
    risks = dict.fromkeys(range(len(EXPERT)), 0.2)
    assert max(map(len, drawn(EXPERT, None, risks, None, width).plain.splitlines())) == widest


def test_marks_lie_over_cells_and_risks_do_not_hide_them() -> None:
    text = drawn(Board.parse("....\n1111"), {0: "safe", 1: "mine", 2: "guess"}, {2: 0.125, 3: 0.004})
    assert text.plain.splitlines()[1] == "0  ✓  ✱ 12  1 "


def test_the_reason_points_at_its_cell_and_underlines_its_clues() -> None:
    board = Board.parse("1F.\n110")
    pointed = Pointed.of(board, 2, ("r1c1", "r0c0", "mines"))
    assert pointed == Pointed(2, 0b010001)
    text = drawn(board, {2: "safe"}, None, pointed)
    assert text.plain.splitlines()[1].endswith("[✓]")
    underlined = [
        text.plain[span.start : span.end].strip() for span in text.spans if "underline" in str(span.style)
    ]
    assert underlined == ["1", "1"]
