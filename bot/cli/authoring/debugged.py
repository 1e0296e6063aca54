"""Stopping in a person's own strategy with Python's debugger, in the middle of a decision."""

from __future__ import annotations

import ast
import pdb  # noqa: T100 - the debugger is what was asked for
import sys
from bdb import BdbQuit
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from games.errors import Usage
from strategies import Strategy

HOOKS = ("deduce", "guess")


def debug(strategies: Sequence[Strategy], call: Callable[[], object]) -> None:
    """Do this under the debugger, which stops where a hook of these strategies begins.

    They have to run in this process. Ends quietly when the person quits. Raises Usage without a terminal, or
    where all of the strategies are built in.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Usage("--pdb is a talk between you and Python's debugger: run it in a terminal")
    debugger = _Debugger()
    for strategy in strategies:
        if strategy.origin != "built-in":
            for hook in HOOKS:
                place = first_line(strategy, hook)
                if place:
                    debugger.stop_at(*place)
    if not debugger.get_all_breaks():
        raise Usage("--pdb stops in a strategy of your own: name its file with --strategy ./mine.py")
    try:
        debugger.begin(sys._getframe())  # noqa: SLF001 - where the debugger lets go on
        call()
    except KeyboardInterrupt:
        if not debugger.quitting:
            raise
    finally:
        sys.settrace(None)


def first_line(strategy: Strategy, hook: str) -> tuple[str, int] | None:
    """File and first line of what a hook does, behind its description; None where it has none."""
    place = strategy.places.get(hook)
    if not place:
        return None
    file = strategy.file(hook)
    begin = int(place.rpartition(" ")[2])  # of the function, or of what it is decorated with
    for node in ast.walk(ast.parse(Path(file).read_bytes())):
        if isinstance(node, ast.FunctionDef) and _begin(node) == begin:
            is_reported = ast.get_docstring(node) is not None and len(node.body) > 1
            return file, node.body[1 if is_reported else 0].lineno
    return None


def _begin(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


class _Debugger(pdb.Pdb):
    """Quitting ends the command: for whoever asks strategies, any other error would be theirs."""

    def __init__(self) -> None:
        super().__init__(nosigint=True)
        self._begins: set[tuple[str, int]] = set()
        self._met: list[FrameType] = []  # calls in which it has stopped where they begin

    def stop_at(self, file: str, line: int) -> None:
        """Stop here once in each call; the line may well begin a loop."""
        self.set_break(file, line)
        self._begins.add((self.canonic(file), line))

    def break_here(self, frame: FrameType) -> bool:
        """Whether a breakpoint is met."""
        if not super().break_here(frame):
            return False
        if (self.canonic(frame.f_code.co_filename), frame.f_lineno) in self._begins:
            if any(frame is met for met in self._met):
                return False
            self._met.append(frame)
        return True

    def begin(self, frame: FrameType) -> None:
        """Watch from now on, and stop at the first breakpoint."""
        self.reset()
        self.botframe = frame
        self.set_continue()
        sys.settrace(self.trace_dispatch)

    def trace_dispatch(self, frame: FrameType, event: str, arg: Any) -> Any:
        """What the debugger does at each line. Raises KeyboardInterrupt when the person quits."""
        try:
            return super().trace_dispatch(frame, event, arg)
        except BdbQuit:
            raise KeyboardInterrupt from None
