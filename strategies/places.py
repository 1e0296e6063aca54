"""Where in a strategy's code something is, and errors in one line."""

from __future__ import annotations

import inspect

LONGEST = 300  # letters of an error's message


def place_of(plugin: object, hook: str) -> str:
    """`mine.py, line 7`: where this hook of a plugin begins; empty where Python does not know."""
    code = getattr(inspect.unwrap(getattr(plugin, hook)), "__code__", None)
    return f"{code.co_filename}, line {code.co_firstlineno}" if code else ""


def last_line_in(file: str, error: BaseException) -> str:
    """`mine.py, line 7`: the last line of this file that the error went through; empty when it did not."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return f"{file}, line {line}" if line else ""


def yielding_line(file: str, answers: object) -> int:
    """The line of this file at which a generator has yielded last, or one that it yields from; 0 for none."""
    line = 0
    while inspect.isgenerator(answers) and answers.gi_frame is not None:
        if answers.gi_frame.f_code.co_filename == file:
            line = answers.gi_frame.f_lineno
        answers = answers.gi_yieldfrom
    return line


def one_line(error: BaseException) -> str:
    """An error as one line: its kind and the first line of its message."""
    message = " ".join(str(error).split())
    return f"{type(error).__name__}: {message[:LONGEST]}" if message else type(error).__name__
