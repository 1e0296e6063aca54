"""Likelihoods and the rules of the game -> a state for every cell of one picture."""

from vision.labelling.confidence import Hypothesis, Labellings, confidences, normalised
from vision.labelling.evidence import Weights, rows_of, weighed
from vision.labelling.rules import without_contradictions
from vision.labelling.scene import NOBODY, Scene
from vision.labelling.search import find_labellings
from vision.labelling.single import SETTLED, Seen, is_misled, read_picture, read_seen, see
from vision.labelling.weighing import NEVER, Remembering, Weighing

__all__ = [
    "NEVER",
    "NOBODY",
    "SETTLED",
    "Hypothesis",
    "Labellings",
    "Remembering",
    "Scene",
    "Seen",
    "Weighing",
    "Weights",
    "confidences",
    "find_labellings",
    "is_misled",
    "normalised",
    "read_picture",
    "read_seen",
    "rows_of",
    "see",
    "weighed",
    "without_contradictions",
]
