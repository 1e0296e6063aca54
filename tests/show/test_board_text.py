"""A board on a terminal: layout, and contrast on all kinds of terminals."""

from __future__ import annotations

import pytest
from rich.color_triplet import ColorTriplet
from rich.style import Style

from bot.show.advice import HighlightedReason
from bot.show.board_text import HEAT, LOOKS, MARKS, render_board
from games.minesweeper import Board

STYLES = {style for _, style in (*LOOKS.items(), *MARKS.values(), *HEAT)}
PALETTES = {  # the sixteen colours of a VGA console and of xterm, in hexadecimal
    "vga": "000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa "
    "555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff",
    "xterm": "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 "
    "7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff",
}
EXPERT = Board.fresh(16, 30)


def luminance(colour: ColorTriplet) -> float:
    """WCAG 2.1, relative luminance."""
    parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in colour.normalized]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(style: Style, palette: str) -> float:
    """WCAG 2.1, contrast ratio: 1 to 21."""
    assert style.color is not None
    assert style.bgcolor is not None
    numbers = style.color.number, style.bgcolor.number
    colours = [PALETTES[palette].split()[number] for number in numbers if number is not None]
    shown = [ColorTriplet(*bytes.fromhex(colour)) for colour in colours]
    darker, lighter = sorted(map(luminance, shown))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("palette", PALETTES)
def test_drawing_every_cell_readable(palette: str) -> None:
    for style in map(Style.parse, STYLES):
        assert not style.bold  # some terminals draw bold black as grey
        assert contrast(style, palette) >= 3.5, style  # WCAG requires 3 for large text, 4.5 for small
    assert contrast(Style.parse("blue on black"), palette) < 2.5  # the metric detects unreadable text


def test_drawing_numbers_rows_and_columns() -> None:
    assert render_board(Board.parse("1F.\n110")).plain == "   0\n0  1  F  · \n1  1  1    \n"
    head = render_board(EXPERT, width=100).plain.splitlines()[0]
    for column in (0, 5, 10, 25):
        assert head[3 + 3 * column :].split()[0] == str(column)


@pytest.mark.parametrize(("width", "widest"), [(80, 63), (100, 93), (40, 63)])
def test_drawing_expert_board_with_risks_fits(width: int, widest: int) -> None:
    risks = dict.fromkeys(range(len(EXPERT)), 0.2)
    assert max(map(len, render_board(EXPERT, None, risks, None, width).plain.splitlines())) == widest


def test_drawing_marks_above_cells_risks_readable() -> None:
    text = render_board(Board.parse("....\n1111"), {0: "safe", 1: "mine", 2: "guess"}, {2: 0.125, 3: 0.004})
    assert text.plain.splitlines()[1] == "0  ✓  ✱ 12  1 "


def test_drawing_reason_points_and_underlines_clues() -> None:
    board = Board.parse("1F.\n110")
    pointed = HighlightedReason.of(board, 2, ("r1c1", "r0c0", "mines"))
    assert pointed == HighlightedReason(2, 0b010001)
    text = render_board(board, {2: "safe"}, None, pointed)
    assert text.plain.splitlines()[1].endswith("[✓]")
    underlined = [
        text.plain[span.start : span.end].strip() for span in text.spans if "underline" in str(span.style)
    ]
    assert underlined == ["1", "1"]
