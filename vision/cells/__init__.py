"""What single cells look like: the model's likelihoods of each state, and cells that look alike."""
