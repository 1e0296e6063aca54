"""Strategies as authors write them: a good one, those that the contract catches, and hostile ones."""

from __future__ import annotations

from pathlib import Path

HEAD = "import os, sys, time, threading, signal\nfrom strategies import *\n\n\n"
GOOD = """
from strategies import Deduction, hookimpl

@hookimpl
def deduce(knowledge):
    for clue in knowledge.constraints:
        if clue.all_true:
            yield Deduction.true(clue.cells, because=(clue,), rule="all mines")
"""

BAD = {
    "an unsound rule": (
        "sound",
        """
@hookimpl
def deduce(knowledge):
    for clue in knowledge.constraints:
        if clue.low >= clue.size - 1 and clue.size > 1:
            yield Deduction.true(clue.cells, (clue,), "nearly all")
""",
        "'nearly all' concludes that",
    ),
    "a rule that is wrong only of bounds": (
        "sound",
        """
@hookimpl
def deduce(knowledge):
    for clue in knowledge.constraints:
        if clue.low == 0:
            yield Deduction.false(clue.cells, (clue,), "none needed")
""",
        "'none needed' concludes that",
    ),
    "a rule whose proof does not show it": (
        "sound",
        """
@hookimpl
def deduce(knowledge):
    for clue in knowledge.constraints:
        if clue.all_false:
            yield Deduction.false(clue.cells, (), "because I say so")
""",
        "is true, but the proof is invalid",
    ),
    "a rule that speaks of open cells": (
        "sound",
        """
@hookimpl
def deduce(knowledge):
    yield Deduction.false(1 << 40, (), "far away")
""",
        "concerns open cells",
    ),
    "an answer that is no deduction": (
        "sound",
        """
@hookimpl
def deduce(knowledge):
    yield "r0c0"
""",
        "a str, not a Deduction",
    ),
    "an endless loop": (
        "within budget",
        """
@hookimpl
def deduce(knowledge):
    while True:
        try:
            pass
        except Exception:
            pass
""",
        "its deduce exceeds the budget of",
    ),
    "going through all layouts": (
        "within budget",
        """
@hookimpl
def guess(position):
    best = sum((layout & position.openable).bit_count() for layout in range(1 << 22))
    return [Guess(position.openable.bit_length() - 1, 1 / (1 + best))]
""",
        "its guess exceeds the budget of",
    ),
    "deductions without end": (
        "within budget",
        """
@hookimpl
def deduce(knowledge):
    while True:
        yield Deduction.bounds(0, 0, 0, ())
""",
        "deductions at once",
    ),
    "a crash": (
        "within budget",
        """
@hookimpl
def deduce(knowledge):
    return [1 / (knowledge.universe.bit_count() - 3) and None][:0]
""",
        "its deduce raised ZeroDivisionError",
    ),
    "a guess of an open cell": (
        "leaves what is open alone",
        """
@hookimpl
def guess(position):
    return [Guess(0, 0.5)]
""",
        "it guessed r0c0, which may not be opened",
    ),
    "a probability that is none": (
        "leaves what is open alone",
        """
@hookimpl
def guess(position):
    return [Guess(position.openable.bit_length() - 1, 50)]
""",
        "the probability 50",
    ),
    "changing the knowledge": (
        "changes nothing",
        """
@hookimpl
def deduce(knowledge):
    object.__setattr__(knowledge, "false", knowledge.universe)
    return []
""",
        "it modifies its arguments",
    ),
    "changing the position": (
        "changes nothing",
        """
@hookimpl
def guess(position):
    object.__setattr__(position, "openable", 0)
    return []
""",
        "it modifies its arguments",
    ),
    "looking at what is private": (
        "does not peek",
        """
@hookimpl
def deduce(knowledge):
    return [] if knowledge._log.shown else []
""",
        "it reads a private attribute of the knowledge: _log",
    ),
    "looking for the mines": (
        "does not peek",
        """
import sys
from games.minesweeper import Minefield

@hookimpl
def guess(position):
    cells, frame = position.openable, sys._getframe()
    while frame:
        for thing in list(frame.f_locals.values()):
            if isinstance(thing, Minefield) and thing.truth is not None:
                cells = cells & ~thing.truth or cells
        frame = frame.f_back
    return [Guess(cells.bit_length() - 1, 0.9)]
""",
        "its answer depends on the hidden mines",
    ),
    "dice": (
        "deterministic",
        """
import random

@hookimpl
def guess(position):
    return [Guess(position.openable.bit_length() - 1, random.random())]
""",
        "it answers a repeated call differently",
    ),
    "a memory": (
        "deterministic",
        """
seen = []

@hookimpl
def guess(position):
    seen.append(position)
    return [Guess(position.openable.bit_length() - 1, 1 / len(seen))]
""",
        "it answers a repeated call differently",
    ),
}


def written(folder: Path, code: str) -> Path:
    file = folder / "mine.py"
    file.write_text("from strategies import Deduction, Guess, hookimpl\n" + code, encoding="utf-8")
    return file


def hostile(folder: Path, hook: str, lines: str) -> str:
    """A file with one hook that does this."""
    argument = "knowledge" if hook == "deduce" else "position"
    file = folder / "hostile.py"
    file.write_text(f"{HEAD}@hookimpl\ndef {hook}({argument}):\n    {lines}\n", encoding="utf-8")
    return str(file)
