"""The Clue page, and `--watch`."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from browsing import data_of, needs_chromium, opened
from said import Sapper

from bot.cli.clue import PAUSE, file_versions
from bot.cli.main import main

GAME = "players Ann 6, Bob 6, Cat 6\nme Ann: Green, Rope, Hall, Study, Dagger, White\n"
MORE = "Ann asks plum, candlestick, lounge: Bob passes, Cat shows plum\n"


class Page(HTMLParser):
    """Parses a page; checks that elements are closed and that it loads nothing."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.marks: dict[int, str] = {}
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = dict(attrs)
        for value in has.values():
            assert not (value or "").startswith(("http", "//"))
        if "data-cell" in has:
            self.marks[int(has["data-cell"] or "")] = has["class"] or ""
        if tag not in ("meta", "br", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "<game>.clue"
    path.write_text(GAME + MORE, encoding="utf-8")
    return path


def page_of(log: Path, *words: str) -> str:
    assert main(["clue", log.name, "--html", "page.html", *words]) == 0
    return Path("page.html").read_text(encoding="utf-8")


def test_clue_page_has_marks_with_proofs(log: Path) -> None:
    text = page_of(log, "--odds", "--suggest")
    marks, data = Page(text).marks, data_of(text)
    assert set(map(int, data["proofs"])) == {cell for cell, state in marks.items() if state != "open"}
    assert len(marks) == len(data["names"]) == 21 * 4
    assert "<h1>&lt;game&gt;.clue</h1>" in text
    assert data["proofs"][str(3 * 4 + 2)] == {
        "step": 1, "said": "Cat has Plum", "sentences": ["Line 3 (Cat shows Plum): so Cat has Plum."],
    }  # fmt: skip
    assert "deals remain, counted exactly" in text
    assert re.search(r"<li>[\w ]+, [\w ]+, [\w ]+", text)


def test_clue_page_steps_through_log(log: Path) -> None:
    first, second = data_of(page_of(log))["steps"]
    assert (first["name"], second["name"]) == ("line 2", "line 3")
    assert second["text"] == "Ann asks Plum, Candlestick, Lounge: Bob passes, Cat shows Plum"
    plum, cat = 3, 2
    assert (first["states"][plum * 4 + cat], second["states"][plum * 4 + cat]) == ("o", "h")
    assert plum * 4 + cat in second["fresh"]
    assert first["known"] == ["6/6", "0/6", "0/6", "0/3"]


@pytest.mark.slow
@needs_chromium
def test_clue_page_keyboard_only(log: Path, tmp_path: Path) -> None:
    found = opened(
        page_of(log, "--odds"),
        {
            "said": "return text('said')",
            "why": "document.querySelector('td[data-cell=\"14\"] button').click(); return text('why')",
            "back": "document.body.focus(); press('ArrowLeft'); return text('said')",
            "open": "return text('why')",
            "there": "document.querySelector('#why a').click(); return text('why')",
            "reachable": "return [...document.querySelectorAll('button, input')].every((e) => !e.tabIndex)",
            "wide": "return [document.documentElement.clientWidth, document.documentElement.scrollWidth]",
        },
        tmp_path,
    )
    assert found["said"].startswith("line 3: Ann asks Plum, Candlestick, Lounge")
    assert found["why"] == found["there"] == "Cat has PlumLine 3 (Cat shows Plum): so Cat has Plum."
    assert found["back"].startswith("line 2: Ann has Green")
    assert found["open"] == "Plum with Cat: openIt follows with line 3. Go there"
    assert found["reachable"]
    assert found["wide"][1] <= found["wide"][0]


def test_clue_page_shows_errors(log: Path) -> None:
    log.write_text(GAME + MORE + "Bob has plum\nBob sings <b>\n", encoding="utf-8")
    assert main(["clue", log.name, "--html", "page.html"]) == 7
    text = Path("page.html").read_text(encoding="utf-8")
    assert text.count('class="wrong"') == 2
    assert "Bob sings &lt;b&gt;" in text


def test_clue_page_keeps_existing_file(log: Path, sapper: Sapper) -> None:
    Path("mine.html").write_text("<p>mine", encoding="utf-8")
    said = sapper("clue", log.name, "--html", "mine.html")
    assert said.code == 2
    assert "was not written by Sapper" in said.err
    assert sapper("clue", log.name, "--html", "no/where.html").code == 2
    for _ in range(2):  # the second run overwrites the page of the first
        assert "envelope: " in sapper("clue", log.name, "--html", "new.html").printed


def test_clue_watch_saved_file_and_brief_absence(log: Path) -> None:
    steps = iter([None, "away", "back", "same", "more"])

    def sleep(seconds: float) -> None:
        assert seconds == PAUSE
        step = next(steps)
        if step == "away":
            log.unlink()
        elif step in ("back", "same"):
            log.write_text(GAME, encoding="utf-8")
        elif step == "more":
            log.write_text(GAME + MORE, encoding="utf-8")

    watch = file_versions(log, sleep)
    assert [next(watch), next(watch), next(watch)] == [1, 2, 3]
    assert list(steps) == []


def test_clue_watch_runs_until_stopped(log: Path, monkeypatch: pytest.MonkeyPatch, sapper: Sapper) -> None:
    steps = iter([MORE, "players\n", ""])

    def sleep(seconds: float) -> None:
        step = next(steps)
        if not step:
            raise KeyboardInterrupt
        log.write_text(step if step.startswith("players") else GAME + step + "Bob sings", encoding="utf-8")

    monkeypatch.setattr(file_versions, "__defaults__", (sleep,))
    captured = sapper("clue", log.name, "--watch")
    assert captured.code == 5
    assert captured.out.count("envelope: ") == 2
    messages = [line for line in captured.err.splitlines() if line]
    assert "<game>.clue, line 4: 'Bob sings' is not understood" in messages[0]
    assert messages[1:] == [
        "sapper: <game>.clue, line 1: 0 players: name 2 to 12, with commas between them",
        "sapper: stopped by the keyboard",
    ]
    assert sapper("clue", "-", "--watch").code == 2
    assert sapper("clue", "nowhere", "--watch").code == 7
