"""How likely what was read is a board at all: whether its cells look like what they are read as.

A labelling is found for any grid. Covers and marks may be drawn as nothing that the model has learned, so
words and icons may be them. On a board few clusters are so, and its numbers look like numbers.
"""

from vision.labelling.boardlike.evidence import features_of, is_board

__all__ = ["features_of", "is_board"]
