"""One simulated game, played by the planner that plays real programs, and what it came to.

The strategies of a player, named so that any process can load the very same ones.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from bot.game.observer_listener import ObserverListener
from bot.game.plan import Planner
from bot.game.types import GameRules
from games.errors import InvalidFile
from games.minesweeper import Deal, Minefield, Move
from strategies import GameEnd, Reasoner, Strategy, load_strategies
from strategies.compiled.kernels import kernels
from strategies.observers import ObserverGroup

Promise = Literal["safe", "zero"]
GAVE_UP = "no strategy names a cell to open: the game is given up"


@dataclass(frozen=True, slots=True)
class GameStart:
    """How a game begins: what the first click is promised, and its cell (None: the strategies choose it)."""

    first_click: Promise = "safe"
    start: int | None = None


@dataclass(frozen=True, slots=True)
class SimulatedResult:
    """What one game came to.

    `decisions` counts the boards that were decided on, `guesses` those on which nothing was certain (the
    promised first click is no guess). `seconds` is CPU time of the deciding thread and of strategies in
    processes of their own, without the simulation; `slowest` that of the longest decision. `faults` are what
    strategies did wrong, a line each, `details` the same in parts (`Fault.as_json`).
    `says` is what observers want to have printed.
    """

    game: int
    won: bool
    guesses: int
    decisions: int
    seconds: float
    slowest: float = 0.0
    faults: tuple[str, ...] = ()
    details: tuple[Mapping[str, Any], ...] = ()
    says: tuple[str, ...] = ()


def simulated_rules(mines: int, first_click: Promise, variant: str) -> GameRules:
    """The rules of a simulated game: opening every safe cell wins, flags and chords are not wanted."""
    return GameRules(mines, first_click, "open", can_chord=False, flags="none", variant=variant)


def play_game(
    strategies: Sequence[Strategy],
    game: int,
    deal: Deal,
    opening: GameStart,
    watching: ObserverGroup | None = None,
) -> SimulatedResult:
    """Play one game to its end; one in which no strategy names a cell any more is not won.

    `watching` are observers; their time is not the player's.
    Raises Usage when the mines leave no room for the promised first click.
    """
    field = Minefield(deal, opening.first_click)
    reasoner = Reasoner(strategies)
    rules = simulated_rules(deal.mines, opening.first_click, deal.variant)
    planner = Planner(reasoner, rules, thorough=False)
    says: list[str] = []
    watched = watching and ObserverListener(watching, rules, [each.name for each in strategies], says.append)
    certain = 0
    if opening.start is not None:
        field.play([Move("open", opening.start)])
    guesses = 0
    gave_up: tuple[str, ...] = ()
    spent: list[float] = []
    while not (field.is_won or field.is_lost):
        board = field.board
        begun = cpu_time(strategies)
        plan = planner.plan(board)
        spent.append(cpu_time(strategies) - begun)
        if not plan.moves:
            gave_up = (GAVE_UP,)
            break
        guesses += plan.guess is not None
        certain += 0 if plan.guess else len(plan.moves)
        if watched:
            watched.saw(board)
            watched.on_plan(board, plan)
            watched.on_moves(board, plan.moves)
        field.play(plan.moves)
    faults = (*map(str, reasoner.faults), *gave_up)
    if watched:
        watched.saw(field.board)
        watched.ended(GameEnd("won" if field.is_won else "lost", certain, guesses, sum(spent), faults))
    return SimulatedResult(
        game,
        field.is_won,
        guesses,
        len(spent),
        round(sum(spent), 6),  # as a table keeps it
        max(spent, default=0.0),
        faults,
        tuple(fault.as_json() for fault in reasoner.faults),
        tuple(says),
    )


def cpu_time(strategies: Sequence[Strategy]) -> float:
    """Seconds of processor time of this thread, and of strategies that answer from other processes."""
    apart = sum([strategy.spent for strategy in strategies])
    return apart + time.thread_time()


def warm_up(strategies: Sequence[Strategy]) -> None:
    """Play a game that does not count, and wait for compiled code: what is done once is no game's cost."""
    play_game(strategies, 0, Deal.random(9, 9, 10, "warm up"), GameStart())
    kernels().settle()


@dataclass(frozen=True, slots=True)
class StrategySet:
    """Strategies in the order of trial.

    `sources` is what loads them: names, and full paths of files. `names` are for people. Two lineups that are
    equal play alike, since `versions` (of a file: of what is in it) are equal too. `trust`: they run in the
    process that plays, and not in processes of their own.
    """

    sources: tuple[str, ...]
    names: tuple[str, ...]
    versions: tuple[str, ...]
    trust: bool = False

    @classmethod
    def of(cls, wanted: Sequence[str] | None, trust: bool = False) -> StrategySet:
        """The lineup of these names and files, None for the default. Raises Usage or InvalidFile."""
        loaded = load_strategies(wanted, trust)
        is_file = {
            one.origin: f"{Path(one.origin).absolute()}{one.setting}" for one in loaded if is_path(one.origin)
        }
        return cls(
            tuple(is_file.get(one.origin, one.name) for one in loaded),
            tuple(one.name for one in loaded),
            tuple(one.version for one in loaded),
            trust,
        )

    def load(self) -> tuple[Strategy, ...]:
        """The strategies, loaded once in each process. Raises InvalidFile when they are others here."""
        return _load(self)

    def __str__(self) -> str:
        """For people: the rules that are asked by default are left out when they are all in front."""
        usual = [strategy.name for strategy in load_strategies() if strategy.has_deduce]
        ahead = len(usual) if list(self.names[: len(usual)]) == usual else 0
        return ", ".join(self.names[ahead:]) or ", ".join(self.names)


def is_path(source: str) -> bool:
    """Whether this names a file with a strategy, and not a strategy."""
    return source.endswith(".py")


@lru_cache(maxsize=8)
def _load(lineup: StrategySet) -> tuple[Strategy, ...]:
    loaded = load_strategies(lineup.sources, lineup.trust)
    for source, version, strategy in zip(lineup.sources, lineup.versions, loaded, strict=True):
        if strategy.version != version:
            raise InvalidFile(
                f"strategy {source} is version {strategy.version} where the games are played, and "
                f"{version} here: install the same on every machine"
            )
    return loaded
