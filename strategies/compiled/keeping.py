"""Where compiled code is kept, and the one process at a time that makes it.

Compiling takes about half a minute, so that a process of its own does it: the game is not slowed down, and a
program that ends before it does not take the work with it.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import platformdirs

COMPLETE = "complete"  # the file that says that everything is there
WHY_NOT = "why-not"  # the file that says why it will never be
LOCK = "lock"


def find_directory(name: str) -> Path | None:
    """A directory of this name that only this user can write to; None when there is no place for one.

    It is in the user's cache or, where nothing can be written there, among the temporary files.
    """
    private = Path(tempfile.gettempdir()) / f"sapper-{os.getuid()}"
    for parent in (Path(platformdirs.user_cache_dir("sapper")) / "kernels", private):
        directory = parent / name
        with contextlib.suppress(OSError):
            parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            directory.mkdir(exist_ok=True)
            if parent.stat().st_uid == os.getuid() and not parent.stat().st_mode & 0o022:
                (directory / LOCK).touch()
                return directory
    return None


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
    import fcntl

    with (directory / LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
