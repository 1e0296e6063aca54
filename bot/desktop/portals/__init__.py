"""A desktop that shares a screen with who asks: GNOME and KDE, through the portals of xdg-desktop-portal.

`opening` puts it together. `bus` speaks D-Bus, `sharing` asks the person and keeps what was agreed to
(`tokens`), `streaming` takes the frames that PipeWire brings (`gstreamer` loads what reads them), `capture`
and `device` are the ports, `activity` says whether somebody else uses the mouse.
"""
