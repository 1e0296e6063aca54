"""Many simulated games, played by whatever workers there are, given in their order.

The runner knows its workers as a `concurrent.futures.Executor` (`workers` has three). What comes out does
not depend on how many there are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterator, Mapping
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from functools import lru_cache

from bot.simulation.lineup import Lineup
from bot.simulation.simulated import Opening, Score, play_game, warm_up
from bot.simulation.workers import Workers
from games.errors import MachineLacks
from games.minesweeper import Deal
from strategies import Strategy
from strategies.watching import Watching

AT_ONCE = 8  # games in one task
AHEAD = 3  # tasks that wait for each worker, so that none is idle

Games = tuple[tuple[int, Deal], ...]  # each with its number


@dataclass(frozen=True, slots=True)
class Tournament:
    """The games of one lineup, by number, all of them begun alike.

    `watching` are observers; they want workers of this process.
    """

    lineup: Lineup
    opening: Opening
    deals: Mapping[int, Deal]
    watching: Watching | None = None

    def scores(self, workers: Workers, done: Container[int] = ()) -> Iterator[Score]:
        """The score of each game that is not done yet, in the order of `deals`.

        When a worker is lost, its games get a second try, one by one. Raises MachineLacks when a game loses
        its second worker as well, and whatever playing raises.
        """
        left = [game for game in self.deals if game not in done]
        waiting = deque(left[k : k + AT_ONCE] for k in range(0, len(left), AT_ONCE))
        under_way: deque[tuple[Games, Executor, Future[list[Score]]]] = deque()
        executor = workers.open()
        try:
            while waiting or under_way:
                while waiting and len(under_way) < workers.abreast * (1 + AHEAD):
                    games = tuple((game, self.deals[game]) for game in waiting.popleft())
                    under_way.append((games, executor, self._submit(workers, executor, games)))
                games, asked, future = under_way.popleft()
                try:
                    yield from future.result()
                except workers.lost:
                    if asked is executor:  # and not one whose loss was seen before
                        executor = workers.renew(executor)
                    yield from self._second_try(workers, executor, games)
        finally:
            workers.close(executor)

    def _submit(self, workers: Workers, executor: Executor, games: Games) -> Future[list[Score]]:
        try:
            return executor.submit(play_games, self.lineup, self.opening, games, self.watching)
        except workers.lost as error:
            failed: Future[list[Score]] = Future()
            failed.set_exception(error)
            return failed

    def _second_try(self, workers: Workers, executor: Executor, games: Games) -> Iterator[Score]:
        """The games again, one at a time, so that it shows which of them takes its worker down."""
        for game in games:
            try:
                yield from self._submit(workers, executor, (game,)).result()
            except workers.lost as error:
                raise MachineLacks(
                    f"game {game[0]} lost its worker twice (did it run out of memory?): "
                    "use fewer --jobs, or run the same command again to go on"
                ) from error


def play_games(
    lineup: Lineup, opening: Opening, games: Games, watching: Watching | None = None
) -> list[Score]:
    """Play some games: the task that a worker is given. Raises what loading and playing raise."""
    strategies = _warm(lineup)
    return [play_game(strategies, game, deal, opening, watching) for game, deal in games]


@lru_cache(maxsize=8)
def _warm(lineup: Lineup) -> tuple[Strategy, ...]:
    """The strategies after a game that does not count."""
    strategies = lineup.load()
    warm_up(strategies)
    return strategies
