"""What can be said about one board: what is certain and why, what a person's ideas are worth."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from games.errors import Contradiction
from games.logic import MOST_DRAWN, Constraint, bits
from games.logic.sentences import in_a_sentence, in_sentences
from games.minesweeper import (
    EXPLODED,
    FLAG,
    MINE,
    SAFE,
    WRONG_FLAG,
    Board,
    FirstClick,
    Guess,
    Position,
    described,
    knowledge_of,
    pattern_of,
    words_for,
)
from strategies import Reasoner, Strategy
from strategies.explanation import Explanation, Explanations, lesson
from strategies.probability.counts import take_census
from strategies.probability.risks import Risks, risks, tied_risks
from strategies.search.conflicts import cannot_hold, narrowed
from strategies.search.model_finder import find_layout, is_countable

Judgement = Literal["proved", "refuted", "open", "undecided"]
MOST_COUNTED = 100  # cells of a board that is counted cell by cell where parts of it cannot be
CUT_SHORT = (
    "finding the fewest clues takes too many steps here: "
    "some reasons name more than it takes; ask with --cell"
)
SHOWN = MINE + EXPLODED + WRONG_FLAG  # cells that show what they are


@dataclass(frozen=True, slots=True)
class ProvenCell:
    """A certain cell: the rule that shows it, the clues it follows from, and the proof in sentences."""

    cell: int
    is_mine: bool
    rule: str
    because: tuple[str, ...]
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lesson:
    """One step on the way to everything that is certain: what it shows, by which rule, in a sentence.

    `cells` is the set that it shows, empty for a step that only narrows; `pattern` is the name that players
    have for it, if any; `clues` is the number of clues that it takes; `account` is how the strategy puts it.
    """

    cells: int
    is_mine: bool
    rule: str
    pattern: str
    sentence: str
    clues: int
    account: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an idea is worth.

    Proved or refuted comes with the proof (`proven`), open with two boards: one layout with a mine in the
    cell, one without. `undecided` says that there are too many layouts to decide.
    """

    cell: int
    is_mine: bool
    judgement: Judgement
    proven: ProvenCell | None = None
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
            self._stated = knowledge_of(board)
            given = self._stated.given
            self._reasoner = Reasoner(strategies)
            self._reasoner.about(board)
            outcome = self._reasoner.deduce(self._stated)
            if cannot_hold(outcome.knowledge.given):
                raise Contradiction("these clues cannot all hold")
        except Contradiction as error:
            raise self._named(narrowed(error, given)) from error
        self.knowledge = outcome.knowledge
        self._reasons = Explanations(self.knowledge, self._reasoner.left)

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

    def explained(self, cells: int) -> list[ProvenCell]:
        """Why these certain cells (a set) are what they are, the easiest to follow first."""
        found = [reason for k in bits(cells) if (reason := self._reasons.of(k))]
        return [self._proven(reason) for reason in sorted(found, key=lambda reason: reason.ease)]

    def lesson(self) -> list[Lesson]:
        """All that is certain, step by step, in the order in which a person would find it; nothing twice."""
        steps = lesson(self._stated, self._reasoner.left, self.certain)
        return [
            Lesson(
                link.news.cells & self.certain if link.news.all_true or link.news.all_false else 0,
                link.news.all_true,
                link.deduction.step.rule,
                pattern_of(self.board, link),
                in_a_sentence(link, self.words),
                len(link.grounds),
                re.sub(r"\{(\d+)\}", lambda met: self.words.cell(int(met[1])), link.deduction.step.account),
            )
            for link in steps
        ]

    def easiest(self) -> ProvenCell | None:
        """The certain move that is easiest to see: a cell to open, or else a mine to flag."""
        for cells in (
            self.knowledge.false & ~self.board.having(SAFE),
            self.knowledge.true & ~self.board.flagged,
        ):
            proven = self.explained(cells & self.certain)
            if proven:
                return proven[0]
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
        cap = MOST_DRAWN if len(self.board) <= MOST_COUNTED else 0
        return tied_risks(self.knowledge, self.board.everything, cap)

    def _decided(self, cell: int, is_mine: bool, reason: Explanation | None) -> Verdict:
        if reason is None:
            return Verdict(cell, is_mine, "undecided")
        return Verdict(
            cell, is_mine, "proved" if reason.is_true == is_mine else "refuted", self._proven(reason)
        )

    def _proven(self, reason: Explanation) -> ProvenCell:
        because = tuple(dict.fromkeys(str(c.source) for c in reason.because))
        sentences = tuple(in_sentences(reason.lineage, 1 << reason.cell, self.words))
        return ProvenCell(reason.cell, reason.is_true, reason.rule, because, sentences)

    def _layout(self, mines: int) -> Board:
        closed = self.board.not_open & ~self.board.having(SHOWN)
        return self.board.showing({k: MINE if mines >> k & 1 else SAFE for k in bits(closed)})

    def _named(self, error: Contradiction) -> Contradiction:
        """The contradiction with what the clues show: `r0c1 = 2`, not `r0c1`."""
        if not error.sources:
            return error
        names = ", ".join(described(self.board, str(source)) for source in error.sources)
        how = "this cannot hold" if len(error.sources) == 1 else "these cannot all hold"
        return Contradiction(
            f"{how}: {names}: correct the rows, or the total, where they are wrong", error.sources
        )
