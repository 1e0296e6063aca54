"""The process of one strategy: loads it and answers requests until Sapper closes the socket."""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import io
import json
import marshal
import os
import pickle
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from games.errors import InvalidFile, UsageError
from games.external import printable
from games.logic.sync import KnowledgeReplica
from strategies.isolation.protocol import MOST_TEXT, AnswerEncoder, InvalidAnswer, encode_guess, receive, send
from strategies.isolation.sandbox import readable_paths, restrict
from strategies.options import parse_spec
from strategies.position import FIELDS, Position

MOST_LINES, LONGEST_LINE = 200, 300  # lines that a process may print, and characters per line
BETWEEN_REPORTS = 0.2  # seconds
CHANGED = "it changed what it was given"


def serve_plugin(connection: socket.socket, last_words: int, wanted: dict[str, Any]) -> None:
    """Serve one strategy.

    `wanted` is its `source`, the `folder` and `path` to find it with, the `memory` it may use, and a folder
    for its `temporary` files.
    """
    for name in ("SIGINT", "SIGHUP", "SIGTERM", "SIGPIPE"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    faulthandler.enable(last_words)  # reports the line of a crash, and the current line on SIGUSR2
    if sys.platform != "win32":
        faulthandler.register(signal.SIGUSR2, last_words, all_threads=True)
    os.chdir(wanted["folder"])
    sys.path[:] = wanted["path"]
    sys.argv = ["sapper"]
    _limit_memory(wanted["memory"])
    gc.freeze()  # keep the server's objects out of garbage collection
    output = PluginOutput(sys.stderr, Path(wanted["source"].partition(":")[0]).stem)
    sys.stdout = sys.stderr = output
    os.environ["XDG_CACHE_HOME"] = os.environ["TMPDIR"] = tempfile.tempdir = wanted["temporary"]
    try:
        source, _ = parse_spec(wanted["source"])
        restrict(readable_paths(source, Path(wanted["folder"]), wanted["path"]), Path(wanted["temporary"]))
    except OSError as error:
        fault = f"{wanted['source']}: its process cannot be restricted ({error.strerror}): use --trust"
        send(connection, json.dumps({"invalid": fault}).encode())
        return
    with _reported_lines(last_words):
        strategy = _load(connection, wanted["source"])
    if strategy is None:
        return
    output.name = strategy.name
    host = _PluginHost(strategy)
    while (message := receive(connection)) is not None:
        serial, hook, *question = marshal.loads(message)  # noqa: S302 - sent by Sapper
        began = time.process_time()
        with _reported_lines(last_words):
            answer = host.call(hook, *question)
        answer |= {"serial": serial, "spent": time.process_time() - began}
        with contextlib.suppress(Exception):
            output.flush()
        send(connection, json.dumps(answer).encode())


class PluginOutput(io.TextIOBase):
    """What a strategy prints: lines with its name in front, without control characters, limited in number."""

    def __init__(self, stream: TextIO, name: str) -> None:
        self.name = name
        self._stream, self._line, self._left = stream, "", MOST_LINES

    def write(self, text: str) -> int:
        """Write the complete lines; the rest waits for more text, or for `flush`."""
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            self._print(line)
        self._line = self._line[: LONGEST_LINE + 1]
        return len(text)

    def fileno(self) -> int:
        """The descriptor behind it."""
        return self._stream.fileno()

    def flush(self) -> None:
        """Write an incomplete line as well."""
        if self._line:
            self._print(self._line)
            self._line = ""
        self._stream.flush()

    def _print(self, line: str) -> None:
        self._left -= 1
        if self._left > 0:
            self._stream.write(f"{self.name}: {printable(line, LONGEST_LINE)}\n")
        elif self._left == 0:
            self._stream.write(f"{self.name}: further output is not shown: --trust shows all of it\n")


@contextlib.contextmanager
def _reported_lines(last_words: int) -> Iterator[None]:
    """Report the current line regularly on Windows, which has no signal that asks for it."""
    if sys.platform == "win32":
        faulthandler.dump_traceback_later(BETWEEN_REPORTS, repeat=True, file=last_words)
    try:
        yield
    finally:
        if sys.platform == "win32":
            faulthandler.cancel_dump_traceback_later()


def _limit_memory(more: int) -> None:
    """Limit the address space to its current size plus `more` bytes; on Windows, the job limits it."""
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return  # the current size is unknown
    most = pages * resource.getpagesize() + more
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or hard > most:
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _load(connection: socket.socket, source: str) -> Any:
    """Load the strategy and send its description, or the error; None if loading fails."""
    from strategies.registry import load_plugin

    strategy, about = None, dict[str, Any]()
    try:
        strategy = load_plugin(source)
        about = {
            "name": strategy.name,
            "about": strategy.about,
            "notes": list(strategy.notes),
            "options": [
                [o.name, o.default, o.about, o.least, o.most, list(o.choices)] for o in strategy.options
            ],
            "chosen": {o.name: o.written(strategy.chosen[o.name]) for o in strategy.options},
            **strategy.places,
        }
    except UsageError as error:
        about = {"usage": str(error)}
    except InvalidFile as error:
        about = {"invalid": str(error)}
    send(connection, json.dumps(about).encode())
    return strategy


class _PluginHost:
    """The strategy, and a replica of Sapper's knowledge."""

    def __init__(self, strategy: Any) -> None:
        self._strategy = strategy
        self._mirror = KnowledgeReplica()
        self._counts: tuple[int, ...] = ()

    def call(self, hook: str, *question: Any) -> dict[str, Any]:
        """Call a hook: its answers up to the end or the first error, their lines, and the error."""
        if hook == "deduce":
            return self._deduce(*question)
        return self._guess(*question) if hook == "guess" else self._observe(hook, *question)

    def _observe(self, hook: str, said: bytes) -> dict[str, Any]:
        def texts() -> Iterator[str]:
            for text in self._strategy.observe(hook, pickle.loads(said)):  # noqa: S301 - sent by Sapper
                yield text[: 4 * MOST_TEXT]

        return self._answer(hook, texts())

    def _deduce(self, sent: tuple[Any, ...], changed: int, most: int) -> dict[str, Any]:
        knowledge = self._mirror.receive(sent)
        writer = AnswerEncoder(self._mirror.number)
        asked = self._strategy.deduce(knowledge, changed)  # kept: the suspended generator knows its line
        answer = self._answer("deduce", map(writer.deduction, islice(asked, most)))
        return answer if self._mirror.is_intact(knowledge) else self._broken("deduce", answer)

    def _guess(
        self, sent: tuple[Any, ...], rows: int, columns: int, openable: int, counts: Any, first_click: Any
    ) -> dict[str, Any]:
        knowledge = self._mirror.receive(sent)
        if counts is not None:
            self._counts = counts
        values = (knowledge, rows, columns, openable, self._counts, first_click)
        position = Position(*values)
        asked = self._strategy.guess(position)
        answer = self._answer("guess", map(encode_guess, islice(asked, position.cells + 1)))
        now = (getattr(position, name) for name in FIELDS)
        is_intact = all(a is b or a == b for a, b in zip(now, values, strict=True))
        return answer if is_intact and self._mirror.is_intact(knowledge) else self._broken("guess", answer)

    def _answer(self, hook: str, found: Iterable[Any]) -> dict[str, Any]:
        answers: list[Any] = []
        lines: list[int] = []
        fault = ""
        try:
            for each in found:
                answers.append(each)
                lines.append(self._strategy.line(hook))
        except InvalidAnswer as error:
            fault = self._strategy.at(hook, str(error))
        except BaseException as error:  # noqa: BLE001 - any error is reported
            fault = self._strategy.blamed(hook, error)
        return {"answers": answers, "lines": lines, "fault": fault[:MOST_TEXT]}

    def _broken(self, hook: str, answer: dict[str, Any]) -> dict[str, Any]:
        """The answer of a strategy that has modified its arguments."""
        fault = answer["fault"] or self._strategy.at(hook, CHANGED)[:MOST_TEXT]
        return answer | {"answers": [], "fault": fault, "is_broken": True}
