"""How hard a program has to be pressed: as quickly as can be, and longer only where presses were lost.

A program that looks at the mouse once a frame does not see a press that is over within the frame. How long it
wants is found out by what was lost, and kept for the next game in one small file beside what is remembered
of how programs draw.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from bot.desktop import QUICK, Touch

FILE = "touch.json"
# in seconds: a frame at 30 a second; the same where frames come late; one at 12; what is slower still
TOUCHES = (
    QUICK,
    Touch(0.0, 0.04, 0.04),
    Touch(0.0, 0.06, 0.06),
    Touch(0.04, 0.09, 0.09),
    Touch(0.15, 0.2, 0.15),
)
NEAR = 50  # quick presses: two losses within so many are no accident
SELDOM = 200  # presses that are held already: no more than one in so many may be lost
TRIED = 4  # quick presses that were not lost: then whole sweeps are made without looking between
PROBES = 2  # quick presses after which it is seen whether any is taken, while that is not known
LONG = 1000  # presses without a loss after which a lighter touch is tried again


@dataclass
class Feel:
    """What is known of the touch that one program wants: the level, and how long nothing was lost at it.

    A single loss among presses that showed may be the machine's fault: only what is pressed again is pressed
    longer. A program that has lost as many as it took at a level, or loses twice within a short time, stays
    at the next one. One that wants to be held is looked at behind every press, until it is known to lose
    hardly any. `proved` is what is known for sure: a program that takes nothing at a level may have nothing
    more to take, for its game is over.
    """

    level: int = 0
    clean: int = 0  # presses at this level since the last loss
    proved: tuple[int, int] = (0, 0)  # the last level that took presses, and `clean` then
    _well: int = 0  # presses of this game at this level that were not lost
    _since_loss: int | None = None  # presses since the last loss of this game
    _again: bool = field(default=False)  # the next presses are a second try

    @property
    def touch(self) -> Touch:
        """How to press now."""
        return TOUCHES[min(self.level + self._again, len(TOUCHES) - 1)]

    def wants_look(self, made: int) -> bool:
        """Whether to see, behind so many presses of a sweep, that they show before the next is made."""
        return max(self._well, self.clean) < SELDOM if self.level else not self.is_tried and made == PROBES

    @property
    def is_tried(self) -> bool:
        """Whether a few presses have shown, in this game or at this level before."""
        return max(self._well, self.clean) >= TRIED

    def made(self, presses: int) -> None:
        """So many presses were made."""
        if self._well > 0:
            self.proved = self.level, self.clean
        if not self._again:  # longer ones say nothing of this level
            self._well += presses
            self.clean += presses
        self._again = False
        if self._since_loss is not None:
            self._since_loss += presses

    def lost(self, presses: int) -> None:
        """So many of those that were made last did not show, and are made again now."""
        self._well -= presses
        near = SELDOM if self.level else NEAR
        is_often = self._since_loss is not None and self._since_loss <= near
        self.clean, self._since_loss, self._again = 0, 0, True
        if (self._well <= presses or is_often) and self.level < len(TOUCHES) - 1:
            self.level, self._well, self._again = self.level + 1, 0, False


class FeelShelf:
    """The file in which the touch that programs want is kept; without a folder nothing is."""

    def __init__(self, folder: Path | None) -> None:
        self._file = folder / FILE if folder is not None else None

    def of(self, program: str) -> Feel:
        """What is known of a program; a lighter touch than last time if nothing was lost for long.

        A file that cannot be read says nothing: it only saves time.
        """
        level, clean = self._all().get(program, (0, 0))
        if clean >= LONG:
            level, clean = level - 1, 0
        level = min(max(level, 0), len(TOUCHES) - 1)
        return Feel(level, clean, (level, clean))

    def keep(self, program: str, feel: Feel) -> None:
        """Remember it, where there is anything to remember. Raises OSError where that cannot be written."""
        known = self._all()
        news = {name: each for name, each in known.items() if name != program}
        level, clean = feel.proved
        if level and program:  # "" where nobody knows which it is
            news[program] = level, clean
        if self._file is None or news == known:
            return
        self._file.parent.mkdir(parents=True, exist_ok=True)
        part = self._file.with_suffix(".part")
        part.write_text(json.dumps(news, indent=1, sort_keys=True) + "\n")
        part.replace(self._file)

    def _all(self) -> dict[str, tuple[int, int]]:
        if self._file is None:
            return {}
        try:
            data = json.loads(self._file.read_text())
            return {str(name): (int(level), int(clean)) for name, (level, clean) in data.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}
