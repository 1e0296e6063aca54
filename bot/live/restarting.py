"""The next game on a program that nobody described: keys that many know, each checked by what it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bot.live.finding import Seen
from games.errors import NoBoard, Unplayable

KEYS = ("f2", "n", "f5", "ctrl+n")  # Windows' own way; puzzles; a page in a browser; menus
HELP = "start the next game by hand and run sapper again, or describe the program in a file for --program"


@dataclass
class Restarter:
    """Asks for fresh boards by `press`, which sends a key to the window of the board that `find` sees.

    No key is pressed once one has brought something else than a board up. The key that worked is the first
    to be tried the next time.
    """

    press: Callable[[str], None]
    find: Callable[[], Seen]
    keys: Sequence[str] = field(default=KEYS)

    def next_board(self) -> Seen:
        """A fresh board. Raises Unplayable when no key brings one up, and what `find` raises."""
        ended = self._look("when the game ended")
        if is_fresh(ended, None):  # the program has started it already
            return ended
        for key in self.keys:
            self.press(key)
            seen = self._look(f"after the key {key}")
            if is_fresh(seen, ended):
                self.keys = (key, *(other for other in self.keys if other != key))
                return seen
        raise Unplayable(f"none of the keys {', '.join(self.keys)} starts a game here: {HELP}")

    def _look(self, when: str) -> Seen:
        try:
            return self.find()
        except NoBoard as error:
            raise Unplayable(f"no board is to be seen {when}: {HELP}") from error


def is_fresh(seen: Seen, ended: Seen | None) -> bool:
    """Whether this is the board of a new game: not over, and less open than the one that has ended."""
    board = seen.board
    if seen.is_finished or 2 * board.closed.bit_count() < len(board):
        return False
    return not board.open or (
        ended is not None and 2 * board.open.bit_count() <= ended.board.open.bit_count()
    )
