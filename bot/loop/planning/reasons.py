"""Reasons for people, found when somebody asks: tracing a proof costs more than finding it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import overload

from bot.loop.ports import Reason
from games.logic import Deduction, Knowledge, bits


class Reasons(Sequence[Reason]):
    """A reason for each of some known cells (a set), in rising order. `author` says whose a deduction is."""

    def __init__(
        self, knowledge: Knowledge, cells: int, author: Callable[[Deduction | None], str] = lambda _: ""
    ) -> None:
        self._knowledge = knowledge
        self._author = author
        self._set = cells

    @cached_property
    def _cells(self) -> tuple[int, ...]:
        return tuple(bits(self._set))

    def __len__(self) -> int:
        return self._set.bit_count()

    @overload
    def __getitem__(self, place: int) -> Reason: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Reason, ...]: ...
    def __getitem__(self, place: int | slice) -> Reason | tuple[Reason, ...]:
        if isinstance(place, slice):
            return tuple(self._reason(cell) for cell in self._cells[place])
        return self._reason(self._cells[place])

    def _reason(self, cell: int) -> Reason:
        deduction = self._knowledge.why(cell)
        rule = deduction.step.rule if deduction else ""
        because = tuple(str(source) for source in self._knowledge.because(cell))
        return Reason(cell, bool(self._knowledge.true >> cell & 1), rule, because, self._author(deduction))
