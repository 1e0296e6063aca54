"""Likelihoods and the rules of the game -> a state for every cell of one picture."""

from vision.labelling.scene import NOBODY, Scene
from vision.labelling.search import (
    Hypothesis,
    Labellings,
    Remembering,
    confidences,
    find_labellings,
    hits_joined,
    normalised,
    usual,
)
from vision.labelling.single import read_picture

__all__ = [
    "NOBODY",
    "Hypothesis",
    "Labellings",
    "Remembering",
    "Scene",
    "confidences",
    "find_labellings",
    "hits_joined",
    "normalised",
    "read_picture",
    "usual",
]
