"""Observer that counts the certain cells and guesses of each strategy, and the risk of the guesses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from strategies.hookspecs import GameEnd, PlanInfo, hookimpl
from strategies.options import Option, Value

OPTIONS = (Option("every", 1, "games between two reports", least=1, most=1_000_000),)


class StrategyTally:
    """Counts since the last report."""

    NAME = "tally"
    OPTIONS = OPTIONS

    def __init__(self) -> None:
        self._cells: Counter[str] = Counter()
        self._guesses: Counter[str] = Counter()
        self._results: Counter[str] = Counter()
        self._survival = 1.0

    @hookimpl
    def planned(self, plan: PlanInfo) -> None:
        """Count the certain cells and the guess of a plan."""
        self._cells.update(cell.by or "the rules of the game" for cell in plan.certain)
        if plan.guess:
            self._guesses[plan.guess_by] += 1
            self._survival *= plan.guess.safe

    @hookimpl
    def ended(self, result: GameEnd, options: Mapping[str, Value]) -> str | None:
        """Return the report if enough games were played."""
        self._results[result.result] += 1
        if self._results.total() < int(options["every"]):
            return None
        games = ", ".join(f"{count} {result}" for result, count in self._results.most_common())
        cells = ", ".join(f"{name} {count}" for name, count in self._cells.most_common()) or "none"
        guesses = ", ".join(f"{name} {count}" for name, count in self._guesses.most_common())
        luck = f"; guesses: {guesses}, all of them safe with {self._survival:.2%}" if guesses else ""
        report = f"tally of {games}: certain cells: {cells}{luck}"
        self.__init__()  # type: ignore[misc] # reset all counts
        return report
