"""Compiles the inner loops with numba and keeps the result on disk for the next time."""

from __future__ import annotations

import hashlib
import importlib
import sys
import types
from collections.abc import Callable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from strategies.compiled.field import Field
from strategies.compiled.guessing.candidates import FIGURES
from strategies.compiled.settings import Settings
from strategies.compiled.tables import make_tables

# each behind those that it calls
MODULES = (
    "tables", "field", "counting.classes", "counting.order", "counting.states", "counting.layouts",
    "counting.weights", "counting.total", "counting.parts", "counting.survey",
    "guessing.twos", "guessing.fours", "guessing.ahead", "guessing.listing", "guessing.playing",
    "guessing.searching", "guessing.endgame", "settings", "guessing.pockets", "guessing.candidates",
    "guessing.deeper", "guessing.rest", "guessing.closed", "guessing.choosing",
)  # fmt: skip
ENTRIES = (
    "survey",
    "choose",
    "solve_rest",
)  # what Python calls; a way in for each of the others takes a tenth more
# They make no arrays, and get none as an answer or give one: numba need not count who has which, and that is
# most of what a call costs that hands over a dozen.
BORROWING = (
    "all_mines", "at_most", "backward", "change", "clear", "count_ahead", "count_parts", "deciding_cells",
    "far_end", "fill_in", "first_look", "first_state", "forward", "has_room", "is_among", "is_closed",
    "is_informative", "join", "join_parts", "keep", "lane", "lead", "leave_fours", "list_cells", "lose",
    "make_moves", "make_numbers", "meet", "most_held", "next_cell", "next_group", "part", "part_classes",
    "place_all", "place_rule", "polynomial", "product", "reach_rules", "risk", "risk_of",
    "safest_elsewhere", "safety_then", "scale", "shortest", "sole_number", "solve", "stretches",
    "stuck_then", "sum_from", "sum_up", "take", "touch_rules", "ways_to_hold", "weigh", "weigh_class",
    "weigh_numbers", "weigh_outcomes", "weigh_parts",
)  # fmt: skip
TABLES = "strategies.compiled.tables"  # memory is made by plain code
Kernel = Callable[..., Any]


def functions() -> list[tuple[str, types.FunctionType, types.ModuleType]]:
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


def digest() -> str:
    """A name for the text of all modules, and for all by which numba knows whether what it kept still holds.

    These are the place of a module and when it was written. Of the text numba looks at the outermost function
    only.
    """
    texts = hashlib.sha256(f"{metadata.version('numba')} {sys.version}".encode())
    for name in MODULES:
        path = Path(__file__).resolve().parent.joinpath(*name.split(".")).with_suffix(".py")
        texts.update(f"{path} {path.stat().st_mtime_ns}".encode() + path.read_bytes())
    return texts.hexdigest()[:16]


def compiled(directory: Path) -> Mapping[str, Kernel]:
    """Every function compiled, each calling the compiled ones, kept in `directory` or taken from there.

    A copy of each function gets globals of its own, in which its callees' names stand for compiled ones.
    Raises ImportError without numba, and what numba raises.
    """
    numba: Any = importlib.import_module("numba")
    done: dict[str, Kernel] = {}
    spaces: dict[str, dict[str, Any]] = {}
    before = numba.config.CACHE_DIR, numba.config.LOOP_VECTORIZE
    try:
        numba.config.CACHE_DIR = str(directory)
        numba.config.LOOP_VECTORIZE = 0  # looking for it takes a tenth of the time, and finds nothing here
        for name, function, module in functions():
            if module.__name__ not in spaces:
                names = vars(module)
                spaces[module.__name__] = names | {known: done[known] for known in done if known in names}
            space = spaces[module.__name__]
            copy = types.FunctionType(function.__code__, space, name, function.__defaults__)
            copy.__qualname__ = function.__qualname__
            done[name] = space[name] = numba.njit(
                copy,
                cache=True,
                nogil=True,
                no_cpython_wrapper=name not in ENTRIES,
                no_cfunc_wrapper=True,
                _nrt=name not in BORROWING,
                error_model="numpy",  # nothing here divides by zero: asking each time costs a tenth
            )
        _run_once(done)
    finally:
        numba.config.CACHE_DIR, numba.config.LOOP_VECTORIZE = before
    return done


def _run_once(loops: Mapping[str, Kernel]) -> None:
    """Ask about two cells, one of them a mine, so that everything is compiled for its types."""
    one, two = np.ones(1, np.int64), np.ones(2, np.int64)
    start, members, around_start = np.array([0, 2]), np.array([0, 1]), np.array([0, 1, 2])
    around = np.array([1, 0])
    field = Field(2, two, two, start, members, one, one, around_start, around, 1, 1, 0.25)
    settings, tables = Settings(deep=1).floats, make_tables()
    marks, figures = np.arange(1, 403), np.zeros((2, FIGURES), np.float64)
    loops["choose"](field, settings, marks, tables, figures)
    loops["survey"](field, tables)
