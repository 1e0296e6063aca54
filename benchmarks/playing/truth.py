"""What a recorded game itself shows of how well it was read: no skin, no person, no second reader.

A game that ended shows where its mines were. Won: every cell that was never opened, and there are as many as
the program was asked for. Lost: the mines that the program shows; all, or some. From the mines follows what
every open cell must show, so every number that was read in any look is right or wrong. A cell stays open once
it is, and two cells with the very same picture show the same: what was read as hidden is wrong where the same
picture is a number, and the other way round. A flag is where a flag was set; the program's own flags come
when a game is won, and lie on mines.

What cannot be judged so: a hidden cell that stays so, read as hidden in a lost game; a mine that is not
shown; numbers beside mines that a lost game does not show, but for whether all of them can hold together.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from gamelog import GameLog, Look

from bot.recording.recording import Recording
from games.errors import Contradiction
from games.logic import bits, cell_set
from games.minesweeper import (
    DIGITS,
    EXPLODED,
    FLAG,
    HIDDEN,
    MINE,
    QUESTION,
    UNKNOWN,
    WRONG_FLAG,
    Board,
    board_knowledge,
)
from strategies import Reasoner, load_strategies
from strategies.probability.board_prior import UniformMinePrior

SHOWN = MINE + EXPLODED
MARKS = FLAG + QUESTION + WRONG_FLAG


@dataclass(frozen=True)
class Verdict:
    """How one game was read, over all of its looks; `wrong` has a sentence for each cell of each look.

    `result` is what Sapper said, `proved` whether the numbers and the mines show that it is so. `unread` are
    cells that were `~`, `untold` those that were read and of which nothing can be said. `mines_known` of
    `mines` are known at the end (None: nobody knows how many there are). `spared` are the guesses at a moment
    when the numbers that were there, all of them read, would have made a cell certain to be safe.
    `wrong_certain` are the certain moves that opened a mine, whatever Sapper took it for.
    """

    result: str
    proved: bool
    looks: int
    cells: int
    unread: int
    untold: int
    wrong: tuple[str, ...]
    mines_known: int
    mines: int | None
    guesses: int
    spared: int
    wrong_certain: int


def judge(recording: Recording) -> Verdict:
    """What a recorded game shows of its readings. Raises InvalidFile when it is damaged."""
    return _Game(GameLog(recording)).verdict()


class _Game:
    """A recorded game, and what follows from its end."""

    def __init__(self, log: GameLog) -> None:
        self.log = log
        self.mines, self.result, self.looks = log.mines, log.result, log.looks
        self.board = self.looks[-1].board

    @cached_property
    def finals(self) -> tuple[str, ...]:
        """For each cell what it was read as last; UNKNOWN where it never was."""
        found = list(self.looks[0].board.cells)
        for look in self.looks[1:]:
            for k in bits(look.board.everything & ~look.board.unread):
                found[k] = look.board[k]
        return tuple(found)

    @cached_property
    def numbers(self) -> int:
        """The cells that were last read as a number."""
        return cell_set(k for k, state in enumerate(self.finals) if state in DIGITS)

    @cached_property
    def known(self) -> tuple[int, int]:
        """The cells that are mines, and those that are none (sets), as far as the end shows."""
        everything = self.board.everything
        clicked = last = 0
        for act in self.log.acts:
            last = self.log.opened(act)
            clicked |= act.clicked
        if self.result == "won":
            safe = self.numbers | clicked
            never = cell_set(k for k, state in enumerate(self.finals) if state == UNKNOWN)
            mines = everything & ~safe
            if self.mines is not None and mines.bit_count() != self.mines:
                mines &= ~never  # a program opened them by itself, and they were never read
            if self.mines is not None and mines.bit_count() > self.mines:
                return 0, safe  # what the last act opened was never seen
            return mines, everything & ~mines
        shown = cell_set(k for k, state in enumerate(self.finals) if state in SHOWN)
        flags = cell_set(k for k, state in enumerate(self.finals) if state == FLAG)
        for mines in (shown, shown | flags):
            if shown and mines.bit_count() == self.mines:
                return mines, everything & ~mines
        return shown, (self.numbers | clicked & ~last) & ~shown

    def number(self, cell: int) -> str | None:
        """What a cell shows when it is open, None when not all of its neighbours are known."""
        mines, safe = self.known
        around = self.board.around[cell]
        return None if around & ~(mines | safe) else str((around & mines).bit_count())

    @cached_property
    def since(self) -> dict[int, int]:
        """The first look in which a cell was read as its number (any, where nobody knows which), by cell."""
        found: dict[int, int] = {}
        for i, look in enumerate(self.looks):
            for k in bits(look.board.open & self.known[1]):
                if self.number(k) in {look.board[k], None}:
                    found.setdefault(k, i)
        return found

    @cached_property
    def shows(self) -> dict[int, set[str]]:
        """What pictures of cells are known to show: right numbers, and mines as long as they are hidden."""
        found: dict[int, set[str]] = defaultdict(set)
        mines, safe = self.known
        for look in self.looks:
            for k in bits(look.board.open & safe):
                if look.board[k] == self.number(k):
                    found[look.pictures[k]].add(look.board[k])
            if not look.is_last:
                for k in bits(look.board.cells_showing(HIDDEN) & mines):
                    found[look.pictures[k]].add(HIDDEN)
        return found

    def fault(self, i: int, k: int) -> str | None:
        """What cell k shows in look i if it was read wrong; "" if nobody knows, None if it was right."""
        look = self.looks[i]
        fault = self._fault_by_counts(i, k)
        known = self.shows.get(look.pictures[k], set())
        if not fault and len(known) == 1 and look.board[k] not in known:
            return next(iter(known))
        return None if not fault and look.board[k] in known else fault

    def _fault_by_counts(self, i: int, k: int) -> str | None:
        look, (mines, safe) = self.looks[i], self.known
        state, is_mine, is_safe = look.board[k], mines >> k & 1, safe >> k & 1
        number, is_open = self.number(k), i >= self.since.get(k, len(self.looks))
        truth = (number or "a number") if is_open else "a mine" if is_mine else "hidden"
        if state in DIGITS:
            shown = "a mine" if is_mine else number if is_safe else ""
            return None if shown == state else shown or ""
        if is_open:
            return truth
        if state in MARKS:
            return self._fault_of_mark(look, k, truth)
        if state in SHOWN:
            return None if is_mine else truth if is_safe else ""
        return None if is_mine or is_safe else ""

    def _fault_of_mark(self, look: Look, k: int, truth: str) -> str | None:
        """The same of a flag, a question mark or a wrong flag on a cell that is not open."""
        is_mine, is_safe = (cells >> k & 1 for cells in self.known)
        if not look.flags >> k & 1:
            may_be_theirs = look.board[k] == FLAG and look.is_last and self.result == "won"
            return truth if is_safe or not may_be_theirs else None if is_mine else ""
        if look.board[k] == WRONG_FLAG:
            return None if look.is_last and is_safe else truth if is_mine or is_safe else ""
        return None if look.board[k] == FLAG else ""

    def verdict(self) -> Verdict:
        """All of it."""
        wrong, unread, untold = [], 0, 0
        for i, look in enumerate(self.looks):
            unread += look.board.unread.bit_count()
            for k in bits(look.board.everything & ~look.board.unread):
                fault = self.fault(i, k)
                untold += fault == ""
                if fault:
                    wrong.append(f"look {i + 1} {look.board.name(k)} {fault}, read as {look.board[k]}")
        if self.result != "stopped" and not wrong and UniformMinePrior().log_likelihood(self.end) is None:
            wrong.append("the numbers that were read at last cannot all hold")
        mines, acts = self.known[0], self.log.acts
        certain = [act for act in acts if not act.is_guess] if self.result != "won" else []
        return Verdict(
            result=self.result,
            proved=self.is_proved,
            looks=len(self.looks),
            cells=len(self.looks) * len(self.board),
            unread=unread,
            untold=untold,
            wrong=tuple(wrong),
            mines_known=mines.bit_count(),
            mines=self.mines,
            guesses=len({id(act.plan) for act in acts if act.is_guess}),
            spared=self.spared(),
            wrong_certain=sum((self.log.opened(act) & mines).bit_count() for act in certain),
        )

    @property
    def end(self) -> Board:
        """The board at the end: the numbers, and the mines that are known."""
        mines = self.known[0]
        cells = [MINE if mines >> k & 1 else s if s in DIGITS else HIDDEN for k, s in enumerate(self.finals)]
        return Board(self.board.rows, self.board.columns, "".join(cells), self.mines)

    @property
    def is_proved(self) -> bool:
        """Whether the end is what Sapper says: won or lost, and the numbers that were read at last hold.

        Won: as many cells were left as there are mines. Lost: a cell that was opened last is a mine.
        """
        mines = self.known[0]
        last = self.log.opened(self.log.acts[-1]) if self.log.acts else 0
        is_so = mines.bit_count() == self.mines if self.result == "won" else bool(last & mines)
        holds = all(self.number(k) in {self.finals[k], None} for k in bits(self.numbers))
        return (
            self.result != "stopped"
            and is_so
            and holds
            and UniformMinePrior().log_likelihood(self.end) is not None
        )

    def spared(self) -> int:
        """The guesses that were made although the numbers that were open made a cell certain to be safe."""
        count, seen = 0, -1
        for turn in self.log.turns:
            seen += 1
            if not any(event["event"] == "plan" and "guess" in event for event in turn):
                continue
            shown = {
                k: str(self.number(k))
                for k in bits(self.looks[seen].board.unread & self.known[1])
                if self.number(k) in self.shows.get(self.looks[seen].pictures[k], set())
            }
            if shown:
                board = self.looks[seen].board.with_states(shown).with_mines(self.mines)
                count += _has_safe_cell(board)
        return count


def _has_safe_cell(board: Board) -> bool:
    try:
        return bool(Reasoner(load_strategies()).deduce(board_knowledge(board)).knowledge.false & board.closed)
    except Contradiction:
        return False
