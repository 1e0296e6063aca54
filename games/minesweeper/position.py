"""The constraints of a board, guesses, and names for clues and patterns.

`board_knowledge` turns clues and the mine total into constraints (Inference Rules, 5.1, fundamental clue
rule). `pattern_name` recognizes the patterns that players name: 1-1, 1-2, 1-2-1, 1-2-2-1, holes, last mines.
A pattern is a step by a general rule with a certain arrangement on the board; its numbers are clues minus
known mines, as players count (docs/explain/reasoning.md lists the rule behind each name).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from games.errors import InvalidFile
from games.logic import Constraint, Knowledge, bits
from games.logic.derivation import ResolvedPremise, ResolvedStep
from games.logic.sentences import Vocabulary
from games.minesweeper.board import DIGITS, EXPLODED, MINE, MINES_SHOWN, SAFE, WRONG_FLAG, Board
from games.minesweeper.variants import get_variant

TOTAL = "mines"  # the source of the mine total's constraint
NON_NUMBER_STATES = SAFE + MINES_SHOWN  # states that decide their own cell
NUMBERS = bytes(255 if chr(code) in DIGITS else 0 for code in range(256))  # mask of the bytes of digits


def board_knowledge(board: Board) -> Knowledge:
    """The constraints of a board; the variables are the cells that show no number.

    There is an exact constraint for each clue next to an unopened cell, for the mine total if it is known,
    and for each cell that is marked safe or shows a mine, and there are the constraints of the variant.
    Flags are claims and add nothing. Raises Contradiction if a clue is larger than the number of its
    unopened neighbours, UsageError for an unknown variant.
    """
    unopened = board.not_open
    given = _clues(board, board.open)
    for state, count in ((SAFE, 0), (WRONG_FLAG, 0), (MINE, 1), (EXPLODED, 1)):
        given += [Constraint(1 << k, count, count, board.name(k)) for k in bits(board.cells_showing(state))]
    if board.mines is not None:
        given.append(Constraint(unopened, board.mines, board.mines, TOTAL, is_global=True))
    stated = get_variant(board.variant).states(board.rows, board.columns, board.mines)
    left = (constraint.reduced(0, board.open) for constraint in stated)
    given += [constraint for constraint in left if constraint.is_impossible or not constraint.is_trivial]
    return Knowledge.of(unopened, given)


def updated_knowledge(known: Knowledge, before: Board, board: Board) -> Knowledge | None:
    """The knowledge of the previous board, extended by the newly opened cells of this board.

    None if the boards differ in anything else; use `board_knowledge` then. Raises Contradiction like
    `board_knowledge`.
    """
    if (board.rows, board.columns, board.mines) != (before.rows, before.columns, before.mines):
        return None
    if board.variant != before.variant or (
        board.cells_showing(NON_NUMBER_STATES) | before.cells_showing(NON_NUMBER_STATES)
    ):
        return None
    opened = board.open & ~before.open
    if opened & known.true or not _keeps_numbers(before.cells, board.cells):
        return None
    return known.stating(_clues(board, opened), board.not_open, opened)


def _keeps_numbers(before: str, cells: str) -> bool:
    """Whether every cell that showed a number still shows it; compares all cells at once."""
    was, now = before.encode(), cells.encode()
    changed = int.from_bytes(was, "big") ^ int.from_bytes(now, "big")
    return not changed & int.from_bytes(was.translate(NUMBERS), "big")


def _clues(board: Board, cells: int) -> list[Constraint]:
    """An exact constraint for each cell of this set of open cells, except zeros without hidden neighbours."""
    unopened, around, shown, columns = board.not_open, board.around, board.cells, board.columns
    return [
        Constraint(hidden, number, number, f"r{k // columns}c{k % columns}")
        for k in bits(cells)
        if (hidden := around[k] & unopened) | (number := int(shown[k]))
    ]


def inconsistencies(board: Board) -> list[str]:
    """The reasons why a reading is impossible, one sentence each; empty for a possible board.

    Each clue and the total are checked separately; the strategies find contradictions between them.
    """
    found = []
    unopened = board.not_open
    for k in bits(board.open):
        room = (board.around[k] & unopened).bit_count()
        number = DIGITS.index(board[k])
        if number > room:
            found.append(f"{board.name(k)} shows {number} but only {room} of its neighbours can be mines")
        shown = (board.around[k] & board.cells_showing(MINE + EXPLODED)).bit_count()
        if shown > number:
            found.append(f"{board.name(k)} shows {number} but {shown} mines are shown around it")
    if board.mines is not None and board.mines > unopened.bit_count():
        found.append(f"{board.mines} mines do not fit into {unopened.bit_count()} cells that are not open")
    return found


def inconsistencies_since(board: Board, earlier: Board) -> list[str]:
    """The reasons why a reading cannot follow an earlier one of the same game: open cells must not change."""
    if (board.rows, board.columns) != (earlier.rows, earlier.columns):
        return [f"the board was {earlier.columns}x{earlier.rows} and now is {board.columns}x{board.rows}"]
    return [
        f"{board.name(k)} showed {earlier[k]} and now shows {board[k]}"
        for k in bits(earlier.open)
        if board[k] not in (earlier[k], "~")
    ]


FirstClick = Literal["safe", "zero", "none", "opened", "unknown"]


@dataclass(frozen=True, slots=True)
class Guess:
    """A cell to open although it may be a mine.

    `safe` is the probability (0 to 1) that it is not a mine. `figures` are further numbers to display, by
    name; `reason` is one sentence to display.
    """

    cell: int
    safe: float
    reason: str = ""
    figures: dict[str, float] = field(default_factory=dict, hash=False)


def board_vocabulary(board: Board) -> Vocabulary:
    """The names of the cells and constraints of this board, for sentences."""
    return Vocabulary(board.name, lambda given: describe_source(board, str(given.source), given))


def describe_source(board: Board, source: str, constraint: Constraint | None = None) -> str:
    """A source with its content: `r3c5 = 2`, `the total of 10 mines`, `the mark '-' on r0c0`."""
    if source == TOTAL:
        number = board.mines if board.mines is not None else constraint.low if constraint else "?"
        return f"the total of {number} mine{'' if number == 1 else 's'}"
    if re.fullmatch(r"r\d+c\d+", source):
        state = board[board.cell(source)]
        if state in DIGITS:
            return f"{source} = {state}"
        return f"the mark '{state}' on {source}"
    return source


LAST_MINES = "last mines"
HOLE = "hole"
LONGER = ((1, 2, 2, 1), (1, 2, 1))  # patterns that start with 1-2, the longest first


def pattern_name(board: Board, link: ResolvedStep) -> str:
    """The players' name of the pattern that a step uses; empty if it has none."""
    if any(ground.full.source == TOTAL for ground in link.grounds):
        return LAST_MINES
    news = link.news
    if len(link.grounds) != 2 or not (news.all_true or news.all_false):
        return ""
    clues = [clue for ground in link.grounds if (clue := _clue(board, ground)) is not None]
    if len(clues) < 2:
        return ""
    first, second = sorted(clues, key=lambda clue: remaining_mines(board, clue, link)[0])
    numbers = remaining_mines(board, first, link)[0], remaining_mines(board, second, link)[0]
    offset = _offset(board, first, second)
    if offset is None:
        return HOLE if numbers == (1, 1) else ""
    if numbers == (1, 2):
        return "-".join(map(str, _longest(board, first, offset, link)))
    return "1-1" if numbers == (1, 1) else ""


def remaining_mines(board: Board, clue: int, link: ResolvedStep) -> tuple[int, int]:
    """The number of mines that a clue lacks at this step, and the set of its undecided cells."""
    around = board.around[clue]
    hidden = around & board.not_open & ~(link.true | link.false)
    return int(board[clue]) - (around & link.true).bit_count(), hidden


def _clue(board: Board, ground: ResolvedPremise) -> int | None:
    """The cell of the clue that a premise represents; None if it is not a clue of the board."""
    if ground.place is not None or ground.premise.low != ground.premise.high:
        return None
    try:
        cell = board.cell(str(ground.full.source))
    except InvalidFile:
        return None
    return cell if board[cell] in DIGITS else None


def _offset(board: Board, first: int, second: int) -> tuple[int, int] | None:
    """Rows and columns from one clue to an adjacent one; None if they share no edge."""
    rows = second // board.columns - first // board.columns
    columns = second % board.columns - first % board.columns
    return (rows, columns) if abs(rows) + abs(columns) == 1 else None


def _longest(board: Board, first: int, offset: tuple[int, int], link: ResolvedStep) -> tuple[int, ...]:
    """The longest known pattern that starts with this 1 and its adjacent 2, along a wall of hidden cells."""
    row, column = divmod(first, board.columns)
    run: list[int] = []
    wall = 0
    while len(run) < 4 and 0 <= row < board.rows and 0 <= column < board.columns:
        cell = row * board.columns + column
        if board[cell] not in DIGITS:
            break
        number, cells = remaining_mines(board, cell, link)
        if run and not cells & wall:
            break
        run.append(number)
        wall = cells
        row, column = row + offset[0], column + offset[1]
    return next((known for known in LONGER if tuple(run[: len(known)]) == known), (1, 2))
