"""How much each piece of evidence weighs when a picture is labelled, in nats for one of its unit.

Made by `python -m training weights` from 300 drawn pictures of the training families; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# a mark that is drawn as nothing the model has learned: how likely, where it sees something else, or anything
STRANGE: Mapping[str, float] = MappingProxyType({"other": -3.0, "drawn": -8.0})

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "model": 1.00,  # nats that the cell model gives a cluster in its state
        "empty": 0.80,  # nats that the cell model gives a blank for being empty, against covered
        "ground": 1.27,  # nats that GROUND gives it
        "mark F": -1.21,  # clusters that are F
        "mark ?": -1.17,  # clusters that are ?
        "mark *": -0.53,  # clusters that are *
        "mark !": -0.06,  # clusters that are !
        "mark x": -1.16,  # clusters that are x
        "mark ~": 0.00,  # clusters that are ~
        "any F": 0.00,  # whether there is any F
        "any ?": -0.68,  # whether there is any ?
        "any *": 0.00,  # whether there is any *
        "any !": -0.37,  # whether there is any !
        "any x": -1.05,  # whether there is any x
        "any ~": -1.49,  # whether there is any ~
        "filled": -4.60,  # thirds of a board, up to one, that a cluster of a mark fills beyond the first
        "pieces": -1.80,  # pieces, beyond the first, in which a cluster that is ~ lies
        "regions": -2.20,  # pieces in which the cells lie that are ~
        "patched": -3.41,  # grey levels, by joining.FARTHEST, that a blank in one piece is unlike the others
        "contradicted": -3.66,  # numbers that have no room, or too many mines beside them
        "unread": -0.47,  # cells that look like a number and are called something else, or empty
        "clicks": -0.45,  # numbers that no empty cell beside them opened
        "unfinished": -1.34,  # whether empty cells lie beside covered ones
        "left": -1.69,  # logarithm of one more than how many do
        "second hit": -0.58,  # mines that were hit beside the first
        "unhit": -0.32,  # whether mines are shown, and none that was hit
        "untold": -1.26,  # flags and question marks that no number is beside
        "parted": -1.00,  # nats that LINKED gives two blanks for one state, where they have two
        "numbers": 0.55,  # nats that the judge gives the numbers
        "unshown": -1.96,  # whether mines are shown, and others kept hidden
        "astray": -1.12,  # whether flags stand where no mine can be
    }
)

# nats for an empty cell against a covered one, by how unlike open ground it is:
# below each of ground.STEPS, and above
GROUND: tuple[float, ...] = (
    5.52,
    3.8,
    2.79,
    2.23,
    1.37,
    -0.28,
    -1.19,
    -0.8,
    -2.61,
    -3.74,
    -3.91,
    -3.44,
    -2.99,
    -3.26,
)
