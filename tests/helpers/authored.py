"""Strategy files for tests: a correct one, one for each check of the contract, and hostile ones."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

HEAD = "import os, sys, time, threading, signal\nfrom strategies import *\n\n\n"
GOOD = """
from strategies import Deduction, hookimpl

@hookimpl
def deduce(knowledge):
    for clue in knowledge.constraints:
        if clue.all_true:
            yield Deduction.true(clue.cells, because=(clue,), rule="all mines")
"""


def clue_rule(condition: str, conclusion: str) -> str:
    """A rule that yields this deduction for each clue that satisfies the condition."""
    return hook(
        "deduce",
        f"for clue in knowledge.constraints:\n    if {condition}:\n        yield Deduction.{conclusion}",
    )


def hook(name: str, body: str) -> str:
    """The code of one hook."""
    argument = "knowledge" if name == "deduce" else "position"
    return f"@hookimpl\ndef {name}({argument}):\n{indent(body, '    ')}\n"


LAST = "position.openable.bit_length() - 1"
ENDLESS = "while True:\n    try:\n        pass\n    except Exception:\n        pass"
FIND_MINES = """cells, frame = position.openable, sys._getframe()
while frame:
    for thing in list(frame.f_locals.values()):
        if isinstance(thing, Minefield) and thing.truth is not None:
            cells = cells & ~thing.truth or cells
    frame = frame.f_back
return [Guess(cells.bit_length() - 1, 0.9)]"""
SLOW_GUESS = f"""best = sum((layout & position.openable).bit_count() for layout in range(1 << 22))
return [Guess({LAST}, 1 / (1 + best))]"""

SOUND, BUDGET = "sound", "within budget"
# name: the check that fails, the code, a part of the message
BAD = {
    "an unsound rule": (
        SOUND,
        clue_rule("clue.low >= clue.size - 1 and clue.size > 1", "true(clue.cells, (clue,), 'nearly all')"),
        "'nearly all' concludes that",
    ),
    "a rule that is wrong only for bounds": (
        SOUND,
        clue_rule("clue.low == 0", "false(clue.cells, (clue,), 'none needed')"),
        "'none needed' concludes that",
    ),
    "a rule without a valid proof": (
        SOUND,
        clue_rule("clue.all_false", "false(clue.cells, (), 'no reason')"),
        "is true, but the proof is invalid",
    ),
    "a deduction about open cells": (
        SOUND,
        hook("deduce", "yield Deduction.false(1 << 40, (), 'far away')"),
        "concerns open cells",
    ),
    "a result that is no deduction": (SOUND, hook("deduce", "yield 'r0c0'"), "a str, not a Deduction"),
    "an endless loop": (BUDGET, hook("deduce", ENDLESS), "its deduce exceeds the budget of"),
    "a loop over all layouts": (BUDGET, hook("guess", SLOW_GUESS), "its guess exceeds the budget of"),
    "endless deductions": (
        BUDGET,
        hook("deduce", "while True:\n    yield Deduction.bounds(0, 0, 0, ())"),
        "deductions at once",
    ),
    "a crash": (
        BUDGET,
        hook("deduce", "return [1 / (knowledge.universe.bit_count() - 3) and None][:0]"),
        "its deduce raised ZeroDivisionError",
    ),
    "a guess of an open cell": (
        "leaves what is open alone",
        hook("guess", "return [Guess(0, 0.5)]"),
        "it guessed r0c0, which may not be opened",
    ),
    "an invalid probability": (
        "leaves what is open alone",
        hook("guess", f"return [Guess({LAST}, 50)]"),
        "the probability 50",
    ),
    "changed knowledge": (
        "changes nothing",
        hook("deduce", "object.__setattr__(knowledge, 'false', knowledge.universe)\nreturn []"),
        "it modifies its arguments",
    ),
    "a changed position": (
        "changes nothing",
        hook("guess", "object.__setattr__(position, 'openable', 0)\nreturn []"),
        "it modifies its arguments",
    ),
    "access to a private attribute": (
        "does not peek",
        hook("deduce", "return [] if knowledge._log.shown else []"),
        "it reads a private attribute of the knowledge: _log",
    ),
    "a search for the mines": (
        "does not peek",
        "import sys\nfrom games.minesweeper import Minefield\n\n" + hook("guess", FIND_MINES),
        "its answer depends on the hidden mines",
    ),
    "random guesses": (
        "deterministic",
        "import random\n\n" + hook("guess", f"return [Guess({LAST}, random.random())]"),
        "it answers a repeated call differently",
    ),
    "a memory": (
        "deterministic",
        "seen = []\n\n" + hook("guess", f"seen.append(position)\nreturn [Guess({LAST}, 1 / len(seen))]"),
        "it answers a repeated call differently",
    ),
}


def written(folder: Path, code: str) -> Path:
    """Write the code to `mine.py`."""
    file = folder / "mine.py"
    file.write_text("from strategies import Deduction, Guess, hookimpl\n" + code, encoding="utf-8")
    return file


def hostile(folder: Path, name: str, body: str) -> str:
    """Write a strategy with one hook; all lines of `body` but the first are indented. Return its path."""
    argument = "knowledge" if name == "deduce" else "position"
    file = folder / "hostile.py"
    file.write_text(f"{HEAD}@hookimpl\ndef {name}({argument}):\n    {body}\n", encoding="utf-8")
    return str(file)
