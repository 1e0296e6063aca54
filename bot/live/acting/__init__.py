"""Clicks on a board: `sweeping` makes the moves of one sweep, `actuator` each of them, `touching` how hard.

`guard` watches the window meanwhile: it stops them when that moves, stays covered or goes away.
"""
