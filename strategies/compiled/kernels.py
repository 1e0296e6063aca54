"""The inner loops by name: plain Python until the compiled ones are ready.

The very same functions run both ways: the same answers, plain ones about a hundred times slower. Nothing is
compiled, and numba not imported, before the first one is asked for. What has been compiled before is loaded
then, which takes about a second once; what has not is compiled by another process while plain code answers.
"""

from __future__ import annotations

import importlib.util
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from strategies.compiled.compiling import Kernel, compiled, digest, functions
from strategies.compiled.keeping import COMPLETE, WHY_NOT, begin_compiling, find_directory
from strategies.compiled.tables import Tables, make_tables


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
                try:
                    self._compiling = begin_compiling(self._directory)
                except OSError as error:
                    self.error = f"no process to compile in: {error}"

    def wait(self) -> bool:
        """Wait until compiling is over; whether there are compiled ones then."""
        self.begin()
        self.settle()
        return bool(self._compiled)

    def settle(self) -> None:
        """If compiling has begun, wait until it is over: what is measured then is measured alike."""
        if self._compiling is not None:
            self._compiling.wait()
        if self._has_begun:
            self._load()

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
            elif self._compiling is not None and self._compiling.poll() is not None:
                why = self._directory / WHY_NOT
                self.error = why.read_text(encoding="utf-8") if why.exists() else "compiling was stopped"

    def _take(self, directory: Path) -> None:
        try:
            self._compiled = compiled(directory)
        except Exception as error:  # noqa: BLE001 - whatever numba says: the plain ones stay
            self.error = f"{type(error).__name__}: {error}"


@lru_cache(maxsize=1)
def kernels() -> Kernels:
    """The kernels of this process."""
    return Kernels()
