"""The strategies of a player, named so that any process can load the very same ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from games.errors import InvalidFile
from strategies import Strategy, load_strategies


@dataclass(frozen=True, slots=True)
class Lineup:
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
    def of(cls, wanted: Sequence[str] | None, trust: bool = False) -> Lineup:
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
def _load(lineup: Lineup) -> tuple[Strategy, ...]:
    loaded = load_strategies(lineup.sources, lineup.trust)
    for source, version, strategy in zip(lineup.sources, lineup.versions, loaded, strict=True):
        if strategy.version != version:
            raise InvalidFile(
                f"strategy {source} is version {strategy.version} where the games are played, and "
                f"{version} here: install the same on every machine"
            )
    return loaded
