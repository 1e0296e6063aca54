"""Compiles the inner loops with numba in the background and keeps the result on disk for the next time.

Until that is done, and where numba is missing, the very same functions run as plain Python: the same answers,
about a hundred times slower. Nothing is compiled, and numba not imported, before the first one is asked for.
What is complete on disk is waited for (less than a second), so that it answers from the first call on.
"""

from __future__ import annotations

import hashlib
import importlib
import threading
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs

from strategies.compiled.candidates import FIGURES
from strategies.compiled.field import Field
from strategies.compiled.settings import Settings
from strategies.compiled.tables import Tables, make_tables

# each behind those that it calls
MODULES = (
    "tables", "field", "boxes", "total", "layouts", "survey", "twins", "ahead", "endgame", "settings",
    "candidates", "deeper", "rest", "choosing",
)  # fmt: skip
TABLES = "strategies.compiled.tables"  # memory is made by plain code
COMPLETE = "complete"  # the file that says that everything has been compiled
Kernel = Callable[..., Any]


class Kernels:
    """The inner loops by name: plain ones until the compiled ones are ready.

    `error` says why there will be no compiled ones; it is empty otherwise.
    """

    def __init__(self) -> None:
        self.plain: Mapping[str, Kernel] = {name: kernel for name, kernel, _ in _functions()}
        self.error = ""
        self._compiled: Mapping[str, Kernel] = {}
        self._thread: threading.Thread | None = None
        self._is_near = False  # complete on disk: ready in a moment
        self._is_held = False
        self._lock = threading.Lock()
        self._own = threading.local()

    @property
    def is_compiled(self) -> bool:
        """Whether the compiled ones answer now."""
        self.begin()
        if self._is_near and self._thread:
            self._thread.join()
        return bool(self._compiled) and not self._is_held

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
        """Compile in the background, unless that has begun already."""
        with self._lock:
            if self._thread is None:
                directory = _cache_directory()
                self._is_near = directory is not None and (directory / COMPLETE).exists()
                self._thread = threading.Thread(target=self._compile, args=(directory,), daemon=True)
                self._thread.start()

    def wait(self) -> bool:
        """Wait until compiling is over; whether there are compiled ones then."""
        self.begin()
        self.settle()
        return bool(self._compiled)

    def settle(self) -> None:
        """If compiling has begun, wait until it is over: what is measured then is measured alike."""
        if self._thread is not None:
            self._thread.join()

    def _compile(self, directory: Path | None) -> None:
        try:
            self._compiled = compiled(directory)
        except Exception as error:  # noqa: BLE001 - numba or a disk that says no: the plain ones stay
            self.error = f"{type(error).__name__}: {error}"


@lru_cache(maxsize=1)
def kernels() -> Kernels:
    """The kernels of this process."""
    return Kernels()


def _functions() -> list[tuple[str, types.FunctionType, types.ModuleType]]:
    """Every function of `MODULES` that is to be compiled, with the module it is from."""
    found = []
    for name in MODULES:
        module = importlib.import_module(f"strategies.compiled.{name}")
        found += [
            (name, thing, module)
            for name, thing in vars(module).items()
            if isinstance(thing, types.FunctionType) and thing.__module__ == module.__name__ != TABLES
        ]
    return found


def compiled(directory: Path | None) -> Mapping[str, Kernel]:
    """Every function compiled, each calling the compiled ones. Raises ImportError without numba.

    A copy of each function gets globals of its own, in which its callees' names stand for compiled ones. They
    are kept in `directory`, if there is one.
    """
    numba: Any = importlib.import_module("numba")
    done: dict[str, Kernel] = {}
    spaces: dict[str, dict[str, Any]] = {}
    before = numba.config.CACHE_DIR
    try:
        if directory is not None:
            numba.config.CACHE_DIR = str(directory)
        for name, function, module in _functions():
            if module.__name__ not in spaces:
                names = vars(module)
                spaces[module.__name__] = names | {known: done[known] for known in done if known in names}
            space = spaces[module.__name__]
            copy = types.FunctionType(function.__code__, space, name, function.__defaults__)
            copy.__qualname__ = function.__qualname__
            done[name] = space[name] = numba.njit(copy, cache=directory is not None, nogil=True)
    finally:
        numba.config.CACHE_DIR = before
    _run_once(done)
    if directory is not None:
        (directory / COMPLETE).touch()
    return done


def _cache_directory() -> Path | None:
    """Where compiled code is kept; None when nothing can be written there.

    It is named after the text of all modules: numba itself looks only whether the file of the outermost
    function has changed.
    """
    digest = hashlib.sha256()
    for name in MODULES:
        digest.update(Path(__file__).with_name(f"{name}.py").read_bytes())
    try:
        directory = Path(platformdirs.user_cache_dir("sapper")) / "kernels" / digest.hexdigest()[:16]
        directory.mkdir(parents=True, exist_ok=True)
        probe = directory / "writable"
        probe.touch()
    except OSError:
        return None
    return directory


def _run_once(loops: Mapping[str, Kernel]) -> None:
    """Ask about two cells, one of them a mine, so that everything is compiled for its types."""
    one, two = np.ones(1, np.int64), np.ones(2, np.int64)
    start, members, around_start = np.array([0, 2]), np.array([0, 1]), np.array([0, 1, 2])
    around = np.array([1, 0])
    field = Field(2, two, two, start, members, one, one, around_start, around, 1, 1, 0.25)
    settings, tables = Settings(deep=1).floats, make_tables()
    marks, figures = np.arange(1, 403), np.zeros((2, FIGURES), np.float64)
    loops["choose"](field, settings, marks, tables, figures)
