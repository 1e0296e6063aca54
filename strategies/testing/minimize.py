"""Minimization of failing samples, and of the board of a strategy's fault."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from games.errors import Contradiction
from games.logic import bits
from games.minesweeper import Board, board_knowledge
from strategies.reasoner import Fault, Reasoner
from strategies.strategy import Strategy
from strategies.testing.samples import SampleBoard

Complaint = Callable[[SampleBoard], str]  # describes what is wrong on a sample; empty if nothing is
MOST_TRIES = 500  # samples tried per minimization


def minimize(sample: SampleBoard, complaint: Complaint) -> tuple[SampleBoard, str]:
    """Simplify a sample while the complaint persists; the final sample and its complaint.

    The result is locally minimal: no single step of `SampleBoard.smaller` keeps a complaint.
    """
    said, tries = complaint(sample), 0
    is_smaller = True
    while is_smaller and tries < MOST_TRIES:
        is_smaller = False
        for simpler in sample.smaller():
            tries += 1
            if about := complaint(simpler):
                sample, said, is_smaller = simpler, about, True
                break
            if tries == MOST_TRIES:
                break
    return sample, said


def minimize_fault(fault: Fault, strategies: Sequence[Strategy]) -> Fault | None:
    """The same fault of the same strategy on the smallest board found; None if there is no smaller one.

    Requires a fault with a counterexample, whose mines determine the smaller boards. `strategies` are those
    of the game, in calling order.
    """
    board, objection = fault.board, fault.objection
    if board is None or objection is None or objection.layout is None or board.cells_showing("-*!x~"):
        return None
    alone = [strategy for strategy in strategies if strategy.name == fault.strategy]
    mines = objection.layout & board.everything
    whole = SampleBoard(board.rows, board.columns, mines, board.open, board.mines is not None, board.variant)
    for asked in (alone, strategies):
        found: dict[SampleBoard, Fault] = {}

        def complaint(sample: SampleBoard, asked: Sequence[Strategy] = asked) -> str:
            like = _fault_on(sample.board, fault, asked)
            if like is not None:
                found[sample] = like  # noqa: B023 - called before the next turn
            return str(like or "")

        around = objection.cells | _cells_of(objection.clues, board)
        start = next((each for each in (_cropped(whole, around), whole) if complaint(each)), None)
        if start is not None:
            smallest, _ = minimize(start, complaint)
            return found[smallest] if smallest != whole else None
    return None


def _fault_on(board: Board, like: Fault, strategies: Sequence[Strategy]) -> Fault | None:
    reasoner = Reasoner(strategies)
    reasoner.about(board)
    try:
        faults = reasoner.deduce(board_knowledge(board)).faults
    except Contradiction:
        return None
    wrong = (fault for fault in faults if fault.objection and fault.objection.layout is not None)
    return next((fault for fault in wrong if fault.strategy == like.strategy), None)


def _cells_of(names: Sequence[str], board: Board) -> int:
    by_name = {board.name(k): 1 << k for k in bits(board.open)}
    return sum(by_name.get(name, 0) for name in names)


def _cropped(sample: SampleBoard, cells: int) -> SampleBoard:
    places = [divmod(k, sample.columns) for k in bits(cells & ((1 << sample.rows * sample.columns) - 1))]
    rows = [row for row, _ in places] or [0]
    columns = [column for _, column in places] or [0]
    return sample.keeping(
        list(range(max(min(rows) - 2, 0), min(max(rows) + 3, sample.rows))),
        list(range(max(min(columns) - 2, 0), min(max(columns) + 3, sample.columns))),
    )
