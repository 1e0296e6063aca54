"""Exact layout counts, mine probabilities, expected information, and a prior for boards."""
