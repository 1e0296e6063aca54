"""Backend for desktops that share their screen through xdg-desktop-portal: GNOME and KDE.

`backend` combines the parts: `share` (D-Bus, consent and the shared screen), `capture` (PipeWire frames
through GStreamer) and `input` (mouse, keyboard, detection of user input).
"""
