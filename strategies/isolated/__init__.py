"""Strategies in processes of their own: what they do wrong costs them the game, and nobody else anything.

`plugin` is what the registry and the reasoner meet, `process` what it asks. `server` is a process that runs
no code of a plugin (`servers` is our end of it): it starts a `worker` for each, in a moment, and ends them
with Sapper however that ends. `wire` carries the messages, `answers` says what may come back, `limits` how
much and how long.
"""

from strategies.isolated.limits import Limits, most_answers
from strategies.isolated.plugin import Misbehaved, Plugin
from strategies.isolated.servers import can_isolate

__all__ = ["Limits", "Misbehaved", "Plugin", "can_isolate", "most_answers"]
