"""Playing on a real screen: `session` plays game after game on the board that `finding` finds.

`screen` is the table (pictures in, clicks out); `acting` makes the clicks and watches the window,
`following` finds the board again, `witness` looks what became of it, `next_game` asks for another,
`watching` only looks, `totals` knows the mine total.
"""
