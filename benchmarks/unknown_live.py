"""Plays real programs whose look was taken away: `python benchmarks/unknown_live.py [--games 10] [PROGRAM…]`.

Each program is played on a virtual screen with an empty folder of skins, so its look must be learned from the
first click on. The truth: every recorded picture read again with the program's built-in skin. Prints a line
for each game; the exit code is 1 when a cell was read wrong or a certain move hit a mine.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from bot.program import Program
from bot.recording import Recording
from games.minesweeper import Board
from games.minesweeper.board import UNKNOWN
from vision.frame import Frame
from vision.reader import Reader
from vision.recognise import SHIFTS, align
from vision.skin import load_skin

PAD = SHIFTS + 1  # pixels
HEAD = "program          game result   looks   cells      ~ untold wrong guesses wrong certain read s"


@dataclass
class Told:
    """How the cells of one game were read: counts, and the cells that were read wrong.

    `untold` are cells of which the built-in skin cannot tell the truth.
    """

    looks: int = 0
    cells: int = 0
    unknown: int = 0
    untold: int = 0
    wrong: list[str] | None = None


def compare(folder: Path, program: str) -> Told:
    """Compare what was read while playing with what the built-in skin reads in the same pictures."""
    recording = Recording(folder)
    told = Told(wrong=[])
    frame, seen = recording.first(), None
    skin = load_skin(program)
    reader = Reader(skin, align(_padded(frame), recording.meta.lattice.moved(PAD, PAD), skin).lattice)
    for event in recording.events:
        if event["event"] != "look":
            continue
        frame = recording.after(frame, event)
        seen = recording.board(seen, event)
        truth = reader.read(_padded(frame)).board
        told.looks += 1
        told.cells += len(seen)
        _count(told, seen, truth)
    return told


def _padded(frame: Frame) -> Frame:
    """The picture with a margin: the skin may have been cut from cells that begin a little elsewhere."""
    wider = cv2.copyMakeBorder(frame.pixels, PAD, PAD, PAD, PAD, cv2.BORDER_REPLICATE)
    return Frame(wider.astype(np.uint8))


def _count(told: Told, seen: Board, truth: Board) -> None:
    assert told.wrong is not None
    for k in range(len(seen)):
        if truth[k] == UNKNOWN:
            told.untold += 1
        if seen[k] == UNKNOWN:
            told.unknown += 1
        elif truth[k] != UNKNOWN and seen[k] != truth[k]:
            told.wrong.append(f"look {told.looks} {seen.name(k)} {truth[k]} read as {seen[k]}")


def play(program: str, games: int, options: list[str], folder: Path) -> bool:
    """Play and compare; whether nothing was wrong."""
    command = [
        sys.executable, "-m", "bot", "play", "--program", program, "--virtual", "--json",
        "--skins", str(folder / "skins"), "--record", str(folder / "games"), "--games", str(games), *options,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    good = done.returncode == 0
    if not good:
        print(f"{program}: {done.stderr.strip()}")
    for number, line in enumerate(done.stdout.splitlines(), 1):
        game = json.loads(line)
        told = compare(Path(game["recording"]), program)
        assert told.wrong is not None
        print(
            f"{program:16} {number:4} {game['result']:8} {told.looks:5} {told.cells:7} {told.unknown:6} "
            f"{told.untold:6} {len(told.wrong):5} {game['guesses']:7} {game['wrong_certain']:13} "
            f"{game['read_s']:6.2f}"
        )
        for wrong in told.wrong[:5]:
            print(f"    {wrong}")
        good = good and not told.wrong and not game["wrong_certain"]
    return good


def main() -> int:
    """Play every program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs="*", default=Program.names())
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--size", help="columns x rows, where the program's own default is not wanted")
    parser.add_argument("--keep", type=Path, help="keep recordings and skins in this folder")
    words = parser.parse_args()
    print(HEAD)
    good = True
    for program in words.programs:
        with tempfile.TemporaryDirectory() as scratch:
            folder = (words.keep or Path(scratch)) / program
            good &= play(program, words.games, ["--size", words.size] if words.size else [], folder)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
