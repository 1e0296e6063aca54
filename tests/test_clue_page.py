"""The sheet as a page, and looking again when the log is saved."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from bot.cli.main import main
from bot.clue.watching import PAUSE, saves

GAME = "players Ann 6, Bob 6, Cat 6\nme Ann: Green, Rope, Hall, Study, Dagger, White\n"
MORE = "Ann asks plum, candlestick, lounge: Bob passes, Cat shows plum\n"


class Page(HTMLParser):
    """What a page links to, what can be linked to, and that what is opened is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.goals: set[str] = set()
        self.links: set[str] = set()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            assert not (value or "").startswith(("http", "//"))
            if name == "id":
                self.goals.add(value or "")
            elif name == "href":
                self.links.add((value or "").removeprefix("#"))
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "<game>.clue"
    path.write_text(GAME + MORE, encoding="utf-8")
    return path


def test_a_page_holds_every_mark_with_its_proof(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clue", log.name, "--html", "page.html", "--odds", "--suggest"]) == 0
    assert "envelope: " in capsys.readouterr().out
    text = Path("page.html").read_text(encoding="utf-8")
    page = Page()
    page.feed(text)
    assert page.open == []
    assert page.links == page.goals
    assert len(page.goals) == text.count('class="has') + text.count('class="lacks')
    assert "<h1>&lt;game&gt;.clue</h1>" in text
    assert "Line 3 (Cat shows Plum)" in text
    assert "deals remain, counted exactly" in text
    assert re.search(r"<li>[\w ]+, [\w ]+, [\w ]+", text)
    assert text.count('class="has new"') == 1


def test_a_page_tells_what_is_wrong(log: Path) -> None:
    log.write_text(GAME + MORE + "Bob has plum\nBob sings <b>\n", encoding="utf-8")
    assert main(["clue", log.name, "--html", "page.html"]) == 7
    text = Path("page.html").read_text(encoding="utf-8")
    assert text.count('class="wrong"') == 2
    assert "Bob sings &lt;b&gt;" in text


def test_nobodys_file_is_written_over(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.html").write_text("<p>mine", encoding="utf-8")
    assert main(["clue", log.name, "--html", "mine.html"]) == 2
    assert "is not Sapper's" in capsys.readouterr().err
    assert main(["clue", log.name, "--html", "no/where.html"]) == 2
    assert main(["clue", log.name, "--html", "new.html"]) == 0
    assert main(["clue", log.name, "--html", "new.html"]) == 0


def test_what_was_saved_is_seen_and_a_moment_without_the_file_is_waited_out(log: Path) -> None:
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

    watch = saves(log, sleep)
    assert [next(watch), next(watch), next(watch)] == [1, 2, 3]
    assert list(steps) == []


def test_watching_goes_on_until_somebody_stops_it(
    log: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = iter([MORE, "players\n", ""])

    def sleep(seconds: float) -> None:
        step = next(steps)
        if not step:
            raise KeyboardInterrupt
        log.write_text(step if step.startswith("players") else GAME + step + "Bob sings", encoding="utf-8")

    monkeypatch.setattr(saves, "__defaults__", (sleep,))
    assert main(["clue", log.name, "--watch"]) == 5
    captured = capsys.readouterr()
    assert captured.out.count("envelope: ") == 2
    told = [line for line in captured.err.splitlines() if line]
    assert "<game>.clue, line 4: 'Bob sings' is not understood" in told[0]
    assert told[1:] == [
        "sapper: <game>.clue, line 1: 0 players: name 2 to 12, with commas between them",
        "sapper: stopped by the keyboard",
    ]
    assert main(["clue", "-", "--watch"]) == 2
    assert main(["clue", "nowhere", "--watch"]) == 7
