"""The server of the analysis page: who gets answers, and the page in a browser."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import pytest
from browsing import data_of, needs_axe, needs_chromium, visit, with_axe, with_probes
from places import FIXTURES

from bot.analyse.analysis import BoardAnalyser
from bot.analyse.server import MOST_BYTES, TOKEN, AnalysisServer
from bot.cli.inputs import parse_board_or_image
from games.minesweeper import Board
from strategies import load_strategies
from vision.annotations import load_annotated

SCREENSHOT = FIXTURES / "screens/kmines/first_click.png"


@contextmanager
def serving(board: Board) -> Iterator[AnalysisServer]:
    analyser = BoardAnalyser(load_strategies())
    with AnalysisServer(analyser, partial(parse_board_or_image, "the board"), board) as made:
        thread = threading.Thread(target=made.serve_forever, args=(0.01,))
        thread.start()
        yield made
        made.shutdown()
        thread.join()


@pytest.fixture
def server() -> Iterator[AnalysisServer]:
    with serving(Board.parse("mines 2\n1...\n12..\n01..\n01..")) as made:
        yield made


def ask(
    server: AnalysisServer, path: str, body: bytes | None = None, **headers: str
) -> tuple[int, str, dict[str, str]]:
    """Status, body and headers of the answer to a request; the token is right unless given."""
    sent = {TOKEN: server.token} | {name.replace("_", "-"): value for name, value in headers.items()}
    connection = http.client.HTTPConnection(server.host)
    connection.request("GET" if body is None else "POST", path, body, sent)
    reply = connection.getresponse()
    answer = reply.status, reply.read().decode(), dict(reply.getheaders())
    connection.close()
    return answer


def analysed(server: AnalysisServer, body: bytes) -> dict[str, Any]:
    status, text, _ = ask(server, "/analysis", body)
    assert status == 200, text
    found: dict[str, Any] = json.loads(text)
    return found


def test_server_page_has_coordinates() -> None:
    board = Board.parse("1.")
    with AnalysisServer(BoardAnalyser(()), lambda _: board, board, coordinates="A1") as made:
        assert data_of(made.page())["coordinates"] == "A1"


def test_server_answers_boards_and_screenshots(server: AnalysisServer) -> None:
    assert analysed(server, b"mines 2\n1...\n12..\n01..\n01..")["mine"] == [1, 10]
    found = analysed(server, SCREENSHOT.read_bytes())
    assert found["cells"] == load_annotated(SCREENSHOT).board.cells


def test_server_refuses_strangers(server: AnalysisServer) -> None:
    body = b"1.\n.."
    assert ask(server, "/analysis", body, **{TOKEN: "guess"})[0] == 403
    assert ask(server, "/analysis", body, Host="rebound.example")[0] == 403
    assert ask(server, "/")[0] == ask(server, "/?token=guess")[0] == 403
    assert server.token not in ask(server, "/")[1]
    status, page, headers = ask(server, f"/?token={server.token}")
    assert status == 200
    assert server.token in page
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Cache-Control"] == "no-store"
    assert server.address.startswith("http://127.0.0.1:")
    assert ask(server, "/analysis", b"1.", Content_Length=str(MOST_BYTES + 1))[0] == 413


WIDE = b'{"needs": "set-rules", "columns": 99, "rows": 9, "mines": 9, "count": 1}'


@pytest.mark.parametrize(
    ("path", "body", "status", "message"),
    [
        ("/analysis", b"12\n3", 400, "make all rows equally long"),
        ("/analysis", b"\x89PNG damaged", 400, "this is no picture"),
        ("/reason", b"[", 400, "not JSON"),
        ("/reason", b'{"board": "1.", "cell": "r0c0"}', 400, "not a whole number"),
        ("/quiz", WIDE, 400, "2x2 to 30x30"),
        ("/etc/passwd", b"", 404, "there is no"),
    ],
)
def test_server_bad_request_is_explained(
    server: AnalysisServer, path: str, body: bytes, status: int, message: str
) -> None:
    found = ask(server, path, body)
    assert found[0] == status
    assert message in json.loads(found[1])["error"]


def test_server_fault_does_not_end_it(server: AnalysisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(BoardAnalyser, "analysis", lambda *_: 1 / 0)
        status, text, _ = ask(server, "/analysis", b"1.\n..")
    assert (status, "Traceback" in text) == (500, False)
    assert analysed(server, b"1.\n..")["rows"] == 2


@pytest.mark.slow
@needs_chromium
def test_page_keyboard_edits_and_explains(
    server: AnalysisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = with_probes(
        server.page(),
        {
            "headline": 'return text("headline")',
            "first": 'return board.querySelector(".cell").getAttribute("aria-label")',
            "chosen": 'cellAt(10).focus(); press("Enter"); await until(() => text("why").includes("mine"));'
            'return text("why")',
            "clues": 'return [...board.querySelectorAll(".clue")].length > 0',
            "edited": 'cellAt(1).focus(); press("8"); await until(() => now.contradiction);'
            'return text("headline")',
            "undone": 'by("undo").click(); await until(() => !now.contradiction); return text("headline")',
            "stepped": 'by("on").click(); await until(() => text("lesson")); return text("lesson")',
            "step": 'return ["news", "clue"].map((kind) => board.querySelectorAll(`.cell.${kind}`).length)',
            "moved": 'cellAt(0).focus(); press("ArrowDown"); press("ArrowRight");'
            'return document.activeElement.getAttribute("aria-label").slice(0, 4)',
            "named": 'return [...document.querySelectorAll("button, input, select, textarea")]'
            ".every((each) => each.textContent.trim() || each.labels?.length || "
            'each.getAttribute("aria-label"))',
            "text": 'by("text").value = "1<b>"; by("load").click();'
            'await until(() => text("headline").includes("not a cell state"));'
            'return document.querySelector("b")',
        },
    )  # fmt: skip
    monkeypatch.setattr(server, "page", lambda: page)
    found = visit(server.address, tmp_path)
    assert found["headline"] == "Certain: 7 safe cells, 2 mines."
    assert found["first"] == "r0c0, 1"
    assert "r2c2 is a mine" in found["chosen"]
    assert found["clues"]
    assert "cannot hold" in found["edited"]
    assert found["undone"] == found["headline"]
    assert "Step 1 of" in found["stepped"]
    assert found["step"] == [1, 1]
    assert found["moved"] == "r1c1"
    assert found["named"]
    assert found["text"] is None


@pytest.mark.slow
@needs_chromium
def test_page_phone_fits_and_shows_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a frame of 390 pixels, only the board is scrolled, and a touched cell is explained in view."""
    expert = load_annotated(FIXTURES / "screens/kmines/question_mark.png").board
    with serving(expert) as server:
        style = "width:390px;height:844px;border:0"
        frame = f'<iframe style="{style}" srcdoc="{escape(server.page())}"></iframe>'
        ready = (
            '<script>document.querySelector("iframe").onload = () => { document.body.dataset.ready = 1; };'
        )
        probe = """
            const page = document.querySelector("iframe").contentDocument;
            const by = (id) => page.getElementById(id), pane = by("pane");
            await until(() => page.body.dataset.ready);
            by("board").querySelector('[aria-label*="a mine with"].risk').click();
            await until(() => by("why").textContent.includes("undecided"));
            const { top, bottom } = by("why").getBoundingClientRect();
            const { clientWidth, scrollWidth } = page.documentElement;
            const { left, right } = page.querySelector(".cell.safe").getBoundingClientRect();
            return [clientWidth, scrollWidth, pane.clientWidth, pane.scrollWidth, left, right, top, bottom];
        """
        wrapper = with_probes(f"<body>{frame}{ready}</script></body>", {"phone": probe})
        monkeypatch.setattr(server, "page", lambda: wrapper)
        width, page_width, pane, wide, left, right, top, bottom = visit(server.address, tmp_path)["phone"]
    assert width == page_width <= 390
    assert wide > pane
    assert 0 <= left < right <= 390
    assert 0 <= top < bottom <= 844


@pytest.mark.slow
@needs_chromium
@needs_axe
def test_page_accessible(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The checker sees risks, two layouts, a lesson and a quiz."""
    with serving(Board.parse("mines 4\n1...\n12..\n0...\n01..")) as server:
        page = with_axe(
            server.page(),
            'choose(now.risks[0][0]); await until(() => text("why").includes("undecided"));'
            'by("on").click(); await until(() => text("lesson"));'
            'by("quiz").requestSubmit(); await until(() => !by("sheet").hidden);',
        )
        monkeypatch.setattr(server, "page", lambda: page)
        assert visit(server.address, tmp_path)["axe"] == []
