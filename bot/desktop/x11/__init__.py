"""An X screen: its windows, presses, pictures and overlay, by python3-xlib; `cookies` lets a process in."""
