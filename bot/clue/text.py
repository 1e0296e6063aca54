"""The sheet as text: the grid, the envelope, what is new."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby, islice

from bot.clue.deducing import Deduced
from bot.clue.odds import Odds
from bot.clue.suggesting import Ranked
from games.clue import ClueWords, Seating, Sheet
from games.logic.writing import joined

Paint = Callable[[int, str], str]  # a variable and its mark, to the mark in colour
MOST_SUGGESTED = 5
MOST_NEW = 12  # holders or cards whose news are named one by one


@dataclass(frozen=True, slots=True)
class Signs:
    """How marks are written: where a terminal has no such letters, plainer ones."""

    tick: str = "✓"
    cross: str = "✗"
    unknown: str = "·"

    @classmethod
    def for_encoding(cls, encoding: str | None) -> Signs:
        """The signs that this encoding has."""
        try:
            "✓✗·".encode(encoding or "utf-8")
        except (UnicodeEncodeError, LookupError):
            return cls("+", "-", ".")
        return cls()


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the grid: a heading (no marks), or a card with its marks in the order of the holders."""

    name: str
    marks: tuple[str, ...] = ()
    cells: tuple[int, ...] = ()


def rows(sheet: Sheet, signs: Signs) -> list[Row]:
    """The grid: a heading for each kind, a row for each card, what is known of every hand."""
    seating, maybes = sheet.seating, sheet.maybes()
    holders = range(len(seating.holders))
    found = []
    for number, kind in enumerate(seating.cards.kinds):
        found.append(Row(kind.name))
        for card in seating.cards.numbers(number):
            cells = tuple(seating.cell(card, holder) for holder in holders)
            marks = tuple(_mark(sheet, cell, maybes, signs) for cell in cells)
            found.append(Row(seating.cards.cards[card], marks, cells))
    found.append(Row("known", tuple(_known(sheet, holder) for holder in holders)))
    return found


def grid(sheet: Sheet, signs: Signs, odds: Odds | None = None, paint: Paint | None = None) -> list[str]:
    """The grid as lines of text; with odds they stand in the open places. `paint` may colour each mark."""
    seating, lines = sheet.seating, rows(sheet, signs)
    if odds:
        lines = [Row(row.name, _with_odds(row, odds), row.cells) for row in lines]
    names = [*seating.holders]
    wide = max(len(row.name) for row in lines) + 2
    widths = [
        max(len(name), *(len(row.marks[k]) for row in lines if row.marks)) for k, name in enumerate(names)
    ]

    def line(name: str, marks: Sequence[str], cells: Sequence[int] = ()) -> str:
        centred = [mark.center(width) for mark, width in zip(marks, widths, strict=True)]
        if paint and cells:
            centred = [paint(cell, mark) for cell, mark in zip(cells, centred, strict=True)]
        return f"{name:<{wide}}  {'  '.join(centred)}".rstrip()

    return [
        line("", names),
        *(
            line(f"  {row.name}" if row.cells else row.name, row.marks, row.cells) if row.marks else row.name
            for row in lines
        ),
    ]


def solution(sheet: Sheet) -> str:
    """What can be in the envelope: `Plum; Rope or Wrench; one of 5 rooms`."""
    names, kinds = sheet.seating.cards.cards, sheet.seating.cards.kinds
    said = []
    for kind, cards in zip(kinds, sheet.solution(), strict=True):
        few = joined([names[card] for card in cards], "or")
        said.append(few if len(cards) <= 3 else f"one of {len(cards)} {kind.name}")
    return f"envelope: {'; '.join(said)}"


def news(deduced: Deduced) -> str:
    """What the last line showed: `new with line 9: Bob has Plum; Cat has no Hall`."""
    log = deduced.log
    if not log.entries:
        return "nothing has happened yet"
    words, new = ClueWords.of(log.seating), deduced.news
    last = f"{log.seating.word} {log.entries[-1].line}"
    true, false = new & deduced.sheet.true, new & deduced.sheet.false
    if not new:
        return f"nothing new with {last}"
    said = [words.state(true, is_true=True)] if true else []
    said += [words.state(false, is_true=False)] if 0 < false.bit_count() <= MOST_NEW else []
    if false.bit_count() > MOST_NEW:
        said.append(f"{false.bit_count()} crosses")
    return f"new with {last}: {'; '.join(said)}"


def suggestions(found: Sequence[Ranked], seating: Seating) -> list[str]:
    """The best of them, a line each; suggestions that are worth the same in one."""
    if found and not any(each.everything for each in found):
        return ["no suggestion shows anything more"]
    lines: list[str] = []
    groups = groupby(found, key=lambda each: (round(each.envelope, 2), round(each.everything, 2)))
    for (envelope, everything), group in islice(groups, MOST_SUGGESTED):
        trios = [", ".join(seating.cards.cards[card] for card in each.cards) for each in group]
        more = f" (or {len(trios) - 1} more like it)" if len(trios) > 1 else ""
        lines.append(f"{trios[0]}{more}: {envelope:.2f} bits about the envelope, {everything:.2f} in all")
    return lines


def _with_odds(row: Row, odds: Odds) -> tuple[str, ...]:
    if not row.cells:
        return row.marks
    return tuple(
        percent(odds.chances[cell]) if cell in odds.chances else mark
        for cell, mark in zip(row.cells, row.marks, strict=True)
    )


def percent(chance: float) -> str:
    """`33%`; what is open is never shown as 0 or 100."""
    return "<1%" if chance < 0.01 else ">99%" if chance > 0.99 else f"{100 * chance:.0f}%"


def _mark(sheet: Sheet, cell: int, maybes: dict[int, tuple[int, ...]], signs: Signs) -> str:
    if sheet.true >> cell & 1:
        return signs.tick
    if sheet.false >> cell & 1:
        return signs.cross
    return ",".join(map(str, maybes[cell])) if cell in maybes else signs.unknown


def _known(sheet: Sheet, holder: int) -> str:
    seating = sheet.seating
    known = len(sheet.held(holder))
    if holder == seating.envelope:
        return f"{known}/{len(seating.cards.kinds)}"
    player = seating.players[holder]
    return (
        f"{known}/{player.most}" if player.least == player.most else f"{known}/{player.least}-{player.most}"
    )
