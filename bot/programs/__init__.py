"""Minesweeper programs that somebody else wrote.

`description` is what is known of one (a TOML file each in `known/`), `installed` finds it, `started` is one
that runs.
"""
