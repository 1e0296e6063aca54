"""What can be said about one board: what is certain and why, what a person's ideas are worth."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from games.errors import Contradiction
from games.logic import Constraint, bits
from games.logic.drawing import MOST_STEPS
from games.logic.phrases import Words
from games.logic.sentences import tell
from games.minesweeper import Board, FirstClick, Guess, Position, knowledge_of
from games.minesweeper.board import DIGITS, EXPLODED, FLAG, MINE, SAFE, WRONG_FLAG
from games.minesweeper.clues import TOTAL
from strategies import Reasoner, Strategy
from strategies.counting import Risks, risks, take_census, tied_risks
from strategies.reasons import Reason, Reasons
from strategies.search import cannot_hold, find_layout, is_countable, narrowed

Judgement = Literal["proved", "refuted", "open", "undecided"]
MOST_COUNTED = 100  # cells of a board that is counted cell by cell where parts of it cannot be
CUT_SHORT = (
    "finding the fewest clues takes too many steps here: "
    "some reasons name more than it takes; ask with --cell"
)
SHOWN = MINE + EXPLODED + WRONG_FLAG  # cells that show what they are


@dataclass(frozen=True, slots=True)
class Told:
    """A certain cell: the rule that shows it, the clues it follows from, and the proof in sentences."""

    cell: int
    is_mine: bool
    rule: str
    because: tuple[str, ...]
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an idea is worth.

    Proved or refuted comes with the proof (`told`), open with two boards: one layout with a mine in the cell,
    one without. `undecided` says that there are too many layouts to tell.
    """

    cell: int
    is_mine: bool
    judgement: Judgement
    told: Told | None = None
    layouts: tuple[Board, Board] | None = None


class Explainer:
    """One board, reasoned on with these strategies.

    Raises Contradiction, with a smallest set of clues, when the board cannot be, and Usage for an unknown
    variant.
    """

    def __init__(self, board: Board, strategies: Sequence[Strategy]) -> None:
        self.board = board
        self.words = words_for(board)
        given: tuple[Constraint, ...] = ()
        try:
            stated = knowledge_of(board)
            given = stated.given
            self._reasoner = Reasoner(strategies)
            outcome = self._reasoner.deduce(stated)
            if cannot_hold(outcome.knowledge.given):
                raise Contradiction("these clues cannot all hold")
        except Contradiction as error:
            raise self._told(narrowed(error, given)) from error
        self.knowledge = outcome.knowledge
        self._reasons = Reasons(self.knowledge, self._reasoner.left)

    @property
    def faults(self) -> tuple[str, ...]:
        """What strategies did wrong so far, a line each."""
        return tuple(map(str, self._reasoner.faults))

    @property
    def remarks(self) -> tuple[str, ...]:
        """The faults, and whether some reasons have clues to spare since finding the fewest took too long."""
        return (*self.faults, *([CUT_SHORT] if self._reasons.is_exhausted else []))

    @property
    def certain(self) -> int:
        """The cells (a set) that are certain and do not show what they are."""
        known = self.knowledge.true | self.knowledge.false
        return known & self.board.not_open & ~self.board.having(SHOWN)

    @property
    def undecided(self) -> int:
        """The cells (a set) of the board of which nothing is certain."""
        return self.knowledge.undecided & self.board.not_open

    @property
    def is_complete(self) -> bool:
        """Whether counting stayed within its caps, so that an undecided cell really can be both."""
        return is_countable(self.knowledge.universe, self.knowledge.given)

    def explained(self, cells: int) -> list[Told]:
        """Why these certain cells (a set) are what they are, the easiest to follow first."""
        found = [reason for k in bits(cells) if (reason := self._reasons.of(k))]
        return [self._tell(reason) for reason in sorted(found, key=lambda reason: reason.ease)]

    def easiest(self) -> Told | None:
        """The certain move that is easiest to see: a cell to open, or else a mine to flag."""
        for cells in (
            self.knowledge.false & ~self.board.having(SAFE),
            self.knowledge.true & ~self.board.flagged,
        ):
            told = self.explained(cells & self.certain)
            if told:
                return told[0]
        return None

    def judge(self, cell: int, is_mine: bool) -> Verdict:
        """What the idea is worth that this cell is a mine, or safe."""
        if self.certain >> cell & 1:
            return self._decided(cell, is_mine, self._reasons.of(cell))
        given, universe = self.knowledge.given, self.knowledge.universe
        mine = find_layout(universe, given, true=1 << cell)
        safe = find_layout(universe, given, false=1 << cell)
        if mine is not None and safe is not None:
            return Verdict(cell, is_mine, "open", layouts=(self._layout(mine), self._layout(safe)))
        if (mine is None and safe is None) or not self.is_complete:
            return Verdict(cell, is_mine, "undecided")
        return self._decided(cell, is_mine, self._reasons.showing(cell, mine is not None))

    def risks(self) -> list[tuple[int, float]]:
        """For each undecided cell the probability of a mine."""
        census = take_census(self.knowledge, self.board.everything)
        found = risks(census) if census.is_complete else self._tied()
        return [(k, found.of(k)) for k in bits(self.undecided)]

    def guesses(self) -> tuple[Guess, ...]:
        """The undecided cells that may be opened as the guessing strategy ranks them, the best first."""
        board = self.board
        openable = self.undecided & board.closed
        if not openable:
            return ()
        first_click: FirstClick | None = None if board.open else "unknown"
        position = Position(self.knowledge, board.rows, board.columns, openable, board.around, first_click)
        return self._reasoner.guess(position)

    def marked(self) -> Board:
        """The board with its certain cells marked: `*` mines, `-` safe, `x` flags that are wrong."""
        marks = {}
        for k in bits(self.certain):
            if self.knowledge.true >> k & 1:
                marks[k] = FLAG if self.board[k] == FLAG else MINE
            else:
                marks[k] = WRONG_FLAG if self.board[k] == FLAG else SAFE
        return self.board.showing(marks)

    def _tied(self) -> Risks:
        cap = MOST_STEPS if len(self.board) <= MOST_COUNTED else 0
        return tied_risks(self.knowledge, self.board.everything, cap)

    def _decided(self, cell: int, is_mine: bool, reason: Reason | None) -> Verdict:
        if reason is None:
            return Verdict(cell, is_mine, "undecided")
        return Verdict(
            cell, is_mine, "proved" if reason.is_true == is_mine else "refuted", self._tell(reason)
        )

    def _tell(self, reason: Reason) -> Told:
        because = tuple(dict.fromkeys(str(c.source) for c in reason.because))
        sentences = tuple(tell(reason.lineage, 1 << reason.cell, self.words))
        return Told(reason.cell, reason.is_true, reason.rule, because, sentences)

    def _layout(self, mines: int) -> Board:
        closed = self.board.not_open & ~self.board.having(SHOWN)
        return self.board.showing({k: MINE if mines >> k & 1 else SAFE for k in bits(closed)})

    def _told(self, error: Contradiction) -> Contradiction:
        """The contradiction with what the clues show: `r0c1 = 2`, not `r0c1`."""
        if not error.sources:
            return error
        names = ", ".join(described(self.board, str(source)) for source in error.sources)
        how = "this cannot hold" if len(error.sources) == 1 else "these cannot all hold"
        return Contradiction(
            f"{how}: {names}: correct the rows, or the total, where they are wrong", error.sources
        )


def words_for(board: Board) -> Words:
    """How the constraints of this board are spoken of."""

    def given(constraint: Constraint) -> str:
        return described(board, str(constraint.source), constraint)

    return Words(board.name, given)


def described(board: Board, source: str, constraint: Constraint | None = None) -> str:
    """A source with what it says: `r3c5 = 2`, `the total of 10 mines`, `the mark '-' on r0c0`."""
    if source == TOTAL:
        number = board.mines if board.mines is not None else constraint.low if constraint else "?"
        return f"the total of {number} mine{'' if number == 1 else 's'}"
    if re.fullmatch(r"r\d+c\d+", source):
        state = board[board.cell(source)]
        if state in DIGITS:
            return f"{source} = {state}"
        return f"the mark '{state}' on {source}"
    return source
