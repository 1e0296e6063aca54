"""Output of a Clue analysis: as text, as JSON objects, and as a self-contained HTML page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import groupby, islice
from typing import Any

from bot.clue.analysis import ClueAnswer, ClueDeduction, LogStep, MarkProof
from bot.clue.suggestions import MarkProbabilities, RankedSuggestion
from bot.show.webpage import render_page
from games.clue.log import Seating
from games.clue.phrases import ClueVocabulary
from games.clue.sheet import DeductionSheet
from games.external import printable
from games.logic import bits
from games.logic.sentences import join_names

Paint = Callable[[int, str], str]  # returns the mark of a variable with colour codes
MOST_SUGGESTED = 5
MOST_NEW = 12  # new crosses; more are only counted


@dataclass(frozen=True, slots=True)
class MarkSymbols:
    """Characters of the marks; ASCII if the terminal lacks the usual ones."""

    tick: str = "✓"
    cross: str = "✗"
    unknown: str = "·"

    @classmethod
    def for_encoding(cls, encoding: str | None) -> MarkSymbols:
        """The characters available in this encoding."""
        try:
            "✓✗·".encode(encoding or "utf-8")
        except (UnicodeEncodeError, LookupError):
            return cls("+", "-", ".")
        return cls()


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row of the grid: a heading (no marks), or a card with a mark for each holder."""

    name: str
    marks: tuple[str, ...] = ()
    cells: tuple[int, ...] = ()


def rows(sheet: DeductionSheet, signs: MarkSymbols) -> list[SheetRow]:
    """The grid: a heading for each kind, a row for each card, the known cards of each hand."""
    seating, maybes = sheet.seating, sheet.maybes()
    holders = range(len(seating.holders))
    found = []
    for number, kind in enumerate(seating.cards.kinds):
        found.append(SheetRow(kind.name))
        for card in seating.cards.numbers(number):
            cells = tuple(seating.cell(card, holder) for holder in holders)
            marks = tuple(_mark(sheet, cell, maybes, signs) for cell in cells)
            found.append(SheetRow(seating.cards.cards[card], marks, cells))
    found.append(SheetRow("known", tuple(_known(sheet, holder) for holder in holders)))
    return found


def grid(
    sheet: DeductionSheet,
    signs: MarkSymbols,
    odds: MarkProbabilities | None = None,
    paint: Paint | None = None,
) -> list[str]:
    """The grid as lines of text, with odds as open marks if given; `paint` adds colours."""
    seating = sheet.seating
    lines = [replace(row, name=printable(row.name)) for row in rows(sheet, signs)]
    if odds:
        lines = [replace(row, marks=_with_odds(row, odds)) for row in lines]
    names = [printable(name) for name in seating.holders]
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


def solution(sheet: DeductionSheet) -> str:
    """The possible contents of the envelope: `Plum; Rope or Wrench; one of 5 rooms`."""
    names, kinds = sheet.seating.cards.cards, sheet.seating.cards.kinds
    said = []
    for kind, cards in zip(kinds, sheet.solution(), strict=True):
        few = join_names([names[card] for card in cards], "or")
        said.append(few if len(cards) <= 3 else f"one of {len(cards)} {kind.name}")
    return f"envelope: {'; '.join(said)}"


def new_marks(deduced: ClueDeduction) -> str:
    """The marks from the last line: `new with line 9: Bob has Plum; Cat has no Hall`."""
    log = deduced.log
    if not log.entries:
        return "nothing has happened yet"
    words, new = ClueVocabulary.of(log.seating), deduced.news
    last = f"{log.seating.word} {log.entries[-1].line}"
    true, false = new & deduced.sheet.true, new & deduced.sheet.false
    if not new:
        return f"nothing new with {last}"
    said = [words.state(true, is_true=True)] if true else []
    said += [words.state(false, is_true=False)] if 0 < false.bit_count() <= MOST_NEW else []
    if false.bit_count() > MOST_NEW:
        said.append(f"{false.bit_count()} crosses")
    return f"new with {last}: {'; '.join(said)}"


def suggestion_lines(found: Sequence[RankedSuggestion], sheet: DeductionSheet) -> list[str]:
    """The best suggestions, one line for each value; the accusation if the envelope is known."""
    seating, left = sheet.seating, sheet.solution()
    if found and all(len(cards) == 1 for cards in left):
        accused = ", ".join(seating.cards.cards[card] for (card,) in left)
        return [f"accuse {accused}: the envelope is known"]
    if found and not any(each.everything for each in found):
        return ["no suggestion shows anything more"]
    lines: list[str] = []
    groups = groupby(found, key=lambda each: (round(each.envelope, 2), round(each.everything, 2)))
    for (envelope, everything), group in islice(groups, MOST_SUGGESTED):
        trios = [", ".join(seating.cards.cards[card] for card in each.cards) for each in group]
        more = f" (or {len(trios) - 1} more like it)" if len(trios) > 1 else ""
        lines.append(f"{trios[0]}{more}: {envelope:.2f} bits about the envelope, {everything:.2f} in all")
    return lines


def _with_odds(row: SheetRow, odds: MarkProbabilities) -> tuple[str, ...]:
    if not row.cells:
        return row.marks
    return tuple(
        format_chance(odds.chances[cell]) if cell in odds.chances else mark
        for cell, mark in zip(row.cells, row.marks, strict=True)
    )


def format_chance(chance: float) -> str:
    """Format a probability, such as `33%`; never as 0 % or 100 %."""
    return "<1%" if chance < 0.01 else ">99%" if chance > 0.99 else f"{100 * chance:.0f}%"


def _mark(sheet: DeductionSheet, cell: int, maybes: dict[int, tuple[int, ...]], signs: MarkSymbols) -> str:
    if sheet.true >> cell & 1:
        return signs.tick
    if sheet.false >> cell & 1:
        return signs.cross
    return ",".join(map(str, maybes[cell])) if cell in maybes else signs.unknown


def _known(sheet: DeductionSheet, holder: int) -> str:
    seating = sheet.seating
    known = len(sheet.held(holder))
    if holder == seating.envelope:
        return f"{known}/{len(seating.cards.kinds)}"
    player = seating.players[holder]
    return f"{known}/{player.hand_size()}"


Object = dict[str, object]


def marks(deduced: ClueDeduction) -> Iterator[Object]:
    """Yield an object for each tick and cross."""
    sheet = deduced.sheet
    for cell in bits(sheet.known):
        is_new = bool(deduced.news >> cell & 1)
        yield {**_place(sheet.seating, cell), "is": _state(bool(sheet.true >> cell & 1)), "new": is_new}


def json_hands(deduced: ClueDeduction) -> Iterator[Object]:
    """Yield an object for each player's hand, and one for the envelope."""
    sheet, seating = deduced.sheet, deduced.log.seating
    names = seating.cards.cards
    for number, player in enumerate(seating.players):
        held = [names[card] for card in sheet.held(number)]
        yield {"player": player.name, "hand": held, "least": player.least, "most": player.most}
    found = zip(seating.cards.kinds, sheet.solution(), strict=True)
    yield {"envelope": {kind.name: [names[card] for card in cards] for kind, cards in found}}


def proof(found: MarkProof, seating: Seating) -> Object:
    """A mark with its proof as an object."""
    said: Object = {**_place(seating, found.cell), "is": _state(found.is_true)}
    if found.is_true is not None:
        said |= {"rule": found.rule, "because": list(found.because), "text": " ".join(found.sentences)}
    return said


def odds(found: MarkProbabilities, seating: Seating) -> Iterator[Object]:
    """Yield an object for each open mark, and one for the number of deals."""
    for cell, chance in sorted(found.chances.items()):
        yield {**_place(seating, cell), "odds": round(chance, 6)}
    yield {"deals": found.deals, "exact": found.is_exact, "error": round(found.error, 6)}


def json_suggestions(found: Sequence[RankedSuggestion], seating: Seating) -> Iterator[Object]:
    """Yield an object for each suggestion, best first."""
    names = seating.cards.cards
    for each in found:
        cards = [names[card] for card in each.cards]
        bits_each = {"envelope_bits": round(each.envelope, 4), "all_bits": round(each.everything, 4)}
        yield {"suggest": cards, **bits_each}


def _place(seating: Seating, cell: int) -> Object:
    card, holder = seating.card_and_holder(cell)
    return {"card": seating.cards.cards[card], "holder": seating.holders[holder]}


def _state(is_true: bool | None) -> str:
    return "open" if is_true is None else "has" if is_true else "lacks"


MARK = "written by 'sapper clue'"  # only files with this mark are overwritten


def page(name: str, answer: ClueAnswer, steps: Sequence[LogStep]) -> str:
    """Render the page: problems, grid, odds, suggestions, and each line with the proofs of its marks."""
    deduced = answer.deduced
    listed = suggestion_lines(answer.suggestions, deduced.sheet)
    items = "".join(f"<li>{escape(line)}</li>" for line in listed)
    return render_page(
        "bot.clue",
        name,
        _data(answer, steps),
        MARK,
        wrong="\n".join(f'<p class="wrong">{escape(what)}</p>' for what in _wrong(answer)),
        solution=escape(solution(deduced.sheet)),
        news=escape(new_marks(deduced)),
        grid="\n".join(_grid(deduced.sheet)),
        odds=f"<section><h2>Odds</h2><p>{escape(str(answer.odds))}</p></section>" if answer.odds else "",
        suggestions=f"<section><h2>What to suggest</h2><ol>{items}</ol></section>" if listed else "",
    )


def _wrong(answer: ClueAnswer) -> Iterator[str]:
    word = answer.reading.log.seating.word
    for problem in answer.reading.problems:
        yield f"{word} {problem.line}: {problem.what}"
    if answer.deduced.conflict:
        yield answer.deduced.conflict.what


def _grid(sheet: DeductionSheet) -> Iterator[str]:
    """The final grid; the script shows the earlier ones."""
    holders = sheet.seating.holders
    yield f"<tr><td></td>{''.join(f'<th>{escape(name)}</th>' for name in holders)}</tr>"
    for row in rows(sheet, MarkSymbols()):
        name = escape(row.name)
        if not row.marks:
            yield f'<tr class="kind"><td colspan="{len(holders) + 1}">{name}</td></tr>'
        elif not row.cells:
            yield f'<tr id="known"><th>{name}</th>{"".join(f"<th>{mark}</th>" for mark in row.marks)}</tr>'
        else:
            marks = zip(row.cells, row.marks, strict=True)
            yield f"<tr><td>{name}</td>{''.join(_mark_html(sheet, *each) for each in marks)}</tr>"


def _mark_html(sheet: DeductionSheet, cell: int, mark: str) -> str:
    state = "has" if sheet.true >> cell & 1 else "lacks" if sheet.false >> cell & 1 else "open"
    return f'<td class="{state}" data-cell="{cell}"><button type="button">{escape(mark)}</button></td>'


def _data(answer: ClueAnswer, steps: Sequence[LogStep]) -> dict[str, Any]:
    seating = answer.deduced.log.seating
    words = ClueVocabulary.of(seating)
    count = len(seating.cards.cards) * len(seating.holders)
    proofs = {
        cell: {"step": number, "said": proof.said, "sentences": proof.sentences}
        for number, step in enumerate(steps)
        for cell, proof in step.proofs.items()
    }
    chances = answer.odds.chances if answer.odds else {}
    return {
        "names": [words.cell(cell) for cell in range(count)],
        "steps": [_step(step, seating.word) for step in steps],
        "proofs": proofs,
        "odds": {cell: format_chance(chance) for cell, chance in chances.items()},
    }


def _step(step: LogStep, word: str) -> dict[str, Any]:
    sheet = step.deduced.sheet
    grid = rows(sheet, MarkSymbols())
    marks = dict(pair for row in grid for pair in zip(row.cells, row.marks, strict=False))
    known = {True: "h", False: "l", None: "o"}
    states = [known[sheet.has(*sheet.seating.card_and_holder(k))] for k in sorted(marks)]
    return {
        "name": f"{word} {step.line}",
        "text": step.text,
        "news": new_marks(step.deduced),
        "solution": solution(sheet),
        "marks": [marks[k] for k in sorted(marks)],
        "states": "".join(states),
        "fresh": list(step.proofs),
        "known": grid[-1].marks,
    }
