"""Strategies in separate processes: a faulty strategy loses its turn and cannot harm the game.

The registry and the reasoner use `proxy`, which talks to the process through `client`. `server` is a process
that runs no plugin code: it forks a `worker` for each plugin and kills them when Sapper ends, however it
ends. `protocol` has the messages, their validation and the resource limits; `sandbox` restricts
files, network and signals where the kernel can.
"""
