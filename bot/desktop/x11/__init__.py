"""X11 backend: windows, input, capture and overlay, through python3-xlib."""
