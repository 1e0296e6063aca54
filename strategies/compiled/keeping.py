"""Where compiled code is kept, and the one process at a time that makes it.

Compiling takes about half a minute, so that a process of its own does it, and the game is not slowed down.
That process ends with the program it works for. What it has done by then is kept, and the next one goes on
from there.
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
BUSY = 3  # the exit code of a process that leaves the work to another, or whose program has ended
LOCK = "lock"  # touched whenever somebody asks for the directory
UNDER_WAY = "compiling"  # the file that is locked while a process of this user compiles
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


def share_done(directory: Path) -> float:
    """How much of the work is done: 0 to 1."""
    if (directory / COMPLETE).exists():
        return 1.0
    done = {file.name.partition("-")[0] for file in directory.rglob("*.nbi")}  # numba's index of a function
    return min(len(done) / max(count_functions(), 1), 0.99)


def count_functions() -> int:
    """How many functions there are to compile."""
    from strategies.compiled.compiling import functions

    return len(functions())


def begin_compiling(directory: Path) -> subprocess.Popen[bytes]:
    """Have another process fill the directory; it ends when this one does. Raises OSError."""
    paths = os.pathsep.join(path for path in sys.path if path)
    return subprocess.Popen(
        [sys.executable, "-m", "strategies.compiled", str(directory)],
        env=os.environ | {"PYTHONPATH": paths},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def is_under_way() -> bool:
    """Whether some process of this user compiles now."""
    with alone() as is_alone:
        return not is_alone


@contextlib.contextmanager
def alone() -> Iterator[bool]:
    """Yields whether no other process of this user compiles; while this is open, none begins to."""
    with contextlib.ExitStack() as stack:
        place = _place_of_lock()
        if place is None or sys.platform == "win32":  # there two may do the same work
            yield True
            return
        import fcntl

        lock = stack.enter_context(place.open("w"))
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
            return
        yield True


def _place_of_lock() -> Path | None:
    """One file for each user, wherever compiled code is kept; None where it cannot be made."""
    private = Path(tempfile.gettempdir()) / f"sapper-{getpass.getuser()}"
    with contextlib.suppress(OSError):
        private.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _is_private(private):
            return private / UNDER_WAY
    return None
