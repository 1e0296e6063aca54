"""A Wayland desktop of the wlroots family (sway and its kin), behind the ports of `bot/desktop/ports.py`.

`opening` puts it together. `connection` speaks Wayland, with the protocols that `protocols` describes;
`capture` takes pictures, in `pixels` that are shared with the server; `device` is the mouse and the keyboard,
`keymap` what its keys mean, `activity` whether a person uses theirs; `sway` asks sway which windows there are
(over `swayline`), and `boundkeys` which keys a person presses; `layer` is a surface above all windows,
`stage` shows the pattern of a trial on one, and `overlay` marks over a board.
"""
