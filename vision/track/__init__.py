"""Tracking a game: the belief about a board, updated from each frame and from the moves made."""
