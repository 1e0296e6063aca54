"""Play a simulated game with the planner of real games, and load its strategies in any process."""

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
from strategies.observers import ObserverGroup

Promise = Literal["safe", "zero"]
GAVE_UP = "no strategy names a cell to open: the game is given up"


@dataclass(frozen=True, slots=True)
class GameStart:
    """Start of a game: the first-click guarantee, and the first cell (None: the strategies choose it)."""

    first_click: Promise = "safe"
    start: int | None = None


@dataclass(frozen=True, slots=True)
class SimulatedResult:
    """Result of a simulated game.

    `decisions` counts planned boards, `guesses` those without a certain move (a guaranteed first click is no
    guess). `seconds` is CPU time of the planning thread and of isolated strategies; `slowest` is that of the
    longest decision. `faults` describe errors of strategies, one line each; `details` are the same as
    `Fault.as_json`. `says` is the output of observers.
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

    @property
    def outcome(self) -> str:
        """Result and guesses, for comparing runs."""
        return f"{'won' if self.won else 'lost'}, {self.guesses} guess{'es' * (self.guesses != 1)}"


def simulated_rules(mines: int, first_click: Promise, variant: str) -> GameRules:
    """Return the rules of a simulated game: opening all safe cells wins; no flags or chords."""
    return GameRules(mines, first_click, "open", can_chord=False, flags="none", variant=variant)


def play_game(
    strategies: Sequence[Strategy],
    game: int,
    deal: Deal,
    opening: GameStart,
    watching: ObserverGroup | None = None,
) -> SimulatedResult:
    """Play one game to its end; it is lost if no strategy names a cell.

    The time of the observers (`watching`) is not counted. Raises UsageError if the mines leave no room for
    the guaranteed first click.
    """
    field = Minefield(deal, opening.first_click)
    reasoner = Reasoner(strategies)
    rules = simulated_rules(deal.mines, opening.first_click, deal.variant)
    planner = Planner(reasoner, rules, thorough=False)
    says: list[str] = []
    watched = watching and ObserverListener(watching, rules, [each.name for each in strategies], says.append)
    certain = 0
    board = field.play([] if opening.start is None else [Move("open", opening.start)])
    guesses = 0
    gave_up: tuple[str, ...] = ()
    spent: list[float] = []
    while not (field.is_won or field.is_lost):
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
        board = field.play(plan.moves)
    faults = (*map(str, reasoner.faults), *gave_up)
    if watched:
        watched.saw(board)
        watched.ended(GameEnd("won" if field.is_won else "lost", certain, guesses, sum(spent), faults))
    details = tuple(fault.as_json() for fault in reasoner.faults)
    seconds, slowest = round(sum(spent), 6), max(spent, default=0.0)  # 6: precision of a result table
    return SimulatedResult(
        game, field.is_won, guesses, len(spent), seconds, slowest, faults, details, tuple(says)
    )


def cpu_time(strategies: Sequence[Strategy]) -> float:
    """Return the CPU time in seconds of this thread and of isolated strategies."""
    return sum([strategy.spent for strategy in strategies]) + time.thread_time()


def warm_up(strategies: Sequence[Strategy]) -> None:
    """Play an uncounted game, so that no game includes one-time costs."""
    play_game(strategies, 0, Deal.random(9, 9, 10, "warm up"), GameStart())


@dataclass(frozen=True, slots=True)
class StrategySet:
    """Strategies in the order of trial.

    `sources` are names and full paths to load; `names` are for display. Equal sets play alike, because their
    `versions` (for a file: of its content) are equal too. With `trust`, strategies run in the playing
    process instead of isolated processes.
    """

    sources: tuple[str, ...]
    names: tuple[str, ...]
    versions: tuple[str, ...]
    trust: bool = False

    @classmethod
    def of(cls, wanted: Sequence[str] | None, trust: bool = False) -> StrategySet:
        """Resolve names and files; None for the default. Raises UsageError or InvalidFile."""
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
        """Load the strategies, once per process. Raises InvalidFile if a version differs here."""
        return _load(self)

    def __str__(self) -> str:
        """Format for display, without the default deduction strategies if all of them come first."""
        usual = [strategy.name for strategy in load_strategies() if strategy.has_deduce]
        ahead = len(usual) if list(self.names[: len(usual)]) == usual else 0
        return ", ".join(self.names[ahead:]) or ", ".join(self.names)


def is_path(source: str) -> bool:
    """Whether a source is a file instead of the name of a strategy."""
    return source.endswith(".py")


@lru_cache(maxsize=8)
def _load(strategies: StrategySet) -> tuple[Strategy, ...]:
    loaded = load_strategies(strategies.sources, strategies.trust)
    for source, version, strategy in zip(strategies.sources, strategies.versions, loaded, strict=True):
        if strategy.version != version:
            raise InvalidFile(
                f"strategy {source} has version {strategy.version} on the worker and "
                f"{version} here: install the same version on every machine"
            )
    return loaded
