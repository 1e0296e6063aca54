"""The inner loops by name: plain Python until the compiled ones are ready.

The very same functions run both ways: the same answers, plain ones about a hundred times slower. Nothing is
compiled, and numba not imported, before the first one is asked for. What has been compiled before is loaded
then, which takes about a second once; what has not is compiled by another process while plain code answers.
One process of a user compiles at a time, and it ends with the program that it works for.
"""

from __future__ import annotations

import importlib.util
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from strategies.compiled.compiling import Kernel, compiled, digest, functions
from strategies.compiled.keeping import (
    BUSY,
    COMPLETE,
    WHY_NOT,
    begin_compiling,
    find_directory,
    is_under_way,
    share_done,
)
from strategies.compiled.tables import Tables, make_tables

TRY_AGAIN = 2.0  # seconds between two looks whether another process is still at it
PAUSE = 0.1  # seconds between two looks whether it is done
STEP = 0.1  # of the work, after which it is said again how far it is


class Kernels:
    """The inner loops of one process, as good as they are at the moment.

    `error` says why there will be no compiled ones; it is empty otherwise.
    """

    def __init__(self) -> None:
        self.plain: Mapping[str, Kernel] = {name: kernel for name, kernel, _ in functions()}
        self.error = ""
        self._compiled: Mapping[str, Kernel] = {}
        self._directory: Path | None = None
        self._compiling: subprocess.Popen[bytes] | None = None
        self._next_try = 0.0
        self._has_begun = False
        self._is_held = False
        self._lock = threading.RLock()
        self._own = threading.local()

    @property
    def is_compiled(self) -> bool:
        """Whether the compiled ones answer now."""
        if not self._compiled and not self.error:
            self.begin()
            self._load()
        return bool(self._compiled) and not self._is_held

    @property
    def is_ready(self) -> bool:
        """Whether the compiled ones would answer now, without anything being begun for it."""
        return bool(self._compiled) and not self._is_held

    @property
    def tables(self) -> Tables:
        """The memory to count in, one for each thread."""
        if not hasattr(self._own, "tables"):
            self._own.tables = make_tables()
        tables: Tables = self._own.tables
        return tables

    def __getitem__(self, name: str) -> Kernel:
        return (self._compiled if self.is_compiled else self.plain)[name]

    def begin(self) -> None:
        """See to it that they are being compiled, unless they have been."""
        with self._lock:
            if self._has_begun:
                return
            self._has_begun = True
            if importlib.util.find_spec("numba") is None:
                self.error = "numba is not installed"
                return
            self._directory = find_directory(digest())
            if self._directory is None:
                self.error = "there is no directory to keep compiled code in"
            elif (self._directory / COMPLETE).exists():
                threading.Thread(
                    target=self._load
                ).start()  # no daemon: numba must not be cut off at the exit
            else:
                self._compile(self._directory)

    @property
    def share(self) -> float | None:
        """How much has been compiled, 0 to 1; None where nothing is being compiled."""
        if self._directory is None or self.error or self._compiled:
            return None
        return share_done(self._directory)

    def wait(self, say: Callable[[float], object] = lambda share: None) -> bool:
        """Wait until compiling is over; whether there are compiled ones then. `say` hears how far it is."""
        self.begin()
        self.settle(say)
        return bool(self._compiled)

    def settle(self, say: Callable[[float], object] = lambda share: None) -> None:
        """If compiling has begun, wait until it is over: what is measured then is measured alike."""
        said = -1.0
        while self._has_begun and not self._compiled and not self.error:
            self._load()
            share = self.share
            if share is not None and share >= said + STEP:
                say(share)
                said = share
            if share is not None:
                time.sleep(PAUSE)

    @contextmanager
    def held(self, plain: bool) -> Iterator[None]:
        """While this is open, the plain ones answer if `plain`, and else the compiled ones are waited for."""
        before, self._is_held = self._is_held, plain
        try:
            if not plain:
                self.wait()
            yield
        finally:
            self._is_held = before

    def _load(self) -> None:
        """Take what has been compiled, if it is there by now."""
        with self._lock:
            if self._compiled or self.error or self._directory is None:
                return
            if (self._directory / COMPLETE).exists():
                # in its own thread: whoever counts the steps of a strategy, or stops it, does not mean this
                loading = threading.Thread(target=self._take, args=(self._directory,))
                loading.start()
                loading.join()
            elif self._compiling is None or self._compiling.poll() == BUSY:
                if time.monotonic() >= self._next_try:  # another one did it, and may have ended in its middle
                    self._compile(self._directory)
            elif self._compiling.poll() is not None:
                why = self._directory / WHY_NOT
                self.error = why.read_text(encoding="utf-8") if why.exists() else "compiling was stopped"

    def _compile(self, directory: Path) -> None:
        """Start a process that compiles, unless one of this user's is at it."""
        self._next_try = time.monotonic() + TRY_AGAIN
        if is_under_way():
            return
        if self._compiling is not None and self._compiling.stdin is not None:
            self._compiling.stdin.close()  # to one that found another at it, and has ended
        try:
            self._compiling = begin_compiling(directory)
        except OSError as error:
            self.error = f"no process to compile in: {error}"

    def _take(self, directory: Path) -> None:
        try:
            self._compiled = compiled(directory)
        except Exception as error:  # noqa: BLE001 - whatever numba says: the plain ones stay
            self.error = f"{type(error).__name__}: {error}"


@lru_cache(maxsize=1)
def kernels() -> Kernels:
    """The kernels of this process."""
    return Kernels()
