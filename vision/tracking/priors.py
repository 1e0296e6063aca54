"""How much each piece of evidence weighs in the middle of a game, in nats.

What single pictures are weighed by is fitted on drawn pictures (`vision.labelling.weights`). These are not:
in a game what is expected (`expectations`) decides most, and nobody has drawn games to fit both together.
They are priors, set by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from games.minesweeper import UNKNOWN
from vision.cells import CLASSES, NUMBER, Likelihoods
from vision.labelling import Scene, Weights, rows_of
from vision.tracking.usual import PRESENT

PRIORS: Mapping[str, float] = MappingProxyType(
    {
        "contradicted": -8.0,  # for a cell that cannot be what it looks like
        "unnumbered": -2.2,  # for a cell that looks like a number and is called none (log 1/9)
        "clicks": -0.7,  # for each click that an open board needed: each as likely as not (log 1/2)
        "unfinished": -4.0,  # where empty cells lie beside covered ones,
        "beside": -1.5,  # and for each of them
        "second hit": -3.0,  # for each mine that was hit beside the first; a chord may hit more
        "unhit": -1.4,  # for mines that are shown, and none that was hit (one program in four)
        "untold": -0.7,  # for a mark on a cell that no number is beside: as likely as not (log 1/2)
        "parted": -1.0,  # nats of a link whose ends have two states
        "numbers": 1.0,  # what the judge says of the numbers
        "unshown": -8.0,  # for a game that shows some of its mines, and keeps others to itself
        "astray": -4.0,  # for flags of which some are wrong
    }
)
RAREST = -4.6  # nats; no state is rarer than on one board in a hundred: people play boards that nobody dealt
FILLED = -6.0  # nats for what is nothing of a game and fills half of a board; less where it fills less


def evidence(scene: Scene, likely: Likelihoods, strange: bool = False) -> Weights:
    """What the pictures of the clusters say, in nats. `likely` is (clusters, classes), the model's.

    `strange`: covers and marks may be drawn as nothing that the model has learned.
    """
    rows = rows_of(scene, likely, strange=strange)
    return rows["model"] + rows["empty"]


def usual(scene: Scene) -> Weights:
    """How likely each cluster is to have each state, before anybody looks at it, in nats."""
    weights = np.tile([max(RAREST, PRESENT[state]) for state in CLASSES], (len(scene.present), 1))
    weights[:, NUMBER >= 0] = 0.0  # how likely numbers are the judge knows
    weights[:, CLASSES.index(UNKNOWN)] += filled(scene)
    return weights


def filled(scene: Scene) -> NDArray[np.float64]:
    """What it weighs that the cells of each cluster are nothing of a game: the less the more there are."""
    return FILLED * np.minimum(1.0, 2 * scene.counts / len(scene.ids))
