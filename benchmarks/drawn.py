"""Read drawn boards of one split, and play games on drawn themes, without a screen or mouse.

Tables: docs/results, "Drawn boards" and "Drawn games".

    python -m benchmarks.drawn boards validation --count 150
    python -m benchmarks.drawn games validation --count 100 --log build/drawn.jsonl

`python -m training fetch` installs the fonts and icons.

- `boards`: `training.drawn_pictures` draws fresh, played, won, lost and crowded boards, seen by a camera.
  Their lines are known.
- `games`: a theme (`training/drawings`) draws each cell as the game proceeds. The pictures are read with
  nothing remembered, and the game is played like a real one. The script prints the cells by reading, with the
  cells of finished games counted separately, the results, and all games with errors. `--log` stores the
  counts of each game, and the same command continues an interrupted run. The exit code is 1 if a cell was
  misread.
"""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.shared import append_log, format_times, new_parser, read_log
from bot.game.plan import Planner
from bot.game.player import Player
from bot.game.types import GameRules
from bot.readers import ReaderFactory
from games.errors import SapperError
from games.minesweeper import EXPLODED, MINE, MINES_SHOWN, UNKNOWN, Board, Deal, Minefield, Move
from strategies import Reasoner, load_strategies
from strategies.probability.board_prior import UniformMinePrior
from training.drawings.board_images import GamePainter
from training.drawings.theme_choice import choose_theme
from training.drawings.themes import Theme, ThemeResources
from training.drawn_pictures import drawn_pictures
from training.game_priors import show_end
from training.splits import SPLITS
from vision.cells.model import CellModel
from vision.label.picture import read_picture
from vision.lattice import Lattice
from vision.reading import BoardReader, Reading

CROWDED = 0.03  # share of cells with a number of five or more in a crowded board
SIZE, MINES = (12, 12), 22  # of every game
SMALLEST = 8  # pixels; smallest cell
LOST, WON = ("hit", "mines", "alike"), ("nothing", "flags", "mines")  # ways to reveal mines at the end


# --- boards --------------------------------------------------------------------------------------------


def read_boards(options: Namespace) -> int:
    """Read every picture and print the cells by kind of board."""
    model, counts, took = CellModel.load(), defaultdict[str, Counter[str]](Counter), list[float]()
    for labelled in drawn_pictures(options.split, range(options.first, options.first + options.count)):
        truth, begin = labelled.board, time.process_time()
        board = read_picture(labelled.frame, labelled.lattice, UniformMinePrior(), model).board
        took.append(1000 * (time.process_time() - begin))
        pairs = zip(board.cells, truth.cells, strict=True)
        cells = Counter("unknown" if a == UNKNOWN else "right" if a == b else "wrong" for a, b in pairs)
        for kind in (board_kind(truth), "all"):
            counts[kind].update(cells)
            counts[kind].update(pictures=1, misread=int(cells["wrong"] > 0))
        if cells["wrong"]:
            print(f"{labelled.source} {board_kind(truth)}: {dict(cells)}", flush=True)
    print("| kind | pictures | cells | right | unknown | wrong | pictures with wrong |")
    print("|---|---|---|---|---|---|---|")
    for kind, found in sorted(counts.items()):
        total = found["right"] + found["unknown"] + found["wrong"]
        right, unknown, wrong = (100 * found[name] / total for name in ("right", "unknown", "wrong"))
        shares = f"{right:.2f} % | {unknown:.2f} % | {wrong:.3f} %"
        print(f"| {kind} | {found['pictures']} | {total} | {shares} | {found['misread']} |")
    print(f"reading: {format_times(took)}, sum {sum(took) / 1000:.1f} s")
    return 0


def board_kind(truth: Board) -> str:
    """`crowded`, `fresh`, `in play` or `ended`."""
    many = sum(truth.cells.count(str(number)) for number in (5, 6, 7, 8))
    if many > CROWDED * len(truth):
        return "crowded"
    if not truth.open:
        return "fresh"
    return "ended" if truth.cells_showing(MINES_SHOWN) or not truth.closed else "in play"


# --- games ---------------------------------------------------------------------------------------------


class DrawnTable:
    """A minefield that a theme draws; the player sees only its pictures.

    `seen` contains the board as read and the true board of each observation. `wrong_certain` counts certain
    moves that opened a mine.
    """

    def __init__(self, field: Minefield, theme: Theme, seed: int, end_styles: tuple[str, str]) -> None:
        self.field = field
        self.seen: list[tuple[Board, Board]] = []
        self.wrong_certain = 0
        self.reader: BoardReader | None = None
        self._painter = GamePainter(theme, seed)
        self._end_styles = end_styles

    @property
    def lattice(self) -> Lattice:
        """The lines of the board."""
        return self._painter.lattice(self.field.board)

    def look(self) -> Reading:
        """Draw the board and read it."""
        assert self.reader is not None
        shown = visible_board(self.field, *self._end_styles)
        reading = self.reader.observe(self._painter.picture(shown))
        self.seen.append((reading.board, shown))
        return reading

    def act(self, moves: Sequence[Move], certain: bool) -> None:
        """Play the moves and inform the reader."""
        assert self.reader is not None
        before = self.field.board
        board = self.field.play(moves)
        if certain:
            self.wrong_certain += (
                board.cells_showing(EXPLODED) & ~before.cells_showing(EXPLODED)
            ).bit_count()
        self.reader.notify_moves(moves, certain)


def visible_board(field: Minefield, lost: str, won: str) -> Board:
    """The board of a program that shows its mines in these styles after a loss and a win."""
    if not (field.is_lost or field.is_won):
        return field.board
    return show_end(field.board, field.truth or 0, lost if field.is_lost else won)


def play(
    resources: ThemeResources, seed: int, readers: ReaderFactory, reasoner: Reasoner
) -> tuple[DrawnTable, str] | None:
    """Play the game of a seed; the table and the result. None if the cells are too small."""
    rng = np.random.default_rng([seed, SPLITS.index(resources.split), 11])
    theme = choose_theme(resources, rng)
    theme.hovers = 0.0  # no pointer is over the board
    columns, rows = SIZE
    if min(theme.size) * theme.zoom < SMALLEST:
        return None
    field = Minefield(Deal.random(rows, columns, MINES, seed), "safe", "open")
    table = DrawnTable(field, theme, seed, (str(rng.choice(LOST)), str(rng.choice(WON))))
    reader = readers.reader(table.lattice, None, MINES)
    table.reader = reader
    rules = GameRules(MINES, "safe", "open", can_chord=bool(seed % 2))  # chords need flags
    player = Player(table, Planner(reasoner, rules), explain=reader.notify_no_response)
    try:
        result = player.play()
    except SapperError as error:
        return table, f"{type(error).__name__}: {error}"
    return table, result.result


def count_cells(table: DrawnTable, result: str) -> tuple[Counter[str], Counter[str]]:
    """Cells by reading, and the mistakes by observation."""
    cells: Counter[str] = Counter({result.partition(":")[0]: 1})
    cells["wrong certain"] += table.wrong_certain > 0
    is_over = table.field.is_lost or table.field.is_won
    mistakes: Counter[str] = Counter()
    for number, (read, true) in enumerate(table.seen):
        last = " at the end" if is_over and true.cells == table.seen[-1][1].cells else ""
        for k, (seen, truth) in enumerate(zip(read.cells, true.cells, strict=True)):
            if seen == UNKNOWN:
                cells["unknown" + last] += 1
            elif seen == truth or (seen == EXPLODED and truth == MINE and table.field.board[k] == EXPLODED):
                cells["right" + last] += 1
            else:
                cells["wrong" + last] += 1
                mistakes[f"observation {number + 1}: {truth} as {seen}"] += 1
    return cells, mistakes


def play_games(options: Namespace) -> int:
    """Play the games of a split; 1 if a cell was misread."""
    total, first = Counter[str](), options.first
    for entry in read_log(options.log):
        total.update(entry["cells"])
        first = entry["seed"] + 1
    resources, readers, reasoner = (
        ThemeResources.load(options.split),
        ReaderFactory.load(),
        Reasoner(load_strategies()),
    )
    for seed in range(first, options.first + options.count):
        begin = time.process_time()
        played = play(resources, seed, readers, reasoner)
        cells, mistakes = count_cells(*played) if played else (Counter({"too small": 1}), Counter())
        total += cells
        took = time.process_time() - begin
        if played and (mistakes or not played[1].startswith(("won", "lost")) or cells["unknown"]):
            extent = f"{len(played[0].seen)} observations, {took:.1f} s"
            print(f"{options.split} {seed}: {played[1]}; {dict(cells)}, {extent}", flush=True)
            print(*(f"    {mistake} ({count})" for mistake, count in list(mistakes.items())[:6]), sep="\n")
        append_log(options.log, {"seed": seed, "cells": cells})
    print({name: count for name, count in sorted(total.items()) if count})
    return 1 if total["wrong"] or total["wrong at the end"] or total["wrong certain"] else 0


def main() -> int:
    """Read boards or play games; the exit code is 1 if a cell of a game was misread."""
    parser = new_parser(__doc__)
    parser.add_argument("measurement", choices=("boards", "games"))
    parser.add_argument("split", choices=SPLITS)
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--log", type=Path, help="log of the games")
    options = parser.parse_args()
    return read_boards(options) if options.measurement == "boards" else play_games(options)


if __name__ == "__main__":
    sys.exit(main())
