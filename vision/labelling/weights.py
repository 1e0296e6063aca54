"""How much each piece of evidence weighs when a picture is labelled, in nats for one of its unit.

Made by `python -m training weights` from 250 drawn pictures of the training families; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# a mark that is drawn as nothing the model has learned: how likely, where it sees something else, or anything
STRANGE: Mapping[str, float] = MappingProxyType({"other": -3.0, "drawn": -8.0})

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "model": 0.83,  # nats that the cell model gives a cluster in its state
        "empty": 0.31,  # nats that the cell model gives a blank for being empty, against covered
        "ground": 0.84,  # nats that GROUND gives it
        "mark F": 0.31,  # clusters that are F
        "mark ?": -1.12,  # clusters that are ?
        "mark *": 0.31,  # clusters that are *
        "mark !": 0.03,  # clusters that are !
        "mark x": -1.04,  # clusters that are x
        "mark ~": -0.51,  # clusters that are ~
        "any F": -1.36,  # whether there is any F
        "any ?": -0.97,  # whether there is any ?
        "any *": -0.36,  # whether there is any *
        "any !": 0.00,  # whether there is any !
        "any x": -0.92,  # whether there is any x
        "any ~": -2.50,  # whether there is any ~
        "filled": -6.12,  # thirds of a board, up to one, that a cluster of a mark fills beyond the first
        "pieces": -1.41,  # pieces, beyond the first, in which a cluster that is ~ lies
        "contradicted": -2.63,  # numbers that have no room, or too many mines beside them
        "unread": -0.80,  # cells that look like a number and are called something else, or empty
        "clicks": -0.56,  # numbers that no empty cell beside them opened
        "unfinished": -1.96,  # whether empty cells lie beside covered ones
        "left": -0.97,  # logarithm of one more than how many do
        "second hit": -0.75,  # mines that were hit beside the first
        "unhit": -1.54,  # whether mines are shown, and none that was hit
        "untold": -1.21,  # flags and question marks that no number is beside
        "numbers": 0.68,  # nats that the judge gives the numbers
        "unshown": -2.66,  # whether mines are shown, and others kept hidden
        "astray": -1.96,  # whether flags stand where no mine can be
    }
)

# nats for an empty cell against a covered one, by how unlike open ground it is: below
# each of ground.STEPS, and above
GROUND: tuple[float, ...] = (
    5.4,
    3.56,
    3.15,
    1.47,
    0.68,
    -0.96,
    -0.68,
    -1.24,
    -2.72,
    -3.32,
    -3.34,
    -2.79,
    -4.05,
    -4.33,
)

# nats for each cell that a labelling may be behind what each cluster looks like by itself
FARTHEST = 0.3
