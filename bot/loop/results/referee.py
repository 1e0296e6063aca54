"""Says how a game ended: by the board, by what became of it, or by acts that a program takes no more."""

from __future__ import annotations

from bot.loop.planning import Planner
from bot.loop.ports import Plan, Rules, Witness
from bot.loop.results.books import Books
from bot.loop.results.ending import (
    MINE_OPENED,
    SHOWN_BY,
    Ending,
    ending_of,
    ending_without_board,
    finishes,
    is_complete,
    is_swept,
    may_end,
    may_finish,
)
from bot.loop.succession import is_unfinished, taken
from games.errors import Contradiction, EndUnknown
from games.minesweeper import Board
from vision.reading import Reading


class Referee:
    """Judges one game by its `rules`, by what `planner` knows of it and by the acts in `books`.

    `witness` is asked what became of a board that cannot be read; without one such a game never has an end.
    """

    def __init__(self, rules: Rules, books: Books, planner: Planner, witness: Witness | None) -> None:
        self._rules = rules
        self._books = books
        self._planner = planner
        self._witness = witness

    def of(self, board: Board) -> Ending | None:
        """How the game on this board ended, None while it goes on."""
        opened, knowledge = self._books.opened, self._planner.knowledge
        ending = ending_of(board, self._rules, knowledge, opened)
        if ending == MINE_OPENED:
            if not self._books.risked & board.unread & knowledge.true:
                return None  # certain moves hit no mine: something was misread, and the game may go on
            self._books.suspects = opened & board.unread & knowledge.true
        return ending

    def without_moves(self, board: Board) -> Ending | None:
        """How a game ended in which every cell is open, most of them by the program itself.

        A cell that was opened last and shows no number then was a mine.
        """
        if board.closed or board.flagged:
            return None
        return self._hit(board, "everything is open, and a cell that was opened shows no number")

    def refused(self, start: Board, board: Board, plan: Plan) -> Ending | None:
        """How a game ended that takes no more of these moves; None where that may have other reasons.

        `start` is the board that they were made on. What was opened before it was no mine where some of them
        show: the game went on.
        """
        if self.is_done(board, plan):
            return _won(board, "all safe cells are open, and the program takes no flags")
        if self.is_idle(board):
            return Ending(
                "won", "inferred", "all that is shut can be mines, and the program opens none of it"
            )
        why = "no act shows any more, and a cell that was opened shows no number"
        opened = self._books.opened_by(plan.moves, start)
        return self._hit(board, why, opened, recent=0 if opened & board.open & ~start.open else None)

    def after_message(self, board: Board, plan: Plan, cells: int) -> Ending | None:
        """How a game ended that had something to say when these cells (a set) were opened, and opens none.

        Lost: one of them is a mine that looks like a shut cell. None where it may have been the last act.
        """
        hit = cells & board.closed & self._books.opened_by(plan.moves, board)
        knowledge, board = self._planner.knowledge, board.knowing(self._rules.mines)
        if not hit or finishes(board, plan, knowledge):
            return None
        if plan.guess is not None and may_finish(board, plan.guess.cell, knowledge):
            return None
        self._books.suspects = hit
        return Ending("lost", "inferred", "a message came with an act, and the program takes it no more")

    def dealt_again(self, before: Board, now: Board, plan: Plan, cells: int) -> Ending | None:
        """How a game ended whose first click brought up a message, and left every cell shut behind it.

        `cells` (a set) were opened when the program had something to say. One click does not win: it hit a
        mine, and the program has dealt the next game. In play, numbers that are shut again say the same.
        """
        if plan.guess is None or before.open or not cells >> plan.guess.cell & 1:
            return None
        if now.closed != now.everything or may_finish(before, plan.guess.cell, self._planner.knowledge):
            return None
        self._books.suspects = 1 << plan.guess.cell
        return Ending("lost", "inferred", "a message came with the first click, and every cell is shut again")

    def before(self, board: Board, plan: Plan) -> Ending | None:
        """How a game ended whose board went out of sight before this plan could be made."""
        is_done, is_idle = self.is_done(board, plan), self.is_idle(board)
        if self._witness is None or not (is_done or is_idle or self._books.recent & board.unread):
            return None
        what = self._witness(waits=not is_done).what
        if what == "there":
            return None
        if is_done or is_idle:
            return _won(board, SHOWN_BY[what]) if is_done else Ending("won", "inferred", SHOWN_BY[what])
        return None if what == "closed" else self._hit(board, SHOWN_BY[what])

    def _hit(self, board: Board, why: str, opened: int = 0, recent: int | None = None) -> Ending | None:
        """Lost, where one of these cells (a set), or one of the `recent` ones, shows no number.

        These are the cells of the plan that showed last, where nothing else is said.
        """
        suspects = ((self._books.recent if recent is None else recent) | opened) & board.unread
        if not suspects:
            return None
        self._books.suspects = suspects
        return Ending("lost", "inferred", why)

    def is_done(self, board: Board, plan: Plan) -> bool:
        """Whether flags are all that is left to do, and nobody said whether a win needs them."""
        has_all_open = self._rules.win_needs == "unknown" and is_swept(board, self._planner.knowledge)
        return has_all_open and all(move.kind == "flag" for move in plan.moves)

    def is_idle(self, board: Board) -> bool:
        """Whether nothing may be left to do: all that is shut can be mines, and what was opened is none."""
        if self._rules.win_needs == "flags" or self._books.opened & board.not_open:
            return False
        return is_complete(board.knowing(self._rules.mines))

    def can_say(self, board: Board, plan: Plan) -> bool:
        """Whether it may know how the game ended, should the board go out of sight with this plan."""
        return self._witness is not None and may_end(board, plan, self._planner.knowledge)

    def out_of_sight(self, board: Board, plan: Plan) -> tuple[Ending | None, Reading | None]:
        """How the game ended whose board cannot be read since this plan, and the reading that shows it.

        No ending where the game goes on, or nobody knows. Raises EndUnknown where it is over, at least.
        """
        assert self._witness is not None
        board = board.knowing(self._rules.mines)
        knowledge = self._planner.knowledge
        aftermath = self._witness(waits=not finishes(board, plan, knowledge))
        if aftermath.what == "there":
            return None, None
        if aftermath.reading is not None:
            seen = taken(aftermath.reading.board.under(self._rules.variant), board, self._books.opened)
            ending = self._seen_last(seen.knowing(self._rules.mines))
            if ending is not None:
                return ending, aftermath.reading
            if plan.guess is not None and seen.open >> plan.guess.cell & 1 and not is_unfinished(seen):
                return None, None  # the guess was right, and more was left to open
        ending = ending_without_board(board, plan, knowledge, aftermath)
        if ending is None and aftermath.what == "fresh" and plan.guess is not None:
            raise EndUnknown(
                "a new game lies in place of this one, and nothing shows how it ended: look there"
            )
        return ending, None

    def _seen_last(self, board: Board) -> Ending | None:
        """How a game ended that showed this last; None where that may be in the middle of a change."""
        if is_unfinished(board) and not board.shown_mines:
            return None
        if ending := self.of(board):
            return ending
        try:
            self._planner.plan(board)
        except Contradiction:
            return None
        if ending := self.of(board):
            return ending
        is_won = is_swept(board, self._planner.knowledge) and not board.unread & self._books.opened
        is_won = is_won or self.is_idle(board)
        return Ending("won", "seen") if is_won else None


def _won(board: Board, why: str) -> Ending:
    """Won by a board that shows every safe cell open, but for what cannot be read."""
    return Ending("won", "inferred" if board.unread else "seen", why)
