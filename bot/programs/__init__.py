"""Minesweeper programs that somebody else wrote.

`description` is what is known of one (a TOML file each in `known/`), `running` one that was started: its
`process`, and its windows (`own_windows`).
"""
