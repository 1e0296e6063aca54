"""How many clicks a board is worth: 3BV without flags, ZiNi with flags and chords."""

from games.minesweeper.measures.bv3 import bv3
from games.minesweeper.measures.zini import human_zini, zini

__all__ = ["bv3", "human_zini", "zini"]
