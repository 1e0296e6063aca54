"""A pair of games: two ways to guess on one board until they differ, then each alone; and tables of pairs."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from math import sqrt
from pathlib import Path
from random import Random

from loops import MINE
from swift import Game, decide, draw_layout, play_on

from bot.simulation.simulated_game import Promise
from bot.simulation.tournament import WinRate, Z
from games.errors import InvalidFile
from games.minesweeper import Deal
from strategies.compiled.settings import Settings
from strategies.compiled.tables import Ints


@dataclass(frozen=True, slots=True)
class Pair:
    """One game of both: on how many layouts each went on alone (0: they never differed), and what came of it.

    `only_first` and `only_second`: of the layouts, which only this one won. `first` and `second`: the board
    itself, won (1) or not; `guesses` that both made, and what each spent on them (CPU, ms).
    """

    game: int
    layouts: int
    only_first: int
    only_second: int
    first: int
    second: int
    guesses: int
    first_ms: float
    second_ms: float

    @property
    def difference(self) -> float:
        """How much likelier the first one wins: -1 to 1."""
        return (self.only_first - self.only_second) / self.layouts if self.layouts else 0.0

    @property
    def line(self) -> str:
        """What a table keeps."""
        return ",".join(f"{value:.3f}" if isinstance(value, float) else str(value) for value in astuple(self))


@dataclass(frozen=True, slots=True)
class Match:
    """Two ways to guess, how their games begin, and on how many layouts they go on."""

    first: Settings
    second: Settings
    first_click: Promise
    start: int
    layouts: int

    def play(self, game: int, deal: Deal) -> Pair:
        """One board. Raises MachineLacks for a position that compiled code cannot count."""
        under_way, alive = Game.begun(deal, self.start, self.first_click), True
        guesses, spent = 0, [0.0, 0.0]
        while alive and not under_way.is_won:
            cells, field = under_way.field()
            begun = time.thread_time()
            opened, sure, is_guess = decide(self.first, cells, field)
            middle = time.thread_time()
            under_way.state[sure] = MINE
            if is_guess:
                other, _, _ = decide(self.second, cells, field)
                guesses += 1
                spent[0] += 1000 * (middle - begun)
                spent[1] += 1000 * (time.thread_time() - middle)
                if other[0] != opened[0]:
                    parted = self._part(under_way, opened, other, Random(game))
                    return Pair(game, self.layouts, *parted, guesses, *spent)
            alive = under_way.open(opened)
        return Pair(game, 0, 0, 0, int(alive), int(alive), guesses, *spent)

    def _part(self, game: Game, opened: Ints, other: Ints, rng: Random) -> tuple[int, int, int, int]:
        """Both go on, each in its own way; the figures of `Pair`, from `only_first` to `second`."""
        only_first, only_second = 0, 0
        result = (0, 0)
        for number in range(self.layouts):
            mines = draw_layout(game, rng) if number else game.mines
            wins = [
                (alone := Game.of(game.grid, game.state, mines)).open(cell) and play_on(alone, settings)
                for cell, settings in ((opened, self.first), (other, self.second))
            ]
            only_first += wins[0] > wins[1]
            only_second += wins[1] > wins[0]
            if not number:
                result = int(wins[0]), int(wins[1])
        return only_first, only_second, *result


def difference(pairs: Sequence[Pair]) -> WinRate:
    """By how much the first one's share of wins is above the second one's, with its 95 % interval.

    Where none of n games differs, at most three of n would (the rule of three).
    """
    games = len(pairs)
    if not any(pair.layouts for pair in pairs):
        most = 3 / games if games > 3 else 1.0
        return WinRate(0.0, -most, most)
    if games < 2:
        return WinRate(0.0, -1.0, 1.0)
    mean = sum(pair.difference for pair in pairs) / games
    square = sum((pair.difference - mean) ** 2 for pair in pairs) / (games - 1)
    half = Z * sqrt(square / games)
    return WinRate(mean, mean - half, mean + half)


def read(path: Path, run: str) -> dict[int, Pair]:
    """What a table has, a last line that is cut off dropped; a new table where there is none.

    Raises InvalidFile when it is of something else.
    """
    head = ",".join(field.name for field in fields(Pair))
    if not path.exists():
        path.write_text(f"{run}\n{head}\n", encoding="utf-8")
        return {}
    text = path.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    lines = whole.splitlines()
    if lines[:2] != [run, head]:
        raise InvalidFile(f"{path} is of another comparison: name another file with --out, or delete it")
    if whole != text:
        path.write_text(whole, encoding="utf-8")
    pairs = {}
    for number, line in enumerate(lines[2:], 3):
        try:
            words = line.split(",")
            pair = Pair(*map(int, words[:7]), *map(float, words[7:]))
        except (ValueError, TypeError) as error:
            raise InvalidFile(
                f"{path}, line {number}: this is no pair: correct it, or delete the file"
            ) from error
        pairs[pair.game] = pair
    return pairs
