"""How much a strategy may answer, and how long and how large its process may become."""

from __future__ import annotations

from dataclasses import dataclass

MOST_AT_ONCE = 4  # deductions or guesses for each variable that one call may yield, …
AND_MORE = 10_000  # … and so many besides
MOST_TEXT = 500  # letters of a rule, a reason or a message; the rest is cut off
MOST_FIGURES = 100  # figures of one guess
MOST_PREMISES = 1_000_000  # of all deductions of one answer: they have to be checked
MOST_ENDS = 3  # times that the process of a strategy is started again after it had to be ended


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of a strategy's process.

    The clocks are an emergency stop: what is bounded in steps never meets them. `call`: seconds of
    processor time for one question; `waiting`: seconds by the clock for it where the process does nothing
    (and five times that where it only gets little of a busy machine). `loading` is the processor time to run
    its file, once, and five times that by the clock. `memory`: bytes of address space beside what Python
    itself has taken. `reply`: bytes of one answer.
    """

    call: float = 4.0
    waiting: float = 12.0
    loading: float = 10.0
    memory: int = 2 << 30
    reply: int = 8 << 20


def most_answers(variables: int) -> int:
    """How many deductions one call may yield."""
    return AND_MORE + MOST_AT_ONCE * variables
