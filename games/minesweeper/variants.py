"""The rules beside the plain ones. Each adds constraints to those of the clues; plain adds none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from games.errors import Usage
from games.logic.constraint import Constraint
from games.minesweeper.board import Board

Rule = Callable[[Board], tuple[Constraint, ...]]


def plain(board: Board) -> tuple[Constraint, ...]:
    """The common rules: nothing but clues and the total."""
    return ()


VARIANTS: Mapping[str, Rule] = MappingProxyType({"plain": plain})


def rule_of(name: str) -> Rule:
    """The rule of a variant. Raises Usage when it is not known."""
    try:
        return VARIANTS[name]
    except KeyError:
        raise Usage(f"'{name}' is no known variant: use one of {', '.join(sorted(VARIANTS))}") from None
