"""Labelling: from the likelihoods of clusters and the rules of the game to a state for every cell."""
