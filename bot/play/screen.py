"""Game table for a board on the screen: capture and read images, click with the mouse.

After an act, the table waits until the clicked cells have changed and the image is still. `BoardVisibility`
detects in the meantime whether the board is visible or covered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from bot.game.board_change import FEW_NUMBERS, is_lost_from_view
from bot.game.types import Stopwatch
from bot.play.finder import BoardFinder, LocatedBoard
from bot.play.guard import WindowGuard
from bot.play.hand import Hand, SweepExecutor
from games.errors import BoardNotFound, BoardUnplayable, ImageUnsettled
from games.logic import bits, cell_set
from games.minesweeper import DIGITS, Board, Move
from vision.frame import Capture, Frame, Pixels
from vision.lattice import Lattice, changed_cells
from vision.reading import BoardReader, Reading

QUIET = 0.05  # seconds that the image must be still; the default for unknown programs
POLL = 0.004  # seconds between two captures while the image changes
CONFIRM = 0.001  # seconds until the capture that confirms the final image of a sleeping program
SHORT = 0.05  # seconds, a frame at 20 Hz; toolkits wait for less before they draw the next image
REACT = 0.4  # seconds in which a program must start to show an act
LONGEST = 5.0  # seconds; an image that changes for longer is given up
BACK_OFF = 0.5  # seconds; maximum extra wait if no move was made since the last observation
PROMPT = 10  # looks in a row without late changes after which a program counts as prompt
IN_SIGHT = 0.9  # minimum share of unchanged numbers of a visible board that nothing covers
GONE = 0.5  # share of unchanged numbers below which the board is elsewhere (gnome-mines often has under 0.9)
GONE_EARLY = 0.25  # share of unchanged cells if there are few numbers: a first click may open most cells
USUAL_COLOURS = 8  # most frequent colours of a board that are compared with what a veil makes of them
CLEAREST, DENSEST = 0.95, 0.05  # share of the board's own colour that a veil lets through
VEIL_ERROR = 2.0  # grey levels by which rounding may change a pixel below a veil
VEILED = 0.5  # minimum share of the pixels of other colours that agree; a message covers some
IN_PLACE = 0.7  # minimum cosine of the edges if only colours changed (seen: 0.87; one cell further: 0.48)


@dataclass(eq=False)
class BoardVisibility:
    """Compares images of a board with the image before the last act: visible numbers stay the same.

    `before` is that image, None if unknown, and `board` its reading. `latest` is the last image since the act
    in which the board was visible.
    """

    before: Frame | None
    lattice: Lattice
    board: Board
    latest: Frame | None = field(default=None, init=False)

    def keep_if_visible(self, frame: Frame) -> None:
        """Keep an image captured after the act if the board is visible in it."""
        same = self.unchanged_cells(frame)
        if same is None or same == self.board.everything:
            return  # the act does not show yet
        if self.visible_share(same) >= (IN_SIGHT if self._has_numbers else GONE_EARLY):
            self.latest = frame

    def take_latest(self) -> Frame | None:
        """The last image since the act in which the board was visible; None when called again."""
        frame, self.latest = self.latest, None
        return frame

    def is_hidden(self, frame: Frame) -> bool:
        """Whether something covers the board, or another board is shown; False if unknown."""
        same = self.unchanged_cells(frame)
        return same is not None and self.visible_share(same) < IN_SIGHT

    def has_vanished(self, frame: Frame) -> bool:
        """Whether most cells look different: the board has moved, or another one is shown."""
        same = self.unchanged_cells(frame)
        return same is not None and self.visible_share(same) < (GONE if self._has_numbers else GONE_EARLY)

    def has_same_edges(self, frame: Frame) -> bool:
        """Whether the image of a vanished board differs in its colours only, as in a flash."""
        if self.before is None or self.before.pixels.shape != frame.pixels.shape:
            return False
        before, now = _edges(self.before.pixels), _edges(frame.pixels)
        return float(before @ now) >= IN_PLACE * float(np.linalg.norm(before) * np.linalg.norm(now))

    def unchanged_cells(self, frame: Frame) -> int | None:
        """The cell set that looks as it did before the act, numbers in their middle; None if unknown."""
        before = self.before
        if before is None or before.pixels.shape != frame.pixels.shape:
            return None
        same, numbers = self.board.everything, self.board.cells_showing(DIGITS[1:])
        for cell in changed_cells(self.lattice, before.pixels, frame.pixels):
            middle = self.lattice.middle(cell)
            if not (numbers >> cell & 1 and np.array_equal(before.pixels[middle], frame.pixels[middle])):
                same &= ~(1 << cell)
        return same

    def patch_covered(self, frame: Frame, covered: int) -> Frame | None:
        """The image with the `covered` cells restored from before the act; None if unknown."""
        if self.before is None or self.before.pixels.shape != frame.pixels.shape:
            return None
        pixels = frame.pixels.copy()
        for cell in bits(covered):
            left, top, right, bottom = self.lattice.rectangle(cell)
            pixels[top:bottom, left:right] = self.before.pixels[top:bottom, left:right]
        return replace(frame, pixels=pixels)

    def without_veil(self, frame: Frame) -> Frame | None:
        """The image without the translucent colour that covers all of it; None if there is none.

        Pages dim the board below a message. Then one linear function gives each channel of the image from its
        value before the act. Two frequent colours determine the function, and most pixels of other colours
        must agree with it. Where they agree, the result shows the image before the act.
        """
        before = self.before
        if before is None or before.pixels.shape != frame.pixels.shape:
            return None
        old, now = (each.pixels.reshape(-1, 3).astype(np.float32) for each in (before, frame))
        packed = old @ np.array([1, 256, 65536], np.float32)
        colours, counts = np.unique(packed, return_counts=True)
        usual = [packed == colour for colour in colours[np.argsort(-counts)[:USUAL_COLOURS]]]
        best, cleared = VEILED, None
        for first, second in combinations(usual, 2):
            step = old[first][0] - old[second][0]
            shown = np.median(now[first], axis=0)
            gain = float((shown - np.median(now[second], axis=0)) @ step / (step @ step))
            others = ~(first | second)
            if DENSEST <= gain <= CLEAREST and others.any():
                offset = shown - gain * old[first][0]
                same = np.abs(gain * old + offset - now).max(axis=1) <= VEIL_ERROR
                if same[others].mean() > best:
                    best = same[others].mean()
                    cleared = np.where(same[:, None], old, np.clip(np.rint((now - offset) / gain), 0, 255))
        if cleared is None:
            return None
        return replace(frame, pixels=cleared.astype(np.uint8).reshape(before.pixels.shape))

    def visible_share(self, same: int) -> float:
        """The share of the numbers that this cell set contains; of all cells if there are few numbers."""
        cells = self.board.open if self._has_numbers else self.board.everything
        return (cells & same).bit_count() / cells.bit_count()

    @property
    def _has_numbers(self) -> bool:
        return self.board.open.bit_count() >= FEW_NUMBERS


def _edges(pixels: Pixels) -> NDArray[np.float32]:
    """The differences between neighbouring pixels, down and across, in one row."""
    image = pixels.astype(np.float32)
    return np.concatenate([np.abs(np.diff(image, axis=axis)).max(axis=2).ravel() for axis in (0, 1)])


class Promptness:
    """Learns whether a program has finished drawing when it falls asleep.

    If so, an image that shows the last act and stays the same while the program sleeps is final, and waiting
    any longer is useless. A program that animates its cells changes the image later, by a timer.
    Only sleep of more than `least` seconds counts.
    """

    def __init__(self, least: float = 0.0) -> None:
        self.least = least
        self._looks = 0  # in a row without a late change
        self._needed = PROMPT

    @property
    def is_prompt(self) -> bool:
        """Whether enough looks in a row had no late change."""
        return self._looks >= self._needed

    def record(self, is_late: bool) -> None:
        """Count a look whose image was watched long enough. Each late change doubles the looks needed."""
        if is_late:
            self._looks, self._needed = 0, 2 * self._needed
        else:
            self._looks += 1


def learn_promptness() -> tuple[Promptness, Promptness]:
    """For all sleep and for long sleep: short timers draw in some programs, and count seconds in others."""
    return Promptness(), Promptness(SHORT)


@dataclass
class ScreenTable:
    """A board on the screen.

    `located` is its location and `quiet` the seconds that its image must not change before it is read.
    `on_look` receives every settled frame with its reading. `finder` relocates the board when its cells have
    moved, and `on_moved` receives the new location. With `learns`, popups are dismissed before every look,
    not only when cells are unread, because the reader learns from its readings. With `pointer_stays`, the
    pointer stays where it clicked until the click is visible.
    """

    grabber: Capture
    located: LocatedBoard
    reader: BoardReader
    hand: Hand
    guard: WindowGuard
    finder: BoardFinder
    watch: Stopwatch
    quiet: float = QUIET
    on_look: Callable[[Frame, Reading], None] | None = None
    on_moved: Callable[[LocatedBoard], object] | None = None
    learns: bool = False
    pointer_stays: bool = False
    promptness: Sequence[Promptness] = field(default_factory=learn_promptness)
    visibility: BoardVisibility = field(init=False)
    _known: Board | None = field(default=None, init=False)  # the last reading in which the board was visible
    _is_out_of_sight: bool = field(default=False, init=False)  # in the last reading
    _is_blurred: bool = field(default=False, init=False)  # the last reading lost cells of the one before
    _frame: Frame | None = field(default=None, init=False)  # the last one, if the cells have not moved since
    _seen: Board | None = field(default=None, init=False)  # the last reading
    _waiting_for: Sequence[Move] = field(default=(), init=False)
    _looks_since_act: int = field(default=0, init=False)
    _settled_at: float = field(default=0.0, init=False)  # time of the last settled image

    def __post_init__(self) -> None:
        self.visibility = BoardVisibility(None, self.located.region_lattice, self.located.board)
        self._sweeper = SweepExecutor(
            self.hand, self.picture, self.watch.clock, self.guard, self._follow_in_a_sweep, self._cell_picture
        )

    def look(self) -> Reading:
        """Read the board once it is still. Raises ImageUnsettled, BoardUnplayable, ProgramExited."""
        self._follow()
        frame = self._wait_until_still()
        while self._known is not None and self.guard.has_resized:  # the cells have moved in the meantime
            self._follow()
            frame = self._wait_until_still()
        if self.learns and self._frame is not None and self.guard.dismiss_popup():
            frame = self._wait_until_still()  # the reader must not learn from a covered board
        is_hidden = self.visibility.is_hidden(frame) and not self.guard.has_resized
        if is_hidden:
            if self.guard.dismiss_popup():
                frame = self._wait_until_still()
            self._check()  # first, because a cover must not be read as cells
            if (
                self._known is not None
                and self.visibility.has_vanished(frame)
                and not self.visibility.has_same_edges(frame)  # the search takes half a second
                and self._move_to(self._search(self.finder.relocate, self._known))
            ):
                frame = self._wait_until_still()
        reading = self._read(frame)
        if reading.board.unread and self.guard.dismiss_popup():
            frame = self._wait_until_still()
            reading = self._read(frame)
        if reading.board.unread and not is_hidden and not self.guard.has_resized:
            self._check()
        if reading.covered:
            self.guard.obey()  # the user's pointer may cover a cell
        self._is_blurred = self._seen is not None and bool(reading.board.unread & ~self._seen.unread)
        self._frame, self._seen = frame, reading.board
        self._is_out_of_sight = self._known is not None and is_lost_from_view(reading.board, self._known)
        if not self._is_out_of_sight:
            self._known = reading.board
        self._waiting_for = ()
        self._looks_since_act += 1
        if self.on_look:
            self.on_look(frame, reading)
        return reading

    def act(self, moves: Sequence[Move], certain: bool) -> Sequence[Move]:
        """Make the moves with the mouse and notify the reader; returns the moves made.

        Makes none if the board is not where it was read: the next observation shows the reason. Raises
        Interrupted, BoardUnplayable, ProgramExited.
        """
        assert self._seen is not None, "look before you act"
        self._follow()
        lattice = self.located.region_lattice
        self.visibility = BoardVisibility(self._frame, lattice, self._known or self._seen)
        now = self.picture()
        if self._frame is None or not np.array_equal(now.pixels, self._frame.pixels):
            if self._frame is not None:
                for each in self.promptness:
                    each.record(is_late=True)
            self._check()
            if self.visibility.has_vanished(now):
                return ()
        elif self.guard.target is None:  # otherwise each press checks the window itself
            self.guard.check()
        with self.watch.timing("act"):
            made = self._sweeper.make(moves, self._frame, self._seen, lattice, self.pointer_stays)
            self.hand.park(self.guard.window)
        if made:
            self.reader.notify_moves(made, certain)
        self._waiting_for = made
        self._looks_since_act = 0
        return made

    def _follow_in_a_sweep(self) -> bool:
        """Relocate the board if its window was resized during a sweep; whether it was."""
        if not self.guard.has_resized:
            return False
        self._follow()
        return True

    def picture(self) -> Frame:
        """Capture the board now."""
        with self.watch.timing("capture"):
            return self.grabber.grab(self.located.region)

    def _cell_picture(self, cell: int) -> Frame:
        x, y, _, _ = self.located.region
        left, top, right, bottom = self.located.region_lattice.rectangle(cell)
        scale = self.located.frame.scale
        return self.grabber.grab(
            (x + left / scale, y + top / scale, (right - left) / scale, (bottom - top) / scale)
        )

    def last_visible(self, covered: int = 0) -> Frame | None:
        """The last image since the act in which the board was visible.

        Otherwise the current image without a veil, or with the `covered` cells restored from before the act,
        or None.
        """
        frame = self.visibility.take_latest()
        if frame is not None:
            return frame
        now = self.picture()
        return self.visibility.patch_covered(now, covered) if covered else self.visibility.without_veil(now)

    def read_earlier(self, frame: Frame) -> Reading:
        """Read an image captured earlier."""
        reading = self._read(frame)
        if self.on_look:
            self.on_look(frame, reading)
        return reading

    def _check(self) -> None:
        if self.guard.has_new_dialog():
            raise BoardUnplayable("a window of the program covers the board: close it")
        self.guard.check()

    def _follow(self) -> None:
        """Relocate the board after a resize, or if it or some of its cells became unreadable."""
        if self._known is None:
            return
        if self.guard.has_resized:
            self._move_to(self._search(self.finder.relocate_resized, self._known))
        elif self._is_out_of_sight:
            self._move_to(self._search(self.finder.relocate, self._known))
        elif self._is_blurred:
            self._move_to(self._search(self.finder.relocate_lines))

    def _search(self, find: Callable[..., LocatedBoard | None], *known: Board) -> LocatedBoard | None:
        """The board at another place, or None. Raises ProgramExited if its window is gone."""
        try:
            return find(self.located, *known)
        except BoardNotFound:
            self.guard.require_window()
            raise

    def _move_to(self, now: LocatedBoard | None) -> bool:
        """Use another location of the board, if there is one; whether there is."""
        if now is None:
            return False
        self.located, self._frame = now, None
        self.visibility = BoardVisibility(None, now.region_lattice, self._known or now.board)
        self.guard.update_box(now.box)
        self.hand.aim(now.frame, now.lattice)
        self.reader.set_lattice(now.region_lattice)
        if self.on_moved:
            self.on_moved(now)
        return True

    def _read(self, frame: Frame) -> Reading:
        with self.watch.timing("read"):
            return self.reader.observe(frame)

    def _wait_until_still(self) -> Frame:
        """The first frame that shows every act and has been still for `quiet` seconds.

        If it is the last settled image, the time since then counts.
        """
        clock = self.watch.clock
        began = still_since = clock.now()
        quiet = self.quiet + min(BACK_OFF, 0.02 * (2**self._looks_since_act - 1))
        react = REACT if self._waiting_for else 0.0
        frame = self.picture()
        if self._frame is not None and np.array_equal(frame.pixels, self._frame.pixels):
            still_since = self._settled_at if not self._waiting_for else began
        self.visibility.keep_if_visible(frame)
        asleep: dict[Promptness, Frame] = {}  # the first image of a sleeping program that shows every act
        while True:
            now = clock.now()
            if now - still_since >= quiet and (now - began >= react or self._shows(frame)):
                for each, image in asleep.items():
                    each.record(is_late=image is not frame)
                self._settled_at = now
                return frame
            if now - began > LONGEST:
                raise ImageUnsettled(f"the image of the board was not still within {LONGEST:.0f} seconds")
            final = [each for each, image in asleep.items() if image is frame and each.is_prompt]
            with self.watch.timing("wait"):
                clock.sleep(CONFIRM if final else POLL)
                # before the picture: the program may finish drawing and fall asleep just after it
                slept = self.guard.program_sleep_time() if self._waiting_for else 0.0
            latest = self.picture()
            if not np.array_equal(latest.pixels, frame.pixels):
                frame, still_since = latest, clock.now()
                self.visibility.keep_if_visible(frame)
            elif any(slept > each.least for each in final):
                self._settled_at = clock.now()
                return frame
            begun = [each for each in self.promptness if slept > each.least and each not in asleep]
            if begun and self._shows(frame):
                asleep |= dict.fromkeys(begun, frame)

    def _shows(self, frame: Frame) -> bool:
        """Whether every clicked cell looks different from before the act."""
        if self._frame is None:
            return True
        chords = 0  # a chord changes the neighbours
        if self._seen and any(move.kind == "chord" for move in self._waiting_for):
            board = self._seen
            for move in self._waiting_for:
                chords |= board.around[move.cell] & board.closed if move.kind == "chord" else 0
        marked = cell_set(move.cell for move in self._waiting_for if move.kind == "flag")
        cells = [move.cell for move in self._waiting_for if move.kind != "chord"]
        cells += bits(chords & ~marked)
        return all(self._differs(frame, self._frame, cell) for cell in cells)

    def _differs(self, frame: Frame, before: Frame, cell: int) -> bool:
        left, top, right, bottom = self.reader.lattice.rectangle(cell)
        return not np.array_equal(frame.pixels[top:bottom, left:right], before.pixels[top:bottom, left:right])
