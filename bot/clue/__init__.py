"""The deduction sheet of a game of Clue (`sapper clue`)."""
