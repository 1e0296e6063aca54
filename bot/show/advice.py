"""Advice for a player: certain cells, risks, and the reason for a highlighted cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, Self

from bot.show.explainer import Explainer
from games.errors import Contradiction
from games.logic import bits, cell_set
from games.minesweeper import Board, Guess
from strategies import CertainCell, Reasoner, Strategy
from strategies.guesser import describe_guess

if TYPE_CHECKING:
    from bot.game.types import GameRules, Plan


Mark = Literal["safe", "mine", "guess", "wrong flag"]
UNDERLINED = 12  # clues; reasons with more do not highlight them


@dataclass(frozen=True, slots=True)
class HighlightedReason:
    """The cell of a reason and its clues (a cell set)."""

    cell: int
    clues: int = 0

    @classmethod
    def of(cls, board: Board, cell: int, because: Iterable[str]) -> Self:
        """Find the clues on the board by their names; ignore premises that are not cells."""
        names = set(because)
        return cls(cell, cell_set(k for k in bits(board.open) if board.name(k) in names))


FIRST_CLICK = "first click"  # the rule of a guaranteed first click
PROMISES: Mapping[str, str] = {
    "the first click is safe": "the program puts no mine under the first click",
    "the first click is zero": "the program puts no mine under the first click or next to it",
}


def describe_reason(reason: CertainCell, clues: str) -> str:
    """The reason of a certain cell in one line: its rule, and its `clues` as text."""
    if reason.rule == FIRST_CLICK:
        return ", ".join(PROMISES.get(each, each) for each in reason.because)
    return f"{reason.rule or 'it follows'} ({clues})"


def marks_of_plan(board: Board, plan: Plan) -> dict[int, Mark]:
    """The mark of each cell that a plan opens or flags, now or later, and of each known mine."""
    marks: dict[int, Mark] = dict.fromkeys(bits(plan.mines), "mine")
    for move in (*plan.moves, *plan.later):
        if move.kind == "chord":
            opened = board.around[move.cell] & board.closed & ~cell_set(marks)
            marks |= dict.fromkeys(bits(opened), "safe")
        elif move.kind != "unflag":
            marks[move.cell] = "mine" if move.kind == "flag" else "guess" if plan.guess else "safe"
    return marks | dict.fromkeys(bits(plan.wrong_flags), "wrong flag")


def highlight_of_plan(board: Board, plan: Plan) -> HighlightedReason | None:
    """The next move of a plan, with the clues of its reason."""
    if not plan.moves:
        return None
    reason = next(iter(plan.reasons), None)
    clues = reason.because if reason and len(reason.because) <= UNDERLINED else ()
    return HighlightedReason.of(board, plan.moves[0].cell, clues)


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice on one board.

    `safe` and `mines` are the certain hidden cells, `wrong_flags` the refuted flags (cell sets). `proven` is
    the easiest move with its proof. If nothing is safe, there is a `guess`, `others` are the next
    guesses, and `risks` the mine probabilities of the undecided cells. `problem` is why there is no advice;
    `faults` are those of strategies.
    """

    board: Board
    safe: int = 0
    mines: int = 0
    wrong_flags: int = 0
    proven: CertainCell | None = None
    guess: Guess | None = None
    others: tuple[Guess, ...] = ()
    risks: Mapping[int, float] = field(default_factory=dict)
    problem: str = ""
    faults: tuple[str, ...] = ()

    @property
    def marks(self) -> dict[int, Mark]:
        """The mark of each cell."""
        marks: dict[int, Mark] = dict.fromkeys(bits(self.safe), "safe")
        marks |= dict.fromkeys(bits(self.mines), "mine")
        marks |= dict.fromkeys(bits(self.wrong_flags), "wrong flag")
        return marks | ({self.guess.cell: "guess"} if self.guess else {})

    @property
    def highlight(self) -> HighlightedReason | None:
        """The proven move with its clues."""
        move = self.proven
        return HighlightedReason.of(self.board, move.cell, move.because) if move else None

    @property
    def why(self) -> list[str]:
        """Sentences about the recommended move."""
        name = self.board.name
        if self.problem:
            return [self.problem]
        if self.proven:
            what = "a mine" if self.proven.is_mine else "safe"
            return [f"{name(self.proven.cell)} is {what}.", *self.proven.sentences]
        if self.guess:
            return [
                f"Nothing is certain. The best guess is {name(self.guess.cell)}.",
                f"{describe_guess(self.guess, self.others)}.",
            ]
        return ["Nothing is left to do."]

    def as_json(self) -> dict[str, object]:
        """The fields of one line of `sapper advise --json`."""
        name = self.board.name
        return {
            "rows": list(self.board.grid),
            "safe": self.board.names(self.safe),
            "mines": self.board.names(self.mines),
            "wrong_flags": self.board.names(self.wrong_flags),
            "move": name(self.proven.cell) if self.proven else None,
            "guess": name(self.guess.cell) if self.guess else None,
            "risks": {name(cell): round(risk, 6) for cell, risk in self.risks.items()},
            "why": self.why,
            "faults": list(self.faults),
        }


class Advisor:
    """Gives advice on successive boards with these strategies and rules."""

    def __init__(self, strategies: Sequence[Strategy], rules: GameRules) -> None:
        self._strategies = strategies
        self.rules = rules
        self._explainer: Explainer | None = None  # of the latest board

    def advise(self, board: Board) -> Advice:
        """Give complete advice on a board; a contradictory board is a problem."""
        *_, advice = self.stages(board)
        return advice

    def stages(self, board: Board) -> Iterator[Advice]:
        """Yield the certain cells at once, then the advice with a proof, or with risks and a guess."""
        from bot.game.plan import Planner  # imported late, because it loads the game loop

        self._explainer = None
        board = board.with_variant(self.rules.variant).with_mines(self.rules.mines)
        if board.shown_mines:
            yield Advice(board, problem="The game is over.")
            return
        if not board.closed and not board.flagged:
            yield Advice(board)
            return
        try:
            explainer = self._explainer = Explainer(board, self._strategies)
            certain = explainer.certain
            safe = explainer.knowledge.false & certain
            mines = explainer.knowledge.true & certain & ~board.flagged
            advice = Advice(board, safe & ~board.flagged, mines, safe & board.flagged)
            yield advice
            proven = explainer.easiest()
            if safe or not explainer.undecided:
                yield replace(advice, proven=proven, faults=explainer.faults)
                return
            reasoner = Reasoner(self._strategies)
            plan = Planner(reasoner, self.rules).plan(board)
        except Contradiction as error:
            yield Advice(board, problem=f"{error}: misread, or the size or the mine total is not right.")
            return
        if plan.guess is None and not board.open:  # the first click is guaranteed
            proven = _promised(board, plan) or proven
        others: tuple[Guess, ...] = (plan.next_guess,) if plan.next_guess else ()
        if plan.guess and "win" in plan.guess.figures:
            others = explainer.guesses(with_wins=True)[1:]
        yield replace(
            advice,
            proven=None if plan.guess else proven,
            guess=plan.guess,
            others=others,
            risks=dict(explainer.risks()),
            faults=tuple(map(str, reasoner.faults)),
        )

    def proof(self, cell: int) -> CertainCell | None:
        """The proof of a certain cell of the latest board; None if it is not certain."""
        return self._explainer.proof_of(cell) if self._explainer else None


def _promised(board: Board, plan: Plan) -> CertainCell | None:
    """The first click, if the program guarantees that it is safe."""
    for reason in plan.certain:
        if board.closed >> reason.cell & 1 and not reason.is_mine:
            promise = f"{describe_reason(reason, '')}: any cell will do, and this one opens most."
            return CertainCell(reason.cell, False, reason.rule, reason.because, sentences=(promise,))
    return None
