"""Draws Minesweeper boards of every look, and trains the model that reads one cell. Nothing imports this."""
