"""Likelihoods and the rules of the game -> a state for every cell of one picture."""

from vision.labelling.scene import NOBODY, Scene
from vision.labelling.search import Hypothesis, Labellings, confidences, find_labellings, normalised
from vision.labelling.single import SETTLED, read_picture
from vision.labelling.weighing import Remembering, evidence, filled, usual, without_contradictions

__all__ = [
    "NOBODY",
    "SETTLED",
    "Hypothesis",
    "Labellings",
    "Remembering",
    "Scene",
    "confidences",
    "evidence",
    "filled",
    "find_labellings",
    "normalised",
    "read_picture",
    "usual",
    "without_contradictions",
]
