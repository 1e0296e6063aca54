"""The sheet as one page of HTML that needs nothing else: it steps through the log and says why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from string import Template
from typing import Any

from bot.clue.answering import Answer
from bot.clue.stepping import Step
from bot.clue.text import Signs, news, percent, rows, solution, suggestions
from bot.webpage import in_script, part
from games.clue import ClueWords, Sheet

MARK = "written by 'sapper clue'"  # only such files are written over


def page(name: str, answer: Answer, steps: Sequence[Step]) -> str:
    """The page: the grid, what is wrong, odds, suggestions, and each line with proofs of what it settled."""
    deduced = answer.deduced
    listed = suggestions(answer.suggestions, deduced.log.seating)
    items = "".join(f"<li>{escape(line)}</li>" for line in listed)
    return Template(part("bot.clue", "page.html")).substitute(
        mark=MARK,
        title=escape(name),
        style=part("bot.clue", "page.css"),
        script=part("bot.clue", "page.js"),
        wrong="\n".join(f'<p class="wrong">{escape(what)}</p>' for what in _wrong(answer)),
        solution=escape(solution(deduced.sheet)),
        news=escape(news(deduced)),
        grid="\n".join(_grid(deduced.sheet)),
        odds=f"<section><h2>Odds</h2><p>{escape(str(answer.odds))}</p></section>" if answer.odds else "",
        suggestions=f"<section><h2>What to suggest</h2><ol>{items}</ol></section>" if listed else "",
        data=in_script(_data(answer, steps)),
    )


def _wrong(answer: Answer) -> Iterator[str]:
    word = answer.reading.log.seating.word
    for problem in answer.reading.problems:
        yield f"{word} {problem.line}: {problem.what}"
    if answer.deduced.conflict:
        yield answer.deduced.conflict.what


def _grid(sheet: Sheet) -> Iterator[str]:
    """The sheet as it stands at the end; the script fills in what it was before."""
    holders = sheet.seating.holders
    yield f"<tr><th></th>{''.join(f'<th>{escape(name)}</th>' for name in holders)}</tr>"
    for row in rows(sheet, Signs()):
        name = escape(row.name)
        if not row.marks:
            yield f'<tr class="kind"><td colspan="{len(holders) + 1}">{name}</td></tr>'
        elif not row.cells:
            yield f'<tr id="known"><th>{name}</th>{"".join(f"<th>{mark}</th>" for mark in row.marks)}</tr>'
        else:
            marks = zip(row.cells, row.marks, strict=True)
            yield f"<tr><td>{name}</td>{''.join(_mark(sheet, *each) for each in marks)}</tr>"


def _mark(sheet: Sheet, cell: int, mark: str) -> str:
    state = "has" if sheet.true >> cell & 1 else "lacks" if sheet.false >> cell & 1 else "open"
    return f'<td class="{state}" data-cell="{cell}"><button type="button">{escape(mark)}</button></td>'


def _data(answer: Answer, steps: Sequence[Step]) -> dict[str, Any]:
    seating = answer.deduced.log.seating
    words = ClueWords.of(seating)
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
        "odds": {cell: percent(chance) for cell, chance in chances.items()},
    }


def _step(step: Step, word: str) -> dict[str, Any]:
    sheet = step.deduced.sheet
    grid = rows(sheet, Signs())
    marks = dict(pair for row in grid for pair in zip(row.cells, row.marks, strict=False))
    known = {True: "h", False: "l", None: "o"}
    states = [known[sheet.has(*sheet.seating.card_and_holder(k))] for k in sorted(marks)]
    return {
        "name": f"{word} {step.line}",
        "text": step.text,
        "news": news(step.deduced),
        "solution": solution(sheet),
        "marks": [marks[k] for k in sorted(marks)],
        "states": "".join(states),
        "fresh": list(step.proofs),
        "known": grid[-1].marks,
    }
