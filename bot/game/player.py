"""The game loop: observe, reason, act, verify. It knows neither screen nor mouse.

Moves without a visible effect are repeated a limited number of times. Then the player asks, in this order,
whether a mine hit earlier explains it, whether the game has ended, and whether other cells can be played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from bot.game.board_change import is_move_visible
from bot.game.observation import FEW_LOOKS, LOOKS, PATIENT_LOOKS, ObservationFilter
from bot.game.outcome import GameResult, Outcome, OutcomeTracker, bv3_of
from bot.game.plan import Planner, without_chords
from bot.game.types import BoardProbe, Certainty, GameListener, GameRules, GameTable, Plan, Result, Stopwatch
from games.errors import BoardUnplayable, Contradiction, ProgramExited, ResultUnknown, SapperError
from games.logic import bits
from games.minesweeper import DIGITS, MINES_SHOWN, Board, Move
from strategies import Reasoner
from vision.reading import Reading

DOUBTS = 3  # boards that contradict themselves, in one game, before it is given up
TRIES = 3  # times that an act which does not show is made
IDLE_LOOKS = 5  # looks, 1.5 seconds, before a guess on a board that may be won
FEW_TRIES = 2  # the same where it would be no wonder: the game may be over
FIRST_CELLS = 3  # that are tried before a board that takes no first click is given up


class _GameOver(Exception):  # no error: the game is over, and the board does not show it
    def __init__(self, ending: Outcome) -> None:
        self.ending = ending


class Player:
    """Plays one game at a table.

    `rules` describes the game, `planner` chooses moves, `listeners` receive the events. `play` returns a
    `GameResult`; if it raises an error, `result` returns the game so far. `explain` is called when moves have
    no visible effect, and returns True if the next observation will show why. `probe` determines the status
    of a board that cannot be read after a move that may have ended the game. `dismiss_dialog` closes a dialog
    of the program over the board, and returns whether there was one.
    """

    def __init__(
        self,
        table: GameTable,
        planner: Planner,
        rules: GameRules,
        listeners: Sequence[GameListener] = (),
        watch: Stopwatch | None = None,
        explain: Callable[[], bool] | None = None,
        probe: BoardProbe | None = None,
        dismiss_dialog: Callable[[], bool] | None = None,
    ) -> None:
        self._table = table
        self._planner = planner
        self._rules = rules
        self._listeners = tuple(listeners)
        self._watch = watch or Stopwatch()
        self._explain = explain
        self._dismiss_dialog = dismiss_dialog
        self._board: Board | None = None
        self._reading: Reading | None = None  # the last one that was accepted
        self._doubts = 0
        self._refusal: BoardUnplayable | None = None  # the first act that was given up
        self._refused_since = 0  # acts that were given up since one showed
        self._clicks = self._most_unread = 0
        self._outcomes = OutcomeTracker(rules, planner, probe)
        self._observer = ObservationFilter(table, rules, self._outcomes, planner, self._note)

    def play(self) -> GameResult:
        """Play to the end. Raises Stop errors (moved, covered, interrupted …) and Unplayable."""
        board = self._look(None, ())
        in_vain = 0  # plans in a row that changed nothing
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
                        "the game is over, and the board does not show how it ended: start the next"
                    )
                self._most_unread = max(self._most_unread, board.unread.bit_count())
                if not plan.moves:
                    self._end_if(self._outcomes.without_moves(board))
                    if self._refusal:
                        raise self._refusal
                    raise BoardUnplayable(
                        "no cell can be opened and the game is not over: is this a whole board?"
                    )
                before, board = board, self._carry_out(board, plan)
                in_vain = in_vain + 1 if board == before else 0
                if in_vain >= TRIES:  # an unread cell may show anything, but not for ever
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
        """What was read last; one closed cell before anything was."""
        return self._board or Board.fresh(1, 1)

    def result(self, ended: Result, known: Certainty = "unknown") -> GameResult:
        """The game as far as it came."""
        board = self.board
        seconds = self._watch.seconds
        return GameResult(
            result=ended,
            program=None,  # whoever started one says which
            size=f"{board.columns}x{board.rows}",
            mines=self._rules.mines,
            certain=self._outcomes.certain,
            guesses=self._outcomes.guesses,
            clicks=self._clicks,
            wrong_certain=self._outcomes.wrong_certain(board.with_mines(self._rules.mines), ended == "lost"),
            unread=self._most_unread,
            seconds=self._watch.total,
            capture_s=seconds["capture"],
            read_s=seconds["read"],
            reason_s=seconds["reason"],
            act_s=seconds["act"],
            wait_s=seconds["wait"],
            strategies=self._planner.strategies,
            faults=self._planner.all_faults,
            bv3=bv3_of(board.with_mines(self._rules.mines), ended == "won" and known == "seen"),
            known=known,
        )

    def _outcome(self, board: Board) -> Outcome | None:
        return self._outcomes.after_reading(board, self._reading.alternatives if self._reading else ())

    def _plan(self, board: Board) -> Plan:
        with self._watch.timing("reason"):
            plan = self._planner.plan(board, self._reading.alternatives if self._reading else ())
        for fault in self._planner.faults():
            self._note(fault)
        for listener in self._listeners:
            listener.on_plan(board, plan)
        return plan

    def _carry_out(self, board: Board, plan: Plan) -> Board:
        """Act until every act shows; the board then.

        Acts that never show raise Unplayable, but for a game that is over: a mine was hit before, and not
        known as one, or all that is left is to set flags, and nobody said whether a win needs them.
        """
        moves, certain = plan.moves, plan.guess is None
        start, is_done = board, self._outcomes.is_done(board, plan)
        is_idle = is_done or self._outcomes.is_idle(board)
        if is_idle and plan.guess and (now := self._wait(board, plan)) != board:
            return now
        may_be_over = is_idle or self._outcomes.opened_last_plan & board.unread
        tried: set[Move] = set()
        tries, most = 0, FEW_TRIES if is_idle else TRIES
        for _ in range(2 * most):
            if tries == TRIES - 1:
                moves = without_chords(moves, board, self._planner.knowledge)
                if not moves:  # a flag that came too late went off again, and its number has nothing to open
                    self._outcomes.confirm(start, plan)
                    return board
            self._outcomes.on_moves(
                board, moves, certain
            )  # before: an act that breaks off may have been made
            try:
                made = self._table.act(moves, certain)
            except SapperError as error:
                done = moves[: error.made]
                if done:
                    self._note_again(board, [move for move in done if move in tried])
                    self._acted(board, done)
                if isinstance(error, (BoardUnplayable, ProgramExited)):
                    self._end_broken_off(board, plan, done)
                raise
            made = moves if made is None else made
            self._note_again(board, [move for move in made if move in tried])
            tried |= {*made}
            tries += len(made) == len(moves)  # it was cut short else
            self._acted(board, made)
            board = self._look_after(board, plan, made or moves, FEW_LOOKS if may_be_over else PATIENT_LOOKS)
            if ending := self._outcomes.after_redeal(start, board, plan):
                self._outcomes.confirm(start, plan)
                raise _GameOver(ending)
            moves = tuple(move for move in moves if not is_move_visible(move, board))
            if not moves or board.shown_mines or (self._reading and self._reading.has_ended):
                self._outcomes.confirm(start, plan)
                self._refused_since = 0
                return board
            if tries == most:
                break
        return self._after_refusal(start, board, plan, moves)

    def _after_refusal(self, start: Board, board: Board, plan: Plan, moves: Sequence[Move]) -> Board:
        """The board, looked at again, where it was only misread that these moves of the plan do not show.

        Raises _Over where the game is over, or else Unplayable.
        """
        if self._explain is not None and self._explain():
            board = self._look(None, ())
            ending = self._outcomes.after_reading(board)
            if ending is not None:
                raise _GameOver(replace(ending, known="inferred", why="the program takes no more acts"))
            return board
        self._end_if(self._outcomes.after_refused_moves(start, board, plan))
        self._end_if(self._outcomes.after_dialog(board, plan))
        self._skip_unresponsive(moves, board)
        return board

    def _skip_unresponsive(self, moves: Sequence[Move], board: Board) -> None:
        """Leave cells of which the program takes no click, while others may be opened: something lies there.

        Raises Unplayable where the same happened to the acts before, or to several first clicks.
        """
        self._refusal = self._refusal or _not_shown(moves[0], board)
        is_first = not board.open
        self._refused_since += 1
        if self._refused_since >= (FIRST_CELLS if is_first else 2):
            raise self._refusal
        for move in moves:
            self._planner.left |= 1 << move.cell
            for beside in bits(board.around[move.cell]) if is_first else ():
                self._planner.left |= 1 << beside | board.around[beside]
        self._note(f"left alone, since no click shows there: {moves[0].text(board)}")

    def _note_again(self, board: Board, moves: Sequence[Move]) -> None:
        """These moves are made a second time."""
        if moves:
            more = f" and {len(moves) - 1} more" if len(moves) > 1 else ""
            self._note(f"clicked again, since it did not show: {moves[0].text(board)}{more}")

    def _end_broken_off(self, board: Board, plan: Plan, made: Sequence[Move]) -> None:
        """Raise _Over where the game had ended before this plan's moves, or with those of them made."""
        if not made:
            self._end_if(self._outcomes.before_moves(board, plan))
            return
        as_made = replace(plan, moves=tuple(made))
        if self._outcomes.is_decidable(board, as_made):
            self._end_if(self._out_of_sight(board, as_made))

    def _acted(self, board: Board, moves: Sequence[Move]) -> None:
        """These moves were made."""
        self._clicks += len(moves)
        for listener in self._listeners:
            listener.on_moves(board, moves)

    def _wait(self, board: Board, plan: Plan) -> Board:
        """The board a moment later: it may have been won already, and the program is about to say so."""
        try:
            return self._look(board, plan.moves, FEW_LOOKS, IDLE_LOOKS)
        except (BoardUnplayable, ProgramExited):
            self._end_if(self._outcomes.before_moves(board, plan))
            raise

    def _look_after(self, board: Board, plan: Plan, moves: Sequence[Move], for_acts: int) -> Board:
        """The board after moves of this plan. Raises _Over where it is out of sight, and why is known."""
        can_say = self._outcomes.is_decidable(board, plan)
        try:
            now = self._look(board, moves, FEW_LOOKS if can_say else LOOKS, for_acts)
            hides_numbers = can_say and self._reading is not None and self._reading.board.unread & board.open
            # a first click brings up a number, a mine, or leaves something shut
            is_no_board = not (board.open or now.closed or now.cells_showing(DIGITS[1:] + MINES_SHOWN))
            if not ((hides_numbers or is_no_board) and self._has_answered(board, moves)):
                return now
        except (BoardUnplayable, ProgramExited):
            if can_say:
                self._end_if(self._out_of_sight(board, plan))
            if not self._has_answered(board, moves) and not can_say:
                raise
        try:
            return self._look(board, moves, for_acts=for_acts)
        except (BoardUnplayable, ProgramExited):
            if can_say:
                self._end_if(self._out_of_sight(board, plan))
            raise

    def _has_answered(self, board: Board, moves: Sequence[Move]) -> bool:
        """Whether the program had put something over the board after these moves, and it was answered."""
        if self._dismiss_dialog is None or not self._dismiss_dialog():
            return False
        self._outcomes.on_dialog(board, moves)
        self._note("a message of the program lay over the board: answered")
        return True

    def _out_of_sight(self, board: Board, plan: Plan) -> Outcome | None:
        ending, reading = self._outcomes.after_status(board, plan)
        if reading is not None:
            self._board, self._reading = self._observer.taken(reading, board), reading
        if ending is not None:
            self._outcomes.confirm(board, plan)
        return ending

    def _retry_contradiction(self, board: Board, error: Contradiction) -> Board:
        """Another look at a board that contradicts itself. Raises Unplayable when looking does not help."""
        self._doubts += 1
        if self._doubts > DOUBTS:
            raise BoardUnplayable(
                f"{error}: the board was misread, or the size or the mine total is not right"
            ) from error
        self._note(f"looked again: {error}")
        return self._look(None, ())

    def _look(
        self,
        before: Board | None,
        moves: Sequence[Move],
        most: int = LOOKS,
        for_acts: int = PATIENT_LOOKS,
    ) -> Board:
        """Look until the board can be what follows from `before` and `moves`, or patience ends."""
        self._board, self._reading = self._observer.look(before, moves, most, for_acts)
        for listener in self._listeners:
            listener.on_reading(self._reading)
        return self._board

    def _note(self, text: str) -> None:
        for listener in self._listeners:
            listener.on_note(text)


def _not_shown(move: Move, board: Board) -> BoardUnplayable:
    return BoardUnplayable(
        f"'{move.text(board)}' was clicked {TRIES} times and does not show: "
        "is the window in front, and is it the board that is to be played?"
    )


def make_player(
    table: GameTable,
    reasoner: Reasoner,
    rules: GameRules,
    listeners: Sequence[GameListener] = (),
    watch: Stopwatch | None = None,
    explain: Callable[[], bool] | None = None,
    probe: BoardProbe | None = None,
    dismiss_dialog: Callable[[], bool] | None = None,
) -> Player:
    """Create a player that chooses moves with this reasoner; the other arguments are those of `Player`."""
    return Player(table, Planner(reasoner, rules), rules, listeners, watch, explain, probe, dismiss_dialog)
