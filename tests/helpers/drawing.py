"""Boards drawn with the tiles of a skin, whole games on such pictures, and screenshots with their labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from places import FIXTURES
from tables import JumpingClock

from bot.desktop.ports import Box
from bot.game.outcome import GameResult
from bot.game.plan import Planner
from bot.game.player import Player
from bot.game.types import GameRules, Stopwatch
from bot.play.finder import BoardFinder, LocatedBoard
from bot.play.screen import ScreenTable
from bot.readers import ReaderFactory
from bot.recording.recorder import Recorder
from bot.recording.recording import RecordingMeta
from games.minesweeper import UNKNOWN, Board, Deal, Minefield, Move
from strategies import Reasoner, load_strategies
from vision.annotations import AnnotatedImage, load_annotated
from vision.frame import Frame, Pixels, Region
from vision.lattice import Lattice
from vision.reading import Reading
from vision.skins import Skin

SKINS, SCREENS = FIXTURES / "skins", FIXTURES / "screens"
LABELLED = [f"{path.parent.name}/{path.stem}" for path in sorted((FIXTURES / "screens").glob("*/*.txt"))]
SKIN = "xdemineur"
GREY = (160, 150, 140)
ACTS_BEFORE = 4  # acts before a game changes its look


def labelled(state: str) -> AnnotatedImage:
    """Load a screenshot with its labels, such as `kmines/lost`."""
    return load_annotated(SCREENS / f"{state}.png")


@lru_cache
def skin_of(name: str) -> Skin:
    """The skin of a known program, from `fixtures/skins`."""
    return Skin.load(SKINS / f"{name}.skin")


@lru_cache(maxsize=1)
def readers() -> ReaderFactory:
    """A reader factory with the shipped model and without skins, loaded once."""
    return ReaderFactory.load()


def tiles_of(skin: Skin) -> dict[str, Pixels]:
    """One picture for each state, in the first size with a hidden cell."""
    height, width = next(tile.pixels.shape[:2] for tile in skin.tiles if tile.state == ".")
    return {
        tile.state: tile.pixels for tile in reversed(skin.tiles) if tile.pixels.shape[:2] == (height, width)
    }


def lattice_for(board: Board, skin: Skin, left: int = 0, top: int = 0) -> Lattice:
    """The lines of a board that is drawn with a skin at this corner."""
    height, width = tiles_of(skin)["."].shape[:2]
    return Lattice(
        tuple(left + width * c for c in range(board.columns + 1)),
        tuple(top + height * r for r in range(board.rows + 1)),
    )


def draw(board: Board, skin: Skin, left: int = 24, top: int = 32) -> Frame:
    """A picture of a board on a grey screen; UNKNOWN cells are white."""
    lattice = lattice_for(board, skin, left, top)
    tiles = tiles_of(skin)
    pixels = np.empty((lattice.ys[-1] + 40, lattice.xs[-1] + 24, 3), np.uint8)
    pixels[:] = GREY
    for k, state in enumerate(board.cells):
        x, y, x2, y2 = lattice.rectangle(k)
        pixels[y:y2, x:x2] = tiles.get(state, np.full_like(tiles["."], 255))
    return Frame(pixels)


def save(frame: Frame, path: Path) -> Path:
    """Write a picture as PNG; return its path."""
    done, png = cv2.imencode(".png", frame.pixels)
    assert done
    path.write_bytes(png.tobytes())
    return path


class Pictures:
    """A grabber that returns `show(number of the capture)`, cropped to the region."""

    def __init__(self, show: Callable[[int], Frame]) -> None:
        self.change(show)

    def change(self, show: Callable[[int], Frame]) -> None:
        """Show something else, and count the captures from 1 again."""
        self.grabs = 0
        self._show = show

    def grab(self, region: Region | None = None) -> Frame:
        self.grabs += 1
        frame = self._show(self.grabs)
        if region is None:
            return frame
        left, top, width, height = (round(part) for part in region)
        cut = frame.crop(left, top, width, height)
        return Frame(cut.pixels.copy(), cut.left, cut.top, cut.scale)


class QuietProfile:
    """A click profile that never verifies a move, and records losses."""

    def __init__(self) -> None:
        self.is_tried = False
        self.losses: list[int] = []

    def should_verify(self, made: int) -> bool:
        return False

    def record_losses(self, presses: int) -> None:
        self.losses.append(presses)


class Mouse:
    """A move executor that plays on a minefield and records its calls."""

    def __init__(self, field: Minefield) -> None:
        self.field = field
        self.acts: list[list[Move]] = []
        self.parked: list[Box | None] = []
        self.moves_made = 0
        self.profile = QuietProfile()

    def aim(self, frame: Frame, lattice: Lattice) -> None:
        """A mouse on a minefield clicks cells, wherever they are."""

    def act(self, moves: Sequence[Move], before: Callable[[], object]) -> None:
        self.acts.append(list(moves))
        self.moves_made = 0
        for move in moves:
            before()
            self.field.play([move])
            self.moves_made += 1

    def park(self, window: Box | None) -> None:
        self.parked.append(window)


class QuietGuard:
    """A guard of an undisturbed window that counts its calls."""

    target = None  # presses do not check the window

    def __init__(self, window: Box | None = None) -> None:
        self.window = window
        self.has_resized = self.followed = False
        self.sleep_time = 0.0
        self.checks = self.clears = 0

    def check(self, was_refused: bool = False) -> None:
        self.checks += 1

    def wait_until_responsive(self) -> bool:
        return False

    def wait_while_stopped(self) -> None:
        pass

    def has_new_dialog(self) -> bool:
        return False

    def program_sleep_time(self) -> float:
        return self.sleep_time

    def obey(self) -> None:
        """The user does not interfere."""

    def dismiss_popup(self) -> bool:
        self.clears += 1
        return False

    def update_box(self, box: Box) -> None:
        self.has_resized, self.followed = False, True


class ScriptedFinder(BoardFinder):
    """Finds whatever `find` returns."""

    def __init__(self, find: Callable[[], LocatedBoard]) -> None:
        self._find = find

    def find(self, before: LocatedBoard | None = None) -> LocatedBoard:
        return self._find()

    def find_once(self, before: LocatedBoard | None = None) -> LocatedBoard:
        return self._find()

    def screenshot(self) -> Frame:
        return self._find().frame


def record_game(
    folder: Path,
    seed: int = 3,
    size: tuple[int, int] = (8, 8),
    mines: int = 9,
    rules: GameRules | None = None,
    drawn: Skin | None = None,
    remembers: bool = False,
    watched: Callable[[Board, Board], None] | None = None,
    later: Skin | None = None,
) -> GameResult:
    """Play one game from pictures and record it in `folder`; there is no screen and no mouse.

    The pictures use the skin `drawn`, and after ACTS_BEFORE acts the skin `later`, whose cells may have
    another size. With `remembers`, the reader knows the skin `drawn`. `watched` receives the board as read
    and the true board of each observation.
    """
    skin = drawn or skin_of(SKIN)
    columns, rows = size
    rules = rules or GameRules(mines, "safe", "open")
    field = Minefield(Deal.random(rows, columns, mines, seed, rules.variant), "safe", rules.win_needs)
    watch = Stopwatch(JumpingClock())
    frame = draw(field.board, skin)
    start = LocatedBoard(frame, lattice_for(field.board, skin, 24, 32), field.board)
    strategies = load_strategies()
    names = tuple((each.name, each.version) for each in strategies)
    meta = RecordingMeta(SKIN, start.region_lattice, rules, names, "under test")
    remembered = skin if remembers else None
    recorder = Recorder(folder, meta, remembered, watch.clock.now)
    mouse = Mouse(field)
    reader = replace(readers(), variant=rules.variant).reader(start.region_lattice, remembered, rules.mines)
    guard = QuietGuard()

    def saw(frame: Frame, reading: Reading) -> None:
        recorder.on_frame(frame, reading)
        if watched:
            watched(reading.board, field.board)

    def shown(_: object) -> Frame:
        if later is not None and len(mouse.acts) == ACTS_BEFORE and not guard.followed:
            guard.has_resized = tiles_of(later)["."].shape != tiles_of(skin)["."].shape
        return draw(field.board, later if later is not None and len(mouse.acts) >= ACTS_BEFORE else skin)

    def find() -> LocatedBoard:
        lattice = lattice_for(field.board, later or skin, 24, 32)
        return LocatedBoard(shown(None), lattice, Board(rows, columns, UNKNOWN * rows * columns))

    screen = ScreenTable(
        Pictures(shown),  # type: ignore[arg-type]
        start,
        reader,
        mouse,  # type: ignore[arg-type]
        guard,  # type: ignore[arg-type]
        ScriptedFinder(find),
        watch,
        on_look=saw,
        on_moved=lambda now: recorder.set_lattice(now.region_lattice),
    )
    player = Player(
        screen, Planner(Reasoner(strategies), rules), [recorder], watch, reader.notify_no_response
    )
    try:
        result = player.play()
        recorder.close(result.as_json())
    finally:
        recorder.close()
    return result


def off(found: Lattice, wanted: Lattice) -> int:
    """The largest error of a line, in pixels."""
    pairs = [*zip(found.xs, wanted.xs, strict=True), *zip(found.ys, wanted.ys, strict=True)]
    return max(abs(a - b) for a, b in pairs)
