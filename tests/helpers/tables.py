"""Test doubles for the player: tables that misbehave, a clock that jumps, a listener."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.game.plan import Planner
from bot.game.player import Player
from bot.game.types import BoardState, BoardStatus, GameListener, GameRules, Plan
from games.logic import Knowledge, bits
from games.minesweeper import UNKNOWN, Board, Deal, Minefield, Move, board_knowledge, neighbours
from strategies import Reasoner, load_strategies
from vision.reading import Reading


def known(board: Board) -> Knowledge:
    """Everything that the strategies derive from a board."""
    return Reasoner(load_strategies()).deduce(board_knowledge(board)).knowledge


LADDER = """
    ....*
    .....
    .....
    .....
    *....
"""
RULES = GameRules(mines=2, first_click="safe", win_needs="open")


def field_of(
    truth: str, first_click: str = "none", win_needs: str = "open", opened: Sequence[int] = ()
) -> Minefield:
    """A minefield from text, one line per row, `*` for a mine; the cells `opened` are opened first."""
    rows = [line.strip() for line in truth.strip().splitlines()]
    cells = "".join(rows)
    order = [k for k, letter in enumerate(cells) if letter == "*"]
    others = [k for k in range(len(cells)) if k not in order]
    deal = Deal(len(rows), len(rows[0]), len(order), (*order, *others))
    field = Minefield(deal, first_click, win_needs)
    field.play([Move("open", k) for k in opened])
    return field


See = Callable[[int, Board], Board | Reading]  # number of the observation, and the true board


class Table:
    """A minefield that is read perfectly; `see` may change a reading, `lose` may drop moves."""

    def __init__(
        self, field: Minefield, see: See | None = None, lose: Callable[[int, Move], bool] | None = None
    ) -> None:
        self.field = field
        self.looks = 0
        self.acts: list[list[Move]] = []
        self._see = see
        self._lose = lose

    def look(self) -> Reading:
        self.looks += 1
        seen = self._see(self.looks, self.field.board) if self._see else self.field.board
        return seen if isinstance(seen, Reading) else Reading.sure(seen)

    def act(self, moves: Sequence[Move], certain: bool) -> Sequence[Move] | None:
        self.acts.append(list(moves))
        kept = [m for m in moves if not (self._lose and self._lose(len(self.acts), m))]
        self.field.play(kept)
        return None


class JumpingClock:
    """A clock that advances only when it is read or when a test sleeps."""

    def __init__(self, tick: float = 0.001) -> None:
        self.time = 0.0
        self._tick = tick

    def now(self) -> float:
        self.time += self._tick
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += seconds


@dataclass(frozen=True)
class Sleep:
    """A program stops responding at click number `at`, for `looks` observations.

    It then handles `first` of the waiting clicks, and the others before the following observation.
    """

    at: int
    looks: int
    first: int


class SleepyTable(Table):
    """A program that stops responding for a while and then handles the waiting clicks in order.

    A right click on a flag removes it. A left click on an open number opens its unflagged neighbours; with
    `trusts_flags` only if the number of flags is correct. While the program does not respond, the cell of the
    last handled click is unreadable. `hit` contains the certain moves that opened a mine.
    """

    def __init__(self, field: Minefield, sleep: Sleep, trusts_flags: bool) -> None:
        super().__init__(field, self._under_the_pointer)
        self.hit: list[int] = []
        self._sleep = sleep
        self._trusts_flags = trusts_flags
        self._clicks = self._left = 0
        self._pointed_at = -1
        self._waiting: list[tuple[Move, bool]] = []

    def look(self) -> Reading:
        self._left -= 1
        if self._left <= 0:
            self._handle(self._sleep.first if self._left == 0 else len(self._waiting))
        return super().look()

    def act(self, moves: Sequence[Move], certain: bool) -> None:
        self.acts.append(list(moves))
        for move in moves:
            self._clicks += 1
            if self._clicks == self._sleep.at:
                self._left = self._sleep.looks
            self._waiting.append((move, certain))
            if self._left <= 0:
                self._handle(len(self._waiting))

    def _under_the_pointer(self, look: int, board: Board) -> Board:
        k = self._pointed_at
        return board.with_states({k: UNKNOWN}) if self._waiting and k in bits(board.not_open) else board

    def _handle(self, count: int) -> None:
        now, self._waiting = self._waiting[:count], self._waiting[count:]
        for move, certain in now:
            was_lost, self._pointed_at = self.field.is_lost, move.cell
            self._click(move.cell, move.kind in ("flag", "unflag"))
            if certain and self.field.is_lost and not was_lost:
                self.hit.append(move.cell)

    def _click(self, k: int, is_right: bool) -> None:
        board = self.field.board
        if is_right:
            self.field.play([Move("unflag" if board.flagged >> k & 1 else "flag", k)])
        elif not board.open >> k & 1:
            self.field.play([Move("open", k)])
        elif self._trusts_flags:
            self.field.play([Move("chord", k)])
        else:
            self.field.play([Move("open", each) for each in bits(board.around[k] & board.closed)])


def numbers_of(rows: int, columns: int, mines: int) -> list[list[int]]:
    """The board in the format of ms_toollib: -1 is a mine."""
    around = neighbours(rows, columns)
    cells = [-1 if mines >> k & 1 else (around[k] & mines).bit_count() for k in range(rows * columns)]
    return [cells[row * columns : (row + 1) * columns] for row in range(rows)]


class Heard(GameListener):
    """A listener that keeps the notes and the plans of a game."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.plans: list[Plan] = []

    def on_plan(self, board: Board, plan: Plan) -> None:
        self.plans.append(plan)

    def on_note(self, text: str) -> None:
        self.notes.append(text)


def player(table: object, rules: GameRules = RULES, *listeners: object, **options: object) -> Player:
    """A player with all strategies; `options` are further arguments of `Player`."""
    return Player(table, Planner(Reasoner(load_strategies()), rules), listeners, **options)  # type: ignore[arg-type]


class FixedProbe:
    """A board probe that always reports the same state."""

    def __init__(self, state: BoardState = "there") -> None:
        self._status = BoardStatus(state)

    def status(self, waits: bool) -> BoardStatus:
        return self._status
