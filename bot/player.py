"""The loop of a game: look, check, reason, act, see that the act showed. It knows no screen and no mouse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

from bot.outcome import GameResult, bv3_of, outcome_of, outcome_without_board
from bot.planner import Planner
from bot.ports import Listener, Outcome, Plan, Reading, Rules, Table
from bot.stopwatch import Stopwatch
from games.errors import Contradiction, ImpossibleReading, ReadAgain, Unplayable
from games.logic import bits
from games.minesweeper import Board, Move, problems, problems_after
from games.minesweeper.board import CLOSED, EXPLODED, FLAG

End = Literal["shown", "ended", "refused"]

GONE = "the board is gone"  # how the note begins that is made when a game ended so
LOOKS = 12  # looks at one moment of the game before it is given up
STRANGE_LOOKS = 3  # looks that wait for a look that was never seen before to stay
PATIENT_LOOKS = 4  # looks that wait for unread cells to clear, before they are accepted as unread
MOST_UNREAD = 0.25  # of the cells: with more unknown, what is seen is hardly the board
MANY_NUMBERS, MOST_LOST = 8, 0.75  # open cells, and the share of them that nothing but another picture hides
ALL = 0.95  # the same of all cells, where there are fewer numbers
DOUBTS = 3  # boards that contradict themselves, in one game, before it is given up
TRIES = 3  # times that an act which does not show is made


class Player:
    """Plays one game at a table.

    `rules` says what is known of the game; `planner` reasons; `listeners` are told what happens. The outcome
    is a `GameResult`; whatever stops the game is raised as a `Stop` error after `result` can be asked for.
    `explain` is asked when acts do not show: True when the next look will tell why. `gone` is asked when the
    board cannot be read after an act: True when this board is no longer there.
    """

    def __init__(
        self,
        table: Table,
        planner: Planner,
        rules: Rules,
        listeners: Sequence[Listener] = (),
        watch: Stopwatch | None = None,
        explain: Callable[[], bool] | None = None,
        gone: Callable[[], bool] | None = None,
    ) -> None:
        self._table = table
        self._planner = planner
        self._rules = rules
        self._listeners = tuple(listeners)
        self._watch = watch or Stopwatch()
        self._explain = explain
        self._gone = gone
        self._board: Board | None = None
        self._doubts = 0
        self._cascades = True  # until a zero stays among closed cells
        self._certain = self._guesses = self._clicks = self._wrong = self._unread = 0

    def play(self) -> GameResult:
        """Play to the end. Raises Stop errors (moved, covered, interrupted …) and Unplayable."""
        board = self._look(None, ())
        last: tuple[Board, Plan] | None = None  # what was acted on last
        while True:
            if outcome := outcome_of(board, self._rules, self._planner.knowledge):
                return self.result(outcome)
            try:
                plan = self._plan(board)
            except Contradiction as error:
                board = self._look_again(board, error)
                continue
            if outcome := outcome_of(board, self._rules, self._planner.knowledge):
                return self.result(outcome)
            self._unread = max(self._unread, board.unread.bit_count())
            try:
                if not plan.moves:
                    raise Unplayable("no cell can be opened and the game is not over: is this a whole board?")
                last = board, plan
                board, end = self._carry_out(board, plan)
            except Unplayable:
                outcome = self._outcome_without_board(*last) if last else None
                if outcome is None:
                    raise
                return self.result(outcome)
            if end == "refused":
                return self.result("won")
            if end == "shown":
                self._score(board, plan)

    def _outcome_without_board(self, board: Board, plan: Plan) -> Outcome | None:
        """How the game ended if the board is gone since this plan; None when it is there, or nobody knows."""
        outcome = outcome_without_board(board, plan, self._planner.knowledge)
        if outcome is None or self._gone is None or not self._gone():
            return None
        self._note(f"{GONE}: {outcome}")
        return outcome

    def result(self, outcome: Outcome, program: str | None = None) -> GameResult:
        """The game as far as it came."""
        board = self._board or Board.fresh(1, 1)
        seconds = self._watch.seconds
        return GameResult(
            result=outcome,
            program=program,
            size=f"{board.columns}x{board.rows}",
            mines=self._rules.mines,
            certain=self._certain,
            guesses=self._guesses,
            clicks=self._clicks,
            wrong_certain=self._wrong,
            unread=self._unread,
            seconds=self._watch.total,
            capture_s=seconds["capture"],
            read_s=seconds["read"],
            reason_s=seconds["reason"],
            act_s=seconds["act"],
            wait_s=seconds["wait"],
            bv3=bv3_of(board.knowing(self._rules.mines), outcome == "won"),
        )

    def _plan(self, board: Board) -> Plan:
        with self._watch.timing("reason"):
            plan = self._planner.plan(board)
        for fault in self._planner.faults():
            self._note(fault)
        for listener in self._listeners:
            listener.planned(board, plan)
        return plan

    def _carry_out(self, board: Board, plan: Plan) -> tuple[Board, End]:
        """Act until every act shows; the board then, and what became of the acts.

        Acts that never show raise Unplayable. But a program of which nobody said what a win needs may have
        `refused` flags because it has already ended the game, and a mine that was hit before, and not known
        as one, may have `ended` it.
        """
        moves = plan.moves
        for attempt in range(TRIES):
            if attempt:
                self._note(
                    f"clicked again, since it did not show: {moves[0].text(board)}"
                    + (f" and {len(moves) - 1} more" if len(moves) > 1 else "")
                )
            self._table.act(moves)
            self._clicks += len(moves)
            for listener in self._listeners:
                listener.acted(board, moves)
            board = self._look(board, moves)
            moves = tuple(move for move in moves if not has_shown(move, board))
            if not moves or board.shown_mines:
                return board, "shown"
        if self._explain is not None and self._explain():
            return self._look(None, ()), "ended"
        if self._rules.win_needs == "unknown" and all(move.kind == "flag" for move in plan.moves):
            return board, "refused"
        raise Unplayable(
            f"'{moves[0].text(board)}' was clicked {TRIES} times and does not show: "
            "is the window in front, and is it the board that is to be played?"
        )

    def _look_again(self, board: Board, error: Contradiction) -> Board:
        """Another look at a board that contradicts itself. Raises Unplayable when looking does not help."""
        self._doubts += 1
        if self._doubts > DOUBTS:
            raise Unplayable(
                f"{error}: the board was misread, or the size or the mine total is not right"
            ) from error
        self._note(f"looked again: {error}")
        return self._look(None, ())

    def _look(self, before: Board | None, moves: Sequence[Move]) -> Board:
        """Look until the board can be what follows from `before` and `moves`, or patience ends."""
        trouble = ""
        seen = 0  # looks that showed anything: one that did not settle waits, but is not recorded
        for _ in range(LOOKS):
            try:
                reading = self._under_rules(self._table.look())
                seen += 1
                self._check(reading, before)
            except ReadAgain as error:
                trouble = str(error)
                continue
            if before is not None and is_lost(reading.board, before):
                trouble = "none of it is to be seen any more"
                continue
            board = carried_over(reading.board, before)
            news = reading.unsettled & ~(before.unread if before else 0)
            if news and seen <= STRANGE_LOOKS:  # a new look may be an animation
                continue
            blurred = board.unread & ~reading.unsettled
            if blurred & ~(before.unread if before else 0) and seen <= PATIENT_LOOKS:
                continue
            if blurred.bit_count() > MOST_UNREAD * len(board):
                trouble = "most of it is unknown: it moved, something covers it, or its look changed"
                continue
            over = bool(board.shown_mines)
            if self._cascades and not over and is_unfinished(board):
                trouble = "a zero stays among closed cells"
                if seen < LOOKS - 2:
                    continue
                self._cascades = False
            if not over and seen <= PATIENT_LOOKS and not all(has_shown(move, board) for move in moves):
                continue
            self._board = board
            for listener in self._listeners:
                listener.looked(reading)
            return board
        raise Unplayable(f"the board cannot be read: {trouble or 'cells stay unknown'}")

    def _under_rules(self, reading: Reading) -> Reading:
        """A reading of a board by the rules of the game at hand."""
        if reading.board.variant == self._rules.variant:
            return reading
        return replace(reading, board=reading.board.under(self._rules.variant))

    def _check(self, reading: Reading, before: Board | None) -> None:
        """Raise ReadAgain when this cannot be a board, or not one that follows on the one before."""
        found = problems(reading.board) if not reading.board.shown_mines else []
        if before is not None:
            found += problems_after(reading.board, before)
        if found:
            raise ImpossibleReading(found[0])

    def _score(self, board: Board, plan: Plan) -> None:
        """Count what this plan was worth; `board` is what it led to."""
        if plan.guess:
            self._guesses += 1
            return
        self._certain += len(plan.moves)
        if outcome_of(board, self._rules, self._planner.knowledge) == "lost":
            opened = 0
            for move in plan.moves:
                opened |= {"open": 1 << move.cell, "chord": board.around[move.cell]}.get(move.kind, 0)
            self._wrong += max(1, (opened & board.having(EXPLODED)).bit_count())

    def _note(self, text: str) -> None:
        for listener in self._listeners:
            listener.noted(text)


def carried_over(board: Board, before: Board | None) -> Board:
    """The board with cells that cannot be read now showing the numbers that they showed before.

    A number never changes, so something that covers it for a moment (a message, a highlight) hides nothing.
    """
    if before is None:
        return board
    return board.showing({k: before[k] for k in bits(board.unread & before.open)})


def is_lost(board: Board, before: Board) -> bool:
    """Whether so little of what was there can be read that this is another picture."""
    numbers = before.open.bit_count()
    if numbers < MANY_NUMBERS:
        return board.unread.bit_count() > ALL * len(board) and before.unread.bit_count() <= MOST_UNREAD * len(
            board
        )
    return (board.unread & before.open).bit_count() > MOST_LOST * numbers


def is_unfinished(board: Board) -> bool:
    """Whether a zero lies among closed cells: they are about to be opened, or a held button drew a blank."""
    return any(board.around[k] & board.closed for k in bits(board.having("0")))


def has_shown(move: Move, board: Board) -> bool:
    """Whether a board shows what a move does. A cell that is unread may show anything."""
    match move.kind:
        case "open":
            return board[move.cell] not in CLOSED + FLAG
        case "flag":
            return board[move.cell] not in CLOSED
        case "unflag":
            return board[move.cell] != FLAG
        case "chord":
            return not board.around[move.cell] & board.closed
