"""What is believed of a board over a game: what acts teach, what passes by itself."""

from vision.tracking.tracker import Tracker

__all__ = ["Tracker"]
