"""Every move of a game judged: certain and proved, an unnecessary guess, or a guess and what it gave away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from bot.advice.explaining import Explainer, Told
from bot.loop.ports import Reason, Rules
from bot.loop.reasons import Reasons
from bot.review.game import Moment
from bot.review.moves import HIT, Made, shown
from games.errors import Contradiction
from games.logic import Knowledge, bits
from games.minesweeper import Board, Guess, Move, Position, knowledge_after, knowledge_of
from games.minesweeper.board import SAFE
from strategies import Reasoner, Strategy
from strategies.probabilities import risks_of

Kind = Literal[
    "first click", "certain", "unnecessary guess", "guess", "mistake", "flag", "wrong flag", "no effect", "not judged"
]
By = Literal["win", "risk"]
ROUNDING = 6  # digits of a probability; what differs less was counted another way
PROMISED = ("safe", "zero", "opened")  # what is said of a first click that hits nothing


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one move was worth, by what could be known when it was made.

    `look` and `seconds` say when. `risk` is the probability (0 to 1) that it hit a mine, None where nobody can
    say; `hit`: it did. `reason` is why a certain move is certain. Of an unnecessary guess `certain` are the
    cells (a set) that were certainly safe, `told` the easiest of them with its proof. Of a guess `best` is
    the one that the strategies would have made. `given_away` is how much of the chance to win was lost
    against what was best then: `by` "win" the chance to win the game, by "risk" only the chance to survive.
    """

    look: int
    seconds: float
    made: Made
    kind: Kind
    board: Board
    risk: float | None = None
    hit: bool = False
    reason: Reason | None = None
    certain: int = 0
    told: Told | None = None
    best: Guess | None = None
    win: float | None = None
    best_win: float | None = None

    @property
    def move(self) -> Move:
        """The move, on the cell that was clicked as far as that can be told."""
        return self.made.move

    @property
    def by(self) -> By:
        """What `given_away` compares."""
        return "win" if self.win is not None and self.best_win is not None else "risk"

    @property
    def given_away(self) -> float:
        """A probability (0 to 1)."""
        if self.kind in ("unnecessary guess", "mistake"):
            return self.risk or 0.0
        if self.kind != "guess" or self.best is None:
            return 0.0
        if self.win is not None and self.best_win is not None:
            lost = self.best_win - self.win
        else:
            lost = (self.risk or 0.0) - (1.0 - self.best.safe)
        return max(0.0, round(lost, ROUNDING))


class Judge:
    """Judges the moves of one game, in order, with these strategies and the rules of its program."""

    def __init__(self, strategies: Sequence[Strategy], rules: Rules) -> None:
        self._strategies = tuple(strategies)
        self._reasoner = Reasoner(self._strategies)
        self._rules = rules
        self._before: Board | None = None
        self._known = Knowledge.of(0, ())

    def judge(self, moment: Moment) -> list[Verdict]:
        """What each move between two boards was worth, in the order in which they were made.

        Where that order is not known, the kindest one: what is certain first, then what is safest.
        """
        verdicts: list[Verdict] = []
        board, left = moment.board, list(moment.made)
        while left:
            ready, left = self._sure(moment, board, left)
            for one in ready:
                verdicts.append(one)
                board = shown(board, moment.after, one.made)
            if left and not ready:  # what was opened just now may show more
                chosen, verdict = self._unsure(moment, board, left)
                left.remove(chosen)
                verdicts.append(verdict)
                board = shown(board, moment.after, chosen)
        return verdicts

    def _sure(
        self, moment: Moment, board: Board, left: list[Made]
    ) -> tuple[list[Verdict], list[Made]]:
        """The moves that need no risk taken on this board, up to the first that does; and the others."""
        known = self._know(board)
        found: list[Verdict] = []
        rest: list[Made] = []
        for made in left:
            verdict = None if rest and moment.is_exact else self._plain(moment, board, known, made)
            if verdict is None:
                rest.append(made)
            else:
                found.append(verdict)
                board = shown(board, moment.after, made)  # what is known stays true
        return found, rest

    def _plain(self, moment: Moment, board: Board, known: Knowledge | None, made: Made) -> Verdict | None:
        """A verdict that takes no counting, None where it does."""
        move = made.move
        if not made.has_effect:
            return self._verdict(moment, board, made, "no effect")
        if known is None:
            return self._verdict(moment, board, made, "not judged")
        if move.kind == "unflag":
            return self._verdict(moment, board, made, "flag")
        if move.kind == "flag":
            if known.false >> move.cell & 1:
                return self._verdict(moment, board, made, "wrong flag", reason=_why(known, move.cell))
            is_sure = bool(known.true >> move.cell & 1)
            return self._verdict(
                moment, board, made, "flag", reason=_why(known, move.cell) if is_sure else None
            )
        if not board.open:
            risk = 0.0 if self._rules.first_click in PROMISED else None
            return self._verdict(moment, board, made, "first click", risk=risk)
        cells = self._cells(made, board)
        if move.kind == "chord":
            is_sure = not cells & ~known.false
            reason = _why(known, (cells & -cells).bit_length() - 1) if is_sure else None
            return self._verdict(moment, board, made, "certain", 0.0, reason) if is_sure else None
        sure = cells & known.false
        if sure:
            cell = (sure & -sure).bit_length() - 1
            at = Made(Move("open", cell), made.opened, made.clicked)
            return self._verdict(moment, board, at, "certain", 0.0, _why(known, cell))
        return None

    def _unsure(self, moment: Moment, board: Board, left: list[Made]) -> tuple[Made, Verdict]:
        """One of these moves, none of which is certain: the first, or the safest; and the verdict on it."""
        known = self._know(board)
        assert known is not None  # else nothing would be left
        chosen, cell, risk = left[0], left[0].move.cell, 2.0
        for made in left[:1] if moment.is_exact else left:
            for one, its in self._risks(made, board, known):
                if its < risk:
                    chosen, cell, risk = made, one, its
        made = replace(chosen, move=replace(chosen.move, cell=cell))
        safe = known.false & board.closed
        kind: Kind = "mistake" if risk == 1.0 else "unnecessary guess" if safe else "guess"
        verdict = self._verdict(moment, board, made, kind, risk)
        if safe:
            return chosen, replace(
                verdict, certain=safe, told=Explainer(board, self._strategies).easiest()
            )
        return chosen, replace(verdict, best=self._best(board, known))

    def _risks(self, made: Made, board: Board, known: Knowledge) -> list[tuple[int, float]]:
        """(cell, risk) of each cell that may have been clicked on; of a chord as a whole."""
        cells = self._cells(made, board)
        if made.move.kind != "chord":
            found = risks_of(known, board.everything)
            return [(k, 1.0 if known.true >> k & 1 else found.of(k)) for k in bits(cells)]
        survive, now = 1.0, board
        for k in bits(cells & ~known.false):
            try:
                then = Reasoner(self._strategies).deduce(knowledge_of(now)).knowledge
            except Contradiction:
                survive = 0.0
            else:
                risk = 1.0 if then.true >> k & 1 else 0.0 if then.false >> k & 1 else None
                survive *= 1.0 - (risks_of(then, board.everything).of(k) if risk is None else risk)
            if not survive:
                break
            now = now.showing({k: SAFE})
        return [(made.move.cell, 1.0 - survive)]

    def _best(self, board: Board, known: Knowledge) -> Guess | None:
        openable = board.closed & known.undecided
        if not openable:
            return None
        position = Position(known, board.rows, board.columns, openable, board.around)
        return next(iter(self._reasoner.guess(position)), None)

    @staticmethod
    def _cells(made: Made, board: Board) -> int:
        """The cells (a set) that a move opens first: all of a chord's, one of those that were clicked on."""
        return board.around[made.move.cell] & board.closed if made.move.kind == "chord" else made.clicked

    def _know(self, board: Board) -> Knowledge | None:
        """All that is known on this board; None for one that cannot be."""
        if board == self._before:
            return self._known
        before, self._before = self._before, None
        try:
            known = knowledge_after(self._known, before, board) if before is not None else None
            if known is not None:
                known = self._reasoner.deduce(known, 0, known.news).knowledge
        except Contradiction:
            known = None
        try:
            known = known or self._reasoner.deduce(knowledge_of(board)).knowledge
        except Contradiction:
            return None
        self._before, self._known = board, known
        return known

    @staticmethod
    def _verdict(
        moment: Moment,
        board: Board,
        made: Made,
        kind: Kind,
        risk: float | None = None,
        reason: Reason | None = None,
    ) -> Verdict:
        hit = bool(made.opened & moment.after.having(HIT))
        return Verdict(moment.look, moment.seconds, made, kind, board, risk, hit, reason)


def _why(known: Knowledge, cell: int) -> Reason:
    return Reasons(known, 1 << cell)[0]
