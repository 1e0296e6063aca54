"""Boards to order: dealt at random, and kept when they are what is wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bot.loop import Plan
from bot.loop.planning import Planner
from bot.simulation.simulated import Promise, rules_of
from games.errors import Usage
from games.minesweeper import Board, Deal, Minefield, Move, openings
from games.minesweeper.measures import bv3
from strategies import Reasoner, Strategy

Range = tuple[int, int]  # the least and the most


@dataclass(frozen=True)
class Wanted:
    """What boards are wanted: how large, the first click (`start` is a cell), and what they must be like.

    `no_guess`: certain moves alone win. `needs` names a strategy: with it and those that are tried before it
    certain moves win, without it they do not. `tries` is how many boards are dealt for one before it is
    given up.
    """

    rows: int
    columns: int
    mines: int
    start: int
    first_click: Promise = "zero"
    no_guess: bool = False
    needs: str | None = None
    bv3: Range | None = None
    openings: Range | None = None
    tries: int = 20_000


@dataclass(frozen=True)
class Generated:
    """A board that is as wanted: its mines (a set), figures, and the plans that win it where that was asked.

    `tried` is how many boards were dealt for it, itself included.
    """

    deal: Deal
    mines: int
    bv3: int
    openings: int
    tried: int
    plans: tuple[Plan, ...] = ()

    @property
    def solved(self) -> Board:
        """The board with all of its numbers and its mines."""
        rows, columns = self.deal.rows, self.deal.columns
        field = Minefield(self.deal, "none")
        board = field.play(Move("open", k) for k in range(rows * columns) if not self.mines >> k & 1)
        return board.showing({k: "*" for k in range(rows * columns) if self.mines >> k & 1})


def generate(
    wanted: Wanted,
    strategies: Sequence[Strategy],
    seed: str,
    say: Callable[[int], object] = lambda tried: None,
) -> Iterator[Generated]:
    """Boards without end, the same for the same seed and strategies; `say` hears how many were tried.

    Raises Usage when one takes too many tries, or when the mines leave no room for the first click.
    """
    certain = [strategy for strategy in strategies if strategy.has_deduce]
    cheaper = []
    if wanted.needs is not None:
        names = [strategy.name for strategy in certain]
        if wanted.needs not in names:
            one = ", ".join(names)
            raise Usage(f"no strategy that finds certain moves is called {wanted.needs}: take one of {one}")
        place = names.index(wanted.needs)
        certain, cheaper = certain[: place + 1], certain[:place]
    number = 0
    while True:
        for tried in range(1, wanted.tries + 1):
            found = _as_wanted(wanted, f"{seed}/{number}", tried, certain, cheaper)
            number += 1
            if found is not None:
                yield found
                break
            say(tried)
        else:
            raise Usage(
                f"none of {wanted.tries} boards of {wanted.columns}x{wanted.rows} with {wanted.mines} mines "
                "is as wanted: ask for less, take fewer mines, or more --tries"
            )


def _as_wanted(
    wanted: Wanted, seed: str, tried: int, certain: Sequence[Strategy], cheaper: Sequence[Strategy]
) -> Generated | None:
    """The board of a seed, None where it is not as wanted."""
    rows, columns = wanted.rows, wanted.columns
    dealt = Deal.random(rows, columns, wanted.mines, seed)
    mines = dealt.lay(wanted.start, wanted.first_click)
    figures = bv3(rows, columns, mines), len(openings(rows, columns, mines))
    for figure, limits in zip(figures, (wanted.bv3, wanted.openings), strict=True):
        if limits is not None and not limits[0] <= figure <= limits[1]:
            return None
    deal = Deal.of(rows, columns, mines)
    plans: tuple[Plan, ...] | None = ()
    if wanted.no_guess or wanted.needs is not None:
        plans = certain_win(deal, wanted, certain)
        if plans is not None and cheaper and certain_win(deal, wanted, cheaper) is not None:
            return None
    return None if plans is None else Generated(deal, mines, *figures, tried, plans)


def certain_win(deal: Deal, wanted: Wanted, strategies: Sequence[Strategy]) -> tuple[Plan, ...] | None:
    """The plans that win a board after its first click by certain moves alone; None where they do not."""
    field = Minefield(deal, "none")
    planner = Planner(
        Reasoner(strategies), rules_of(deal.mines, wanted.first_click, deal.variant), thorough=False
    )
    field.play([Move("open", wanted.start)])
    plans = []
    while not field.is_won:
        plan = planner.plan(field.board)
        if plan.guess is not None or not plan.moves or field.is_lost:
            return None
        plans.append(plan)
        field.play(plan.moves)
    return tuple(plans)
