"""The report page in a browser: keyboard, phone, explanations."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from browsing import needs_chromium, opened

from bot.show.page import metric_text, report_page
from bot.show.story import GameStory


@pytest.mark.slow
@needs_chromium
def test_page_keyboard_only(kmines: GameStory, tmp_path: Path) -> None:
    found = opened(
        report_page(kmines),
        {
            "ready": "return +document.body.dataset.ready > 0",
            "start": 'return text("where")',
            "on": 'press("ArrowRight"); press("ArrowRight"); return text("where")',
            "back": 'press("ArrowLeft"); return text("where")',
            "end": 'press("End"); return text("where")',
            "beyond": 'press("ArrowRight"); return text("where")',
            "guess": 'press("Home"); press("g"); return text("where")',
            "told": 'return document.getElementById("what").textContent',
            "slider": 'return document.getElementById("slider").getAttribute("aria-valuetext")',
            "cell": 'document.getElementById("board").focus(); press("ArrowDown"); press("ArrowDown");'
            'press("ArrowRight"); return document.getElementById("cell").textContent',
            "still": 'return text("where")',
            "switched": 'press("6"); return document.getElementById("show-risk").checked',
            "reachable": 'return [...document.querySelectorAll("button, input, summary, #board")]'
            ".every((each) => each.tabIndex === 0)",
            "named": 'return [...document.querySelectorAll("button, input")].every((each) =>'
            'each.textContent.trim() || each.getAttribute("aria-label") || each.labels.length)',
            "raw": 'document.querySelector("#raw").open = true; return true',
        },
        tmp_path,
    )
    assert "r0c5, 88.3 % safe: a mine in 11.7 % of the layouts" in found.pop("told")
    assert found == {
        "start": "Look 1 of 12, move 1",
        "on": "Look 3 of 12, move 5",
        "back": "Look 2 of 12, moves 2 to 4",
        **dict.fromkeys(("end", "beyond"), "Look 12 of 12"),
        **dict.fromkeys(("guess", "still"), "Look 4 of 12, move 6"),
        "slider": "look 4 of 12",
        "cell": "r1c1: shows 1.",
        "switched": False,
        **dict.fromkeys(("ready", "reachable", "named", "raw"), True),
    }


@pytest.mark.slow
@needs_chromium
def test_page_tooltip_shows_figures_hides_no_clue(kmines: GameStory, tmp_path: Path) -> None:
    point = """
        const area = document.getElementById("picture").getBoundingClientRect();
        const at = (r, c) => ({ clientX: area.left + (c + 0.5) * area.width / 16,
          clientY: area.top + (r + 0.5) * area.height / 16, bubbles: true });
        const board = document.getElementById("board");
        const say = (r, c) => { board.dispatchEvent(new PointerEvent("pointermove", at(r, c)));
          return document.getElementById("tip").textContent; };
        press("Home"); press("g");
        return [say(0, 5), say(6, 1), say(15, 15), say(2, 2)];
    """
    probe = """
        const area = document.getElementById("picture").getBoundingClientRect();
        const cell = (k) => { const [x, y, w, h] = box(k), s = area.width / game.size[0];
          return { left: area.left + x * s, top: area.top + y * s,
            right: area.left + (x + w) * s, bottom: area.top + (y + h) * s }; };
        const board = document.getElementById("board"), hidden = [];
        for (const step of [1, 3, 8]) {
          go(step);
          for (let k = 0; k < cells; k++) {
            const at = cell(k);
            board.dispatchEvent(new PointerEvent("pointermove",
              { clientX: (at.left + at.right) / 2, clientY: (at.top + at.bottom) / 2, bubbles: true }));
            const tip = document.getElementById("tip").getBoundingClientRect();
            const clues = lit.size <= 2 ? [...lit] : [];
            for (const shown of [k, ...clues]) {
              const c = cell(shown);
              const across = Math.min(tip.right, c.right) - Math.max(tip.left, c.left);
              const down = Math.min(tip.bottom, c.bottom) - Math.max(tip.top, c.top);
              if (across > 1 && down > 1)
                hidden.push([step, name(k), name(shown)]);
            }
            if (tip.left < 0 || tip.right > innerWidth) hidden.push([step, name(k), "beyond the edge"]);
          }
        }
        return hidden;
    """
    found = opened(report_page(kmines), {"tips": point, "hidden": probe}, tmp_path)
    guessed, mine, far, shown = found["tips"]
    assert guessed.startswith("r0c5: hidden. Guessed: 88.3 % safe: a mine in")
    assert mine.startswith("r6c1: hidden. Certainly a mine: as many mines as cells are left (r5c2)")
    assert re.fullmatch(r"r15c15: hidden\. A mine with \d+\.\d %\.", far)
    assert shown == "r2c2: shows 0."
    assert found["hidden"] == []


@pytest.mark.slow
@needs_chromium
def test_page_phone_fits_and_risks_readable(expert: GameStory, tmp_path: Path) -> None:
    """In a frame of 390 pixels, cells are at least 22 pixels wide, and only the board is scrolled."""
    (tmp_path / "inner.html").write_text(report_page(expert), encoding="utf-8")
    look = next(k for k, step in enumerate(expert.steps) if step.guess and step.board.open)
    style = "width:390px;height:800px;border:0"
    frame = f'<body><iframe src="inner.html#{look + 1}" style="{style}"></iframe></body>'
    ready = "document.body.dataset.ready = 1;"
    script = f'<script>window.addEventListener("load", () => setTimeout(() => {{ {ready} }}, 1500))</script>'
    probe = """
        const page = document.querySelector("iframe").contentWindow;
        const by = (id) => page.document.getElementById(id);
        const cell = by("picture").getBoundingClientRect().width / 30;
        const move = by("where").textContent, pane = by("pane").getBoundingClientRect();
        const { clientWidth, scrollWidth } = page.document.documentElement;
        return [cell, clientWidth, scrollWidth, move, pane.width, by("pane").scrollWidth];
    """
    words = frame.replace("</body>", script + "</body>")
    cell, width, page_width, where, pane, wide = opened(words, {"phone": probe}, tmp_path)["phone"]
    assert cell >= 22
    assert width == page_width <= 390
    assert where.startswith(f"Look {look + 1} of")
    assert wide > pane  # the board is scrolled in its own frame


@pytest.mark.slow
@needs_chromium
def test_page_marks_and_figures_explained(expert: GameStory, tmp_path: Path) -> None:
    look = next(k for k, step in enumerate(expert.steps) if step.guess and step.guess.get("figures"))
    probes = {
        "legend": 'return [...document.querySelectorAll("#legend li")].map((one) => one.textContent.trim())',
        "told": f'go({look}); return document.getElementById("what").textContent',
    }
    found = opened(report_page(expert), probes, tmp_path)
    assert "✓ certainly safe" in found["legend"]
    assert len(found["legend"]) == 9
    figures = expert.steps[look].guess["figures"]  # type: ignore[index] # chosen so
    assert all(metric_text(name, value) in found["told"] for name, value in figures.items())
