"""Playing on a real screen: `session` plays game after game on the board that `finding` finds.

`screen` is the table (pictures in, clicks out); `acting` makes the clicks and watches the window,
`following` finds the board again, `witness` looks what became of it, `next_game` asks for another,
`watching` only looks, `totals` knows the mine total.
"""

from bot.live.finding import Finder, Seen, Surroundings
from bot.live.screen import View
from bot.live.session import Session, Wishes
from bot.live.surroundings import Desktop, has_display, open_desktop, parse_screen
from bot.live.totals import Totals, promise_of
from bot.live.watching import LOST, OnLook, Onlooker, Watcher

__all__ = [
    "LOST",
    "Desktop",
    "Finder",
    "OnLook",
    "Onlooker",
    "Seen",
    "Session",
    "Surroundings",
    "Totals",
    "View",
    "Watcher",
    "Wishes",
    "has_display",
    "open_desktop",
    "parse_screen",
    "promise_of",
]
