"""Plays: the loop, the mouse, programs on the desktop, recordings, reports, the command line."""
