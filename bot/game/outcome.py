"""Outcome of a game: won, lost or unknown, and how certain that is.

A game has visibly ended if its board shows the mines, or every safe cell open. If the board is not visible or
the program ignores further moves, the result is inferred: won if moves opened the last safe cells, lost after
a guess that cannot have opened the last safe cell, and otherwise unknown. `OutcomeTracker` records the moves
of a game and applies these rules after each event.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bot.game.board_change import merge_reading
from bot.game.plan import Planner, cascade_reach, possible_zeros, possibly_closed
from bot.game.types import BoardProbe, BoardStatus, Certainty, GameRules, Plan, Result
from games.errors import Contradiction, ResultUnknown
from games.logic import Knowledge, bits, cell_set
from games.minesweeper import DIGITS, EXPLODED, FLAG, MINE, WRONG_FLAG, Board, Move
from games.minesweeper.minefield import bv3
from vision.reading import BoardHypothesis, Reading

HIT = MINE + EXPLODED  # states of an opened mine
UNASKED = "unknown", "needed"  # (win_needs, flags) of a game in which nothing shows that a win requires flags
MOST_AT_ONCE = 24  # cells; a click that ends a game is not expected to open more (chosen with a margin)

SHOWN_BY = {
    "window": "a window of the program covers the board",
    "message": "a message covers the board",
    "veil": "a message darkens the board",
    "fresh": "a new game has replaced the board",
    "gone": "the board is gone",
    "closed": "the window is gone",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a game, its certainty, and the reason ("" if the board shows it)."""

    result: Result
    known: Certainty
    why: str = ""


@dataclass
class OutcomeTracker:
    """Records the moves of one game and determines how it ended.

    `probe` determines the status of an unreadable board; without it, such a game has no outcome. `certain`
    and `guesses` count moves that became visible. The other numbers are cell sets:

    - `opened_safe`, `opened_guess`: opened by certain moves, by guesses;
    - `opened_last`: opened by the last moves, if they were certain;
    - `opened_last_plan`: opened by the last plan that became visible. Cells opened earlier held no mine, or
      the game would have ended;
    - `possible_hits`: opened cells without a number in a finished game, one of which was a mine;
    - `flagged`: flagged by our moves;
    - `dialog_moves`: opened by the moves after which the program opened a dialog.
    """

    planner: Planner
    probe: BoardProbe | None = None
    certain: int = 0
    guesses: int = 0
    opened_safe: int = 0
    opened_guess: int = 0
    opened_last: int = 0
    opened_last_plan: int = 0
    possible_hits: int = 0
    flagged: int = 0
    dialog_moves: int = 0

    @property
    def rules(self) -> GameRules:
        """The rules of the game."""
        return self.planner.rules

    @property
    def opened(self) -> int:
        """The cell set that our moves opened."""
        return self.opened_safe | self.opened_guess

    def on_moves(self, board: Board, moves: Sequence[Move], certain: bool) -> None:
        """Record moves that are about to be made on this board. An error may prevent some of them."""
        cells = self.opened_by(moves, board)
        flagged = cell_set(move.cell for move in moves if move.kind == "flag")
        self.flagged = (self.flagged | flagged) & ~cell_set(m.cell for m in moves if m.kind == "unflag")
        self.opened_guess &= ~flagged  # a cell that accepts a flag was not open
        self.opened_last = cells if certain else 0
        if certain:
            self.opened_safe |= cells
        else:
            self.opened_guess |= cells

    def opened_by(self, moves: Sequence[Move], board: Board) -> int:
        """The cell set that these moves open on a board, without cells that we flagged."""
        return cells_opened_by(moves, board, self.flagged)

    def confirm(self, board: Board, plan: Plan) -> None:
        """Count a plan whose moves were made on this board and became visible."""
        self.opened_last_plan = self.opened_by(plan.moves, board)
        if plan.guess:
            self.guesses += 1
        else:
            self.certain += len(plan.moves)

    def wrong_certain(self, board: Board, lost: bool) -> int:
        """The number of certain moves that hit a mine, according to the final board.

        Each visible mine that a certain move opened counts. If there is none in a `lost` game, one unreadable
        cell that a recent certain move opened counts, unless an exploded mine or a guess explains the loss or
        the board shows all its mines. If a mine exploded on a cell that we did not open, the user clicked it,
        and no move counts.
        """
        exploded = board.cells_showing(EXPLODED)
        if lost and exploded and not exploded & self.opened:
            return 0
        hit = self.opened_safe & board.cells_showing(HIT)
        if hit or not lost:
            return hit.bit_count()
        unread = self.possible_hits or self.opened_last & board.unread
        is_explained = (
            exploded
            or (board.cells_showing(HIT) | self.possible_hits) & self.opened_guess
            or not _hides_one(board, unread)
        )
        return 0 if is_explained else int(bool(unread & self.opened_safe))

    def explains(self, board: Board) -> bool:
        """Whether one of our moves may have hit a mine and so revealed the mines on this board."""
        return bool(self.opened & (board.cells_showing(HIT) | board.unread))

    def after_reading(self, board: Board, alternatives: Sequence[BoardHypothesis] = ()) -> Outcome | None:
        """How the game on this board ended; None while it goes on.

        A game is not won while one of the `alternatives` shows a closed cell that is safe.
        """
        opened, knowledge = self.opened, self.planner.knowledge
        hits = opened & board.unread & knowledge.true
        if hits and not board.shown_mines:
            if not hits & self.opened_guess:
                return None  # certain moves hit no mine: a cell was misread, and the game may go on
            self.possible_hits = hits
        outcome = outcome_on_board(board, self.rules, knowledge, opened)
        if outcome is not None and outcome.result == "won" and board.unread:
            covered = possibly_closed(alternatives) & board.unread & ~opened
            return None if covered & knowledge.false else outcome
        return outcome

    def without_moves(self, board: Board) -> Outcome | None:
        """Outcome of a game in which no move is left; None while a cell is closed or flagged.

        The program has opened all remaining cells, so a cell of the last plan without a number was a mine.
        But after certain moves, a program that flags several cells marks the mines of a won game. After a
        guess, it does if some of our own flags are still read as flags: mines would look different from them.
        """
        are_flags = bool(self.opened_last or board.flagged & self.flagged)
        if not board.closed and are_flags and (board.flagged & ~self.flagged).bit_count() > 1:
            return _won(board, "the program flagged the last mines")
        if board.closed or board.flagged:
            return None
        return self._hit(board, "no cell is closed, and an opened cell shows no number")

    def after_refused_moves(self, start: Board, board: Board, plan: Plan) -> Outcome | None:
        """Outcome of a game that ignores these moves; None if they may be ignored for another reason.

        `start` is the board before the moves. If some of them are visible, the game continued after the
        previous plan, so the cells of that plan held no mine.
        """
        if self.is_done(board, plan):
            return _won(board, "all safe cells are open, and the program ignores flags")
        if self.is_idle(board):
            return Outcome(
                "won", "inferred", "all closed cells can be mines, and the program opens none of them"
            )
        why = "moves have no effect, and an opened cell shows no number"
        opened = self.opened_by(plan.moves, start)
        return self._hit(board, why, opened, recent=0 if opened & board.open & ~start.open else None)

    def on_dialog(self, board: Board, moves: Sequence[Move]) -> None:
        """Record that the program opened a dialog after these moves."""
        self.dialog_moves |= self.opened_by(moves, board)

    def after_dialog(self, board: Board, plan: Plan) -> Outcome | None:
        """Outcome of a game that opened a dialog after these moves and has ignored them since.

        It is lost, because one of the cells is a mine that looks closed. None if the moves may have won it.
        """
        hit = self.dialog_moves & board.closed & self.opened_by(plan.moves, board)
        knowledge, board = self.planner.knowledge, board.with_mines(self.rules.mines)
        if not hit or may_open_last_safe_cells(board, plan, knowledge):
            return None
        if plan.guess is not None and can_be_last_guess(board, plan.guess.cell, knowledge):
            return None
        self.possible_hits = hit
        return Outcome("lost", "inferred", "a move opened a message, and the program has ignored moves since")

    def after_redeal(self, before: Board, now: Board, plan: Plan) -> Outcome | None:
        """Outcome of a game whose first click opened a dialog and left every cell closed.

        One click rarely wins, so it hit a mine, and the program has started the next game.
        """
        if plan.guess is None or before.open or not self.dialog_moves >> plan.guess.cell & 1:
            return None
        if now.closed != now.everything or can_be_last_guess(before, plan.guess.cell, self.planner.knowledge):
            return None
        self.possible_hits = 1 << plan.guess.cell
        return Outcome("lost", "inferred", "the first click opened a message, and every cell is closed again")

    def before_moves(self, board: Board, plan: Plan) -> Outcome | None:
        """Outcome of a game whose board disappeared before this plan was executed."""
        is_done, is_idle = self.is_done(board, plan), self.is_idle(board)
        if self.probe is None or not (is_done or is_idle or self.opened_last_plan & board.unread):
            return None
        what = self.probe.status(waits=not is_done).state
        if what == "there":
            return None
        if is_done or is_idle:
            return _won(board, SHOWN_BY[what]) if is_done else Outcome("won", "inferred", SHOWN_BY[what])
        return None if what == "closed" else self._hit(board, SHOWN_BY[what])

    def _hit(self, board: Board, why: str, opened: int = 0, recent: int | None = None) -> Outcome | None:
        """Lost if a cell of `opened` or `recent` shows no number.

        `recent` defaults to the cells of the last plan that became visible. If no guess opened these cells,
        and other cells are unread as well, a message covers them: None.
        """
        suspects = ((self.opened_last_plan if recent is None else recent) | opened) & board.unread
        if not suspects or not (suspects & self.opened_guess or not board.unread & ~self.opened):
            return None
        self.possible_hits = suspects
        return Outcome("lost", "inferred", why)

    def is_done(self, board: Board, plan: Plan) -> bool:
        """Whether only flags are left to set, and it is unknown whether a win requires them."""
        has_all_open = self.rules.win_needs == "unknown" and all_safe_open(board, self.planner.knowledge)
        return has_all_open and all(move.kind == "flag" for move in plan.moves)

    def is_idle(self, board: Board) -> bool:
        """Whether the game may be won: all closed cells can be mines, and our moves opened none of them."""
        if self.rules.win_needs == "flags" or self.opened & board.not_open:
            return False
        return is_consistent_end(board.with_mines(self.rules.mines))

    def is_decidable(self, board: Board, plan: Plan) -> bool:
        """Whether the outcome can be inferred if the board disappears after this plan.

        The plan must be able to end the game: a guess, or moves that may open the last safe cells.
        """
        rest = _rest(board, plan, self.planner.knowledge)
        return self.probe is not None and (plan.guess is not None or rest.bit_count() <= MOST_AT_ONCE)

    def after_status(
        self, board: Board, plan: Plan, has_closed: bool = False
    ) -> tuple[Outcome | None, Reading | None]:
        """Outcome of a game whose board has been unreadable since this plan, and the reading that shows it.

        The outcome is None if the game goes on or the outcome is unknown. Raises ResultUnknown if the outcome
        is unknown but the game has certainly ended: a new game has begun, or the window of the game has
        closed (`has_closed`) while the program keeps running.
        """
        assert self.probe is not None
        board = board.with_mines(self.rules.mines)
        knowledge = self.planner.knowledge
        status = self.probe.status(waits=not opens_last_safe_cells(board, plan, knowledge))
        if status.state == "there":
            return None, None
        if status.last_reading is not None:
            seen = merge_reading(status.last_reading.board, board, self.opened)
            ending = self._seen_last(seen.with_mines(self.rules.mines))
            if ending is not None:
                return ending, status.last_reading
            if plan.guess is not None and seen.open >> plan.guess.cell & 1 and not seen.unfinished_zeros:
                return None, None  # the guess was safe, and more cells were left to open
        ending = outcome_from_status(board, plan, knowledge, status)
        if ending is None and status.state == "fresh" and plan.guess is not None:
            raise ResultUnknown(
                "result unknown: the program has already started a new game, so look at its window"
            )
        if ending is None and status.state == "gone" and has_closed:
            raise ResultUnknown("result unknown: the program has closed the window of the game")
        return ending, None

    def _seen_last(self, board: Board) -> Outcome | None:
        """Outcome of a game whose last visible board is `board`; None if it may still be changing."""
        if board.unfinished_zeros and not board.shown_mines:
            return None
        if ending := self.after_reading(board):
            return ending
        try:
            self.planner.plan(board)
        except Contradiction:
            return None
        if ending := self.after_reading(board):
            return ending
        is_won = all_safe_open(board, self.planner.knowledge) and not board.unread & self.opened
        is_won = is_won or self.is_idle(board)
        return Outcome("won", "seen") if is_won else None


def _hides_one(board: Board, unread: int) -> bool:
    """Whether one of the `unread` cells may be a mine that the board does not show.

    False if all mines are shown, or if each of these cells touches a number whose mines are all shown.
    """
    if not board.cells_showing(HIT):
        return bool(unread)
    shown = board.cells_showing(HIT + FLAG)
    if board.mines is not None and shown.bit_count() >= board.mines:
        return False
    return any(
        all(
            (board.around[clue] & shown).bit_count() < int(board[clue])
            for clue in bits(board.around[k] & board.open)
        )
        for k in bits(unread)
    )


def _won(board: Board, why: str) -> Outcome:
    return Outcome("won", "inferred" if board.unread else "seen", why)


def cells_opened_by(moves: Sequence[Move], board: Board, marked: int = 0) -> int:
    """The cell set that these moves open directly on a board, without the cells that open around a zero.

    `marked` are cells that were flagged, even if the flags are not visible.
    """
    opened, flagged = 0, board.flagged | marked
    for move in moves:
        cell = 1 << move.cell
        match move.kind:
            case "open":
                opened |= cell
            case "flag":
                flagged |= cell
            case "unflag":
                flagged &= ~cell
            case "chord":
                opened |= board.around[move.cell] & board.not_open & ~flagged
    return opened


def outcome_on_board(board: Board, rules: GameRules, knowledge: Knowledge, opened: int = 0) -> Outcome | None:
    """Outcome that the board shows; None while the game goes on.

    `knowledge` belongs to this board or the previous one; `opened` is the cell set that our moves opened. A
    visible mine means a loss, with one exception, because some programs show the mines of a won game: no cell
    is closed, and either all visible mines were known or our moves opened exactly the safe cells. If a safe
    cell is flagged, the game goes on. If an opened cell has no number, the game is lost if the cell is
    certainly a mine, and not yet won if the cell may be one.
    """
    if board.cells_showing(EXPLODED + WRONG_FLAG):
        return Outcome("lost", "seen")
    if shown := board.cells_showing(MINE):
        is_won = not board.closed and (not shown & ~knowledge.true or _is_opened_by(opened, board))
        return Outcome("won" if is_won else "lost", "seen")
    if ending := _of_unread(board, rules.mines, knowledge, opened):
        return ending
    decided = knowledge.true | knowledge.false
    has_doubts = opened & board.unread & ~knowledge.false or board.flagged & knowledge.false
    if not all_safe_open(board, knowledge) or has_doubts or not board.not_open & ~knowledge.false:
        return None  # the last condition: every game has a mine, so a possible mine must be unopened
    won = Outcome("won", "inferred" if board.unread else "seen")
    if rules.win_needs == "open" or rules.flags == "none" or (rules.win_needs, rules.flags) == UNASKED:
        return won
    # unread cells that need no flag: opened cells, and mines as a won game draws them
    excused = board.unread & (decided if rules.win_needs == "unknown" else knowledge.false)
    return None if board.not_open & ~board.flagged & ~excused else won


def _is_opened_by(opened: int, board: Board) -> bool:
    """Whether moves on these cells, and the cascades from them, opened exactly the cells without mines."""
    reached = opened | cascade_reach(opened, board.cells_showing("0"), board.around)
    return not opened & ~board.open and not board.open & ~reached and is_consistent_end(board)


def _of_unread(board: Board, mines: int | None, knowledge: Knowledge, opened: int) -> Outcome | None:
    """Outcome that follows from opened cells without a number.

    If one of them is certainly a mine, the game was lost. If no cell is closed and the flags match the mine
    total, none of them is a mine: many programs flag the remaining mines of a won game.
    """
    if opened & board.unread & knowledge.true:
        return Outcome("lost", "inferred", "an opened cell is certainly a mine")
    is_all_flagged = board.flagged.bit_count() == mines and not (board.closed | board.unread & ~opened)
    if board.unread and is_all_flagged:
        return Outcome("won", "inferred", "every mine is flagged, and no cell is closed")
    return None


def all_safe_open(board: Board, knowledge: Knowledge) -> bool:
    """Whether every cell that is not a certain mine has been opened."""
    return not board.unread & ~(knowledge.true | knowledge.false) and not board.closed & ~knowledge.true


def _rest(board: Board, plan: Plan, knowledge: Knowledge) -> int:
    """The closed cells that these moves do not open directly and that are not certain mines."""
    return board.closed & ~_opened(plan) & ~knowledge.true


def opens_last_safe_cells(board: Board, plan: Plan, knowledge: Knowledge) -> bool:
    """Whether no safe cell is closed after these certain moves.

    Without the mine total, all other closed cells must be certain mines: numbers that allow all of them to be
    mines are as frequent in the middle of a game as at its end.
    """
    is_settled = board.mines is not None or not _rest(board, plan, knowledge)
    return is_settled and may_open_last_safe_cells(board, plan, knowledge)


def may_open_last_safe_cells(board: Board, plan: Plan, knowledge: Knowledge) -> bool:
    """Whether all cells that stay closed after these certain moves can be mines."""
    opened = _opened(plan)
    if plan.guess is not None or board.unread & ~opened & ~knowledge.false & ~knowledge.true:
        return False
    return not _rest(board, plan, knowledge) or is_consistent_end(board, opened)


def is_consistent_end(board: Board, opened: int = 0) -> bool:
    """Whether all closed cells can be mines: each number has exactly that many closed neighbours.

    The `opened` cells count as open, whatever they show. If the mine total is known, it must match as well.
    """
    shut = board.not_open & ~opened
    if not board.open or board.mines not in (None, shut.bit_count()):
        return False
    return all((board.around[k] & shut).bit_count() == int(board[k]) for k in bits(board.open))


def can_be_last_guess(board: Board, cell: int, knowledge: Knowledge) -> bool:
    """Whether opening this cell, with the cascade from it, may have opened the last safe cell.

    If so, all closed cells out of reach of the cascade are mines. Every number and the mine total must allow
    that.
    """
    shut, mines = board.closed & ~knowledge.true, board.not_open & knowledge.true
    if shut.bit_count() > MOST_AT_ONCE + 1:
        return False
    reached = _reached(board, cell, shut, mines)
    sure, possible = mines | shut & ~reached, mines | shut & ~(1 << cell)
    if board.mines is not None and not sure.bit_count() <= board.mines <= possible.bit_count():
        return False
    return all(
        (board.around[k] & sure).bit_count() <= int(board[k]) <= (board.around[k] & possible).bit_count()
        for k in bits(board.open)
    )


def _reached(board: Board, cell: int, shut: int, mines: int) -> int:
    """The closed cells that may open together with this one; a cell next to a certain mine is no zero."""
    reached, edge = 1 << cell, 1 << cell
    while edge:
        opened = 0
        for k in bits(edge):
            opened |= 0 if board.around[k] & mines else board.around[k]
        edge = opened & shut & ~reached
        reached |= edge
    return reached


def outcome_from_status(
    board: Board, plan: Plan, knowledge: Knowledge, status: BoardStatus
) -> Outcome | None:
    """Outcome of a game whose board disappeared after this plan; None if unknown or if the game goes on.

    `board` is the board before the plan. Cells in `status.unchanged` have not been opened.
    """
    why = SHOWN_BY.get(status.state)
    if why is None:
        return None
    if plan.guess is None:
        is_won = not status.unchanged & _opened(plan) and (
            opens_last_safe_cells(board, plan, knowledge) or _has_finished(board, plan, knowledge, status)
        )
        return Outcome("won", "inferred", why) if is_won else None
    guessed = 1 << plan.guess.cell
    if status.state == "closed" or status.unchanged & guessed:
        return None
    if status.state == "message" and _may_be_visible(board, guessed, status.unchanged):
        return None
    shut = (board.closed & ~knowledge.true & status.unchanged).bit_count()
    mines = mines_left(board, knowledge)
    has_closed_safe_cells = mines is not None and shut > mines
    if not has_closed_safe_cells and can_be_last_guess(board, plan.guess.cell, knowledge):
        return None
    return Outcome("lost", "inferred", why)


def _may_be_visible(board: Board, guessed: int, same: int) -> bool:
    """Whether a board that a message seems to cover may be visible instead. `same`: the unchanged cells.

    It may be if no cell was open, most cells are closed and unchanged, or all changed cells may have opened
    around the guess.
    """
    if not board.open:
        return True
    changed = board.everything & ~same
    opened = board.closed & cascade_reach(guessed, board.closed & changed, board.around)
    return 2 * (board.closed & same).bit_count() > len(board) or not changed & ~opened


def _has_finished(board: Board, plan: Plan, knowledge: Knowledge, status: BoardStatus) -> bool:
    """Whether certain moves have won the game, because a cascade opened the remaining safe cells as well.

    A window of the program or a new game means that the game is over. A missing board means it only if a
    cascade may have opened all safe cells. Cells that are visibly closed must all be possible mines.
    """
    rest, shut = _rest(board, plan, knowledge), board.closed & status.unchanged
    if status.state == "gone":
        mines = mines_left(board, knowledge)
        beyond = rest & ~cascade_reach(_opened(plan), possible_zeros(board, knowledge), board.around)
        if not board.open or mines is None or beyond.bit_count() > mines:
            return False
    elif status.state not in ("window", "fresh"):
        return False
    if rest.bit_count() > MOST_AT_ONCE or shut & knowledge.false:
        return False
    beside = {k: board.around[k] & board.not_open & ~_opened(plan) for k in bits(board.open)}
    return all(cells & ~shut or cells.bit_count() == int(board[k]) for k, cells in beside.items())


def mines_left(board: Board, knowledge: Knowledge) -> int | None:
    """The number of mines that are not located for certain; None if the mine total is unknown."""
    return None if board.mines is None else board.mines - (board.not_open & knowledge.true).bit_count()


def _opened(plan: Plan) -> int:
    return cell_set(move.cell for move in plan.moves if move.kind == "open")


@dataclass(frozen=True)
class GameResult:
    """One finished game, as `play --json` prints it.

    `known` is the certainty of the result: `seen` on the board, `inferred` from our moves and the reaction of
    the program, or `unknown` (the game was stopped). `certain` counts certain moves, `wrong_certain` those
    that hit a mine (must stay 0); `unread` is the largest number of unknown cells in a settled reading.
    Seconds are wall time. `bv3` is None if the final board is not fully known. `why` says why the game was
    stopped. `strategies` are in the order in which they are called; `faults` are the quarantined ones.
    """

    result: Result
    program: str | None
    size: str
    mines: int | None
    certain: int
    guesses: int
    clicks: int
    wrong_certain: int
    unread: int
    seconds: float
    capture_s: float
    read_s: float
    reason_s: float
    act_s: float
    wait_s: float
    bv3: int | None
    recording: str | None = None
    why: str | None = None
    strategies: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    known: Certainty = "seen"

    def as_json(self) -> dict[str, Any]:
        """Dictionary for one JSON line; seconds are rounded to 0.1 ms."""
        return {
            name: round(value, 4) if isinstance(value, float) else value
            for name, value in asdict(self).items()
        }


def known_mines(board: Board) -> int | None:
    """The cell set of mines of a finished board; None if the board does not determine it.

    The board determines it if every safe cell is open, or if a lost game shows all its mines.
    """
    shown = board.cells_showing(MINE + EXPLODED)
    if not shown and not board.cells_showing(WRONG_FLAG) and not board.unread:
        return board.not_open
    everything = shown | board.cells_showing(FLAG)
    return everything if everything.bit_count() == board.mines else None


def bv3_of(board: Board, won: bool) -> int | None:
    """The 3BV of a finished board; None if some mines are unknown."""
    if not won and not board.shown_mines:
        return None
    mines = known_mines(board)
    if mines is None or _disagrees(board, mines):
        return None
    return bv3(board.rows, board.columns, mines)


def _disagrees(board: Board, mines: int) -> bool:
    return any(DIGITS.index(board[k]) != (board.around[k] & mines).bit_count() for k in bits(board.open))
