"""Windows backend: windows and keys through user32, presses through SendInput. Positions are physical pixels.

The modules import only on Windows; `bot.desktop.backends` imports them there.
"""
