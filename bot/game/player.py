"""The game loop: observe, reason, act, verify. It knows neither screen nor mouse.

Moves without a visible effect are repeated a limited number of times. Then the player asks, in this order,
whether a mine hit earlier explains it, whether the game has ended, and whether other cells can be played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from bot.game.board_change import is_move_visible, unread_edges
from bot.game.observation import FEW_LOOKS, LOOKS, PATIENT_LOOKS, ObservationFilter
from bot.game.outcome import GameResult, Outcome, OutcomeTracker, bv3_of
from bot.game.plan import Planner, without_chords
from bot.game.types import BoardProbe, Certainty, GameListener, GameTable, Plan, Result, Stopwatch
from games.errors import BoardUnplayable, Contradiction, ProgramExited, ResultUnknown, SapperError
from games.logic import bits, cell_set
from games.minesweeper import DIGITS, MINES_SHOWN, Board, Move
from vision.reading import Reading

DOUBTS = 3  # contradictory boards per game before giving up
TRIES = 3  # attempts for a move without visible effect
IDLE_LOOKS = 5  # readings (1.5 seconds) before a guess on a board that may be won
FEW_TRIES = 2  # the same if the game may be over, or other moves were ignored
FIRST_CELLS = 3  # first clicks without effect before giving up


class _GameOver(Exception):  # not an error: the game is over
    def __init__(self, ending: Outcome) -> None:
        self.ending = ending


@dataclass(eq=False)
class Player:
    """Plays one game at a table.

    `planner` knows the rules and chooses moves, `listeners` receive the events. `play` returns a
    `GameResult`; if it raises an error, `result` returns the game so far. `explain` is called when moves have
    no visible effect, and returns True if the next observation will show why. `probe` determines the status
    of a board that cannot be read after a move that may have ended the game. `dismiss_dialog` closes a dialog
    of the program over the board, and returns whether there was one.
    """

    table: GameTable
    planner: Planner
    listeners: Sequence[GameListener] = ()
    watch: Stopwatch = field(default_factory=Stopwatch)
    explain: Callable[[], bool] | None = None
    probe: BoardProbe | None = None
    dismiss_dialog: Callable[[], bool] | None = None
    _board: Board | None = field(default=None, init=False)
    _reading: Reading | None = field(default=None, init=False)  # the last one accepted
    _doubts: int = field(default=0, init=False)
    _refusal: BoardUnplayable | None = field(default=None, init=False)  # of the first move that was given up
    _refused_since: int = field(default=0, init=False)  # moves given up since the last visible one
    _clicks: int = field(default=0, init=False)
    _most_unread: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._outcomes = OutcomeTracker(self.planner, self.probe)
        self._observer = ObservationFilter(self.table, self._outcomes, self.planner, self._note)

    def play(self) -> GameResult:
        """Play to the end. Raises GameStopped errors (moved, covered, interrupted, unplayable)."""
        board = self._first_look()
        in_vain = 0  # consecutive plans that changed nothing
        try:
            while True:
                self._end_if(self._outcome(board))
                try:
                    plan = self._plan(board)
                except Contradiction as error:
                    board = self._retry_contradiction(board, error)
                    continue
                self._end_if(self._outcome(board))
                if self._reading and self._reading.has_ended:
                    raise ResultUnknown(
                        "the game is over, but the board does not show the result: start the next game"
                    )
                self._most_unread = max(self._most_unread, board.unread.bit_count())
                if not plan.moves:
                    self._end_if(self._outcomes.without_moves(board))
                    if self._refusal:
                        raise self._refusal
                    raise BoardUnplayable(
                        "no cell left to open, but the game is not over: is the whole board visible?"
                    )
                before, board = board, self._carry_out(board, plan)
                in_vain = in_vain + 1 if board == before else 0
                if in_vain >= TRIES:  # an unknown cell counts as changed, but not forever
                    raise _not_shown(plan.moves[0], board)
        except _GameOver as over:
            if over.ending.why:
                self._note(f"{over.ending.why}: {over.ending.result}")
            return self.result(over.ending.result, known=over.ending.known)

    def _end_if(self, ending: Outcome | None) -> None:
        if ending is not None:
            raise _GameOver(ending)

    @property
    def board(self) -> Board:
        """The last board; a single closed cell before the first reading."""
        return self._board or Board.fresh(1, 1)

    def result(self, ended: Result, known: Certainty = "unknown") -> GameResult:
        """The game so far, with this result."""
        board, rules = self.board, self.planner.rules
        mines = rules.assumed_mines if rules.mines is None else rules.mines
        seconds = self.watch.seconds
        return GameResult(
            result=ended,
            program=None,  # the caller adds it
            size=f"{board.columns}x{board.rows}",
            mines=mines,
            certain=self._outcomes.certain,
            guesses=self._outcomes.guesses,
            clicks=self._clicks,
            wrong_certain=self._outcomes.wrong_certain(board.with_mines(rules.mines), ended == "lost"),
            unread=self._most_unread,
            seconds=self.watch.total,
            capture_s=seconds["capture"],
            read_s=seconds["read"],
            reason_s=seconds["reason"],
            act_s=seconds["act"],
            wait_s=seconds["wait"],
            strategies=self.planner.strategies,
            faults=self.planner.all_faults,
            bv3=bv3_of(board.with_mines(rules.mines), ended == "won" and known == "seen"),
            known=known,
        )

    def _outcome(self, board: Board) -> Outcome | None:
        return self._outcomes.after_reading(board, self._reading.alternatives if self._reading else ())

    def _plan(self, board: Board) -> Plan:
        assumed = self.planner.rules.assumed_mines
        with self.watch.timing("reason"):
            plan = self.planner.plan(board, self._reading.alternatives if self._reading else ())
        if self.planner.rules.assumed_mines != assumed:
            self._note(f"a total of {assumed} mines is wrong: the clues refute it, so it is ignored")
        for fault in self.planner.faults():
            self._note(fault)
        for listener in self.listeners:
            listener.on_plan(board, plan)
        return plan

    def _carry_out(self, board: Board, plan: Plan) -> Board:
        """Make the moves until all of them are visible, and return the board.

        Moves that stay invisible raise BoardUnplayable, unless the game is over: an earlier move hit an
        unrecognised mine, or only flags are left and a win may not require them.
        """
        moves, certain = plan.moves, plan.guess is None
        start, is_done = board, self._outcomes.is_done(board, plan)
        is_idle = is_done or self._outcomes.is_idle(board)
        if is_idle and plan.guess and (now := self._wait(board, plan)) != board:
            return now
        may_be_over = is_idle or self._outcomes.opened_last_plan & board.unread
        tried: Counter[Move] = Counter()
        is_doubtful = is_idle or bool(self._refused_since and board.open)
        tries, most = 0, FEW_TRIES if is_doubtful else TRIES
        for _ in range(2 * most):
            if tries == TRIES - 1:
                moves = without_chords(moves, board, self.planner.knowledge)
                if not moves:  # only chords were left, and they open nothing
                    self._outcomes.confirm(start, plan)
                    return board
            self._outcomes.on_moves(
                board, moves, certain
            )  # before: an act that breaks off may have been made
            broken_off: SapperError | None = None
            try:
                made = self.table.act(moves, certain)
                made = moves if made is None else made
            except SapperError as error:
                made, broken_off = moves[: error.made], error
            if made or broken_off is None:
                self._note_again(board, [move for move in made if move in tried])
                self._acted(board, made)
            if broken_off is not None:
                self._after_broken_off(board, plan, made, broken_off)
            tried.update(made)
            board = self._look_after(board, plan, made or moves, FEW_LOOKS if may_be_over else PATIENT_LOOKS)
            if ending := self._outcomes.after_redeal(start, board, plan):
                self._outcomes.confirm(start, plan)
                raise _GameOver(ending)
            moves = tuple(move for move in moves if not is_move_visible(move, board))
            if not moves or board.shown_mines or (self._reading and self._reading.has_ended):
                self._outcomes.confirm(start, plan)
                self._refused_since = 0
                return board
            tries = max(tried[move] for move in moves)  # the table may make only the first of them
            if tries >= most:
                break
        return self._after_refusal(start, board, plan, [move for move in moves if move in tried] or moves)

    def _after_refusal(self, start: Board, board: Board, plan: Plan, moves: Sequence[Move]) -> Board:
        """Handle moves that stay invisible; return the board if it was misread or other cells can be played.

        Raises _GameOver or BoardUnplayable.
        """
        if self.explain is not None and self.explain():
            board = self._look(None, ())
            ending = self._outcomes.after_reading(board)
            if ending is not None:
                raise _GameOver(replace(ending, known="inferred", why="the program ignores further moves"))
            return board
        self._end_if(self._outcomes.after_refused_moves(start, board, plan))
        self._end_if(self._outcomes.after_dialog(board, plan))
        self._skip_unresponsive(moves, board)
        return board

    def _skip_unresponsive(self, moves: Sequence[Move], board: Board) -> None:
        """Exclude cells that ignore clicks and their neighbours, so that others can be played.

        Something may cover them.

        Raises BoardUnplayable if the previous moves or several first clicks were ignored as well.
        """
        self._refusal = self._refusal or _not_shown(moves[0], board)
        is_first = not board.open
        self._refused_since += 1
        if self._refused_since >= (FIRST_CELLS if is_first else 2):
            raise self._refusal
        cells = cell_set(move.cell for move in moves)
        for _ in range(2 if is_first else 1):
            for cell in bits(cells):
                cells |= board.around[cell]
        self.planner.exclude(cells)
        self._note(f"skipped, since clicks have no effect there: {moves[0].text(board)}")

    def _note_again(self, board: Board, moves: Sequence[Move]) -> None:
        if moves:
            more = f" and {len(moves) - 1} more" if len(moves) > 1 else ""
            self._note(f"clicked again, since it did not show: {moves[0].text(board)}{more}")

    def _after_broken_off(self, board: Board, plan: Plan, made: Sequence[Move], error: SapperError) -> None:
        """Return if a dialog of the program was in the way, and was dismissed; otherwise raise the error.

        Raises _GameOver if the game ended before this plan or with the moves made of it.
        """
        if isinstance(error, (BoardUnplayable, ProgramExited)):
            as_made = replace(plan, moves=tuple(made))
            if not made:
                self._end_if(self._outcomes.before_moves(board, plan))
            elif self._outcomes.is_decidable(board, as_made):
                self._end_if(self._out_of_sight(board, as_made, error))
        if not (isinstance(error, BoardUnplayable) and self._close_dialog(board, made)):
            raise error

    def _acted(self, board: Board, moves: Sequence[Move]) -> None:
        self._clicks += len(moves)
        for listener in self.listeners:
            listener.on_moves(board, moves)

    def _wait(self, board: Board, plan: Plan) -> Board:
        """The board a moment later: the game may be won, and the program about to show it."""
        try:
            return self._look(board, plan.moves, FEW_LOOKS, IDLE_LOOKS)
        except (BoardUnplayable, ProgramExited):
            self._end_if(self._outcomes.before_moves(board, plan))
            raise

    def _look_after(self, board: Board, plan: Plan, moves: Sequence[Move], for_acts: int) -> Board:
        """The board after moves of this plan. Raises _GameOver if it disappeared and the outcome is known."""
        can_say = self._outcomes.is_decidable(board, plan)
        try:
            now = self._look(board, moves, FEW_LOOKS if can_say else LOOKS, for_acts)
            hides_numbers = can_say and self._reading is not None and self._reading.board.unread & board.open
            # after a first click, a board shows a number, a mine or a closed cell
            is_no_board = not (board.open or now.closed or now.cells_showing(DIGITS[1:] + MINES_SHOWN))
            if not ((hides_numbers or is_no_board) and self._close_dialog(board, moves)):
                return now
        except (BoardUnplayable, ProgramExited) as error:
            if can_say:
                self._end_if(self._out_of_sight(board, plan, error))
            if not self._close_dialog(board, moves) and not can_say:
                raise
        try:
            return self._look(board, moves, for_acts=for_acts)
        except (BoardUnplayable, ProgramExited) as error:
            if can_say:
                self._end_if(self._out_of_sight(board, plan, error))
            raise

    def _close_dialog(self, board: Board, moves: Sequence[Move]) -> bool:
        """Dismiss a dialog that covers the board after these moves; returns whether there was one."""
        if self.dismiss_dialog is None or not self.dismiss_dialog():
            return False
        self._outcomes.on_dialog(board, moves)
        self._note("closed a dialog of the program that covered the board")
        return True

    def _out_of_sight(self, board: Board, plan: Plan, error: SapperError) -> Outcome | None:
        has_closed = isinstance(error, ProgramExited)
        ending, reading = self._outcomes.after_status(board, plan, has_closed)
        if reading is not None:
            self._board, self._reading = self._observer.taken(reading, board), reading
        if ending is not None:
            self._outcomes.confirm(board, plan)
        return ending

    def _retry_contradiction(self, board: Board, error: Contradiction) -> Board:
        """Read a contradictory board again. Raises BoardUnplayable if that does not help."""
        self._doubts += 1
        if self._doubts > DOUBTS:
            raise BoardUnplayable(
                f"{error}: the board was misread, or the size or the mine total is wrong"
            ) from error
        self._note(f"read the board again: {error}")
        return self._look(None, ())

    def _first_look(self) -> Board:
        """The first board; a dialog over it, perhaps of the previous game, is dismissed.

        An unreadable row or column at the edge may be a decoration next to the board: it is not played.
        """
        try:
            board = self._look(None, ())
        except BoardUnplayable:
            if not self._close_dialog(self.board, ()):
                raise
            board = self._look(None, ())
        edges = unread_edges(board)
        if edges:
            self.planner.exclude(edges)
            self._note(
                f"not played, since a whole row or column is unreadable: {board.name(next(bits(edges)))}"
            )
        return board

    def _look(
        self,
        before: Board | None,
        moves: Sequence[Move],
        most: int = LOOKS,
        for_acts: int = PATIENT_LOOKS,
    ) -> Board:
        self._board, self._reading = self._observer.look(before, moves, most, for_acts)
        for listener in self.listeners:
            listener.on_reading(self._reading)
        return self._board

    def _note(self, text: str) -> None:
        for listener in self.listeners:
            listener.on_note(text)


def _not_shown(move: Move, board: Board) -> BoardUnplayable:
    return BoardUnplayable(
        f"'{move.text(board)}' has no effect after {TRIES} clicks: "
        "is the window in front, and is this the right board?"
    )
