"""From a board to a plan: ask the strategies what is certain, sweep it up, guess only when nothing is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from textwrap import shorten

from bot.loop.planning.exploring import certain_in_all, safest
from bot.loop.planning.reasons import Reasons
from bot.loop.planning.sweep import sweep
from bot.loop.ports import Plan, Reason, Rules
from games.errors import Contradiction
from games.logic import Knowledge
from games.minesweeper import Board, Move, Position, knowledge_after, knowledge_of
from strategies import Reasoner
from strategies.search import narrowed
from vision.reading import Alternative

LONGEST_FAULT = 500  # letters of a strategy's fault that are worth printing


class Planner:
    """Plans for one game, going on from what it knew at the board before.

    `thorough`: everything certain is looked for at each board, which saves looks at a screen. Without it the
    dearer strategies are asked only where the cheaper ones find nothing to open, which saves reasoning; the
    games are the same but for the order of certain moves. `knowledge` is what is certain of the board that
    was planned for last, and of all that its picture may show beside it. `left` are cells (a set) that are
    not acted on: the program takes no click there.
    """

    def __init__(self, reasoner: Reasoner, rules: Rules, thorough: bool = True) -> None:
        self._reasoner = reasoner
        self._rules = rules
        self._thorough = thorough
        self._explained = 0  # cells whose reason has been given
        self._faults_named = 0
        self.left = 0
        self._before: Board | None = None  # the board that was planned for last
        self._known = self.knowledge = Knowledge.of(0, ())  # of that board alone; of all it may be

    def plan(self, board: Board, alternatives: Sequence[Alternative] = ()) -> Plan:
        """The next moves; `alternatives` are the boards that the picture may show, if it is more than one.

        Raises Contradiction when the clues cannot all hold.
        """
        board = self._under_rules(board)
        self._reasoner.about(board)
        self._reason(board)
        self.knowledge = self._known
        if len(alternatives) > 1:
            alternatives = [replace(other, board=self._under_rules(other.board)) for other in alternatives]
            self.knowledge = certain_in_all(board, self._known, alternatives, self._reasoner)
        certain = self._news(board)
        wrong_flags = board.flagged & self.knowledge.false
        moves = tuple(m for m in sweep(board, self.knowledge, self._rules) if not self.left >> m.cell & 1)
        if moves or not (board.closed | board.unread) & ~self.knowledge.true:
            return Plan(moves, certain, wrong_flags=wrong_flags)
        position = self._position(board)
        guess = next(iter(self._reasoner.guess(position, most=1)), None) if position.openable else None
        if guess is None and len(alternatives) < 2:
            return Plan((), certain)
        if guess and not board.open and not board.unread and self._rules.first_click in ("safe", "zero"):
            promised = f"the first click is {self._rules.first_click}"
            promise = Reason(guess.cell, False, "first click", (promised,), self._reasoner.guesser)
            return Plan((Move("open", guess.cell),), (*certain, promise))
        guess = safest(board, alternatives, guess, self.left | self.knowledge.true)
        by = self._reasoner.guesser
        return Plan(
            (Move("open", guess.cell),) if guess else (), certain, guess, guess_by=by if guess else ""
        )

    def _under_rules(self, board: Board) -> Board:
        return board.under(self._rules.variant).knowing(self._rules.mines)

    def _reason(self, board: Board) -> None:
        """Find out what is certain: from what changed, or from all of it where that is not enough."""
        before, self._before = self._before, None
        enough = 0 if self._thorough else board.closed
        try:
            known = knowledge_after(self._known, before, board) if before else None
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
        self._before, self._known = board, outcome.knowledge

    @property
    def strategies(self) -> tuple[str, ...]:
        """The names of all strategies, those that were quarantined among them, in the order of trial."""
        return tuple(strategy.name for strategy in self._reasoner.strategies)

    @property
    def all_faults(self) -> tuple[str, ...]:
        """What strategies did wrong so far, a line each."""
        faults = self._reasoner.faults
        return tuple(shorten(str(fault), LONGEST_FAULT, placeholder=" …") for fault in faults)

    def faults(self) -> list[str]:
        """What strategies did wrong since this was last asked, a line each."""
        faults = self.all_faults[self._faults_named :]
        self._faults_named += len(faults)
        return list(faults)

    def _news(self, board: Board) -> Sequence[Reason]:
        """A reason for each cell that was decided just now."""
        news = (self.knowledge.true | self.knowledge.false) & board.not_open & ~self._explained
        self._explained |= news
        return Reasons(self.knowledge, news, self._reasoner.author) if news else ()

    def _position(self, board: Board) -> Position:
        return Position(
            self._known,
            board.rows,
            board.columns,
            board.closed & self._known.undecided & ~self.left,
            board.around,
            None if board.open or board.unread else self._rules.first_click,
        )
