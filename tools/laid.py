"""Boards that we lay ourselves, so that every label is known by counting. For tools only."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from desk import Desk

from games.logic import bits
from games.minesweeper import Board
from vision.lattice import Lattice

# Loaded into the program (LD_PRELOAD): its random numbers come from a file, as long as there is one.
_SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
static int numbers[4096], have = 0, next = 0;
static int laid(int *number) {
    FILE *file = fopen(getenv("LAID"), "r");
    if (file) {
        for (have = next = 0; have < 4096 && fscanf(file, "%d", &numbers[have]) == 1; have++);
        fclose(file);
        remove(getenv("LAID"));
    }
    if (next >= have) return 0;
    *number = numbers[next++];
    return 1;
}
int rand(void) {
    int number;
    return laid(&number) ? number : ((int (*)(void)) dlsym(RTLD_NEXT, "rand"))();
}
int g_random_int_range(int low, int high) {
    int number;
    return laid(&number) ? number : ((int (*)(int, int)) dlsym(RTLD_NEXT, "g_random_int_range"))(low, high);
}
"""


def shim(folder: Path) -> Path:
    """Compile the library that lets us lay the mines; it reads the file named by the variable LAID."""
    library = folder / "laid.so"
    subprocess.run(
        ["gcc", "-shared", "-fPIC", "-O1", "-x", "c", "-", "-o", str(library), "-ldl"],
        input=_SHIM.encode(),
        check=True,
    )
    return library


def rings(rows: int, columns: int, counts: Sequence[int]) -> int:
    """The set of mines of 3 x 3 blocks, left to right from the top, each with that many around its middle."""
    board = Board.fresh(rows, columns)
    mines = 0
    for number, count in enumerate(counts):
        block_row, block_column = divmod(number, columns // 3)
        middle = (3 * block_row + 1) * columns + 3 * block_column + 1
        for cell in list(bits(board.around[middle]))[:count]:
            mines |= 1 << cell
    return mines


def drawn(mines: int, columns: int) -> str:
    """What a program must draw to lay these mines when it draws column and row of each."""
    return " ".join(f"{k % columns} {k // columns}" for k in bits(mines))


def shuffled(mines: int, cells: int) -> str:
    """What a program must draw to lay these mines when it swaps each cell, last first, with a drawn one."""
    draws = list(range(cells))
    wanted = set(bits(mines))
    first = range(len(wanted))  # the places that become mines; what is there already stays
    for place, cell in zip((k for k in first if k not in wanted), sorted(wanted - set(first)), strict=True):
        draws[place] = cell
    return " ".join(map(str, reversed(draws)))


class Game:
    """The truth beside the program: what each cell shows after our clicks."""

    def __init__(self, shown: Desk, lattice: Lattice, mines: int) -> None:
        self.desk, self.lattice, self.mines = shown, lattice, mines
        self.board = Board.fresh(lattice.rows, lattice.columns)

    def open(self, cell: int) -> None:
        """Open a cell, unless a cascade has opened it; a mine ends the game."""
        if self.board[cell] == ".":
            self.desk.click(*self.lattice.centre(cell))
            if self.mines >> cell & 1:
                self.board = self.board.with_states({cell: "!"})
            else:
                self.opened(cell)

    def mark(self, cell: int, times: int = 1) -> None:
        """Right-click a hidden cell: once for a flag, twice for a question mark."""
        for _ in range(times):
            self.desk.click(*self.lattice.centre(cell), button=3)
        self.board = self.board.with_states({cell: ".F?"[times]})

    def open_most(self, middles: set[int]) -> None:
        """Open the middles and most other safe cells; some stay hidden, or the program would end the game."""
        safe = [k for k in range(len(self.board) - 1, -1, -1) if not self.mines >> k & 1]
        for cell in safe[:1]:
            self.open(cell)
        for number, cell in enumerate(k for k in safe if self.board[k] == "."):
            if cell in middles or number % 3:
                self.open(cell)

    def opened(self, cell: int) -> None:
        """A cell was opened, by us or by the program: its number shows, and a zero opens its neighbours."""
        queue = [cell]
        while queue:
            k = queue.pop()
            if self.board[k] == ".":
                number = (self.board.around[k] & self.mines).bit_count()
                self.board = self.board.with_states({k: str(number)})
                queue += bits(self.board.around[k]) if number == 0 else ()

    def show_mines(self) -> None:
        """The program shows the mines that bear no mark."""
        self.board = self.board.with_states({k: "*" for k in bits(self.mines) if self.board[k] == "."})
