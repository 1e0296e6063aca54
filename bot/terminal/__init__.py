"""The game on a terminal: the view of a game that is played, boards as text in colour, keys, progress."""
