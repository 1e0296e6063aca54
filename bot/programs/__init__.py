"""Minesweeper programs that somebody else wrote.

`description` is what is known of one (a TOML file each in `known/`), `installed` finds it, `started` is one
that runs.
"""

from bot.programs.description import BoardSize, ChordWay, Program, State
from bot.programs.installed import find_program

__all__ = ["BoardSize", "ChordWay", "Program", "State", "find_program"]
