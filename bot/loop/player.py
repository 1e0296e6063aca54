"""The loop of a game: look, check, reason, act, see that the act showed. It knows no screen and no mouse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from bot.loop.books import Books
from bot.loop.observing import Observer, has_shown
from bot.loop.outcome import GameResult, bv3_of, outcome_of, outcome_without_board
from bot.loop.planner import Planner
from bot.loop.ports import Listener, Outcome, Plan, Rules, Table
from bot.loop.stopwatch import Stopwatch
from games.errors import Contradiction, SapperError, Unplayable
from games.minesweeper import Board, Move
from vision.reading import Reading

End = Literal["shown", "ended", "refused"]

GONE = "the board is gone"  # how the note begins that is made when a game ended so
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
        self._reading: Reading | None = None  # the last one that was accepted
        self._doubts = 0
        self._books = Books()
        self._observer = Observer(table, rules, self._books, planner, self._note)

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
            if self._reading and self._reading.has_ended:
                raise Unplayable("the game is over, and the board does not show how it ended: start the next")
            self._books.unread = max(self._books.unread, board.unread.bit_count())
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
                self._books.shown(plan)

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
        books = self._books
        seconds = self._watch.seconds
        return GameResult(
            result=outcome,
            program=program,
            size=f"{board.columns}x{board.rows}",
            mines=self._rules.mines,
            certain=books.certain,
            guesses=books.guesses,
            clicks=books.clicks,
            wrong_certain=books.wrong_certain(board, outcome == "lost"),
            unread=books.unread,
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
            plan = self._planner.plan(board, self._reading.alternatives if self._reading else ())
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
        moves, certain = plan.moves, plan.guess is None
        for attempt in range(TRIES):
            if attempt:
                self._note(
                    f"clicked again, since it did not show: {moves[0].text(board)}"
                    + (f" and {len(moves) - 1} more" if len(moves) > 1 else "")
                )
            self._books.opens(board, moves, certain)  # before: an act that breaks off may have been made
            try:
                made = self._table.act(moves, certain)
            except SapperError as error:
                if error.made:
                    self._acted(board, error.made)
                raise
            self._acted(board, moves if made is None else made)
            board = self._look(board, moves)
            moves = tuple(move for move in moves if not has_shown(move, board))
            if not moves or board.shown_mines or (self._reading and self._reading.has_ended):
                return board, "shown"
        if self._explain is not None and self._explain():
            return self._look(None, ()), "ended"
        if self._rules.win_needs == "unknown" and all(move.kind == "flag" for move in plan.moves):
            return board, "refused"
        raise Unplayable(
            f"'{moves[0].text(board)}' was clicked {TRIES} times and does not show: "
            "is the window in front, and is it the board that is to be played?"
        )

    def _acted(self, board: Board, moves: Sequence[Move]) -> None:
        """These moves were made."""
        self._books.clicks += len(moves)
        for listener in self._listeners:
            listener.acted(board, moves)

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
        self._board, self._reading = self._observer.look(before, moves)
        for listener in self._listeners:
            listener.looked(self._reading)
        return self._board

    def _note(self, text: str) -> None:
        for listener in self._listeners:
            listener.noted(text)
