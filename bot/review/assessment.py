"""Assessment of every move of a game: certain with a proof, an unnecessary guess, or a guess with its cost.

`describe` returns an assessment in words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from types import MappingProxyType
from typing import Literal

from bot.game.types import GameRules
from bot.review.played_moves import HIT, PlayedMove, board_after, split_move
from bot.review.reviewed_game import GameMoment
from bot.show.explainer import Explainer
from bot.show.story import format_percent, shorten_proof
from games.errors import Contradiction
from games.logic import Knowledge, bits
from games.minesweeper import SAFE, Board, Guess, Move, board_knowledge
from strategies import CertainCell, Reasoner, Strategy
from strategies.guesser import win_probability
from strategies.position import Position
from strategies.probability.risks import mine_probabilities

Kind = Literal[
    "first click",
    "certain",
    "unnecessary guess",
    "guess",
    "mistake",
    "flag",
    "wrong flag",
    "no effect",
    "not judged",
]
By = Literal["win", "risk"]
MOST_ORDERED = 3  # uncertain moves between two boards whose orders are compared: six orders
ROUNDING = 6  # digits of a probability; smaller differences are rounding errors
PROMISED = ("safe", "zero", "opened")  # first-click rules without risk


@dataclass(frozen=True, slots=True)
class MoveAssessment:
    """Assessment of one move, based on the knowledge at its time.

    `look` and `seconds` are its observation and time. `risk` is the probability of hitting a mine (0 to 1),
    None if unknown; `hit` is whether it did. `proven` is the proof of a certain move. For an unnecessary
    guess, `certain` are the certainly safe cells (a cell set) and `proven` is the easiest of them. For a
    guess, `best` is the guess of the strategies; `win` and `best_win` are the probabilities of winning.
    `among` is the number of moves between the same two boards if their order is unknown.
    """

    look: int
    seconds: float
    made: PlayedMove
    kind: Kind
    board: Board
    risk: float | None = None
    hit: bool = False
    proven: CertainCell | None = None
    certain: int = 0
    best: Guess | None = None
    win: float | None = None
    best_win: float | None = None
    among: int = 1

    @property
    def move(self) -> Move:
        """The move, on the clicked cell if known."""
        return self.made.move

    @property
    def by(self) -> By:
        """Whether `win_chance_lost` compares win probabilities or risks."""
        return "win" if self.win is not None and self.best_win is not None else "risk"

    @property
    def win_chance_lost(self) -> float:
        """The lost chance to win, or to survive, compared with the best move (0 to 1)."""
        if self.kind in ("unnecessary guess", "mistake"):
            return self.risk or 0.0
        if self.kind != "guess" or self.best is None:
            return 0.0
        if self.win is not None and self.best_win is not None:
            lost = self.best_win - self.win
        else:
            lost = (self.risk or 0.0) - (1.0 - self.best.safe)
        return max(0.0, round(lost, ROUNDING))


class MoveAssessor:
    """Assesses the moves of one game, in order, with these strategies and the rules of its program."""

    def __init__(self, strategies: Sequence[Strategy], rules: GameRules) -> None:
        self._strategies = tuple(strategies)
        self._rules = rules
        self._board: Board | None = None
        self._explainer: Explainer | None = None  # of this board

    def judge(self, moment: GameMoment) -> list[MoveAssessment]:
        """Assess the moves between two boards in order.

        If the order is unknown, certain moves come first, then the others in the order that gives away least.
        A move may count as several clicks if all of them are certain.
        """
        verdicts = self._judged(moment, moment.board, list(moment.made))
        if not moment.is_exact and not moment.board.open:
            verdicts = self._with_best_first_click(moment, verdicts)
        among = 1 if moment.is_exact else sum(bool(each.made.opened) for each in verdicts)
        return [replace(each, among=among) for each in verdicts]

    def _judged(self, moment: GameMoment, board: Board, left: list[PlayedMove]) -> list[MoveAssessment]:
        """Assess the remaining moves from this board on."""
        verdicts: list[MoveAssessment] = []
        while left:
            ready, left = self._sure(moment, board, left)
            for one in ready:
                verdicts.append(one)
                board = board_after(board, moment.after, one.made)
            if left and not ready:  # opened cells may make others certain
                if split := self._split(moment, board, left):
                    left = split
                    continue
                if not moment.is_exact and 1 < len(left) <= MOST_ORDERED:
                    return verdicts + self._in_best_order(moment, board, left)
                chosen, verdict = self._unsure(moment, board, left)
                left.remove(chosen)
                verdicts.append(verdict)
                board = board_after(board, moment.after, chosen)
        return verdicts

    def _in_best_order(
        self, moment: GameMoment, board: Board, left: list[PlayedMove]
    ) -> list[MoveAssessment]:
        """Assess these uncertain moves in the order that gives away least; the safest first if several do."""
        orders = [self._one_first(moment, board, left, left)]
        if _given_away(orders[0]):
            orders += [self._one_first(moment, board, left, [first]) for first in left]
        return min(orders, key=_given_away)

    def _with_best_first_click(
        self, moment: GameMoment, verdicts: list[MoveAssessment]
    ) -> list[MoveAssessment]:
        """The assessment with another first click if that gives away less: one of the costly moves."""
        orders, costly = [verdicts], [each for each in verdicts if each.win_chance_lost]
        for first in moment.made:
            if len(orders) <= MOST_ORDERED and any(each.made.opened & first.opened for each in costly):
                rest = [one for one in moment.made if one is not first]
                orders.append(self._judged(moment, moment.board, [first, *rest]))
        return min(orders, key=_given_away)

    def _one_first(
        self, moment: GameMoment, board: Board, left: list[PlayedMove], firsts: list[PlayedMove]
    ) -> list[MoveAssessment]:
        """Assess the best of `firsts` as the next move, and then the others."""
        chosen, verdict = self._unsure(moment, board, firsts)
        rest = [one for one in left if one is not chosen]
        return [verdict, *self._judged(moment, board_after(board, moment.after, chosen), rest)]

    def _sure(
        self, moment: GameMoment, board: Board, left: list[PlayedMove]
    ) -> tuple[list[MoveAssessment], list[PlayedMove]]:
        """Assess the moves without risk (in exact order: those before the first risk); return the rest."""
        explainer = self._look_at(board)
        found: list[MoveAssessment] = []
        rest: list[PlayedMove] = []
        for made in left:
            verdict = None if rest and moment.is_exact else self._plain(moment, board, explainer, made)
            if verdict is None:
                rest.append(made)
            else:
                found.append(verdict)
                board = board_after(board, moment.after, made)  # the explainer remains valid
        return found, rest

    def _split(self, moment: GameMoment, board: Board, left: list[PlayedMove]) -> list[PlayedMove]:
        """The moves with one divided into more, the first of them certain; empty if that is impossible.

        Only inferred moves are divided: a chord into clicks, an opening into clicks on its border first.
        """
        explainer = self._look_at(board)
        safe = explainer.knowledge.false & moment.after.open if explainer else 0
        for number, made in enumerate([] if moment.is_exact else left):
            if cells := made.opened & safe:
                cell = (cells & -cells).bit_length() - 1
                return [*left[:number], *split_move(made, cell, board, moment.after), *left[number + 1 :]]
        return []

    def _plain(
        self, moment: GameMoment, board: Board, explainer: Explainer | None, made: PlayedMove
    ) -> MoveAssessment | None:
        """Assess a move without counting layouts; None if that is necessary."""
        move = made.move
        if not made.has_effect:
            return self._verdict(moment, board, made, "no effect")
        if explainer is None or (made.is_ambiguous and made.opened & moment.after.cells_showing(HIT)):
            return self._verdict(moment, board, made, "not judged")
        if move.kind in ("flag", "unflag"):
            return self._mark(moment, board, explainer, made)
        if not board.open:
            risk = 0.0 if self._rules.first_click in PROMISED else None
            return self._verdict(moment, board, made, "first click", risk=risk)
        cells = self._cells(made, board)
        sure = cells & explainer.knowledge.false
        if not sure or (move.kind == "chord" and sure != cells):
            return None
        cell = (sure & -sure).bit_length() - 1
        if move.kind == "open":
            made = replace(made, move=Move("open", cell))
        return self._verdict(moment, board, made, "certain", 0.0, explainer.proof_of(cell))

    def _mark(
        self, moment: GameMoment, board: Board, explainer: Explainer, made: PlayedMove
    ) -> MoveAssessment:
        """Assess a flag, or its removal."""
        known, move = explainer.knowledge, made.move
        decided = move.kind == "flag" and (known.true | known.false) >> move.cell & 1
        kind: Kind = "wrong flag" if decided and known.false >> move.cell & 1 else "flag"
        proven = explainer.proof_of(move.cell) if decided else None
        return self._verdict(moment, board, made, kind, proven=proven)

    def _unsure(
        self, moment: GameMoment, board: Board, left: list[PlayedMove]
    ) -> tuple[PlayedMove, MoveAssessment]:
        """Choose one of these uncertain moves (the first, or the safest) and assess it."""
        explainer = self._look_at(board)
        assert explainer is not None  # otherwise all moves are assessed
        known = explainer.knowledge
        chosen, cell, risk = left[0], left[0].move.cell, 2.0
        for made in left[:1] if moment.is_exact else left:
            for one, its in self._risks(made, board, known):
                if its < risk:
                    chosen, cell, risk = made, one, its
        made = replace(chosen, move=chosen.move._replace(cell=cell))
        safe = known.false & board.closed
        kind: Kind = "mistake" if risk == 1.0 else "unnecessary guess" if safe else "guess"
        verdict = self._verdict(moment, board, made, kind, risk)
        if safe:
            return chosen, replace(verdict, certain=safe, proven=explainer.easiest())
        best = next(iter(explainer.guesses()), None)
        verdict = replace(verdict, best=best)
        if best is None or best.cell == cell or made.move.kind == "chord":
            return chosen, verdict
        position = Position(known, board.rows, board.columns, board.closed & known.undecided, board.around)
        win, best_win = (win_probability(position, each) for each in (cell, best.cell))
        return chosen, replace(verdict, win=win, best_win=best_win)

    def _risks(self, made: PlayedMove, board: Board, known: Knowledge) -> list[tuple[int, float]]:
        """The (cell, risk) of each possible clicked cell; for a chord, its total risk."""
        cells = self._cells(made, board)
        if made.move.kind != "chord":
            found = mine_probabilities(known, board.everything)
            return [(k, 1.0 if known.true >> k & 1 else found.of(k)) for k in bits(cells)]
        survive, now = 1.0, board
        for k in bits(cells & ~known.false):
            try:
                then = Reasoner(self._strategies).deduce(board_knowledge(now)).knowledge
            except Contradiction:
                survive = 0.0
            else:
                risk = 1.0 if then.true >> k & 1 else 0.0 if then.false >> k & 1 else None
                survive *= 1.0 - (mine_probabilities(then, board.everything).of(k) if risk is None else risk)
            if not survive:
                break
            now = now.with_states({k: SAFE})
        return [(made.move.cell, 1.0 - survive)]

    @staticmethod
    def _cells(made: PlayedMove, board: Board) -> int:
        """The closed cells of a chord, or the possible clicked cells (a cell set)."""
        is_chord = made.move.kind == "chord"
        return board.around[made.move.cell] & (board.closed | board.unread) if is_chord else made.clicked

    def _look_at(self, board: Board) -> Explainer | None:
        """The explainer of a board; None if it is contradictory."""
        if board != self._board:
            self._board = board
            try:
                self._explainer = Explainer(board, self._strategies)
            except Contradiction:
                self._explainer = None
        return self._explainer

    @staticmethod
    def _verdict(
        moment: GameMoment,
        board: Board,
        made: PlayedMove,
        kind: Kind,
        risk: float | None = None,
        proven: CertainCell | None = None,
    ) -> MoveAssessment:
        hit = bool(made.opened & moment.after.cells_showing(HIT))
        return MoveAssessment(moment.look, moment.seconds, made, kind, board, risk, hit, proven)


def _given_away(verdicts: Sequence[MoveAssessment]) -> float:
    return fsum(each.win_chance_lost for each in verdicts)


MOST_SENTENCES = 6  # per proof
# kind -> singular and plural
JUDGED: Mapping[Kind, tuple[str, str]] = MappingProxyType(
    {
        "first click": ("first click", "first clicks"),
        "certain": ("certain move", "certain moves"),
        "guess": ("guess", "guesses"),
        "unnecessary guess": ("unnecessary guess", "unnecessary guesses"),
        "mistake": ("certain mine opened", "certain mines opened"),
        "flag": ("flag", "flags"),
        "wrong flag": ("wrong flag", "wrong flags"),
        "no effect": ("click that did nothing", "clicks that did nothing"),
        "not judged": ("move not judged", "moves not judged"),
    }
)


def summary(kinds: Counter[Kind]) -> str:
    """The numbers of moves, such as `31 certain moves, 2 guesses`."""
    parts = [f"{kinds[kind]} {words[kinds[kind] > 1]}" for kind, words in JUDGED.items() if kinds[kind]]
    return ", ".join(parts) or "no move"


def describe(verdict: MoveAssessment) -> str:
    """Describe an assessment in one or two sentences."""
    hit = " It was a mine." if verdict.hit else ""
    match verdict.kind:
        case "certain":
            words = f"Certain, and safe. {_because(verdict)}"
        case "first click":
            promised = ": no first click of this game hits a mine" if verdict.risk == 0.0 else ""
            words = f"The first click{promised}.{hit}"
        case "flag" | "wrong flag":
            words = _mark(verdict)
        case "no effect":
            words = f"{verdict.move.text(verdict.board)} did nothing."
        case "not judged" if verdict.hit:
            words = f"A click on one of {_possible(verdict)} mines: the picture does not show which."
        case "not judged":
            words = "The board that was read is impossible, so the move is not judged."
        case "mistake":
            words = f"A mistake: {_what(verdict)} certainly hits a mine."
        case "unnecessary guess":
            risk = f"An unnecessary guess: {_what(verdict)}, {_risk(verdict)}."
            words = f"{risk}{hit} {_certain(verdict)}"
        case "guess":
            words = f"A guess: {_what(verdict)}, {_risk(verdict)}.{hit} {_against_best(verdict)}"
    if verdict.among > 1 and verdict.kind in ("guess", "unnecessary guess", "mistake"):
        words = f"{words.strip()} Its place among {verdict.among} moves is assumed."
    if verdict.made.is_ambiguous and verdict.kind != "not judged":
        words = f"{words.strip()} The click is inferred: it was on one of {_possible(verdict)} cells."
    return words.strip()


def _possible(verdict: MoveAssessment) -> int:
    return verdict.made.clicked.bit_count()


def _mark(verdict: MoveAssessment) -> str:
    cell = verdict.board.name(verdict.move.cell)
    if verdict.move.kind == "unflag":
        return f"The flag on {cell} is removed."
    if verdict.kind == "wrong flag":
        return f"A wrong flag: {cell} is certainly safe. {_because(verdict)}"
    if verdict.proven is None:
        return f"A flag on {cell}, which was not certain."
    return f"Certainly a mine. {_because(verdict)}"


def _what(verdict: MoveAssessment) -> str:
    return f"{verdict.move.kind} {verdict.board.name(verdict.move.cell)}"


def _risk(verdict: MoveAssessment) -> str:
    return f"risk {format_percent(verdict.risk)}" if verdict.risk is not None else "unknown risk"


def _because(verdict: MoveAssessment) -> str:
    sentences = verdict.proven.sentences if verdict.proven else ()
    return " ".join(shorten_proof(sentences, MOST_SENTENCES))


def _certain(verdict: MoveAssessment) -> str:
    if verdict.proven is None:
        return f"Safe cells were certain: {', '.join(verdict.board.names(verdict.certain))}."
    count = verdict.certain.bit_count()
    others = f" ({count} safe cells were certain)" if count > 1 else ""
    return f"{verdict.board.name(verdict.proven.cell)} was certainly safe{others}: {_because(verdict)}"


def _against_best(verdict: MoveAssessment) -> str:
    best = verdict.best
    if best is None:
        return ""
    if best.cell == verdict.move.cell:
        return "No guess was better."
    other = f"{verdict.board.name(best.cell)} has a risk of {format_percent(1.0 - best.safe)}"
    if verdict.win is not None and verdict.best_win is not None:
        lost = (
            f"{format_percent(verdict.win_chance_lost)} given away"
            if verdict.win_chance_lost
            else "nothing given away"
        )
        return (
            f"The chance to win the game was {format_percent(verdict.win)}, "
            f"with {verdict.board.name(best.cell)} {format_percent(verdict.best_win)}: {lost}."
        )
    if verdict.win_chance_lost:
        return f"{other}: {format_percent(verdict.win_chance_lost)} given away."
    return f"{other} but is better in the look-ahead."
