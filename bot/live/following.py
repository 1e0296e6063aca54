"""Finds a board again in the middle of a game, when its window or its cells have changed their size.

Either all of it was drawn in another size, or some of its columns or rows have grown by a few pixels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from bot.live.finding import Seen
from bot.live.screen import View
from games.errors import ManyBoards, NoBoard, Stop, Unplayable
from games.minesweeper import Board, problems_after
from vision.frame import Frame
from vision.locating import lies_still, relined

NEAR = 3  # points that a board may be found beside its place, and be where it was


@dataclass
class Follower:
    """Knows where a board was found last.

    `find` looks for it until the program has drawn it, `glance` once; `picture` is what the screen shows.
    `found` hears where it lies now, on the screen and in the view.
    """

    seen: Seen
    find: Callable[[Seen], Seen]
    glance: Callable[[Seen], Seen]
    picture: Callable[[], Frame]
    found: Callable[[Seen, View], None]
    _drawn: Seen = field(init=False)  # how its lines looked when its cells were drawn in this size

    def __post_init__(self) -> None:
        self._drawn = self.seen

    def after_resizing(self, known: Board) -> View:
        """The board of a window that was resized, whose cells were `known`.

        Raises Unplayable when it is not to be found, or another board is there; ProgramGone.
        """
        if (view := self.after_growing()) is not None:
            return view
        try:
            seen = self.glance(self.seen)
        except (NoBoard, ManyBoards, Unplayable):
            if (view := self.after_growing() or self._where_it_was()) is not None:
                return view
            try:
                seen = self.find(self.seen)
            except (NoBoard, ManyBoards, Unplayable) as error:
                raise Unplayable(f"the window changed its size, and its board is gone: {error}") from error
        problem = self._problem(seen, known)
        if problem:
            raise Unplayable(
                f"the window changed its size, and shows another board now ({problem}): "
                "leave its size as it is and start again"
            )
        return self._go_to(seen)

    def after_growing(self) -> View | None:
        """The board some of whose columns or rows have grown; None where they have not, or are not seen."""
        now, seen, drawn = self.picture(), self.seen, self._drawn
        if (now.left, now.top) != (drawn.frame.left, drawn.frame.top):
            return None  # its window has been moved
        lattice = relined(drawn.frame, drawn.lattice, seen.frame, seen.lattice, now)
        if lattice is None:
            return None
        view = self._go_to(replace(seen, frame=now, lattice=lattice))
        self._drawn = drawn
        return view

    def _where_it_was(self) -> View | None:
        """The board in the place where it was; None where it is not."""
        now, seen, drawn = self.picture(), self.seen, self._drawn
        is_moved = (now.left, now.top) != (seen.frame.left, seen.frame.top)
        if is_moved or not lies_still(seen.frame, seen.lattice, now):
            return None
        view = self._go_to(replace(seen, frame=now))
        self._drawn = drawn
        return view

    def after_loss(self, known: Board) -> View | None:
        """The board where it is now, that cannot be read where it was; None where nothing like it is."""
        if (view := self.after_growing()) is not None:
            return view
        try:
            seen = self.glance(self.seen)
        except Stop:
            return None
        is_elsewhere = any(abs(a - b) > NEAR for a, b in zip(seen.box, self.seen.box, strict=True))
        return self._go_to(seen) if is_elsewhere and not self._problem(seen, known) else None

    def _problem(self, seen: Seen, known: Board) -> str:
        """Why this cannot be the board that was known, "" when it can."""
        problems = problems_after(seen.board, known)
        return problems[0] if problems else ""

    def _go_to(self, seen: Seen) -> View:
        self.seen = self._drawn = seen
        view = View.of(seen.frame, seen.lattice)
        self.found(seen, view)
        return view
