"""Strategies in processes of their own: what they do wrong costs them the game, and nobody else anything.

`plugin` is what the registry and the reasoner meet, `process` what it asks. `server` is a process that runs
no code of a plugin (`servers` is our end of it): it starts a `worker` for each, in a moment, and ends them
with Sapper however that ends. `wire` carries the messages, `answers` says what may come back, `limits` how
much and how long.
"""
