"""The loop of a game: look, check, reason, act, see that the act showed. It knows no screen, mouse or window.

`game` puts a game together; `player` is the loop, `observing` accepts readings, `planner` decides (with
`sweep`, `exploring`, `reasons`), `books` and `outcome` say what it came to. `ports` is what all of it asks
of the rest.
"""
