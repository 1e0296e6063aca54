"""Choose the next moves for a board.

The strategies derive everything certain, and one sweep acts on all of it, with flags and chords where they
save clicks. Only if nothing is certain, the planner guesses. If the image may show several boards, a move is
certain only if it is certain in all of them. A click on a zero opens its neighbours, so the order of a sweep
avoids clicks on cells that an earlier click may have opened. Reasons are computed on demand, because
tracing a proof costs more than finding it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import shorten

from bot.game.types import GameRules, Plan
from games.errors import Contradiction
from games.logic import Deduction, Knowledge, bits, cell_set
from games.minesweeper import DIGITS, UNKNOWN, Board, Guess, Move, board_knowledge
from games.minesweeper.position import updated_knowledge
from strategies import CertainCell, Reasoner
from strategies.position import Position
from strategies.probability.counts import count_components
from strategies.probability.risks import exact_probabilities
from strategies.search.conflicts import minimize_contradiction
from vision.reading import BoardHypothesis


def possible_zeros(board: Board, knowledge: Knowledge) -> int:
    """The cell set, not open yet, that can be zeros.

    Excludes neighbours of known mines, and cells that border every cell of a constraint with a mine.
    """
    around = board.around
    not_zero = board.open | knowledge.true
    for mine in bits(knowledge.true):
        not_zero |= around[mine]
    for constraint in knowledge.constraints:
        # at most 8 cells have a common neighbour; the mine total has more cells
        if constraint.low > 0 and constraint.cells.bit_count() <= 8:
            common = board.everything
            for cell in bits(constraint.cells):
                common &= around[cell]
            not_zero |= common
    return board.everything & ~not_zero


def cascade_reach(cells: int, zeros: int, around: Sequence[int]) -> int:
    """The cell set that may open together with `cells`, if `zeros` are all cells that can be zeros."""
    reached = 0
    ahead = cells & zeros
    while ahead:
        done = ahead
        for cell in bits(ahead):
            reached |= around[cell]
        zeros &= ~done
        ahead = reached & zeros
    return reached


def order_moves(board: Board, knowledge: Knowledge, rules: GameRules) -> tuple[Move, ...]:
    """The moves for everything certain, in order: remove refuted flags, set flags, chord, open.

    A cascade may open a cell before its turn, and a click on an open number is a chord in many programs. So
    with an unproven flag on the board only one cell is opened, and unless such clicks are harmless, a cell
    that an earlier move may have opened waits for the next reading.
    """
    safe = board.closed & knowledge.false
    mines = knowledge.true & board.not_open
    refuted = board.flagged & knowledge.false
    unflags = [Move("unflag", k) for k in bits(refuted)]
    if unflags:
        return tuple(unflags)
    # if it is unknown whether a win requires flags, only chords set them: in some programs the right button
    # opens a mine
    is_flagging = rules.flags == "all" or (rules.flags == "needed" and rules.win_needs == "flags")
    flags = mines & board.closed if is_flagging else 0
    if is_flagging and rules.win_needs == "flags" and not (flags | safe):
        flags = mines & board.unread  # only flags are left, and a mine that looks unfamiliar needs one, too
    if board.flagged & ~mines:
        return (*(Move("flag", k) for k in bits(flags)), *(Move("open", k) for k in bits(safe & -safe)))
    chords: list[Move] = []
    if rules.can_chord and rules.flags != "none":
        chords, flags, safe = _chords(board, mines, safe, flags)
    setting = [Move("flag", k) for k in bits(flags)]
    if rules.clicked_number == "harmless":
        return (*setting, *chords, *(Move("open", k) for k in bits(safe)))
    return (*setting, *_order_by_reach(board, knowledge, chords, flags | board.flagged, safe))


def without_chords(moves: Sequence[Move], board: Board, knowledge: Knowledge) -> tuple[Move, ...]:
    """The same moves with single opens instead of chords, for programs that ignore the chords."""
    cells = 0
    for move in moves:
        cells |= board.around[move.cell] if move.kind == "chord" else 0
    single = [Move("open", k) for k in bits(cells & board.closed & knowledge.false)]
    return (*(move for move in moves if move.kind != "chord"), *single)


def _order_by_reach(
    board: Board, knowledge: Knowledge, chords: Sequence[Move], flagged: int, safe: int
) -> list[Move]:
    """Opens and chords such that each cell is still closed at its turn.

    Cells that cannot be zeros come first, because they open nothing else.
    """
    zeros = possible_zeros(board, knowledge)
    moves = [Move("open", k) for k in bits(safe & ~zeros)]
    reached = 0
    for chord in chords:
        opened = board.around[chord.cell] & board.not_open & ~flagged
        reached |= cascade_reach(opened, zeros, board.around)
        moves.append(chord)
    for k in bits(safe & zeros):
        if not reached >> k & 1:
            reached |= cascade_reach(1 << k, zeros, board.around)
            moves.append(Move("open", k))
    return moves


def _chords(board: Board, mines: int, safe: int, flags: int) -> tuple[list[Move], int, int]:
    """Replace opens by chords while that saves clicks; returns (chords, flags to set, cells left to open).

    A zero is never chorded: programs that keep its neighbours closed ignore that.
    """
    chords: list[Move] = []
    numbers = board.open & ~board.cells_showing(DIGITS[0])
    shut = {k: around for k in bits(numbers) if (around := board.around[k] & board.not_open) & safe}
    # a chord opens every unflagged neighbour, so all of them must be decided
    shut = {k: cells for k, cells in shut.items() if not cells & ~(mines | safe)}
    while shut:
        saving = {
            k: (cells & safe).bit_count() - 1 - (cells & mines & ~board.flagged & ~flags).bit_count()
            for k, cells in shut.items()
        }
        best = max(saving, key=saving.__getitem__)
        if saving[best] <= 0:
            break
        cells = shut.pop(best)
        chords.append(Move("chord", best))
        flags |= cells & mines & ~board.flagged
        safe &= ~cells
    return chords, flags, safe


NEGLIGIBLE = 0.001  # probability; a tenth of the doubt allowed in a cell that counts as read
BETTER = 0.005  # probability; a cell must be safer by this much to replace the guess of the strategies


def certain_in_all_hypotheses(
    board: Board, known: Knowledge, alternatives: Sequence[BoardHypothesis], reasoner: Reasoner
) -> Knowledge:
    """The knowledge that holds on every board that the image may show.

    `known` belongs to `board`. Alternatives that only add states for unknown cells keep everything certain;
    contradicting alternatives are reasoned about separately. Impossible and negligible ones are ignored.
    """
    everything = sum(other.weight for other in alternatives)
    true, false = known.true, known.false
    for other in alternatives:
        if other.weight < NEGLIGIBLE * everything or not _disagrees(other.board, board):
            continue
        try:
            theirs = reasoner.deduce(board_knowledge(other.board)).knowledge
        except Contradiction:
            continue
        true &= theirs.true
        false &= theirs.false | other.board.open
    if (true, false) == (known.true, known.false):
        return known
    return replace(known, true=true, false=false)


def _disagrees(other: Board, board: Board) -> bool:
    pairs = zip(other.cells, board.cells, strict=True)
    return any(a != b and a != UNKNOWN != b for a, b in pairs)


def possibly_closed(alternatives: Sequence[BoardHypothesis]) -> int:
    """The cell set that is closed in any relevant alternative."""
    least = NEGLIGIBLE * sum(other.weight for other in alternatives)
    closed = 0
    for other in alternatives:
        closed |= other.board.closed if other.weight >= least else 0
    return closed


def safest_guess(
    board: Board, alternatives: Sequence[BoardHypothesis], usual: Guess | None, excluded: int = 0
) -> Guess | None:
    """The safest guess over all boards that the image may show, or the usual guess if that is as safe.

    The risk is averaged over the alternatives, weighted by their likelihood. If no cell is certainly hidden,
    a possibly hidden one is chosen, because its new state reveals the old one. `excluded` cells are never
    chosen.
    """
    hidden = board.closed & ~excluded
    for other in alternatives if not hidden else ():
        hidden |= other.board.closed & board.unread & ~excluded
    if len(alternatives) < 2 or not hidden:
        return usual
    safe = dict.fromkeys(bits(hidden), 0.0)
    everything = 0.0
    for other in alternatives:
        try:
            known = board_knowledge(other.board)
            risky = exact_probabilities(count_components(known))
        except Contradiction:
            continue
        everything += other.weight
        for k in safe:
            decided = (known.true | known.false) >> k & 1
            risk = float(known.true >> k & 1) if decided else risky.of(k)
            safe[k] += other.weight * (1.0 - risk) * (other.board.closed >> k & 1)
    if not everything:
        return usual
    best = max(safe, key=lambda k: (round(safe[k], 6), usual is not None and k == usual.cell, -k))
    if usual is not None and safe[best] <= safe.get(usual.cell, 0.0) + BETTER:
        return usual
    likely = min(safe[best] / everything, 1.0)
    return Guess(best, likely, f"safest over {len(alternatives)} boards that the picture may show")


@dataclass(frozen=True, eq=False, slots=True)
class LazyCertainCells:
    """Reasons for a cell set, computed by each iteration. `author` names the strategy of a deduction."""

    knowledge: Knowledge
    cells: int
    author: Callable[[Deduction | None], str]

    def __iter__(self) -> Iterator[CertainCell]:
        for cell in bits(self.cells):
            deduction = self.knowledge.why(cell)
            rule = deduction.step.rule if deduction else ""
            because = tuple(str(source) for source in self.knowledge.because(cell))
            is_mine = bool(self.knowledge.true >> cell & 1)
            yield CertainCell(cell, is_mine, rule, because, self.author(deduction))


LONGEST_FAULT = 500  # characters of a strategy fault that are printed


class Planner:
    """Plans the moves of one game, incrementally from the knowledge of the previous board.

    With `thorough`, everything certain is derived on each board, which saves screen captures. Otherwise the
    expensive strategies run only if the cheap ones find no cell to open, which saves time; games differ only
    in the order of certain moves. `knowledge` holds for the last planned board and all its alternatives.
    `rules` describes the game; an assumed mine total that the clues refute is removed from it.
    """

    def __init__(self, reasoner: Reasoner, rules: GameRules, thorough: bool = True) -> None:
        self._reasoner = reasoner
        self.rules = rules
        self._thorough = thorough
        self._explained = 0  # cells whose reason has been reported
        self._faults_named = 0
        self._excluded = 0  # cells that are never played
        self._later: tuple[Move, ...] = ()  # moves of the last plan that wait
        self._before: Board | None = None  # the last planned board
        self._known = self.knowledge = Knowledge.of(0, ())  # for that board; for all its alternatives

    def exclude(self, cells: int) -> None:
        """Never play this cell set, because the program ignores clicks there."""
        self._excluded |= cells

    def plan(self, board: Board, alternatives: Sequence[BoardHypothesis] = ()) -> Plan:
        """The next moves; `alternatives` are the boards that the image may show, if several.

        Raises Contradiction if the clues are inconsistent.
        """
        board = self._under_rules(board)
        self._reasoner.about(board)
        self._reason(board)
        self.knowledge = self._known
        if len(alternatives) > 1:
            alternatives = [replace(other, board=self._under_rules(other.board)) for other in alternatives]
            self.knowledge = certain_in_all_hypotheses(board, self._known, alternatives, self._reasoner)
        certain = self._news(board)
        wrong_flags = board.flagged & self.knowledge.false
        moves = tuple(
            m for m in order_moves(board, self.knowledge, self.rules) if not self._excluded >> m.cell & 1
        )
        mines = self.knowledge.true & board.closed
        if moves or not (board.closed | board.unread) & ~self.knowledge.true:
            moves, later = self._split(board, moves)
            reasons = self._reasons(board, moves[0]) if moves else ()
            return Plan(moves, certain, wrong_flags=wrong_flags, later=later, mines=mines, reasons=reasons)
        guess, other = self._guess_assuming_total(board) or self._guesses(self._position(board, self._known))
        if guess is None and len(alternatives) < 2:
            return Plan((), certain)
        if guess and not board.open and not board.unread and self.rules.first_click in ("safe", "zero"):
            promised = f"the first click is {self.rules.first_click}"
            promise = CertainCell(guess.cell, False, "first click", (promised,), self._reasoner.guesser)
            return Plan((Move("open", guess.cell),), (*certain, promise), mines=mines, reasons=(promise,))
        usual = guess
        guess = safest_guess(board, alternatives, usual, self._excluded | self.knowledge.true)
        by = self._reasoner.guesser
        moves = (Move("open", guess.cell),) if guess else ()
        other = other if guess is usual else None
        return Plan(moves, certain, guess, guess_by=by if guess else "", mines=mines, next_guess=other)

    def _split(self, board: Board, moves: Sequence[Move]) -> tuple[tuple[Move, ...], tuple[Move, ...]]:
        """The moves of this plan and the later ones: with `one_by_one`, all but the first are later.

        Moves that waited before come first, because viewers expect them. A chord waits for the flags around
        it.
        """
        if not self.rules.one_by_one:
            return tuple(moves), ()
        flags = cell_set(move.cell for move in moves if move.kind == "flag")
        announced = {move: place for place, move in enumerate(self._later)}

        def rank(move: Move) -> int:
            if move.kind == "chord" and board.around[move.cell] & flags:
                return len(announced) + 1
            return announced.get(move, len(announced))

        ordered = tuple(sorted(moves, key=rank))
        self._later = ordered[1:]
        return ordered[:1], self._later

    def _reasons(self, board: Board, move: Move) -> Iterable[CertainCell]:
        cells = board.around[move.cell] & board.closed & self.knowledge.false
        if move.kind != "chord":
            cells = 1 << move.cell
        return LazyCertainCells(self.knowledge, cells, self._reasoner.author)

    def _guess_assuming_total(self, board: Board) -> tuple[Guess | None, Guess | None] | None:
        """The guesses if the assumed mine total is right; None without one or if the clues refute it."""
        total = self.rules.assumed_mines
        if total is None or self.rules.mines is not None:
            return None
        try:
            known = self._reasoner.deduce(board_knowledge(board.with_mines(total))).knowledge
        except Contradiction:
            self.rules = replace(self.rules, assumed_mines=None)
            return None
        safe = board.closed & known.false & ~self._excluded
        if safe:
            why = f"safe if there are {total} mines, which nothing proves"
            return Guess(next(bits(safe)), 1.0, why), None
        return self._guesses(self._position(board, known))

    def _guesses(self, position: Position) -> tuple[Guess | None, Guess | None]:
        """The best guess and the next one; the next one only for games that people watch."""
        most = 2 if self._thorough else 1
        found = self._reasoner.guess(position, most) if position.openable else ()
        best, other, *_ = (*found, None, None)
        return best, other

    def _under_rules(self, board: Board) -> Board:
        return board.with_variant(self.rules.variant).with_mines(self.rules.mines)

    def _reason(self, board: Board) -> None:
        """Derive everything certain, incrementally if possible."""
        before, self._before = self._before, None
        enough = 0 if self._thorough else board.closed
        try:
            known = updated_knowledge(self._known, before, board) if before else None
            if known is not None:
                outcome = self._reasoner.deduce(known, enough, known.news)
        except Contradiction:
            known = None  # the earlier knowledge may come from a misread board
        if known is None:
            known = board_knowledge(board)
            try:
                outcome = self._reasoner.deduce(known, enough)
            except Contradiction as error:
                raise minimize_contradiction(error, known.given) from error
        self._before, self._known = board, outcome.knowledge

    @property
    def strategies(self) -> tuple[str, ...]:
        """The names of all strategies, including quarantined ones, in the order of trial."""
        return tuple(strategy.name for strategy in self._reasoner.strategies)

    @property
    def all_faults(self) -> tuple[str, ...]:
        """The faults of strategies so far, one line each."""
        faults = self._reasoner.faults
        return tuple(shorten(str(fault), LONGEST_FAULT, placeholder=" …") for fault in faults)

    def faults(self) -> list[str]:
        """The faults of strategies since the last call, one line each."""
        faults = self.all_faults[self._faults_named :]
        self._faults_named += len(faults)
        return list(faults)

    def _news(self, board: Board) -> Iterable[CertainCell]:
        news = (self.knowledge.true | self.knowledge.false) & board.not_open & ~self._explained
        self._explained |= news
        return LazyCertainCells(self.knowledge, news, self._reasoner.author) if news else ()

    def _position(self, board: Board, known: Knowledge) -> Position:
        return Position(
            known,
            board.rows,
            board.columns,
            board.closed & known.undecided & ~self._excluded,
            board.around,
            None if board.open or board.unread else self.rules.first_click,
        )
