"""A line to sway: i3's IPC, `man sway-ipc`."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import struct
from typing import Any

from games.errors import MachineLacks

MAGIC = b"i3-ipc"
COMMAND, SUBSCRIBE, TREE, CONFIG = 0, 2, 4, 9  # kinds of messages
PATIENCE = 5.0  # seconds that sway gets to answer


class SwayLine:
    """One connection to sway; `path` is its socket, SWAYSOCK's by default.

    Everything raises MachineLacks when sway cannot be asked.
    """

    def __init__(self, path: str | None = None) -> None:
        where = path or os.environ.get("SWAYSOCK", "")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._events: list[Any] = []
        try:
            self._socket.settimeout(PATIENCE)
            self._socket.connect(where)
        except OSError as error:
            self._socket.close()
            raise MachineLacks(f"sway cannot be asked at '{where}' ({error}): set SWAYSOCK") from error

    def close(self) -> None:
        """Hang up; a second time does nothing."""
        self._socket.close()

    def ask(self, kind: int, payload: str = "") -> Any:
        """Sway's answer to a message."""
        data = payload.encode()
        try:
            self._socket.sendall(MAGIC + struct.pack("=II", len(data), kind) + data)
            while True:
                answered, answer = self._message()
                if answered == kind:
                    return answer
                self._events.append(answer)
        except (OSError, ValueError) as error:
            raise MachineLacks(f"sway does not answer ({error}): start again") from error

    def do(self, command: str) -> bool:
        """Whether sway did what a line of its config language says."""
        return all(done.get("success") for done in self.ask(COMMAND, command))

    def events(self) -> list[Any]:
        """The events that came since the last time, without waiting."""
        try:
            self._socket.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while self._socket.recv(1, socket.MSG_PEEK):
                    self._socket.settimeout(PATIENCE)
                    self._events.append(self._message()[1])
                    self._socket.setblocking(False)
        except (OSError, ValueError) as error:
            raise MachineLacks(f"sway went away ({error}): start again") from error
        finally:
            with contextlib.suppress(OSError):
                self._socket.settimeout(PATIENCE)
        events, self._events = self._events, []
        return events

    def _message(self) -> tuple[int, Any]:
        head = self._bytes(len(MAGIC) + 8)
        length, kind = struct.unpack("=II", head[len(MAGIC) :])
        # titles of X programs come as they are, also in Latin-1
        return kind, json.loads(self._bytes(length).decode(errors="replace"))

    def _bytes(self, count: int) -> bytes:
        parts = b""
        while len(parts) < count:
            part = self._socket.recv(count - len(parts))
            if not part:
                raise ConnectionResetError("it hung up")
            parts += part
        return parts
