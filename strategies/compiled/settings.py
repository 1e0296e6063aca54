"""What a guess strategy weighs, and how much work it may spend on it."""

from __future__ import annotations

from typing import NamedTuple


class Settings(NamedTuple):
    """Settings of `choose`.

    `layouts`: with no more than these left, the rest of the game is solved exactly, `work` (cells times
    layouts) allowing; 0 switches it off. With up to `beyond` times as many, but no more than
    `listed` (cells times layouts) of them, the most promising cells are tried so. Before that each cell is
    played on from plainly, `played` (the same) allowing. `near`: a candidate's risk may be so much above the
    lowest. `candidates` are weighed in all, `away` of them next to no clue. Of the best `deep` of them each
    number is followed by one move more, chosen among `replies`.
    `gain`: what certain cells are worth beside surviving, `quick_gain`: how fast the first of them reach
    that. Twos (two cells between which nothing decides but `apart` others) weigh `stuck`, below the chance
    `unlikely` they are not looked at. `by_risk`: above 0 the risk decides, all else breaks ties.
    `fours`: the same of four cells weigh so much. `due`: what is lost to them whatever is opened is taken off
    the risk of their cells, so many times, when candidates are chosen.
    `pockets`: cells of groups of fewer than so many cells, which only the total ties to others, wait.
    `closed`: a component that is a game of its own is solved first, with no more layouts than this.
    """

    layouts: float = 400.0
    work: float = 2e6
    played: float = 1e6
    beyond: float = 1.0
    near: float = 0.1
    candidates: float = 30.0
    away: float = 8.0
    deep: float = 0.0
    replies: float = 6.0
    gain: float = 0.1
    quick_gain: float = 0.3
    apart: float = 4.0
    unlikely: float = 0.02
    stuck: float = 1.0
    by_risk: float = 0.0
    closed: float = 400.0
    fours: float = 0.0
    due: float = 0.0
    pockets: float = 0.0
    listed: float = 1e9

    @property
    def floats(self) -> Settings:
        """The same, with every number a float: compiled code is compiled for these."""
        return Settings(*map(float, self))

    @property
    def plain(self) -> Settings:
        """So much less work that plain Python answers in a moment too."""
        return self._replace(
            layouts=min(self.layouts, 60),
            work=min(self.work, 3e4),
            played=min(self.played, 3e4),
            beyond=1,
            candidates=min(self.candidates, 5),
            away=min(self.away, 2),
            deep=0,
            closed=min(self.closed, 20),
            fours=0,
            pockets=0,
        ).floats
