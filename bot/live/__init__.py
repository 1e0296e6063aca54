"""Playing on a real screen: `session` plays game after game on the board that `finding` finds.

`screen` is the table (pictures in, clicks out), `actuator` turns moves into clicks, `guard` watches the
window, `following` finds the board again, `restarting` asks for the next game, `watching` only looks.
"""
