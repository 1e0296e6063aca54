"""Where compiled code is kept, and the one process at a time that makes it.

Compiling takes about half a minute, so that a process of its own does it: the game is not slowed down, and a
program that ends before it does not take the work with it.
"""

from __future__ import annotations

import contextlib
import getpass
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import platformdirs

COMPLETE = "complete"  # the file that says that everything is there
WHY_NOT = "why-not"  # the file that says why it will never be
LOCK = "lock"  # touched whenever somebody asks for the directory
UNUSED = 30 * 24 * 3600  # seconds after which a directory that nobody asked for goes


def find_directory(name: str) -> Path | None:
    """A directory of this name that only this user can write to; None when there is no place for one.

    It is in the user's cache or, where nothing can be written there, among the temporary files. What other
    versions left behind and nobody asked for in a while is taken away.
    """
    private = Path(tempfile.gettempdir()) / f"sapper-{getpass.getuser()}"
    for parent in (Path(platformdirs.user_cache_dir("sapper")) / "kernels", private):
        directory = parent / name
        with contextlib.suppress(OSError):
            parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            directory.mkdir(exist_ok=True)
            if _is_private(parent):
                (directory / LOCK).touch()
                _clear(parent)
                return directory
    return None


def _is_private(directory: Path) -> bool:
    """Whether only this user can write there. Windows has no such bits: a home folder is private there."""
    if sys.platform == "win32":
        return True
    return directory.stat().st_uid == os.getuid() and not directory.stat().st_mode & 0o022


def _clear(parent: Path) -> None:
    for lock in parent.glob(f"*/{LOCK}"):
        if time.time() - lock.stat().st_mtime > UNUSED:
            shutil.rmtree(lock.parent, ignore_errors=True)


def begin_compiling(directory: Path) -> subprocess.Popen[bytes]:
    """Have another process fill the directory; it goes on when this one ends. Raises OSError."""
    paths = os.pathsep.join(path for path in sys.path if path)
    return subprocess.Popen(
        [sys.executable, "-m", "strategies.compiled", str(directory)],
        env=os.environ | {"PYTHONPATH": paths},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


@contextlib.contextmanager
def alone(directory: Path) -> Iterator[None]:
    """While this is open, no other process is in here; it waits for its turn."""
    with (directory / LOCK).open("w") as lock:
        if sys.platform != "win32":  # there two may do the same work
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
