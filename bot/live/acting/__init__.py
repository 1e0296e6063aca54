"""Clicks on a board: `sweeping` makes the moves of one sweep, `actuator` each of them, `touching` how hard.

`guard` watches the window meanwhile: it stops them when that moves, stays covered or goes away.
"""

from bot.live.acting.actuator import Actuator
from bot.live.acting.guard import WindowGuard
from bot.live.acting.sweeping import Hand, Sweeper
from bot.live.acting.touching import Feel, FeelShelf

__all__ = ["Actuator", "Feel", "FeelShelf", "Hand", "Sweeper", "WindowGuard"]
