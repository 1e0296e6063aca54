"""The page: story, pictures, style and script in one HTML file that asks the network for nothing."""

from __future__ import annotations

import base64
import html
from collections.abc import Mapping
from string import Template
from types import MappingProxyType
from typing import Any

from bot.recording import EVENTS
from bot.report.story import Step, Story, percent
from bot.report.tiles import atlas_of, png
from bot.webpage import in_script, part
from vision.frame import Pixels

NO_RISK = "zz"
# what a figure of a guess says; `%` is a share, `#` a number
FIGURES: Mapping[str, str] = MappingProxyType(
    {
        "win": "% to win the game from here with best play",
        "least": "at least % to win the game from here",
        "second": "% to survive the move after it as well",
        "certain": "# certain cells to be expected after it",
        "score": "# is what looking ahead makes of it: chances to survive, and what they lead to",
        "plain": "The compiled code was not ready: not as much was looked ahead.",
    }
)


def page_of(story: Story) -> str:
    """The whole page. Raises InvalidFile when the recording's pictures are damaged."""
    parts = {name: part("bot.report", name) for name in ("page.css", "page.js")}
    title = f"{story.recording.meta.program or 'Minesweeper'} {story.recording.meta.lattice.size}"
    return Template(part("bot.report", "page.html")).substitute(
        title=html.escape(title),
        headline=html.escape(story.headline),
        facts=html.escape(_facts(story)),
        figures="".join(
            f"<div><dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd></div>"
            for name, value in story.figures
        ),
        style=parts["page.css"],
        script=parts["page.js"],
        data=in_script(_data(story)),
    )


def _facts(story: Story) -> str:
    """What a person wants to know beside the headline, in one line."""
    meta, result = story.recording.meta, story.result
    known = [
        f"{meta.rules.mines} mines" if meta.rules.mines is not None else "mine total not known",
        f"{len(story.steps)} observations",
        f"{result['seconds']:.2f} s" if "seconds" in result else "",
        f"3BV {result['bv3']}" if result.get("bv3") else "",
        "strategies " + ", ".join(name for name, _ in meta.strategies) if meta.strategies else "",
        f"Sapper {meta.sapper}",
    ]
    return " · ".join(filter(None, known))


def _data(story: Story) -> dict[str, Any]:
    lattice = story.recording.meta.lattice
    atlas = atlas_of(lattice, [step.frame for step in story.steps])
    events = (story.recording.folder / EVENTS).read_text(encoding="utf-8", errors="replace")
    return {
        "rows": lattice.rows,
        "columns": lattice.columns,
        "xs": lattice.xs,
        "ys": lattice.ys,
        "size": [story.steps[0].frame.width, story.steps[0].frame.height],
        "first": _uri(story.steps[0].frame.pixels),
        "atlas": _uri(atlas.pixels),
        "tiles": atlas.places,
        "steps": [_step(step, changes) for step, changes in zip(story.steps, atlas.changes, strict=True)],
        "played": bool(story.recording.meta.strategies),  # by Sapper, who took the time for each part of it
        "events": events,
    }


def _uri(pixels: Pixels) -> str:
    return "data:image/png;base64," + base64.b64encode(png(pixels)).decode()


def _step(step: Step, changes: tuple[tuple[int, int], ...]) -> dict[str, Any]:
    board = step.board
    data: dict[str, Any] = {
        "t": round(step.seconds, 4),
        "shown": [number for change in changes for number in change],
        "read": board.cells,
        "before": step.before,
        "moves": step.moves,
        "notes": step.notes,
        "took": [round(1000 * s, 1) for s in (step.reason_s, step.act_s, step.wait_s)],
        "known": "".join(
            "m" if step.true >> k & 1 else "s" if step.false >> k & 1 else "." for k in range(len(board))
        ),
        "risk": "".join(
            f"{round(254 * step.risks[k]):02x}" if k in step.risks else NO_RISK for k in range(len(board))
        ) if step.risks else "",
        "certain": [
            {
                "cell": c.cell, "mine": c.is_mine, "rule": c.rule, "because": c.because, "proof": c.proof,
                "by": c.by,
            }
            for c in step.certain
        ],
        "judged": [
            {"cell": one.cell, "kind": one.kind, "text": one.text, "risk": one.risk} for one in step.judged
        ],
    }  # fmt: skip
    if step.guess:
        guess = step.guess
        data["guess"] = {
            "cell": board.cell(guess["cell"]),
            "safe": guess["safe"],
            "said": percent(guess["safe"]),
            "by": step.guess_by,
            "reason": guess["reason"],
            "figures": [figure(str(name), float(each)) for name, each in guess.get("figures", {}).items()],
        }
    return data


def figure(name: str, value: float) -> str:
    """A figure of a guess in words; of one that only its strategy knows, its name."""
    words = FIGURES.get(name, f"{name}: #")
    return words.replace("%", percent(value)).replace("#", f"{value:.4g}")
