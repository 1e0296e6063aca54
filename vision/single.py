"""Works a single picture out, with no skin that fits it and nothing known of what was done to the board."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from games.minesweeper.board import HIDDEN
from vision.frame import Frame, Pixels
from vision.glyphs import DIGITS as NUMBERS
from vision.lattice import Lattice
from vision.looks import Gallery, Ids
from vision.meanings import FARFETCHED, SETTLED, Interpreter, beliefs
from vision.merging import merge
from vision.reading import Judge, Reading
from vision.roles import SAME_MIDDLE
from vision.scene import Scene
from vision.straighten import straighten
from vision.traits import Traits

FEWEST_ODD = 4  # cells: a mine in a corner and the numbers beside it
DRAWN_AGAIN = 6.0  # grey levels that a picture may differ where the same was drawn on the same ground again
MANY = 12  # looks on one board; where there are more, its cells do not lie on whole pixels
NOISY = 18.0  # grey levels that pictures of one look may differ in a picture that was scaled or compressed
MOST_LOOKS = 96  # with more no board can be worked out
LEGIBLE = 0.85  # likeness of the clearest number to its digit; without one it is no game
NOISE = 0.75  # new looks to a cell; then, with twice as many, the picture is noise


def read_unknown(frame: Frame, lattice: Lattice, judge: Judge) -> Reading:
    """Work one picture out with no skin that fits: what logic and shapes allow, the rest UNKNOWN.

    The confidence of a cell is how likely its state is, 0 for an UNKNOWN one.
    """
    pictures, ids = grouped(frame, lattice)
    scene = Scene(lattice.rows, lattice.columns, ids)
    found: dict[int, tuple[str, float]] = {}
    traits = [Traits(picture) for picture in pictures]
    if len(pictures) <= MOST_LOOKS:
        least = FARFETCHED
        interpreter = Interpreter(traits, judge, least, names_ends=True)
        found = beliefs(interpreter.interpret(scene, one_look(scene.ids, traits)))
    settled = {look: state for look, (state, sure) in found.items() if sure >= SETTLED}
    if not any(
        state in NUMBERS and traits[look].likeness[state] >= LEGIBLE for look, state in settled.items()
    ):
        # no clear number says that this is a game at all: what is drawn on cells may be anything
        settled = {look: state for look, state in settled.items() if state == HIDDEN}
    board = scene.board(settled)
    sure = [found[int(i)][1] if int(i) in settled else 0.0 for i in scene.ids]
    confidence = np.array(sure, np.float32).reshape(lattice.rows, lattice.columns)
    return Reading(board, confidence, board.unread)


def one_look(ids: Ids, traits: Sequence[Traits]) -> dict[int, str]:
    """What is known of a board on which all cells look the same, but for a few: those are hidden cells.

    Open cells with nothing in them cannot fill it: even a mine in a corner makes FEWEST_ODD cells odd. The
    outermost cells may differ at their rims.
    """
    looks, counts = np.unique(ids, return_counts=True)
    cover = traits[int(looks[int(counts.argmax())])]
    covers = [int(look) for look in looks if _is_middle_of(traits[int(look)], cover)]
    is_fresh = np.isin(ids, covers, invert=True).sum() < FEWEST_ODD <= counts.max()
    return dict.fromkeys(covers, HIDDEN) if is_fresh else {}


def _is_middle_of(one: Traits, other: Traits) -> bool:
    """Whether two looks differ at their rims at most, also where the gap behind a last cell is not drawn."""
    height, width = (min(sides) for sides in zip(one.picture.shape[:2], other.picture.shape[:2], strict=True))
    if one.picture.shape != other.picture.shape and min(height, width) > 2:
        one, other = (Traits(each.picture[:height, :width]) for each in (one, other))
    return one.middle_of(other, DRAWN_AGAIN) > SAME_MIDDLE


def grouped(frame: Frame, lattice: Lattice) -> tuple[list[Pixels], Ids]:
    """The looks of one picture: what each looks like, and the look of every cell.

    Where lines fall between pixels, the board is drawn straight, and looks that this parted are merged.
    """
    gallery, ids = _looks(frame, lattice)
    if len(gallery) > MANY and (straight := straighten(frame, lattice)) is not None:
        other, other_ids = _looks(*straight)
        if len(other) < len(gallery):
            gallery, ids = other, other_ids
    pictures = [look.picture for look in gallery.looks]
    return merge(pictures, ids) if len(pictures) > MANY else (pictures, ids)


def _looks(frame: Frame, lattice: Lattice) -> tuple[Gallery, Ids]:
    """The looks of a picture; of noise, in which hardly two cells look alike, those of its first rows."""
    gallery = Gallery(NOISY)
    ids = np.zeros(lattice.rows * lattice.columns, np.int32)
    for start in range(0, len(ids), lattice.columns):
        row = range(start, start + lattice.columns)
        ids[row.start : row.stop] = gallery.group(frame, lattice, row)
        if len(gallery) > 2 * MOST_LOOKS and len(gallery) > NOISE * row.stop:
            break
    return gallery, ids
