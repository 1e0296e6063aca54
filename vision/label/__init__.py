"""Label the clusters of one picture from cell likelihoods and the rules of the game."""
