"""Messages over a stream socket: the length in four bytes, then the message."""

from __future__ import annotations

import select
import socket
import struct
import time
from collections.abc import Callable

LENGTH = struct.Struct("<I")


class TooLong(Exception):
    """The other side announces a message that is longer than allowed; `size` says how long, bytes."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.size = size


class Late(Exception):
    """The other side takes longer than it may."""


def send(connection: socket.socket, message: bytes) -> None:
    """Send all of a message. Raises OSError; TimeoutError where the other side does not take it."""
    connection.sendall(LENGTH.pack(len(message)) + message)


def receive(connection: socket.socket) -> bytes | None:
    """Wait for a message as long as it takes; None when the other side has closed. Raises OSError."""
    head = _exactly(connection, LENGTH.size)
    return head and _exactly(connection, LENGTH.unpack(head)[0])


def receive_within(
    connection: socket.socket, most: int, is_late: Callable[[float], bool], also: int | None = None
) -> bytes | None:
    """A message of at most so many bytes; None when the other side has closed.

    `is_late` is asked, at least four times a second, whether so many seconds are too long. `also` is a file
    descriptor that becomes readable when the other side has ended, though somebody else may hold its end
    open.
    Raises Late, TooLong and OSError.
    """
    began = time.monotonic()
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    if also is not None:
        poll.register(also, select.POLLIN)
    head, want, data = b"", LENGTH.size, bytearray()
    while True:
        ready = [descriptor for descriptor, _ in poll.poll(250)]
        if connection.fileno() in ready:
            piece = connection.recv(min(want - len(data), 1 << 20))
            if not piece:
                return None
            data += piece
        elif also in ready:
            return None
        if len(data) == want:
            if head:
                return bytes(data)
            head, data = bytes(data), bytearray()
            want = LENGTH.unpack(head)[0]
            if want > most:
                raise TooLong(want)
            if not want:
                return b""
        elif is_late(time.monotonic() - began):
            raise Late


def _exactly(connection: socket.socket, count: int) -> bytes | None:
    data = bytearray()
    while len(data) < count:
        piece = connection.recv(min(count - len(data), 1 << 20))
        if not piece:
            return None
        data += piece
    return bytes(data)
