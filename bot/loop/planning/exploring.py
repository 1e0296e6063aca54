"""Certain moves and guesses where a picture may show more than one board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.errors import Contradiction
from games.logic import Knowledge, bits
from games.minesweeper import UNKNOWN, Board, Guess, knowledge_of
from strategies import Reasoner
from strategies.counting import risks, take_census
from vision.reading import Alternative

NEGLIGIBLE = 0.001  # probability; a tenth of what is left where a cell counts as read, which is at 0.99
BETTER = 0.005  # how much safer a cell must be, to be opened in place of the strategies' own guess


def certain_in_all(
    board: Board, known: Knowledge, alternatives: Sequence[Alternative], reasoner: Reasoner
) -> Knowledge:
    """What is known under every board that the picture may show; `known` itself where nothing is in dispute.

    `known` is known of `board`. An alternative that only says more than the board does (a state for what is
    `~` there) leaves certain what is certain; one that says something else is reasoned on by itself. Those
    that cannot be, or are too unlikely to count, are left out.
    """
    everything = sum(other.weight for other in alternatives)
    true, false = known.true, known.false
    for other in alternatives:
        if other.weight < NEGLIGIBLE * everything or not _disagrees(other.board, board):
            continue
        try:
            meant = reasoner.deduce(knowledge_of(other.board)).knowledge
        except Contradiction:
            continue
        true &= meant.true
        false &= meant.false | other.board.open
    if (true, false) == (known.true, known.false):
        return known
    return replace(known, true=true, false=false)


def _disagrees(other: Board, board: Board) -> bool:
    """Whether two boards show different things in a cell that both know."""
    pairs = zip(other.cells, board.cells, strict=True)
    return any(a != b and a != UNKNOWN != b for a, b in pairs)


def may_be_closed(alternatives: Sequence[Alternative]) -> int:
    """The cells (a set) that a board which the picture may show has closed; none where there is but one."""
    least = NEGLIGIBLE * sum(other.weight for other in alternatives)
    closed = 0
    for other in alternatives:
        closed |= other.board.closed if other.weight >= least else 0
    return closed


def safest(
    board: Board, alternatives: Sequence[Alternative], usual: Guess | None, left: int = 0
) -> Guess | None:
    """A safer guess than the usual one, over all boards that the picture may show; or the usual one.

    A cell that is safe under every alternative is best; or else the one that is safest over all of them, each
    counted by how likely it is. What is only likely stays a guess: no certain move rests on it. Where no cell
    is known to be hidden, one that may be is opened: what it becomes shows what it was. None of the
    cells that are `left` (a set).
    """
    hidden = board.closed & ~left
    for other in alternatives if not hidden else ():
        hidden |= other.board.closed & board.unread & ~left
    if len(alternatives) < 2 or not hidden:
        return usual
    safe = dict.fromkeys(bits(hidden), 0.0)
    everything = 0.0
    for other in alternatives:
        try:
            known = knowledge_of(other.board)
            risky = risks(take_census(known))
        except Contradiction:
            continue
        everything += other.weight
        for k in safe:
            decided = (known.true | known.false) >> k & 1
            risk = float(known.true >> k & 1) if decided else risky.of(k)
            safe[k] += other.weight * (1.0 - risk) * (other.board.closed >> k & 1)
    if not everything:
        return usual
    best = max(safe, key=lambda k: (round(safe[k], 6), usual is not None and k == usual.cell, -k))
    if usual is not None and safe[best] <= safe.get(usual.cell, 0.0) + BETTER:
        return usual
    likely = min(safe[best] / everything, 1.0)
    return Guess(best, likely, f"safest over {len(alternatives)} labels that the new pictures could have")
