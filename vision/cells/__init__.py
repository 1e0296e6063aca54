"""What single cells look like: the model's likelihoods of each state, and cells that look alike."""

from vision.cells.classes import BLANK, CLASSES, NUMBER, SHARES, verdict
from vision.cells.clusters import Clusters, Ids, Likelihoods, Model
from vision.cells.likeness import SIDE, Signatures, apart, coarse, resampled_apart, signatures
from vision.cells.model import CellModel

__all__ = [
    "BLANK",
    "CLASSES",
    "NUMBER",
    "SHARES",
    "SIDE",
    "CellModel",
    "Clusters",
    "Ids",
    "Likelihoods",
    "Model",
    "Signatures",
    "apart",
    "coarse",
    "resampled_apart",
    "signatures",
    "verdict",
]
