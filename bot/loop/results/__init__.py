"""What a game came to: `books` counts its moves, `ending` and `referee` how it ended, `outcome` all of it."""

from bot.loop.results.books import Books
from bot.loop.results.ending import Ending, ending_of
from bot.loop.results.outcome import GameResult, bv3_of
from bot.loop.results.referee import Referee

__all__ = ["Books", "Ending", "GameResult", "Referee", "bv3_of", "ending_of"]
