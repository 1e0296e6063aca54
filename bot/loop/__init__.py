"""The loop of a game: look, check, reason, act, see that the act showed. It knows no screen, mouse or window.

`game` puts a game together; `player` is the loop, `observing` accepts readings (by `succession`). What to
click is decided in `planning`, what it came to is found in `results`. `ports` is what all of it asks of the
rest.
"""

from bot.loop.game import put_together
from bot.loop.player import Player
from bot.loop.ports import Aftermath, Became, Clock, FlagPolicy, Listener, Plan, Rules, SystemClock, WinNeeds
from bot.loop.stopwatch import Stopwatch
from bot.loop.succession import (
    FEW_NUMBERS,
    MANY_NUMBERS,
    MOST_LOST,
    carried_over,
    corrected,
    is_out_of_sight,
    is_unfinished,
)
from bot.loop.watched import Watched

__all__ = [
    "FEW_NUMBERS",
    "MANY_NUMBERS",
    "MOST_LOST",
    "Aftermath",
    "Became",
    "Clock",
    "FlagPolicy",
    "Listener",
    "Plan",
    "Player",
    "Rules",
    "Stopwatch",
    "SystemClock",
    "Watched",
    "WinNeeds",
    "carried_over",
    "corrected",
    "is_out_of_sight",
    "is_unfinished",
    "put_together",
]
