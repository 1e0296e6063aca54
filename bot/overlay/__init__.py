"""Marks over the board on the screen: what is certain, what is risky and why, where a person plays.

`sketching` decides what is marked, `painting` draws it, `hints` keeps it up beside a person who plays,
`plans` shows what Sapper is about to do. What shows the picture is `bot.desktop.overlay`.
"""

from bot.overlay.hints import Hints
from bot.overlay.plans import Plans
from bot.overlay.sketching import KEYS

__all__ = ["KEYS", "Hints", "Plans"]
