"""From a board to a plan: ask the strategies what is certain, sweep it up, guess only when nothing is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import shorten

from bot.ports import Plan, Reason, Rules
from bot.reasons import Reasons
from bot.sweep import sweep
from games.errors import Contradiction
from games.logic import Knowledge
from games.minesweeper import Board, Guess, Move, Position, knowledge_after, knowledge_of
from strategies import Reasoner
from strategies.minimal import narrowed

LONGEST_FAULT = 240  # letters of a strategy's fault that are worth telling


class Planner:
    """Plans for one game, going on from what it knew at the board before.

    `thorough`: everything certain is looked for at each board, which saves looks at a screen. Without it the
    dearer strategies are asked only where the cheaper ones find nothing to open, which saves reasoning; the
    games are the same but for the order of certain moves. `advise` is asked about every guess before it is
    made, and answers with a better one, or the same.
    """

    def __init__(
        self,
        reasoner: Reasoner,
        rules: Rules,
        thorough: bool = True,
        advise: Callable[[Board, Guess], Guess] | None = None,
    ) -> None:
        self._reasoner = reasoner
        self._advise = advise
        self._rules = rules
        self._thorough = thorough
        self._told = 0  # cells whose reason has been given
        self._faults_told = len(reasoner.faults)
        self._before: Board | None = None  # the board that `knowledge` is about
        self.knowledge = Knowledge.of(0, ())

    def plan(self, board: Board) -> Plan:
        """The next moves. Raises Contradiction when the clues cannot all hold."""
        board = board.under(self._rules.variant).knowing(self._rules.mines)
        self._reason(board)
        certain = self._news(board)
        wrong_flags = board.flagged & self.knowledge.false
        moves = sweep(board, self.knowledge, self._rules)
        if moves or not board.closed & ~self.knowledge.true:
            return Plan(moves, certain, wrong_flags=wrong_flags)
        guesses = self._reasoner.guess(self._position(board))
        if not guesses:
            return Plan((), certain)
        cell = guesses[0].cell
        if not board.open and not board.unread and self._rules.first_click in ("safe", "zero"):
            promise = Reason(cell, False, "first click", (f"the first click is {self._rules.first_click}",))
            return Plan((Move("open", cell),), (*certain, promise))
        guess = self._advise(board, guesses[0]) if self._advise else guesses[0]
        return Plan((Move("open", guess.cell),), certain, guess)

    def _reason(self, board: Board) -> None:
        """Find out what is certain: from what changed, or from all of it where that is not enough."""
        before, self._before = self._before, None
        enough = 0 if self._thorough else board.closed
        try:
            known = knowledge_after(self.knowledge, before, board) if before else None
            if known is not None:
                outcome = self._reasoner.deduce(known, enough, known.news)
        except Contradiction:
            known = None  # what was known may rest on a misread board
        if known is None:
            known = knowledge_of(board)
            try:
                outcome = self._reasoner.deduce(known, enough)
            except Contradiction as error:
                raise narrowed(error, known.given) from error
        self._before, self.knowledge = board, outcome.knowledge

    def faults(self) -> list[str]:
        """What strategies did wrong since this was last asked, a line each."""
        faults = self._reasoner.faults[self._faults_told :]
        self._faults_told += len(faults)
        return [shorten(str(fault), LONGEST_FAULT, placeholder=" …") for fault in faults]

    def _news(self, board: Board) -> Sequence[Reason]:
        """A reason for each cell that was decided just now."""
        news = (self.knowledge.true | self.knowledge.false) & board.not_open & ~self._told
        self._told |= news
        return Reasons(self.knowledge, news) if news else ()

    def _position(self, board: Board) -> Position:
        return Position(
            self.knowledge,
            board.rows,
            board.columns,
            board.closed & ~self.knowledge.true,
            board.around,
            None if board.open or board.unread else self._rules.first_click,
        )
