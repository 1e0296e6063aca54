"""Explain a board: certain cells with their reasons, and the truth of claims about cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from games.errors import Contradiction
from games.logic import Constraint, bits, union_cells
from games.logic.model_count import MAX_STEPS
from games.logic.sentences import proof_sentences, step_sentence
from games.minesweeper import (
    EXPLODED,
    FLAG,
    MINE,
    SAFE,
    WRONG_FLAG,
    Board,
    FirstClick,
    Guess,
    board_knowledge,
    board_vocabulary,
)
from games.minesweeper.position import describe_source, pattern_name
from strategies import CertainCell, Reasoner, Strategy
from strategies.explanation import Explanation, ExplanationFinder, lesson_steps
from strategies.guesser import with_win_probabilities
from strategies.position import Position
from strategies.probability.counts import count_components
from strategies.probability.risks import exact_probabilities, whole_board_probabilities
from strategies.search.conflicts import is_unsatisfiable, minimize_contradiction
from strategies.search.model_finder import find_model, is_countable

ClaimStatus = Literal["proved", "refuted", "open", "undecided"]
MOST_COUNTED = 100  # cells; larger boards are not counted as a whole if a component is too large
MOST_WORK = 4_000_000  # explained cells times cells of the board; less than a minute
CUT_SHORT = (
    "finding the fewest clues takes too many steps here: "
    "some reasons name more than it takes; ask with --cell"
)
SHOWN = MINE + EXPLODED + WRONG_FLAG  # cells that show what they are


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One step of a lesson: the derived cells, the rule, a sentence.

    `cells` is the derived cell set, empty for a step that only narrows a constraint. `pattern` is the common
    name of the step, if any; `clues` is the number of its premises; `because` names the premises that
    are clues of the board; `account` is the strategy's own text.
    """

    cells: int
    is_mine: bool
    rule: str
    pattern: str
    sentence: str
    clues: int
    because: tuple[str, ...]
    account: str


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """Status of the claim that a cell is a mine, or safe.

    A proved or refuted claim has a proof (`proven`); an open one has two layouts, with a mine in the cell and
    without. A claim is undecided if there are too many layouts.
    """

    cell: int
    is_mine: bool
    judgement: ClaimStatus
    proven: CertainCell | None = None
    layouts: tuple[Board, Board] | None = None


class Explainer:
    """Explains one board with these strategies.

    Raises Contradiction with a smallest set of contradictory clues, and UsageError for an unknown variant.
    """

    def __init__(self, board: Board, strategies: Sequence[Strategy]) -> None:
        self.board = board
        self.words = board_vocabulary(board)
        given: tuple[Constraint, ...] = ()
        try:
            self._stated = board_knowledge(board)
            given = self._stated.given
            self._reasoner = Reasoner(strategies)
            self._reasoner.about(board)
            outcome = self._reasoner.deduce(self._stated)
            if is_unsatisfiable(outcome.knowledge.given):
                raise Contradiction("these clues cannot all hold")
        except Contradiction as error:
            raise self._named(minimize_contradiction(error, given)) from error
        self.knowledge = outcome.knowledge
        self._unexplained = 0  # certain cells that were left out
        self._reasons = ExplanationFinder(self.knowledge, self._reasoner.active)

    @property
    def faults(self) -> tuple[str, ...]:
        """The faults of strategies so far, one line each."""
        return tuple(map(str, self._reasoner.faults))

    @property
    def remarks(self) -> tuple[str, ...]:
        """The faults, and remarks if some reasons are not minimal or missing."""
        remarks = [*self.faults]
        if self._reasons.is_exhausted:
            remarks.append(CUT_SHORT)
        if self._unexplained:
            remarks.append(
                f"{self._unexplained} more certain cells are not explained on a board of this size: "
                "name cells with --cell"
            )
        return tuple(remarks)

    @property
    def certain(self) -> int:
        """The certain cells that are not displayed as mines (a cell set)."""
        known = self.knowledge.true | self.knowledge.false
        return known & self.board.not_open & ~self.board.cells_showing(SHOWN)

    @property
    def undecided(self) -> int:
        """The cells that are neither open nor certain (a cell set)."""
        return self.knowledge.undecided & self.board.not_open

    @property
    def is_complete(self) -> bool:
        """Whether the layouts are countable, so that undecided cells really have both states."""
        return is_countable(self.knowledge.universe, self.knowledge.given)

    def explained(self, cells: int) -> list[CertainCell]:
        """Explain the certain cells of a cell set, easiest first; on huge boards only the first of them."""
        most = max(1, MOST_WORK // len(self.board))
        found = [reason for k in islice(bits(cells), most) if (reason := self._reasons.of(k))]
        self._unexplained = max(self._unexplained, cells.bit_count() - most)
        return [self._proven(reason) for reason in sorted(found, key=lambda reason: reason.ease)]

    def proof_of(self, cell: int) -> CertainCell | None:
        """Explain a certain cell; None for other cells."""
        return next(iter(self.explained(1 << cell & self.certain)), None)

    def lesson(self) -> list[LessonStep]:
        """Derive the certain cells step by step, in the order in which a person finds them.

        On huge boards only the first of them, see `lesson_steps`.
        """
        steps = lesson_steps(self._stated, self._reasoner.active, self.certain)
        lesson = [
            LessonStep(
                link.news.cells & self.certain if link.news.all_true or link.news.all_false else 0,
                link.news.all_true,
                link.deduction.step.rule,
                pattern_name(self.board, link),
                step_sentence(link, self.words),
                len(link.grounds),
                tuple(str(ground.full.source) for ground in link.grounds if ground.full.source is not None),
                re.sub(r"\{(\d+)\}", lambda met: self.words.cell(int(met[1])), link.deduction.step.account),
            )
            for link in steps
        ]
        missing = self.certain & ~union_cells(
            link.news for link in steps if link.news.all_true or link.news.all_false
        )
        self._unexplained = max(self._unexplained, missing.bit_count())
        return lesson

    def easiest(self) -> CertainCell | None:
        """The easiest certain move: a cell to open, otherwise a mine to flag."""
        for cells in (
            self.knowledge.false & ~self.board.cells_showing(SAFE),
            self.knowledge.true & ~self.board.flagged,
        ):
            proven = self.explained(cells & self.certain)
            if proven:
                return proven[0]
        return None

    def check_claim(self, cell: int, is_mine: bool) -> ClaimResult:
        """Prove or refute that a cell is a mine (or safe), or find both layouts."""
        if self.certain >> cell & 1:
            return self._decided(cell, is_mine, self._reasons.of(cell))
        given, universe = self.knowledge.given, self.knowledge.universe
        mine = find_model(universe, given, true=1 << cell)
        safe = find_model(universe, given, false=1 << cell)
        if mine is not None and safe is not None:
            return ClaimResult(cell, is_mine, "open", layouts=(self._layout(mine), self._layout(safe)))
        if (mine is None and safe is None) or not self.is_complete:
            return ClaimResult(cell, is_mine, "undecided")
        return self._decided(cell, is_mine, self._reasons.showing(cell, mine is not None))

    def risks(self) -> list[tuple[int, float]]:
        """The mine probability of each undecided cell."""
        census = count_components(self.knowledge, self.board.everything)
        if census.is_complete:
            found = exact_probabilities(census)
        else:
            cap = MAX_STEPS if len(self.board) <= MOST_COUNTED else 0
            found = whole_board_probabilities(self.knowledge, self.board.everything, cap)
        return [(k, found.of(k)) for k in bits(self.undecided)]

    def guesses(self, with_wins: bool = False) -> tuple[Guess, ...]:
        """The undecided cells as ranked by the guessing strategy, best first.

        With `with_wins`, the guesses of a game that was solved to its end have the figure `win`.
        """
        board = self.board
        openable = self.undecided & board.closed
        if not openable:
            return ()
        first_click: FirstClick | None = None if board.open else "unknown"
        position = Position(self.knowledge, board.rows, board.columns, openable, board.around, first_click)
        guesses = self._reasoner.guess(position)
        return with_win_probabilities(position, guesses) if with_wins else guesses

    def annotated_board(self) -> Board:
        """The board with certain cells marked: `*` mine, `-` safe, `x` wrong flag."""
        marks = {}
        for k in bits(self.certain):
            if self.knowledge.true >> k & 1:
                marks[k] = FLAG if self.board[k] == FLAG else MINE
            else:
                marks[k] = WRONG_FLAG if self.board[k] == FLAG else SAFE
        return self.board.with_states(marks)

    def _decided(self, cell: int, is_mine: bool, reason: Explanation | None) -> ClaimResult:
        if reason is None:
            return ClaimResult(cell, is_mine, "undecided")
        return ClaimResult(
            cell, is_mine, "proved" if reason.is_true == is_mine else "refuted", self._proven(reason)
        )

    def _proven(self, reason: Explanation) -> CertainCell:
        because = tuple(dict.fromkeys(str(c.source) for c in reason.because))
        sentences = tuple(proof_sentences(reason.lineage, 1 << reason.cell, self.words))
        return CertainCell(reason.cell, reason.is_true, reason.rule, because, sentences=sentences)

    def _layout(self, mines: int) -> Board:
        closed = self.board.not_open & ~self.board.cells_showing(SHOWN)
        return self.board.with_states({k: MINE if mines >> k & 1 else SAFE for k in bits(closed)})

    def _named(self, error: Contradiction) -> Contradiction:
        """Describe each clue by its number: `r0c1 = 2` instead of `r0c1`."""
        if not error.sources:
            return error
        names = ", ".join(describe_source(self.board, str(source)) for source in error.sources)
        how = "this cannot hold" if len(error.sources) == 1 else "these cannot all hold"
        return Contradiction(
            f"{how}: {names}: correct the rows, or the total, where they are wrong", error.sources
        )
