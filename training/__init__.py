"""Draws Minesweeper boards of every kind, and trains the model that reads one cell. Nothing imports this."""
