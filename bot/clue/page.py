"""The sheet as one page of HTML that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from bot.clue.answering import Answer
from bot.clue.proofs import Proof
from bot.clue.text import Row, Signs, news, percent, rows, solution, suggestions

MARK = "written by 'sapper clue'"  # only such files are written over
STYLE = """
body { font: 16px/1.4 sans-serif; margin: 2em auto; max-width: 60em; padding: 0 1em; color: #222 }
table { border-collapse: collapse }
th, td { padding: .15em .6em; text-align: center; border-bottom: 1px solid #ddd }
th:first-child, td:first-child { text-align: left }
.kind td { font-weight: bold; background: #eee }
.has { background: #cdeccd } .lacks { color: #b66 } .open { color: #777 } .new { outline: 2px solid #e90 }
.wrong { background: #fdd; padding: .4em }
a { color: inherit; text-decoration: none }
dt { font-weight: bold; margin-top: .6em } dd:target, dt:target { background: #ffd }
@media (prefers-color-scheme: dark) {
  body { background: #1b1b1b; color: #ddd } .kind td { background: #333 } .has { background: #264d26 }
  .lacks { color: #c88 } .wrong { background: #522 } dt:target { background: #444400 }
}
"""


def page(name: str, answer: Answer, proofs: Mapping[int, Proof]) -> str:
    """The page: the grid, what is wrong, and behind every mark (by its variable) its proof."""
    deduced = answer.deduced
    parts = [
        f"<!DOCTYPE html><!-- {MARK} -->",
        f'<html lang="en"><head><meta charset="utf-8"><title>{escape(name)}</title>',
        f"<style>{STYLE}</style></head><body><h1>{escape(name)}</h1>",
        *(f'<p class="wrong">{escape(what)}</p>' for what in _wrong(answer)),
        f"<p>{escape(solution(deduced.sheet))}</p><p>{escape(news(deduced))}</p>",
        "<table>",
        *_grid(answer, proofs),
        "</table>",
        *([f"<p>{escape(str(answer.odds))}</p>"] if answer.odds else []),
        *_listed(answer),
        *_reasons(proofs),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _wrong(answer: Answer) -> Iterator[str]:
    word = answer.reading.log.seating.word
    for problem in answer.reading.problems:
        yield f"{word} {problem.line}: {problem.what}"
    if answer.deduced.conflict:
        yield answer.deduced.conflict.what


def _grid(answer: Answer, proofs: Mapping[int, Proof]) -> Iterator[str]:
    holders = answer.deduced.log.seating.holders
    yield f"<tr><th></th>{''.join(f'<th>{escape(name)}</th>' for name in holders)}</tr>"
    for row in rows(answer.deduced.sheet, Signs()):
        if not row.marks:
            yield f'<tr class="kind"><td colspan="{len(holders) + 1}">{escape(row.name)}</td></tr>'
        elif not row.cells:
            yield f"<tr><th>{escape(row.name)}</th>{''.join(f'<th>{mark}</th>' for mark in row.marks)}</tr>"
        else:
            yield f"<tr><td>{escape(row.name)}</td>{''.join(_marks(row, answer, proofs))}</tr>"


def _marks(row: Row, answer: Answer, proofs: Mapping[int, Proof]) -> Iterator[str]:
    sheet, new = answer.deduced.sheet, answer.deduced.news
    for cell, mark in zip(row.cells, row.marks, strict=True):
        state = "has" if sheet.true >> cell & 1 else "lacks" if sheet.false >> cell & 1 else "open"
        look = f"{state} new" if new >> cell & 1 else state
        text = escape(mark)
        if answer.odds and cell in answer.odds.chances:
            text = escape(f"{percent(answer.odds.chances[cell])}{f' ({mark})' if mark != '·' else ''}")
        if cell in proofs:
            text = f'<a href="#m{cell}" title="{escape(" ".join(proofs[cell].sentences))}">{text}</a>'
        yield f'<td class="{look}">{text}</td>'


def _listed(answer: Answer) -> Iterator[str]:
    lines = suggestions(answer.suggestions, answer.deduced.log.seating)
    if lines:
        yield f"<h2>What to suggest</h2><ol>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ol>"


def _reasons(proofs: Mapping[int, Proof]) -> Iterator[str]:
    if not proofs:
        return
    yield "<h2>Why</h2><dl>"
    for cell, proof in proofs.items():
        told = "<br>".join(map(escape, proof.sentences))
        yield f'<dt id="m{cell}">{escape(proof.said)}</dt><dd>{told}</dd>'
    yield "</dl>"
