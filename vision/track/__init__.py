"""Track the belief about a board during a game."""
