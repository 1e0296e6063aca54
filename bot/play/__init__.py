"""Play on a real screen.

`session` plays one game after another on the board that `finder` locates. `screen` is the game table, `hand`
clicks, `guard` watches the window, and `board_status` examines a board that is no longer readable.
`next_game` starts the next game, `mine_total` finds the mine total, `spectator` watches a person play.
"""
