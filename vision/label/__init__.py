"""Likelihoods and the rules of the game -> a state for every cell of one picture."""
