"""Labels a look by hand: `python tools/label_look.py NAME RECORDINGS [--as 12=*] [--sheet F] [--skin F]`.

Groups every cell picture of all recordings in a folder, finer than playing does, and draws a sheet: for each
group its number, what it was read as while playing, how many cells it has, and some of its pictures. A person
looks at the sheet, names with `--as` what is wrong or was never read (`12=~` for what means nothing, as a
message or an animation), and writes the skin: a truth that does not hang on how a game ended.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

from bot.recording import Recording
from games.minesweeper.board import UNKNOWN
from vision.frame import Pixels
from vision.lattice import Lattice
from vision.skins import learn_tiles
from vision.looks import Gallery, Look
from vision.skins import Tile

FINE = 6.0  # grey levels; pictures of one group differ less
SIDE, SHOWN = 40, 8  # pixels of a cell on the sheet, cells of a group
ACROSS = 3  # groups beside each other


def grouped(folder: Path) -> tuple[list[Look], list[Counter[str]]]:
    """The groups of all cells in the recordings below a folder, and what each was read as."""
    gallery = Gallery(FINE)
    read: list[Counter[str]] = []
    for path in sorted(folder.glob("*/meta.json")):
        recording = Recording(path.parent)
        lattice: Lattice = recording.meta.lattice
        for frame, board in recording.looks():
            for k, look in enumerate(gallery.group(frame, lattice)):
                read.extend(Counter() for _ in range(len(gallery) - len(read)))
                read[int(look)][board[k]] += 1
    return gallery.looks, read


def meaning(read: Counter[str]) -> str:
    """What a group was read as most often, UNKNOWN where it never was."""
    states = {state: n for state, n in read.items() if state != UNKNOWN}
    return max(states, key=states.__getitem__) if states else UNKNOWN


def drawn(number: int, look: Look, state: str, read: Counter[str]) -> Pixels:
    """One group on the sheet."""
    strip = np.full((SIDE + 6, 170 + SHOWN * (SIDE + 3), 3), 255, np.uint8)
    told = " ".join(f"{s}:{n}" for s, n in read.most_common(4))
    cv2.putText(strip, f"{number} = {state}", (2, 17), 0, 0.6, (0, 0, 200), 1, cv2.LINE_AA)
    cv2.putText(strip, told, (2, 38), 0, 0.4, (0, 0, 0), 1, cv2.LINE_AA)
    chosen = look.pictures[:: max(1, -(-len(look.pictures) // SHOWN))]
    for place, picture in enumerate(chosen):
        left = 170 + place * (SIDE + 3)
        strip[3 : 3 + SIDE, left : left + SIDE] = cv2.resize(picture, (SIDE, SIDE))
    return strip


def sheet(looks: list[Look], states: list[str], read: list[Counter[str]]) -> Pixels:
    """All groups, those of one meaning together."""
    order = sorted(range(len(looks)), key=lambda n: (states[n], n))
    strips = [drawn(n, looks[n], states[n], read[n]) for n in order]
    strips += [np.full_like(strips[0], 255)] * (-len(strips) % ACROSS)
    return np.vstack([np.hstack(strips[n : n + ACROSS]) for n in range(0, len(strips), ACROSS)])


def main() -> int:
    """Group, draw, and write what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--as", dest="named", nargs="*", default=[], metavar="GROUP=STATE")
    parser.add_argument("--sheet", type=Path)
    parser.add_argument("--skin", type=Path)
    words = parser.parse_args()
    looks, read = grouped(words.folder)
    states = [meaning(each) for each in read]
    for name in words.named:
        group, _, state = name.partition("=")
        states[int(group)] = state
    for number, each in enumerate(read):
        known = {state for state in each if state != UNKNOWN}
        if known - {states[number]}:
            print(f"group {number} is {states[number]}, and was read as {dict(each)}")
    if words.sheet:
        cv2.imwrite(str(words.sheet), sheet(looks, states, read))
    if words.skin:
        tiles = [
            Tile(state, picture)
            for look, state in zip(looks, states, strict=True)
            for picture in look.pictures
            if state != UNKNOWN
        ]
        learn_tiles(words.name, tiles).save(words.skin)
    return 0


if __name__ == "__main__":
    sys.exit(main())
