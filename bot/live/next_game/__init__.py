"""The next game on a program that nobody described: `restarting` tries `ways`, and checks what each does.

`desk` is the window between two games, `buttons` what looks like one in a picture.
"""

from bot.live.next_game.desk import desk_of
from bot.live.next_game.restarting import HELP, Restarter
from bot.live.next_game.ways import KnownWays

__all__ = ["HELP", "KnownWays", "Restarter", "desk_of"]
