"""Backend for wlroots-style Wayland desktops such as sway.

`backend` combines the parts: `connection` speaks Wayland with the interfaces in `protocols`, `capture` copies
the screen, `input` is the virtual mouse and keyboard, `sway` queries windows and key bindings, and `overlay`
draws above the board.
"""
