"""Plain games that only the kernels play: no rules, proofs, loop or table.

Certain moves are the same as in a real game. Guesses are the same unless candidates are equal up to rounding.
A game takes a fraction of the time of a real game. Other benchmarks import this module.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random

import numpy as np
import numpy.typing as npt

from games.errors import InvalidFile, MissingRequirement, UsageError
from games.logic import bits
from games.minesweeper import Board, Deal, board_knowledge, neighbours
from strategies import Reasoner, Strategy, load_strategies, load_strategy
from strategies.kernels import (
    Choice,
    GuessSettings,
    PositionArrays,
    choose_cell,
    make_position,
    survey,
    thread_memory,
)
from strategies.kernels.settings import FAILED, SAFE
from strategies.testing import position_of

Ints = npt.NDArray[np.int64]
HIDDEN, OPEN, MINE, KNOWN_SAFE = 0, 1, 2, 3  # states of a cell; KNOWN_SAFE is still hidden
TOO_WIDE = "a position is too wide for exact counting: use a smaller or sparser board"


@dataclass(frozen=True, slots=True, eq=False)
class CellGraph:
    """The neighbours of all cells, and the mine total.

    Each row of `around` has the neighbours of a cell, filled up with a cell that does not exist.
    """

    rows: int
    columns: int
    around: Ints
    mines: int

    @classmethod
    @lru_cache(maxsize=8)
    def of(cls, rows: int, columns: int, mines: int) -> CellGraph:
        """The graph of a plain board."""
        around = np.full((rows * columns, 8), rows * columns)
        for k, cells in enumerate(neighbours(rows, columns)):
            around[k, : cells.bit_count()] = list(bits(cells))
        return cls(rows, columns, around, mines)

    def numbers(self, mines: Ints) -> Ints:
        """The number of each cell; `mines` is 0 or 1 for each cell."""
        return self.count(mines == 1)

    def count(self, is_wanted: npt.NDArray[np.bool_]) -> Ints:
        """For each cell, how many of its neighbours are wanted."""
        counts: Ints = np.append(is_wanted, False)[self.around].sum(axis=1)
        return counts

    def sweep(self, state: Ints, numbers: Ints) -> None:
        """Open safe cells and mark mines that follow from single clues, until no clue adds anything."""
        while True:
            hidden, mines = self.count(state == HIDDEN), self.count(state == MINE)
            clues = np.flatnonzero((state == OPEN) & (hidden > 0))
            added = False
            for answer, is_settled in (
                (OPEN, numbers[clues] == mines[clues]),
                (MINE, numbers[clues] == mines[clues] + hidden[clues]),
            ):
                cells = self.around[clues[is_settled]].ravel()
                cells = cells[cells < len(state)]
                cells = cells[state[cells] == HIDDEN]
                state[cells] = answer
                added = added or len(cells) > 0
            if not added:
                return

    def position(self, state: Ints, numbers: Ints) -> tuple[Ints, int, PositionArrays]:
        """The undecided cells, frontier cells first, how many these are, and their constraints."""
        cells = len(state)
        is_hidden = np.append(state == HIDDEN, False)
        clues = np.flatnonzero((state == OPEN) & (self.count(state == HIDDEN) > 0))
        is_bound = np.zeros(cells + 1, np.bool_)
        is_bound[self.around[clues]] = True
        own = np.concatenate(
            (np.flatnonzero((is_hidden & is_bound)[:cells]), np.flatnonzero((is_hidden & ~is_bound)[:cells]))
        )
        number = np.full(cells + 1, -1)
        number[own] = np.arange(len(own))
        low = (numbers - self.count(state == MINE))[clues]
        left = self.mines - int(np.count_nonzero(state == MINE))
        ones, bound = np.ones(len(own), np.int64), int(is_bound[own].sum())
        constraints = *_lists(number[self.around[clues]]), low, low
        around = _lists(number[self.around[own]])
        arrays = make_position(ones[:bound], ones, constraints, around, left, left, 0.25)
        return own, bound, arrays


def _lists(table: Ints) -> tuple[Ints, Ints]:
    """The numbers of each row that are not negative, one row after the other, and where each begins."""
    lengths = (table >= 0).sum(axis=1)
    return np.concatenate(([0], np.cumsum(lengths))), table[table >= 0]


@dataclass(slots=True, eq=False)
class KernelGame:
    """A game in progress: the state of each cell, its mine (0 or 1) and its number."""

    graph: CellGraph
    state: Ints
    mines: Ints
    numbers: Ints

    @classmethod
    def of(cls, graph: CellGraph, state: Ints, mines: Ints) -> KernelGame:
        """A game on a copy of `state`."""
        return cls(graph, state.copy(), mines, graph.numbers(mines))

    @classmethod
    def begin(cls, deal: Deal, start: int, first_click: str) -> KernelGame:
        """A game of this deal with its first cell open."""
        mines = np.zeros(deal.rows * deal.columns, np.int64)
        mines[list(bits(deal.lay(start, first_click)))] = 1
        graph = CellGraph.of(deal.rows, deal.columns, deal.mines)
        game = cls.of(graph, np.zeros(len(mines), np.int64), mines)
        game.open(np.array([start]))
        return game

    @property
    def is_won(self) -> bool:
        """Whether all safe cells are open."""
        return int(np.count_nonzero(self.state == OPEN)) == len(self.state) - self.graph.mines

    def open(self, cells: Ints) -> bool:
        """Open cells and all cells that single clues then prove safe; False if a cell is a mine."""
        if self.mines[cells].any():
            return False
        self.state[cells] = OPEN
        self.graph.sweep(self.state, self.numbers)
        return True

    def position(self) -> tuple[Ints, int, PositionArrays]:
        """The undecided cells, frontier cells first, how many these are, and their constraints."""
        return self.graph.position(self.state, self.numbers)


@dataclass(frozen=True, slots=True)
class StrategyGuesser:
    """Guesses with a strategy: a name or a file. `version` identifies its content."""

    source: str
    version: str

    @classmethod
    def load(cls, source: str) -> StrategyGuesser:
        """Raises UsageError, InvalidFile, also for a strategy that does not guess."""
        strategy = _player(source)[-1]
        if strategy.fault or not strategy.has_guess:
            raise UsageError(f"{source}: {strategy.fault or 'it has no guess hook'}: name a guesser")
        return cls(source, strategy.version)

    def choose(self, game: KernelGame) -> int:
        """The cell that the strategy guesses first. Raises InvalidFile for a fault or no guess."""
        shown = np.where(game.state == OPEN, game.numbers.astype("U1"), ".")
        graph = game.graph
        board = Board(graph.rows, graph.columns, "".join(shown), graph.mines)
        reasoner = Reasoner(_player(self.source))
        known = reasoner.deduce(board_knowledge(board)).knowledge
        guesses = reasoner.guess(position_of(board, known), most=1)
        if reasoner.faults or not guesses:
            fault = reasoner.faults[0] if reasoner.faults else "it names no cell"
            raise InvalidFile(f"{self.source}: {fault}: correct it\n{board}")
        return guesses[0].cell


@lru_cache(maxsize=4)
def _player(source: str) -> tuple[Strategy, ...]:
    """The default rules and this guesser."""
    rules = [strategy for strategy in load_strategies() if strategy.has_deduce]
    return (*rules, load_strategy(source, trust=False))


Guesser = GuessSettings | StrategyGuesser
NO_LOOK_AHEAD = GuessSettings(layouts=0, near=1e-9, by_risk=1)  # finds what is certain


def decide(guesser: Guesser, game: KernelGame) -> tuple[Ints, Ints, bool]:
    """The cells to open, the certain mines, and whether this is a guess.

    Raises MissingRequirement if the position is too wide for exact counting, and as `StrategyGuesser.choose`.
    """
    settings = guesser if isinstance(guesser, GuessSettings) else NO_LOOK_AHEAD
    cells, _, arrays = game.position()
    choice: Choice = choose_cell(arrays, settings, thread_memory())
    if choice.way == FAILED:
        raise MissingRequirement(TOO_WIDE)
    safe = np.array(choice.safe)
    sure_mines = cells[safe == 0.0]
    if choice.way == SAFE:
        return cells[safe == 1.0], sure_mines, False
    if isinstance(guesser, StrategyGuesser):
        return np.array([guesser.choose(game)]), sure_mines, True
    return cells[choice.cell : choice.cell + 1], sure_mines, True


def finish_game(game: KernelGame, guesser: Guesser) -> bool:
    """Play a game to its end; return whether it was won. Raises the errors of `decide`."""
    while not game.is_won:
        opened, mines, _ = decide(guesser, game)
        game.state[mines] = MINE
        if not game.open(opened):
            return False
    return True


def random_layout(game: KernelGame, rng: Random) -> Ints:
    """The mines of a random layout that is consistent with the open cells; all layouts are equally likely.

    Cells are drawn one after another from their exact risks.
    """
    chances = np.array([rng.random() for _ in range(len(game.state) + 1)])
    drawn, used, memory = game.state.copy(), 0, thread_memory()
    while True:
        cells, bound, arrays = game.graph.position(drawn, game.numbers)
        if not bound:
            break
        risks = np.array(survey(arrays, memory).risks)
        drawn[cells[:bound][risks == 0.0]] = KNOWN_SAFE
        drawn[cells[:bound][risks == 1.0]] = MINE
        undecided = int(np.argmin(np.where((risks > 0.0) & (risks < 1.0), np.abs(risks - 0.5), 1.0)))
        if 0.0 < risks[undecided] < 1.0:
            drawn[cells[undecided]] = MINE if chances[used] < risks[undecided] else KNOWN_SAFE
            used += 1
    order = np.argsort(chances[used : used + len(cells)])
    drawn[cells[order[: game.graph.mines - int(np.count_nonzero(drawn == MINE))]]] = MINE
    mines: Ints = (drawn == MINE).astype(np.int64)
    return mines
