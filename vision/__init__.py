"""Sees: pixels -> where the board is -> what every cell shows."""
