"""Desktop access: windows, input, capture, overlays and virtual screens.

`ports` defines the interfaces and `backends` selects an implementation: X11 in `x11/`, wlroots-style Wayland
in `wayland/`, GNOME and KDE in `portals/`. `self_test` checks a desktop, `virtual` runs Xvfb.
"""
