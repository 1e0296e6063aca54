"""The file that labelling weighs by: what each weight is multiplied with, and how it is written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from vision.label.features import MARKS
from vision.params import STRANGE

FILE = Path(__file__).resolve().parents[1] / "vision" / "labelling" / "weights.py"

# what each weight is multiplied with
UNITS = {
    "model": "nats that the cell model gives a cluster in its state",
    "empty": "nats that the cell model gives a blank for being empty, against covered",
    "ground": "nats that GROUND gives it",
    **{f"mark {state}": f"clusters that are {state}" for state in MARKS},
    **{f"any {state}": f"whether there is any {state}" for state in MARKS},
    "filled": "thirds of a board, up to one, that a cluster of a mark fills beyond the first",
    "pieces": "pieces, beyond the first, in which a cluster that is ~ lies",
    "regions": "pieces in which the cells lie that are ~",
    "patched": "grey levels, by joining.FARTHEST, that a blank in one piece is unlike the others",
    "contradicted": "numbers that have no room, or too many mines beside them",
    "unread": "cells that look like a number and are called something else, or empty",
    "clicks": "numbers that no empty cell beside them opened",
    "unfinished": "whether empty cells lie beside covered ones",
    "left": "logarithm of one more than how many do",
    "second hit": "mines that were hit beside the first",
    "unhit": "whether mines are shown, and none that was hit",
    "untold": "flags and question marks that no number is beside",
    "parted": "nats that LINKED gives two linked clusters for one state, where they have two",
    "numbers": "nats that the judge gives the numbers",
    "unshown": "whether mines are shown, and others kept hidden",
    "astray": "whether flags stand where no mine can be",
}
NAMES = tuple(UNITS)

HEADER = '''"""How much each piece of evidence weighs when a picture is labelled, in nats for one of its unit.

Made by `python -m training weights` from {pictures} drawn pictures of the training families; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# a mark that is drawn as nothing the model has learned: how likely, where it sees something else, or anything
STRANGE: Mapping[str, float] = MappingProxyType({strange})

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {{
'''


def write(scale: Mapping[str, float], ground: Sequence[float], pictures: int) -> None:
    """The file that labelling weighs by."""
    lines = [f'        "{name}": {scale[name]:.2f},  # {UNITS[name]}' for name in NAMES]
    steps = "".join(f"    {nats},\n" for nats in ground)
    FILE.write_text(
        HEADER.format(pictures=pictures, strange=json.dumps(dict(STRANGE)))
        + "\n".join(lines)
        + "\n    }\n)\n\n# nats for an empty cell against a covered one, by how unlike open ground it is:"
        + f"\n# below each of ground.STEPS, and above\nGROUND: tuple[float, ...] = (\n{steps})\n",
        encoding="utf-8",
    )
