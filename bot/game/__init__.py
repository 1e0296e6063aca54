"""The game loop without a screen: observe, reason, act, verify.

`player` runs the loop. `observation` accepts readings, using `board_change`. `plan` chooses the moves and
`outcome` determines the result. `types` contains the protocols that tables, clocks and listeners implement.
"""
