"""From a board to a plan: ask the strategies what is certain, sweep it up, guess only when nothing is."""

from __future__ import annotations

from textwrap import shorten

from bot.ports import Plan, Reason, Rules
from bot.sweep import sweep
from games.logic import Knowledge, bits
from games.minesweeper import Board, Move, Position, knowledge_of
from strategies import Reasoner

LONGEST_FAULT = 240  # letters of a strategy's fault that are worth telling


class Planner:
    """Plans for one game. What it knows of the board before is kept between plans."""

    def __init__(self, reasoner: Reasoner, rules: Rules) -> None:
        self._reasoner = reasoner
        self._rules = rules
        self._told = 0  # cells whose reason has been given
        self._faults: list[str] = []
        self.knowledge = Knowledge.of(0, ())

    def plan(self, board: Board) -> Plan:
        """The next moves. Raises Contradiction when the clues cannot all hold."""
        board = board.knowing(self._rules.mines)
        outcome = self._reasoner.deduce(knowledge_of(board))
        self.knowledge = outcome.knowledge
        self._faults += [shorten(str(fault), LONGEST_FAULT, placeholder=" …") for fault in outcome.faults]
        certain = self._news(board)
        wrong_flags = board.flagged & self.knowledge.false
        moves = sweep(board, self.knowledge, self._rules)
        if moves or not board.closed & ~self.knowledge.true:
            return Plan(moves, certain, wrong_flags=wrong_flags)
        guesses = self._reasoner.guess(self._position(board))
        if not guesses:
            return Plan((), certain)
        cell = guesses[0].cell
        if not board.open and self._rules.first_click in ("safe", "zero"):
            promise = Reason(cell, False, "first click", (f"the first click is {self._rules.first_click}",))
            return Plan((Move("open", cell),), (*certain, promise))
        return Plan((Move("open", cell),), certain, guesses[0])

    def faults(self) -> list[str]:
        """What strategies did wrong since this was last asked, a line each."""
        faults, self._faults = self._faults, []
        return faults

    def _news(self, board: Board) -> tuple[Reason, ...]:
        """A reason for each cell that was decided just now."""
        known = (self.knowledge.true | self.knowledge.false) & board.not_open
        news = known & ~self._told
        self._told |= news
        reasons = []
        for k in bits(news):
            deduction = self.knowledge.why(k)
            rule = deduction.step.rule if deduction else ""
            because = tuple(str(source) for source in self.knowledge.because(k))
            reasons.append(Reason(k, bool(self.knowledge.true >> k & 1), rule, because))
        return tuple(reasons)

    def _position(self, board: Board) -> Position:
        return Position(
            self.knowledge,
            board.rows,
            board.columns,
            board.closed & ~self.knowledge.true,
            board.around,
            None if board.open else self._rules.first_click,
        )
