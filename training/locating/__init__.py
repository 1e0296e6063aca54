"""Trains what decides in `vision/locating`: pictures with boards of made-up looks, whose lines are known.

`surfaces` draws cells, `scenes` windows and what else is on a desktop, `cuts` takes cut-outs with their classes;
`network` trains on them, `weights` fits the judge of whole boards. `python -m training.locating` does both.
"""
