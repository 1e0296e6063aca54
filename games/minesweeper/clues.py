"""Board -> Knowledge: what clues and the mine total state (Inference Rules, 5.1, fundamental clue rule)."""

from __future__ import annotations

from games.logic import Constraint, Knowledge, bits
from games.minesweeper.board import DIGITS, EXPLODED, MINE, MINES_SHOWN, SAFE, WRONG_FLAG, Board
from games.minesweeper.variants import variant_of

TOTAL = "mines"  # the source of the mine total's constraint
OWN = SAFE + MINES_SHOWN  # states that state something of their own cell
NUMBERS = bytes(255 if chr(code) in DIGITS else 0 for code in range(256))  # all bits of a letter, or none


def knowledge_of(board: Board) -> Knowledge:
    """The constraints that a board states; its variables are the cells that show no number.

    An exact constraint for each clue next to a cell that is not open, one for the mine total when it is
    known, one for each cell that is marked safe or shows a mine, and what the variant adds. Flags are
    claims, so they add nothing. Raises Contradiction when a clue counts more mines than it has neighbours to
    hold them, Usage for an unknown variant.
    """
    unopened = board.not_open
    given = _clues(board, board.open)
    for state, count in ((SAFE, 0), (WRONG_FLAG, 0), (MINE, 1), (EXPLODED, 1)):
        given += [Constraint(1 << k, count, count, board.name(k)) for k in bits(board.having(state))]
    if board.mines is not None:
        given.append(Constraint(unopened, board.mines, board.mines, TOTAL, is_global=True))
    given += _rules(board)
    return Knowledge.of(unopened, given)


def knowledge_after(known: Knowledge, before: Board, board: Board) -> Knowledge | None:
    """What a board states beside everything that is `known` from the one before it, by reasoning too.

    None when the one does not simply follow on the other, cells having been opened: then begin again with
    `knowledge_of`. Raises Contradiction as that does.
    """
    if (board.rows, board.columns, board.mines) != (before.rows, before.columns, before.mines):
        return None
    if board.variant != before.variant or (board.having(OWN) | before.having(OWN)):
        return None
    opened = board.open & ~before.open
    if opened & known.true or not _keeps_numbers(before.cells, board.cells):
        return None
    return known.stating(_clues(board, opened), board.not_open, opened)


def _keeps_numbers(before: str, cells: str) -> bool:
    """Whether every cell that showed a number still shows it: all of them compared at once."""
    was, now = before.encode(), cells.encode()
    changed = int.from_bytes(was, "big") ^ int.from_bytes(now, "big")
    return not changed & int.from_bytes(was.translate(NUMBERS), "big")


def _rules(board: Board) -> list[Constraint]:
    """What the variant says of the cells that are not open."""
    stated = variant_of(board.variant).states(board.rows, board.columns, board.mines)
    left = (constraint.reduced(0, board.open) for constraint in stated)
    return [constraint for constraint in left if constraint.is_impossible or not constraint.is_trivial]


def _clues(board: Board, cells: int) -> list[Constraint]:
    """An exact constraint for each of these open cells (a set), but for those that have nothing to say."""
    unopened, around, shown, columns = board.not_open, board.around, board.cells, board.columns
    return [
        Constraint(hidden, number, number, f"r{k // columns}c{k % columns}")
        for k in bits(cells)
        if (hidden := around[k] & unopened) | (number := int(shown[k]))
    ]


def problems(board: Board) -> list[str]:
    """What makes a reading impossible, one sentence each; empty for a board that can be.

    Looks at each clue and the total on its own; whether all of them can hold together is for reasoning.
    """
    found = []
    unopened = board.not_open
    for k in bits(board.open):
        room = (board.around[k] & unopened).bit_count()
        number = DIGITS.index(board[k])
        if number > room:
            found.append(f"{board.name(k)} shows {number} but only {room} of its neighbours can be mines")
        shown = (board.around[k] & board.having(MINE + EXPLODED)).bit_count()
        if shown > number:
            found.append(f"{board.name(k)} shows {number} but {shown} mines are shown around it")
    if board.mines is not None and board.mines > unopened.bit_count():
        found.append(f"{board.mines} mines do not fit into {unopened.bit_count()} cells that are not open")
    return found


def problems_after(board: Board, earlier: Board) -> list[str]:
    """What makes a reading impossible after an earlier one of the same game: open cells stay as they are."""
    if (board.rows, board.columns) != (earlier.rows, earlier.columns):
        return [f"the board was {earlier.columns}x{earlier.rows} and now is {board.columns}x{board.rows}"]
    return [
        f"{board.name(k)} showed {earlier[k]} and now shows {board[k]}"
        for k in bits(earlier.open)
        if board[k] not in (earlier[k], "~")
    ]
