"""Files of X cookies: what lets a process open a display. python3-xlib, and so pyautogui, insists on one.

The format (all numbers big-endian shorts: family, then address, display number, name and data, each with its
length before it) is that of libXau, `man Xau`.
"""

from __future__ import annotations

import atexit
import os
import secrets
import socket
import struct
import tempfile
from pathlib import Path

FAMILY_LOCAL = 256
COOKIE_BYTES = 16


def new_cookie() -> bytes:
    """A fresh secret for one X server."""
    return secrets.token_bytes(COOKIE_BYTES)


def write_cookie(path: Path, cookie: bytes, number: str) -> None:
    """Write a file, readable by its owner only, that holds the cookie of this machine's display `number`."""
    fields = [socket.gethostname().encode(), number.encode(), b"MIT-MAGIC-COOKIE-1", cookie]
    entry = struct.pack(">H", FAMILY_LOCAL) + b"".join(struct.pack(">H", len(f)) + f for f in fields)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(entry)


def have_cookie_file() -> None:
    """Where no file of cookies exists, or an empty one, name one with an entry that fits no display.

    Without it python3-xlib stops at the missing file, although a display may need no cookie at all; with an
    empty one it prints a warning on stdout, where only results belong.
    """
    named = Path(os.environ.get("XAUTHORITY") or "~/.Xauthority").expanduser()
    if not named.exists() or not named.stat().st_size:
        descriptor, name = tempfile.mkstemp(prefix="sapper-", suffix=".Xauthority")
        os.close(descriptor)
        atexit.register(Path(name).unlink, missing_ok=True)
        write_cookie(Path(name), bytes(COOKIE_BYTES), "none")
        os.environ["XAUTHORITY"] = name
