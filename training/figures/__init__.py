"""Makes vision/counter/figures.npz again: `python -m training.figures`; the fonts are those of `training`."""
