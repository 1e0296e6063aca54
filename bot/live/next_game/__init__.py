"""The next game on a program that nobody described: `restarting` says in which order `ways` are tried.

`trying` makes one and checks what comes of it, `fresh` knows a new board. `desk` is the window between two
games (`windows` are all of its program), `buttons` what looks like one in a picture, `menus` what opens.
"""

from bot.live.next_game.desk import desk_of
from bot.live.next_game.restarting import Restarter
from bot.live.next_game.trying import HELP
from bot.live.next_game.ways import KnownWays

__all__ = ["HELP", "KnownWays", "Restarter", "desk_of"]
