"""Games on themes that nobody has drawn before: `python benchmarks/seeing/drawn_games.py validation`.

A theme of one split's families (`training/drawing`) is drawn, cell by cell as its game goes, read with
nothing remembered, and played as a real program is, but for the screen and the mouse. Prints how the cells
were read, those of ended games apart, what games came to, and those in which a cell was read wrong. `--log
FILE` keeps the counts of every game, and goes on behind the last of them when it is started again.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bot.game.player import make_player
from bot.game.types import GameRules
from bot.readers import ReaderFactory
from games.errors import SapperError
from games.logic import bits
from games.minesweeper import EXPLODED, FLAG, HIDDEN, MINE, UNKNOWN, Board, Deal, Minefield, Move
from strategies import Reasoner, load_strategies
from training.drawing.boards import draw_cell
from training.drawing.choosing import choose_theme
from training.drawing.themes import Supply, Theme
from training.splits import SPLITS
from vision.frame import Frame, Pixels
from vision.lattice import Lattice
from vision.reading import BoardReader, Reading

SIZE, MINES = (12, 12), 22  # of every game
SMALLEST = 8  # pixels of a cell
MARGIN = 6  # pixels around the board
LOST, WON = ("hit", "mines", "alike"), ("nothing", "flags", "mines")  # what a program shows of its mines


class DrawnTable:
    """A minefield that is drawn in a theme, and read from its pictures.

    `seen` has, for each observation, what was read and what was to be read; `wrong_certain` counts certain
    moves that opened a mine, whatever the player made of them.
    """

    def __init__(self, field: Minefield, theme: Theme, seed: int, habits: tuple[str, str]) -> None:
        self.field = field
        self.theme = theme
        self.seen: list[tuple[Board, Board]] = []
        self.wrong_certain = 0
        self.reader: BoardReader | None = None
        self._seed = seed
        self._habits = habits
        self._drawn: dict[object, Pixels] = {}

    @property
    def lattice(self) -> Lattice:
        """Where its lines are."""
        width, height = (side * self.theme.zoom for side in self.theme.size)
        board = self.field.board
        return Lattice(
            tuple(MARGIN + width * k for k in range(board.columns + 1)),
            tuple(MARGIN + height * k for k in range(board.rows + 1)),
        )

    def look(self) -> Reading:
        """Draw the board, and read it."""
        assert self.reader is not None
        shown = shown_by(self.field, *self._habits)
        reading = self.reader.observe(self._picture(shown))
        self.seen.append((reading.board, shown))
        return reading

    def act(self, moves: Sequence[Move], certain: bool) -> None:
        """Play on the field, and let the reader know."""
        assert self.reader is not None
        before = self.field.board
        board = self.field.play(moves)
        if certain:
            self.wrong_certain += (
                board.cells_showing(EXPLODED) & ~before.cells_showing(EXPLODED)
            ).bit_count()
        self.reader.notify_moves(moves, certain)

    def _picture(self, board: Board) -> Frame:
        """The same picture of a cell, as long as it and the cells beside it show the same."""
        lattice = self.lattice
        pixels = np.empty((lattice.ys[-1] + MARGIN, lattice.xs[-1] + MARGIN, 3), np.uint8)
        pixels[:] = [int(value) for value in self.theme.cover.behind]
        rows = [board.cells[k : k + board.columns] for k in range(0, len(board), board.columns)]
        for k, state in enumerate(board.cells):
            key = k, state, tuple(board[each] in HIDDEN + FLAG for each in bits(board.around[k]))
            if key not in self._drawn:
                rng = np.random.default_rng([self._seed, k, ord(state)])
                self._drawn[key] = draw_cell(self.theme, rows, (k % board.columns, k // board.columns), rng)
            left, top, right, bottom = lattice.rectangle(k)
            pixels[top:bottom, left:right] = self._drawn[key]
        return Frame(pixels)


def shown_by(field: Minefield, lost: str, won: str) -> Board:
    """What a program of these habits shows of a game: of its mines, once it has ended."""
    board, mines = field.board, field.truth or 0
    if field.is_lost and lost == "hit":
        return board.with_states(dict.fromkeys(bits(board.cells_showing(MINE)), HIDDEN))
    if field.is_lost and lost == "alike":
        return board.with_states(dict.fromkeys(bits(board.cells_showing(EXPLODED)), MINE))
    if field.is_won and won != "nothing":
        return board.with_states(dict.fromkeys(bits(mines), FLAG if won == "flags" else MINE))
    return board


def play(
    supply: Supply, seed: int, sight: ReaderFactory, reasoner: Reasoner
) -> tuple[DrawnTable, str] | None:
    """Play the game of a seed; what it came to. None where its cells are too small."""
    rng = np.random.default_rng([seed, SPLITS.index(supply.split), 11])
    theme = choose_theme(supply, rng)
    theme.hovers = 0.0  # no pointer lies on a board
    columns, rows = SIZE
    if min(theme.size) * theme.zoom < SMALLEST:
        return None
    field = Minefield(Deal.random(rows, columns, MINES, seed), "safe", "open")
    table = DrawnTable(field, theme, seed, (str(rng.choice(LOST)), str(rng.choice(WON))))
    reader = sight.reader(table.lattice, None, MINES)
    table.reader = reader
    player = make_player(table, reasoner, GameRules(MINES, "safe", "open"), explain=reader.notify_no_response)
    try:
        result = player.play()
    except SapperError as error:
        return table, f"{type(error).__name__}: {error}"
    return table, result.result


def counted(table: DrawnTable, said: str) -> tuple[Counter[str], Counter[str]]:
    """How the cells were read, and what was taken for what."""
    cells: Counter[str] = Counter({said.partition(":")[0]: 1})
    cells["wrong certain"] += table.wrong_certain > 0
    is_over = table.field.is_lost or table.field.is_won
    mistaken: Counter[str] = Counter()
    for number, (read, true) in enumerate(table.seen):
        last = " at the end" if is_over and true.cells == table.seen[-1][1].cells else ""
        for k, (seen, is_so) in enumerate(zip(read.cells, true.cells, strict=True)):
            if seen == UNKNOWN:
                cells["unknown" + last] += 1
            elif seen == is_so or (seen == EXPLODED and is_so == MINE and table.field.board[k] == EXPLODED):
                cells["right" + last] += 1
            else:
                cells["wrong" + last] += 1
                mistaken[f"look {number + 1}: {is_so} as {seen}"] += 1
    return cells, mistaken


def main() -> int:
    """Play the games of a split."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("split", choices=SPLITS)
    parser.add_argument("--first", type=int, default=0, help="where the seeds begin")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--log", type=Path)
    words = parser.parse_args()
    total, first = _resumed(words.log, words.first)
    supply, sight, reasoner = Supply.load(words.split), ReaderFactory.load(), Reasoner(load_strategies())
    for seed in range(first, words.first + words.count):
        began = time.process_time()
        played = play(supply, seed, sight, reasoner)
        cells, mistaken = counted(*played) if played else (Counter({"too small": 1}), Counter())
        total += cells
        took = time.process_time() - began
        if played and (mistaken or not played[1].startswith(("won", "lost")) or cells["unknown"]):
            looks = f"{len(played[0].seen)} looks, {took:.1f} s"
            print(f"{words.split} {seed}: {played[1]}; {dict(cells)}, {looks}", flush=True)
            print(*(f"    {what} ({count})" for what, count in list(mistaken.items())[:6]), sep="\n")
        if words.log:
            with words.log.open("a", encoding="utf-8") as log:
                log.write(json.dumps({"seed": seed, "cells": cells}) + "\n")
    print({name: count for name, count in sorted(total.items()) if count})
    return 1 if total["wrong"] or total["wrong at the end"] or total["wrong certain"] else 0


def _resumed(log: Path | None, first: int) -> tuple[Counter[str], int]:
    """What an earlier run has counted, and where the seeds go on."""
    total: Counter[str] = Counter()
    if log and log.exists():
        for line in log.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            total.update(entry["cells"])
            first = entry["seed"] + 1
    return total, first


if __name__ == "__main__":
    sys.exit(main())
