"""What the moves of a game came to: which cells were opened, as certain or not, and which were mines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.loop.ports import Plan
from games.logic import bits, cell_set
from games.minesweeper import EXPLODED, FLAG, MINE, Board, Move

HIT = MINE + EXPLODED  # what a cell shows that was opened and is a mine


@dataclass
class Books:
    """What is counted over a whole game.

    `trusted` and `risked` are the cells (sets) that certain moves and guesses opened; `last` those of
    `trusted` that the moves made last opened. `recent` are those of the plan that showed last: what was
    opened before it was no mine, or it had not shown. `suspects` are opened cells (a set) that show no number
    in a game that is over: one of them was a mine. `marked` are cells (a set) that were given a flag.
    """

    certain: int = 0
    guesses: int = 0
    clicks: int = 0
    unread: int = 0
    trusted: int = 0
    risked: int = 0
    last: int = 0
    recent: int = 0
    suspects: int = 0
    marked: int = 0

    @property
    def opened(self) -> int:
        """Every cell that a move of ours opened."""
        return self.trusted | self.risked

    def opens(self, board: Board, moves: Sequence[Move], certain: bool) -> None:
        """These moves are made on this board."""
        cells = self.opened_by(moves, board)
        flagged = cell_set(move.cell for move in moves if move.kind == "flag")
        self.marked = (self.marked | flagged) & ~cell_set(m.cell for m in moves if m.kind == "unflag")
        self.risked &= ~flagged  # it had not been opened
        self.last = cells if certain else 0
        if certain:
            self.trusted |= cells
        else:
            self.risked |= cells

    def opened_by(self, moves: Sequence[Move], board: Board) -> int:
        """The cells (a set) that these moves open on a board; none that was given a flag, seen or not."""
        return opened_by(moves, board, self.marked)

    def shown(self, board: Board, plan: Plan) -> None:
        """This plan's moves were made on this board, and showed."""
        self.recent = self.opened_by(plan.moves, board)
        if plan.guess:
            self.guesses += 1
        else:
            self.certain += len(plan.moves)

    def wrong_certain(self, board: Board, lost: bool) -> int:
        """How many certain moves hit a mine, as the board at the end shows it.

        A mine on a cell that a certain move opened is one, whenever that was. So is one cell that was opened
        last and cannot be read, in a game that is `lost` and shows no exploded mine, where the mines that are
        shown are not all. What explodes where no move of ours was made was somebody else's click: then no
        move is at fault.
        """
        exploded = board.having(EXPLODED)
        if lost and exploded and not exploded & self.opened:
            return 0
        hit = self.trusted & board.having(HIT)
        if hit or not lost:
            return hit.bit_count()
        unread = self.suspects or self.last & board.unread
        is_explained = (
            exploded or (board.having(HIT) | self.suspects) & self.risked or not _hides_one(board, unread)
        )
        return 0 if is_explained else int(bool(unread & self.trusted))

    def explains(self, board: Board) -> bool:
        """Whether a move of ours may have brought up the mines that are shown."""
        return bool(self.opened & (board.having(HIT) | board.unread))


def _hides_one(board: Board, unread: int) -> bool:
    """Whether one of these unread cells may be a mine beside those that are shown at the end of a game.

    None is where all mines are shown, or where each number beside such a cell has its mines.
    """
    if not board.having(HIT):
        return bool(unread)
    shown = board.having(HIT + FLAG)
    if board.mines is not None and shown.bit_count() >= board.mines:
        return False
    return any(
        all(
            (board.around[clue] & shown).bit_count() < int(board[clue])
            for clue in bits(board.around[k] & board.open)
        )
        for k in bits(unread)
    )


def opened_by(moves: Sequence[Move], board: Board, marked: int = 0) -> int:
    """The cells (a set) that these moves open on a board, what opens around a zero left out.

    `marked` are cells (a set) that were given a flag, whether or not it is to be seen.
    """
    opened, flagged = 0, board.flagged | marked
    for move in moves:
        cell = 1 << move.cell
        match move.kind:
            case "open":
                opened |= cell
            case "flag":
                flagged |= cell
            case "unflag":
                flagged &= ~cell
            case "chord":
                opened |= board.around[move.cell] & board.not_open & ~flagged
    return opened
