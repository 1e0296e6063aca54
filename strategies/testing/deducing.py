"""What a strategy finds on a board that is written down."""

from __future__ import annotations

from collections.abc import Sequence

from games.logic import bits
from games.minesweeper import Board, knowledge_of
from strategies.reasoner import Reasoner
from strategies.registry import load_strategy


def assert_deduces(strategy: object, board: str, expected: str, beside: Sequence[object] = ()) -> None:
    """On this board the strategy finds exactly the certain cells that `expected` marks.

    Both are boards as text; in `expected` a `*` is a certain mine, a `-` certainly safe. `strategy` is a
    name, a file, or the plugin itself; those in `beside` are asked before it. Raises AssertionError.
    """
    __tracebackhide__ = True  # the boards say more than the way to them
    loaded = load_strategy(strategy)
    asked = Board.parse(board)
    reasoner = Reasoner([*map(load_strategy, beside), loaded])
    reasoner.about(asked)
    outcome = reasoner.deduce(knowledge_of(asked))
    if outcome.faults:
        raise AssertionError(f"{outcome.faults[0]}\n{asked}")
    found = dict.fromkeys(bits(outcome.knowledge.true), "*")
    shown = asked.showing(found | dict.fromkeys(bits(outcome.knowledge.false), "-")).grid
    wanted = Board.parse(expected).grid
    if shown != wanted:
        raise AssertionError(
            "\n".join((f"{loaded.name} finds", *shown, "and not", *wanted, "on", *str(asked).splitlines()))
        )
