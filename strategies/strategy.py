"""One loaded plugin: what it is called, where it is from, and how it is asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import pluggy

from games.logic import Deduction, Knowledge
from games.minesweeper import Guess, Position
from strategies.isolated import Misbehaved, Plugin
from strategies.observing import HOOKS, Event
from strategies.options import Option, Value, setting_of
from strategies.places import last_line_in, one_line, yielding_line


@dataclass(slots=True)
class _Asking:
    """What a strategy is answering with: a generator knows the line at which it is."""

    answers: object = None


@dataclass(frozen=True, slots=True)
class Strategy:
    """One loaded strategy.

    `origin` says where it is from: "built-in", "entry point of DIST", or a path. `version` is that of the
    package, or for a file the beginning of its SHA-256. `about` is its first line of documentation. `fault`
    says why it is quarantined from the start: its file did not come to an end when it was loaded. `places`
    has the file and line of each of its hooks, `options` are those that it declares, `chosen` their values,
    `notes` what of its hooks is going to change. The name ends in what sets its options: `mine:depth=3`.
    """

    name: str
    plugin: object
    origin: str
    version: str
    has_deduce: bool
    has_guess: bool
    _hooks: pluggy.HookRelay | Plugin
    about: str = ""
    fault: str = ""
    places: Mapping[str, str] = field(default_factory=dict)
    options: tuple[Option, ...] = ()
    chosen: Mapping[str, Value] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    _asking: _Asking = field(default_factory=_Asking, compare=False, repr=False)

    def deduce(self, knowledge: Knowledge, changed: int) -> Iterable[Deduction]:
        """What its `deduce` yields; nothing without that hook. Raises whatever the plugin raises."""
        for answer in self._hooks.deduce(knowledge=knowledge, changed=changed, options=self.chosen):
            self._asking.answers = answer
            yield from answer

    def guess(self, position: Position) -> Iterable[Guess]:
        """What its `guess` yields; nothing without that hook. Raises whatever the plugin raises."""
        for answer in self._hooks.guess(position=position, options=self.chosen):
            self._asking.answers = answer
            yield from answer

    def observe(self, hook: str, said: Mapping[str, Event]) -> list[str]:
        """Report a moment of a game; what it wants to have printed. Raises whatever the plugin raises."""
        if hook not in self.places:
            return []
        if isinstance(self._hooks, Plugin):
            return self._hooks.observe(hook, said)
        answers = getattr(self._hooks, hook)(**said, options=self.chosen)
        return [" ".join(str(answer).split()) for answer in answers]

    @property
    def has_observer(self) -> bool:
        """Whether it wants to hear of games."""
        return any(hook in self.places for hook in HOOKS)

    @property
    def setting(self) -> str:
        """What sets its options, `:depth=3`; empty where they are as declared."""
        return setting_of(self.options, self.chosen)

    def close(self) -> None:
        """End its process, where it has one."""
        if isinstance(self._hooks, Plugin):
            self._hooks.close()

    @property
    def spent(self) -> float:
        """Seconds of processor time that it took in a process of its own, so far; 0 without one."""
        return self._hooks.spent if isinstance(self._hooks, Plugin) else 0.0

    def blamed(self, hook: str, error: BaseException) -> str:
        """What it did wrong when asking ended with this error: the file, the line where known, and what."""
        if isinstance(error, Misbehaved):
            return str(error)
        line = last_line_in(self.file(hook), error)
        verb = {"deduce": "it raised"}.get(hook, f"its {hook} raised")
        return ": ".join(filter(None, (line or self.places.get(hook, ""), f"{verb} {one_line(error)}")))

    def at(self, hook: str, what: str) -> str:
        """Something wrong with its last answer: the file, the line that gave it (or the hook's), and what."""
        line = self.line(hook)
        place = f"{self.file(hook)}, line {line}" if line else self.places.get(hook, "")
        return ": ".join(filter(None, (place, what)))

    def file(self, hook: str) -> str:
        """The file that this hook is in, empty where Python does not know."""
        return self.places.get(hook, "").rpartition(", line")[0]

    def line(self, hook: str) -> int:
        """The line at which the hook gave its last answer; 0 where it was no generator, or has ended."""
        if isinstance(self._hooks, pluggy.HookRelay):
            return yielding_line(self.file(hook), self._asking.answers)
        return self._hooks.line_of(hook)
