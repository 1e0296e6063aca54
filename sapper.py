"""Sapper as a library: read a screenshot, analyse a board, simulate games, open recordings.

    import sapper

    board = sapper.read("screenshot.png").board
    for found in sapper.analyse(board).certain:
        print(board.name(found.cell), "mine" if found.is_mine else "safe", found.sentences)

Importing this module needs no display, and reading does not import `bot`. A wrong argument raises
`ArgumentError`; all errors are subclasses of `SapperError`.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from inspect import signature
from operator import index
from pathlib import Path
from types import ModuleType, NoneType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from games.errors import ArgumentError, Contradiction, InvalidFile, SapperError
from games.external import LARGEST_TEXT_FILE, read_external
from games.minesweeper import LEVELS, Board, Deal, Minefield, Move
from strategies import (
    CONTRACT,
    CertainCell,
    Constraint,
    Deduction,
    Guess,
    Knowledge,
    Linear,
    Option,
    Position,
    Propagation,
    Split,
    Strategy,
    bits,
    cell_set,
    hookimpl,
    load_strategies,
)
from strategies.hookspecs import PROJECT

if TYPE_CHECKING:
    from PIL.Image import Image

    from bot.recording.recording import Recording
    from bot.show.explainer import Explainer
    from bot.simulation.simulated_game import SimulatedResult
    from bot.simulation.tournament import BenchSummary, PairedComparison
    from vision.frame import Frame
    from vision.screenshot import ImageReading

__all__ = [
    "CONTRACT",
    "Analysis",
    "ArgumentError",
    "Board",
    "CertainCell",
    "Constraint",
    "Contradiction",
    "Deal",
    "Deduction",
    "Guess",
    "Knowledge",
    "Linear",
    "Minefield",
    "Move",
    "Option",
    "Player",
    "Position",
    "Propagation",
    "Recording",
    "SapperError",
    "Split",
    "Strategies",
    "analyse",
    "bits",
    "cell_set",
    "compare",
    "hookimpl",
    "mask",
    "read",
    "simulate",
]

Strategies = str | Path | object  # one, or a sequence: names, files, or plugins with hooks
Player = Callable[[Board], int]  # the cell to open next


def __getattr__(name: str) -> Any:
    """Import `Recording` when it is used, because it belongs to `bot`."""
    if name == "Recording":
        from bot.recording.recording import Recording

        return Recording
    raise AttributeError(f"module 'sapper' has no attribute '{name}'")


def read(
    picture: str | Path | bytes | NDArray[np.uint8] | Image | Frame, skin: str | Path | None = None
) -> ImageReading:
    """Locate and read the only board in a picture.

    `picture` is a file, the content of a file, a Pillow image, or an array (height, width, 3), uint8, in the
    order blue green red. `skin` is the name or file of a skin; by default, the known skins are tried. The
    result has `board`, `lattice` (pixels) and `reading` with the confidence of each cell. Raises
    BoardNotFound, AmbiguousBoard, BoardUnplayable, InvalidFile for a damaged file, ArgumentError.
    """
    from strategies.probability.board_prior import UniformMinePrior
    from vision.frame import Frame
    from vision.screenshot import ScreenshotReader
    from vision.skins import load_known_skins, load_skin

    _expect(skin, (str, Path, NoneType), "the name or the file of a skin")
    reader = ScreenshotReader.load(
        UniformMinePrior(), [load_skin(skin)] if skin is not None else load_known_skins(), skin is not None
    )
    if isinstance(picture, str | Path):
        return reader.read_file(Frame.read_file(Path(picture)), str(picture))
    if isinstance(picture, bytes):
        return reader.read_file(picture, "the picture")
    if hasattr(picture, "convert"):  # Pillow
        picture = np.ascontiguousarray(np.asarray(picture.convert("RGB"))[:, :, ::-1])
    if not isinstance(picture, Frame | np.ndarray):
        raise ArgumentError(
            f"{picture!r:.40} is no picture: pass a file, its bytes, a Pillow image, or a BGR array"
        )
    frame = picture if isinstance(picture, Frame) else Frame(picture)
    if not frame.pixels.size:
        raise ArgumentError(f"a picture of {frame.width}x{frame.height} pixels: pass a screenshot")
    return reader.read_frame(frame, "the picture")


@dataclass(frozen=True, eq=False)
class Analysis:
    """What follows from a board. Each part is computed on first use.

    `safe` and `mines` are the certain cells, as cell sets, without mines that the board already shows.
    """

    board: Board
    safe: int
    mines: int
    _explainer: Explainer = field(repr=False)

    @cached_property
    def certain(self) -> tuple[CertainCell, ...]:
        """The certain cells, easiest first, each with its rule, its clues and its proof in sentences."""
        return tuple(self._explainer.explained(self.safe | self.mines))

    @cached_property
    def risks(self) -> NDArray[np.float64]:
        """The mine probability of each cell, (rows, columns); nan for open cells."""
        found = np.full(len(self.board), np.nan)
        known = self._explainer.knowledge
        for cell in bits(self.board.not_open):
            found[cell] = known.true >> cell & 1
        for cell, risk in self._explainer.risks():
            found[cell] = risk
        return found.reshape(self.board.rows, self.board.columns)

    @cached_property
    def guesses(self) -> tuple[Guess, ...]:
        """The cells to guess, best first; empty if a cell is certainly safe, or none can be opened."""
        return () if self.safe & self.board.closed else self._explainer.guesses()

    @property
    def faults(self) -> tuple[str, ...]:
        """Errors of strategies, one line each."""
        return self._explainer.faults


def analyse(board: Board | str | Path, strategies: Strategies | None = None) -> Analysis:
    """Find the certain cells of a board, with proofs, and the risks of all others.

    `board` is a board, its text, or the path of a text file; `strategies` are names, files or plugins, in the
    order of trial. Raises Contradiction, naming a smallest set of clues, if the board is impossible;
    InvalidFile, ArgumentError.
    """
    from bot.show.explainer import Explainer

    if isinstance(board, str | Path):
        board = _parse(board)
    _expect(board, Board, "a Board, its text, a pathlib.Path, or read(...).board")
    _expect(board.mines, (int, NoneType), "a Board with a whole number of mines, or None")
    if board.mines is not None and board.mines < 0:
        raise ArgumentError(f"{board.mines} mines: pass a Board with 0 or more, or None")
    explainer = Explainer(board, _loaded(strategies))
    known = explainer.knowledge
    return Analysis(board, explainer.certain & known.false, explainer.certain & known.true, explainer)


def simulate(
    player: Strategies | Player | None = None,
    games: int = 100,
    level: Literal["beginner", "intermediate", "expert"] | None = None,
    *,
    size: tuple[int, int] | None = None,
    mines: int | None = None,
    seed: int | str = "sapper",
    first_click: Literal["safe", "zero"] = "safe",
    variant: str = "plain",
) -> BenchSummary:
    """Play simulated games and count the wins; the same seed gives the same boards to every player.

    `player` is a strategy (name, file, plugin, or a sequence of them), or a function that receives the board
    and returns the cell to open. `level` defaults to beginner; `size` is (columns, rows). Everything runs in
    this process, so an endless loop of a strategy is not stopped. Raises ArgumentError, UsageError.
    """
    from bot.simulation.boards import BoardSet, first_click_cell, parse_board_size
    from bot.simulation.simulated_game import GameStart, play_game
    from bot.simulation.tournament import BenchSummary, FaultCounter

    _expect(games, int, "a whole number of games")
    _expect(mines, (int, NoneType), "a whole number of mines")
    if size is not None and not (len(_expect(size, tuple, SIZE)) == 2 and all(type(k) is int for k in size)):
        raise ArgumentError(f"size {size}: pass {SIZE}")
    if (size is None) != (mines is None) or (size and level):
        raise ArgumentError("pass either a level, or size and mines together")
    if games < 1:
        raise ArgumentError(f"{games} games: pass 1 or more")
    if level is not None and level not in LEVELS:
        raise ArgumentError(f"level {level!r}: use one of {', '.join(LEVELS)}, or size and mines")
    columns, rows, total = parse_board_size(level or (None if size else "beginner"), size, mines)
    first_click_cell(None, rows, columns, total, first_click, variant)
    deals = BoardSet.random((columns, rows), total, str(seed), games, variant).deals
    faults = FaultCounter()
    scores = {}
    is_function = callable(player) and not _has_hook(player)
    if is_function and not _accepts_board(player):
        raise ArgumentError(f"{player!r:.60} does not accept a board: pass a function of one argument")
    chosen = () if is_function else _loaded(player)
    for number, deal in deals.items():
        if is_function:
            scores[number] = _play_with(cast("Player", player), number, deal, first_click)
        else:
            scores[number] = play_game(chosen, number, deal, GameStart(first_click))
        for text in faults.new(scores[number]):
            warnings.warn(f"game {number}: {text}", RuntimeWarning, stacklevel=2)
    return BenchSummary.of(scores, max(score.slowest for score in scores.values()), faults.details)


def compare(ours: BenchSummary, theirs: BenchSummary) -> PairedComparison:
    """Compare two results of `simulate` game by game; `difference` is the win rate with its 95 % interval.

    Both must have been played with the same size, mines, seed and first click. Raises ArgumentError.
    """
    from bot.simulation.tournament import BenchSummary, PairedComparison

    for each in (ours, theirs):
        _expect(each, BenchSummary, "results of simulate()")
    return PairedComparison.of(ours.wins, theirs.wins)


def mask(board: Board, cells: int) -> NDArray[np.bool_]:
    """A cell set as an array (rows, columns); `cell_set(np.flatnonzero(array))` is the reverse."""
    _expect(board, Board, "a Board")
    if not 0 <= _expect(cells, int, "a cell set, see cell_set") <= board.everything:
        raise ArgumentError(f"{cells} is no cell set of this board: see cell_set")
    data = np.frombuffer(cells.to_bytes(len(board) // 8 + 1, "little"), np.uint8)
    is_in = np.unpackbits(data, count=len(board), bitorder="little").astype(bool)
    return is_in.reshape(board.rows, board.columns)


def _parse(board: str | Path) -> Board:
    """The board in a text or a text file. Raises InvalidFile, ArgumentError."""
    if isinstance(board, Path):
        try:
            return Board.parse(read_external(board, LARGEST_TEXT_FILE).decode("utf-8", "replace"))
        except OSError as error:
            raise InvalidFile(f"{board}: {error.strerror}: pass the path of a text file") from error
    try:
        return Board.parse(board)
    except InvalidFile as error:
        if "\n" in board.strip() or not Path(board).suffix:
            raise
        raise ArgumentError(
            f"{board!r:.60} is not the text of a board: pass pathlib.Path({board!r:.60})"
        ) from error


HOOKS = ("deduce", "guess")
SIZE = "the size as (columns, rows)"
T = TypeVar("T")


def _expect(value: T, kinds: type | tuple[type, ...], what: str) -> T:
    """The value, if it has one of these types. Raises ArgumentError."""
    if not isinstance(value, kinds):
        raise ArgumentError(f"{value!r:.40} is of type {type(value).__name__}: pass {what}")
    return value


def _has_hook(thing: object) -> bool:
    """Whether this is a marked function, or a class, module or object with one."""
    hooks = (thing, *(getattr(thing, name, None) for name in HOOKS))
    return any(hasattr(hook, f"{PROJECT}_impl") for hook in hooks)


def _accepts_board(player: object) -> bool:
    """Whether a function can be called with one argument; functions without a known signature can."""
    try:
        signature(cast("Player", player)).bind(None)
    except TypeError:
        return False
    except ValueError:  # compiled
        return True
    return True


def _loaded(wanted: Strategies | None) -> tuple[Strategy, ...]:
    """Load strategies into this process. Raises UsageError, InvalidFile, ArgumentError."""
    if wanted is None:
        return load_strategies()
    several = wanted if isinstance(wanted, Sequence) and not isinstance(wanted, str) else (wanted,)
    if not several:
        raise ArgumentError("no strategy: pass at least one, or None for the default")
    found: list[Any] = []
    for each in several:
        if not isinstance(each, str | Path | Strategy) and not _has_hook(each):
            raise ArgumentError(
                f"{each!r} is no strategy: pass a name, a file, or something with a hook marked by @hookimpl"
            )
        if hasattr(each, f"{PROJECT}_impl"):  # a single hook
            plugin = ModuleType(getattr(each, "__name__", ""))
            setattr(plugin, plugin.__name__, each)
            found.append(plugin)
        else:
            found.append(str(each) if isinstance(each, Path) else each)
    return load_strategies(found, trust=True)


def _play_with(player: Player, game: int, deal: Deal, first_click: str) -> SimulatedResult:
    """Play one game with a function. Raises ArgumentError if it returns anything but a closed cell."""
    from bot.simulation.simulated_game import SimulatedResult

    field, spent = Minefield(deal, first_click), [0.0]
    while not (field.is_won or field.is_lost):
        board, begun = field.board, time.thread_time()
        cell = player(board)
        spent.append(time.thread_time() - begun)
        try:
            number = index(cell)
        except TypeError:
            number = -1
        if not (0 <= number < len(board) and board.closed >> number & 1):
            raise ArgumentError(f"the player returned {cell!r}: return the number of a closed cell")
        field.play([Move("open", number)])
    return SimulatedResult(game, field.is_won, 0, len(spent) - 1, sum(spent), max(spent))
