"""The loop of a game: look, check, reason, act, see that the act showed. It knows no screen, mouse or window.

`game` puts a game together; `player` is the loop, `observing` accepts readings (by `succession`). What to
click is decided in `planning`, what it came to is found in `results`. `ports` is what all of it asks of the
rest.
"""
