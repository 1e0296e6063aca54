"""What a game is to be played with: what was asked for, checked before anything is started."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bot.cli.options import parse_size
from bot.cli.places import choose_shelf
from games.errors import Usage

if TYPE_CHECKING:
    from bot.desktop import Kind
    from bot.loop import FlagPolicy
    from bot.programs import BoardSize, Program
    from bot.sight import Sight, SkinShelf
    from games.minesweeper import FirstClick
    from strategies import Strategy


@dataclass(frozen=True)
class PlayOptions:
    """One field for each option of `sapper play`."""

    program: str | None
    virtual: bool
    screen: str
    size: str | None
    mines: int | None
    first_click: FirstClick | None
    games: int
    backend: Kind | None
    strategies: tuple[str, ...]
    trust: bool
    observers: tuple[str, ...]
    flags: FlagPolicy
    skin: str | None
    skins_folder: Path | None
    record: Path | None
    window: str | None
    yes: bool
    dry_run: bool
    delay: float
    overlay: bool
    variant: str
    as_json: bool


@dataclass(frozen=True)
class Prepared:
    """All that is needed and no part of the desktop. `size` is that of a program that is to be started."""

    program: Program | None
    size: BoardSize | None
    strategies: Sequence[Strategy]
    shelf: SkinShelf
    sight: Sight
    is_virtual: bool


def prepared(asked: PlayOptions) -> Prepared:
    """Load what was named. Raises Usage, InvalidFile."""
    from bot.live import has_display
    from bot.programs import Program
    from bot.sight import Sight
    from games.minesweeper.variants import variant_of
    from strategies import load_strategies

    variant_of(asked.variant)
    program = Program.load(asked.program) if asked.program else None
    strategies = load_strategies(asked.strategies or None, asked.trust)
    is_virtual = asked.virtual or (asked.backend is None and not has_display())
    if is_virtual and program is None:
        raise Usage("a virtual screen is empty: name a program with --program, or play on a display")
    shelf = choose_shelf(asked.skin, asked.skins_folder)
    sight = Sight.load(shelf.skins, bool(asked.skin))
    if asked.record and asked.record.exists() and not asked.record.is_dir():
        raise Usage(f"{asked.record} is no folder: name one for the recordings with --record")
    if program and program.win == "flags" and asked.flags == "none":
        raise Usage(f"{program.name} is won only when every mine is flagged: leave out --flags none")
    size = choose_size(program, parse_size(asked.size), asked.mines) if program else None
    return Prepared(program, size, strategies, shelf, sight, is_virtual)


def choose_size(program: Program, size: tuple[int, int] | None, mines: int | None) -> BoardSize:
    """The board to start a program with. Raises Usage when the program has none like it.

    A size without mines is that of the default board or of a level; where it is neither, the mines are as
    dense as on the default board.
    """
    from bot.programs import BoardSize

    default = program.default
    columns, rows = size or (default.columns, default.rows)
    if mines is None:
        named = [default, *(level.size for level in program.levels)]
        dense = max(1, round(default.mines * columns * rows / (default.columns * default.rows)))
        mines = next(
            (known.mines for known in named if (known.columns, known.rows) == (columns, rows)), dense
        )
    chosen = BoardSize(columns, rows, mines)
    program.level(chosen)
    return chosen
