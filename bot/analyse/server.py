"""Web server of the analysis page, for this computer only.

It listens on the loopback interface. Every request must carry the random token of the page's address and
name this server as its host, so other users, other web pages and rebound host names get nothing.
"""

from __future__ import annotations

import hmac
import json
import secrets
import threading
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from bot.analyse.analysis import BoardAnalyser
from bot.show.coordinates import Coordinates
from bot.show.webpage import render_page
from bot.shutdown import error_line
from games.errors import InvalidFile, SapperError
from games.external import parse_json
from games.minesweeper import Board

HOST = "127.0.0.1"
MOST_BYTES = 32 << 20  # of one request: a screenshot
PATIENCE = 30.0  # seconds that a client may take to send a request
TOKEN = "X-Sapper-Token"  # noqa: S105 - the name of a header
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

Answer = Callable[[bytes], Any]


class AnalysisServer(ThreadingHTTPServer):
    """Serves the page for `board`, and its requests.

    `read` reads the board in the bytes of a text file or an image. Port 0 is any free port. `coordinates` is
    the style of cell names. Raises OSError.
    """

    daemon_threads = True

    def __init__(
        self,
        analyser: BoardAnalyser,
        read: Callable[[bytes], Board],
        board: Board,
        port: int = 0,
        coordinates: Coordinates = "r0c0",
    ) -> None:
        super().__init__((HOST, port), _Handler)
        self.token = secrets.token_urlsafe(24)
        self.host = f"{HOST}:{self.server_address[1]}"
        self._analyser = analyser
        self._read = read
        self._board = board
        self._coordinates = coordinates
        self._lock = threading.Lock()  # the engine serves one request at a time
        self._answers: Mapping[str, Answer] = {
            "/analysis": lambda body: self._analyser.analysis(self._read(body)),  # a board or an image
            "/lesson": lambda body: self._analyser.lesson(self._read(body)),
            "/reason": self._reason,
            "/quiz": self._quiz,
        }

    @property
    def address(self) -> str:
        """The address of the page, with its token."""
        return f"http://{self.host}/?token={self.token}"

    def page(self) -> str:
        """The page as HTML."""
        names = [strategy.name for strategy in self._analyser.strategies if strategy.has_deduce]
        data = {
            "token": self.token,
            "board": str(self._board),
            "strategies": names,
            "coordinates": self._coordinates,
        }
        return render_page("bot.analyse", "Sapper: analysis", data, connects=True)

    def answer(self, path: str, body: bytes) -> tuple[HTTPStatus, Any]:
        """The status and JSON answer of a request."""
        if path not in self._answers:
            return HTTPStatus.NOT_FOUND, {"error": f"there is no {path}"}
        try:
            with self._lock:
                return HTTPStatus.OK, self._answers[path](body)
        except SapperError as error:
            return HTTPStatus.BAD_REQUEST, {"error": error_line(error)}
        except Exception as error:  # noqa: BLE001 - a fault must not end the server
            return HTTPStatus.INTERNAL_SERVER_ERROR, {"error": error_line(error)}

    def _reason(self, body: bytes) -> Any:
        fields = _fields(body)
        board = self._read(str(fields.get("board", "")).encode())
        return self._analyser.reason(board, _number(fields, "cell"))

    def _quiz(self, body: bytes) -> Any:
        fields = _fields(body)
        size = _number(fields, "columns"), _number(fields, "rows"), _number(fields, "mines")
        if not (2 <= size[0] <= 30 and 2 <= size[1] <= 30):
            raise InvalidFile("a quiz needs boards of 2x2 to 30x30 cells")
        needs, seed = str(fields.get("needs", "")), secrets.token_hex(8)
        return self._analyser.quiz(needs, size, _number(fields, "count"), seed)


def _fields(body: bytes) -> dict[str, Any]:
    try:
        fields = parse_json(body.decode())
    except ValueError as error:
        raise InvalidFile("the request is not JSON: load the page again") from error
    if not isinstance(fields, dict):
        raise InvalidFile("the request is no JSON object: load the page again")
    return fields


def _number(fields: Mapping[str, Any], name: str) -> int:
    value = fields.get(name)
    if not isinstance(value, int):
        raise InvalidFile(f"'{name}' is not a whole number: correct it")
    return value


class _Handler(BaseHTTPRequestHandler):
    server: AnalysisServer
    timeout = PATIENCE

    def do_GET(self) -> None:
        asked = urlsplit(self.path)
        given = parse_qs(asked.query).get("token", [""])[0]
        if not self._is_allowed(given):
            self._send(HTTPStatus.FORBIDDEN, "text/plain", "open the address that 'sapper analyse' printed\n")
        elif asked.path != "/":
            self._send(HTTPStatus.NOT_FOUND, "text/plain", "not found\n")
        else:
            self._send(HTTPStatus.OK, "text/html", self.server.page())

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not self._is_allowed(self.headers.get(TOKEN, "")):
            self._send_json(
                HTTPStatus.FORBIDDEN, {"error": "the page is outdated: start 'sapper analyse' again"}
            )
        elif not length.isdecimal() or int(length) > MOST_BYTES:
            error = f"the file is too large: use one of at most {MOST_BYTES >> 20} MB"
            self._send_json(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, {"error": error})
        else:
            self._send_json(*self.server.answer(self.path, self.rfile.read(int(length))))

    def _is_allowed(self, token: str) -> bool:
        is_this_host = self.headers.get("Host", "") == self.server.host
        return is_this_host and hmac.compare_digest(token.encode(), self.server.token.encode())

    def _send_json(self, status: HTTPStatus, answer: Any) -> None:
        self._send(status, "application/json", json.dumps(answer))

    def _send(self, status: HTTPStatus, kind: str, text: str) -> None:
        data = text.encode()
        self.close_connection = True  # the body of a refused request is not read
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *words: object) -> None:
        """Print nothing: requests contain the token."""
