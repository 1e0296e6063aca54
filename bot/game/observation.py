"""Observe a table (screen, simulator or recording) until its reading plausibly follows the previous one.

Contradictory, moving or partly covered boards are read again, a limited number of times. A change that stays
is accepted: a corrected number, a new kind of cell, or mines that a click of the user revealed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bot.game.board_change import (
    MOST_UNREAD,
    changed_numbers,
    is_correction,
    is_lost_from_view,
    is_move_visible,
    is_over,
    merge_reading,
)
from bot.game.outcome import OutcomeTracker, outcome_on_board
from bot.game.plan import Planner
from bot.game.types import GameTable
from games.errors import BoardUnplayable, ImageUnsettled, InconsistentReading, RetryableError
from games.logic import bits
from games.minesweeper import EXPLODED, MINES_SHOWN, Board, Move, inconsistencies, inconsistencies_since
from vision.reading import Reading

LOOKS = 12  # readings of one position before giving up
FEW_LOOKS = 3  # the same if the game may be over: then the board status is checked
COVERED_LOOKS = 20  # readings (about ten seconds) in which a cover inside the window may disappear
STRANGE_LOOKS = 3  # readings in which an unknown image must stay unchanged
GUESS_LOOKS = 6  # the same if a guess opened it (1.5 seconds): it may be a mine, and more may appear next
PATIENT_LOOKS = 4  # readings that wait for an anomaly to pass before it is accepted


@dataclass
class StableNumbers:
    """Numbers that two consecutive readings of one position agree on.

    They stay known if a message then covers the board.
    """

    _last: dict[int, str] = field(default_factory=dict)
    _stayed: dict[int, str] = field(default_factory=dict)

    def with_numbers(self, board: Board) -> Board:
        """Add a board, and return it with unknown cells filled with stable numbers."""
        now = {k: board[k] for k in bits(board.open)}
        left = {k: number for k, number in self._stayed.items() if board.unread >> k & 1}
        self._stayed = left | {k: number for k, number in now.items() if self._last.get(k) == number}
        self._last = now
        return board.with_states({k: self._stayed[k] for k in bits(board.unread) if k in self._stayed})


@dataclass(eq=False)
class ObservationFilter:
    """Accepts plausible readings of one game. `note` receives messages for the user."""

    table: GameTable
    outcomes: OutcomeTracker
    planner: Planner
    note: Callable[[str], None]
    _cascades: bool = field(default=True, init=False)  # until a zero keeps closed neighbours

    def look(
        self, before: Board | None, moves: Sequence[Move], most: int = LOOKS, for_acts: int = PATIENT_LOOKS
    ) -> tuple[Board, Reading]:
        """The board that follows from `before` and `moves`, and its reading. Raises BoardUnplayable.

        `most` limits the readings of an invisible board, `for_acts` the readings that wait for moves to
        become visible.
        """
        trouble = ""
        stable = StableNumbers()
        seen = gone = 0  # readings; readings without a visible board
        for _ in range(LOOKS):
            try:
                reading = self._uncovered(before, most if most < LOOKS else COVERED_LOOKS)
                seen += 1
                self._check(reading, before, seen)
            except RetryableError as error:
                trouble = str(error)
                gone += most if isinstance(error, ImageUnsettled) else 1
                if gone >= most:
                    break
                continue
            board = stable.with_numbers(self.taken(reading, before))
            reason = self._out_of_sight(reading, board, before, most < LOOKS)
            gone += reason is not None
            if reason is None:
                reason = self._reason_to_wait(reading, board, before, seen)
            if reason is None and (
                seen > for_acts
                or is_over(reading, board)
                or all(is_move_visible(move, board) for move in moves)
            ):
                self._note_corrections(board, before)
                return board, reading
            trouble = reason or trouble
            if gone >= most:
                break
        raise BoardUnplayable(f"the board cannot be read: {trouble or 'some cells stay unknown'}")

    def _uncovered(self, before: Board | None, most: int) -> Reading:
        """A reading without a cover, unless the game is over. Raises BoardUnplayable if a cover stays."""
        for _ in range(most):
            reading = self.table.look()
            board = self.taken(reading, before)
            if not reading.covered or is_over(reading, board) or self._is_plain_end(reading, board, before):
                return reading
        raise BoardUnplayable(
            f"something covers {board.name(next(bits(reading.covered)))}: uncover the board"
        )

    def _check(self, reading: Reading, before: Board | None, seen: int) -> None:
        """Raise InconsistentReading if the board is contradictory or cannot follow the previous one.

        A changed number is accepted if it stays: the previous reading was wrong.
        """
        board = reading.board
        found = inconsistencies(board) if not board.shown_mines else []
        if before is not None and not (seen > PATIENT_LOOKS and is_correction(reading, before)):
            found += inconsistencies_since(board, before)
        if found:
            raise InconsistentReading(found[0])

    def taken(self, reading: Reading, before: Board | None) -> Board:
        """The board of a reading after corrections: known numbers stay, and opened cells are not flags."""
        return merge_reading(reading.board, before, self.outcomes.opened)

    def _out_of_sight(
        self, reading: Reading, board: Board, before: Board | None, may_be_over: bool
    ) -> str | None:
        """Why the image probably does not show the board; None if it does.

        If the game `may_be_over`, it suffices that many numbers are hidden. An exploded mine of a guess
        proves that the board is visible: some programs then draw everything else in other colours.
        """
        numbers = before.open if before else 0
        if reading.board.cells_showing(EXPLODED) & self.outcomes.opened_guess & ~numbers:
            return None
        if may_be_over and (reading.board.unread & numbers).bit_count() > MOST_UNREAD * numbers.bit_count():
            return "something covers its numbers"
        if before is not None and is_lost_from_view(reading.board, before):
            return "it is no longer visible"
        if (board.unread & ~reading.unsettled).bit_count() > MOST_UNREAD * len(board):
            return "most of it is unknown: it moved, something covers it, or its appearance changed"
        return None

    def _reason_to_wait(self, reading: Reading, board: Board, before: Board | None, seen: int) -> str | None:
        """Why to read again ("" if waiting suffices); None if the board is acceptable."""
        known = before.unread if before else 0
        blurred = board.unread & ~reading.unsettled
        waits = {
            PATIENT_LOOKS: bool(reading.board.flagged & self.outcomes.opened or blurred & ~known),
            # an unknown image may be an animation, unless the outcome is clear without those cells
            STRANGE_LOOKS: bool(reading.unsettled & ~known)
            and not self._is_plain_end(reading, board, before),
            GUESS_LOOKS: bool(reading.unsettled & self.outcomes.opened_guess & ~known),
        }
        if any(seen <= looks for looks, is_odd in waits.items() if is_odd):
            return ""
        if is_over(reading, board):
            return self._unexplained_end(board, before, seen)
        if self._cascades and board.unfinished_zeros:
            if seen < LOOKS - 2:
                return "a zero still has closed neighbours"
            self._cascades = False
        return None

    def _unexplained_end(self, board: Board, before: Board | None, seen: int) -> str | None:
        """Why to read a finished game again: none of our moves explains the visible mines.

        If they stay and are consistent, a click of the user revealed them.
        """
        if before is None or not board.shown_mines or self.outcomes.explains(board):
            return None
        ending = outcome_on_board(board, self.planner.rules, self.planner.knowledge, self.outcomes.opened)
        if ending is not None and ending.result == "won":
            return None
        if seen > PATIENT_LOOKS and not inconsistencies(board):
            return None
        return "mines are visible, and no opened cell explains that"

    def _is_plain_end(self, reading: Reading, board: Board, before: Board | None) -> bool:
        """Whether one of our moves clearly ended the game, whatever the unsettled cells show.

        These may be covered by a message, or be marks of an unknown kind.
        """
        ending = outcome_on_board(board, self.planner.rules, self.planner.knowledge)
        opened = self.outcomes.opened
        if before is None or ending is None or reading.unsettled & opened & ~before.open:
            return False
        return ending.result == "won" or bool(board.cells_showing(MINES_SHOWN) & opened)

    def _note_corrections(self, board: Board, before: Board | None) -> None:
        wrong = changed_numbers(board, before) if before is not None else 0
        if before is not None and wrong:
            was = ", ".join(f"{board.name(k)} was read as {before[k]}" for k in bits(wrong))
            self.note(f"corrected: {was}")
