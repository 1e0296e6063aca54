"""A game of Clue, and the strategies that solve it."""

from __future__ import annotations

from bot.clue.analysis import PROVING
from strategies import load_strategies

STRATEGIES = [each for each in load_strategies(PROVING) if each.has_deduce]
GAME = """\
# a rainy Sunday
players Ann 6, Bob 6, Cat 6
me Ann: Green, Rope, Hall, Study, Dagger, White
Bob asks plum, wrench, kitchen: Cat shows
Cat asks scarlett, pipe, hall: Ann shows hall
Ann asks mustard, pipe, lounge: Bob shows pipe
Bob asks mustard, revolver, library: Cat passes, Ann passes
Ann asks plum, candlestick, lounge: Bob passes, Cat shows plum
"""
