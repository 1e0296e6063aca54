"""`sapper clue`: the deduction sheet of a game of Clue, from its log."""
