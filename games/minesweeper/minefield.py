"""A hidden field of mines that answers moves the way real programs do. Players never see inside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.errors import Usage
from games.logic import bits
from games.minesweeper.board import DIGITS, EXPLODED, FLAG, HIDDEN, MINE, WRONG_FLAG, Board
from games.minesweeper.dealing import Deal
from games.minesweeper.moves import Move
from games.minesweeper.openings import opened_by
from games.minesweeper.variants import variant_of


class Minefield:
    """One game on a hidden field. `board` is all that a player may look at.

    As in real programs: opening a zero opens its neighbours and so on, flags keep a cell shut, a chord opens
    the unflagged neighbours of a clue whose number of flags is right, a lost game shows its mines.
    `win_needs` is "open" (every safe cell) or "flags" (every mine flagged as well).
    """

    def __init__(self, deal: Deal, first_click: str = "safe", win_needs: str = "open") -> None:
        if first_click not in ("safe", "zero", "none"):
            raise Usage(f"a first click is safe, zero or none, not '{first_click}'")
        self._deal = deal
        self._first_click = first_click
        self._win_needs = win_needs
        rules = variant_of(deal.variant)
        if first_click not in rules.promises:
            can_be = " or ".join(rules.promises)
            raise Usage(f"by the rules of {rules.name} a first click is {can_be}, not {first_click}")
        self._around: Sequence[int] = rules.counted(deal.rows, deal.columns)
        self._mines: int | None = None
        self._show: list[str] = [HIDDEN] * (deal.rows * deal.columns)
        self._hidden = (1 << len(self._show)) - 1  # the cells that show HIDDEN: neither open nor flagged
        self._to_open = len(self._show) - deal.mines  # cells without a mine that are not open yet
        self._lost = False

    @property
    def board(self) -> Board:
        """What the player sees."""
        return Board(
            self._deal.rows, self._deal.columns, "".join(self._show), self._deal.mines, self._deal.variant
        )

    @property
    def is_lost(self) -> bool:
        """Whether a mine has been opened."""
        return self._lost

    @property
    def is_won(self) -> bool:
        """Whether every cell without a mine is open (and, where a win needs it, every mine flagged)."""
        is_open = not self._lost and self._mines is not None and self._to_open == 0
        return is_open and (self._win_needs == "open" or not self._hidden)

    @property
    def truth(self) -> int | None:
        """The set of the mines, for whoever scores the game; None before the first click."""
        return self._mines

    def play(self, moves: Iterable[Move]) -> Board:
        """Carry out moves, one after the other, until the game is over; what the board shows then."""
        for move in moves:
            if self._lost or self.is_won:
                break
            match move.kind:
                case "open":
                    self._open(1 << move.cell)
                case "chord":
                    self._chord(move.cell)
                case "flag" | "unflag":
                    self._mark(move)
        return self.board

    def _mark(self, move: Move) -> None:
        wanted, result = (HIDDEN, FLAG) if move.kind == "flag" else (FLAG, HIDDEN)
        if self._show[move.cell] == wanted:
            self._show[move.cell] = result
            self._hidden ^= 1 << move.cell

    def _chord(self, cell: int) -> None:
        if self._show[cell] not in DIGITS:
            return
        flags = sum(self._show[k] == FLAG for k in bits(self._around[cell]))
        if flags == int(self._show[cell]):
            self._open(self._around[cell])

    def _open(self, cells: int) -> None:
        """Open these cells and whatever a zero among them opens."""
        if self._mines is None:
            self._mines = self._deal.lay(cells.bit_length() - 1, self._first_click)
        exploded = cells & self._mines & self._hidden
        opened = opened_by(cells, self._mines, self._hidden, self._around)
        for k in bits(opened):
            self._show[k] = DIGITS[(self._around[k] & self._mines).bit_count()]
        self._hidden ^= opened
        self._to_open -= opened.bit_count()
        if exploded:
            self._lose(exploded)

    def _lose(self, exploded: int) -> None:
        assert self._mines is not None
        self._lost = True
        for k, state in enumerate(self._show):
            mine = self._mines >> k & 1
            if exploded >> k & 1:
                self._show[k] = EXPLODED
            elif mine and state == HIDDEN:
                self._show[k] = MINE
            elif state == FLAG and not mine:
                self._show[k] = WRONG_FLAG
