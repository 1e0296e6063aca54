"""A game on a terminal: the `view` of it as it is played, and the `keys` that a person presses meanwhile."""

from bot.terminal.playing.view import Terminal

__all__ = ["Terminal"]
