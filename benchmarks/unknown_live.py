"""Plays programs whose look nobody taught: `python benchmarks/unknown_live.py [--games 10] [LOOK…]`.

A LOOK is one of the known programs, or of the other looks in benchmarks/looks: themes of these programs,
other programs, a page in a browser (`--others` means all of them; tools/get_looks.sh fetches what they need).
Each is played on a virtual screen with an empty folder of skins, so its look must be learned from the first
click on.

The truth: every recorded picture read again, with the built-in skin, or with the skin beside the look's file,
whose tiles a person has looked at (tools/label_look.py). Prints a line for each game, and a table; the exit
code is 1 when a cell was read wrong or a certain move hit a mine.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from bot.program import Program
from bot.recording import Recording
from games.minesweeper import Board
from games.minesweeper.board import HIDDEN, UNKNOWN
from vision.frame import Frame
from vision.reader import Reader
from vision.recognise import SHIFTS, align
from vision.skin import Skin, load_skin

PAD = SHIFTS + 1  # pixels
HEAD = "look                     game result   looks   cells      ~ untold wrong guesses wrong certain read s"
LOOKS = Path(__file__).with_name("looks")


@dataclass
class Told:
    """How the cells of one game were read: counts, and the cells that were read wrong.

    `unknown` are cells that were not read though the truth is known, `untold` those of which the skin that
    tells the truth cannot tell it: a message, an animation.
    """

    looks: int = 0
    cells: int = 0
    unknown: int = 0
    untold: int = 0
    wrong: list[str] = field(default_factory=list)


def truth_of(look: str) -> Skin:
    """The skin that tells the truth of a look. Raises InvalidFile when there is none."""
    return load_skin(look) if look in Program.names() else Skin.load(LOOKS / f"{look}.skin")


def compare(folder: Path, skin: Skin) -> Told:
    """Compare what was read while playing with what another skin reads in the same pictures."""
    recording = Recording(folder)
    told = Told()
    first = _padded(recording.first())
    reader = Reader(skin, align(first, recording.meta.lattice.moved(PAD, PAD), skin).lattice)
    for frame, seen in recording.looks():
        truth = told_of(reader.read(_padded(frame)).board)
        told.looks += 1
        told.cells += len(seen)
        _count(told, seen, truth)
    return told


def told_of(board: Board) -> Board:
    """What is told for certain: no empty cell beside a hidden one, but in a game that is over.

    A cell that is pressed, or lit by the pointer, may look like an empty one, which opens its neighbours.
    """
    if board.shown_mines:
        return board
    held = [k for k in range(len(board)) if board[k] == "0" and board.around[k] & board.having(HIDDEN)]
    return board.showing(dict.fromkeys(held, UNKNOWN))


def _padded(frame: Frame) -> Frame:
    """The picture with a margin: the skin may have been cut from cells that begin a little elsewhere."""
    wider = cv2.copyMakeBorder(frame.pixels, PAD, PAD, PAD, PAD, cv2.BORDER_REPLICATE)
    return Frame(wider.astype(np.uint8))


def _count(told: Told, seen: Board, truth: Board) -> None:
    for k in range(len(seen)):
        if truth[k] == UNKNOWN:
            told.untold += 1
        elif seen[k] == UNKNOWN:
            told.unknown += 1
        elif seen[k] != truth[k]:
            told.wrong.append(f"look {told.looks} {seen.name(k)} {truth[k]} read as {seen[k]}")


@dataclass
class Games:
    """All games of one look: how its cells were read, in the first game and from the second on."""

    played: list[Told] = field(default_factory=list)
    wrong_certain: int = 0
    stopped: str = ""

    @property
    def row(self) -> str:
        """What the table in docs/vision.md says of it."""
        first, later = self.played[:1], self.played[1:]
        counts = (
            sum(1 for _ in self.played),
            sum(told.looks for told in self.played),
            f"{sum(told.cells for told in self.played):,}",
            sum(len(told.wrong) for told in self.played),
            sum(told.unknown for told in first),
            sum(told.unknown for told in later),
            sum(told.untold for told in self.played),
            self.wrong_certain,
        )
        return " | ".join(map(str, counts)) + (f" | {self.stopped}" if self.stopped else "")


def play(look: str, games: int, options: list[str], folder: Path) -> None:
    """Play games of a look and record them."""
    program = look if look in Program.names() else str(LOOKS / f"{look}.toml")
    command = [
        sys.executable, "-m", "bot", "play", "--program", program, "--virtual", "--json",
        "--skins", str(folder / "skins"), "--record", str(folder / "games"), "--games", str(games), *options,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    (folder / "results.jsonl").write_text(done.stdout)
    (folder / "stopped.txt").write_text(done.stderr if done.returncode else "")


def judge(look: str, folder: Path) -> Games:
    """Compare the recorded games of a look with the truth."""
    skin = truth_of(look)
    games = Games(stopped=(folder / "stopped.txt").read_text().strip())
    for number, line in enumerate((folder / "results.jsonl").read_text().splitlines(), 1):
        game = json.loads(line)
        told = compare(Path(game["recording"]), skin)
        games.played.append(told)
        games.wrong_certain += game["wrong_certain"]
        print(
            f"{look:24} {number:4} {game['result']:8} {told.looks:5} {told.cells:7} {told.unknown:6} "
            f"{told.untold:6} {len(told.wrong):5} {game['guesses']:7} {game['wrong_certain']:13} "
            f"{game['read_s']:6.2f}",
            flush=True,
        )
        for wrong in told.wrong[:5]:
            print(f"    {wrong}")
    if games.stopped:
        print(f"    {games.stopped}")
    return games


def main() -> int:
    """Play every look, or judge games that were kept."""
    others = sorted(path.stem for path in LOOKS.glob("*.toml"))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("looks", nargs="*", default=Program.names())
    parser.add_argument("--others", action="store_true", help="all looks in benchmarks/looks")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--size", help="columns x rows, where the program's own default is not wanted")
    parser.add_argument("--keep", type=Path, help="keep recordings and skins in this folder")
    parser.add_argument(
        "--kept", action="store_true", help="judge what is in the folder of --keep; play nothing"
    )
    words = parser.parse_args()
    os.environ["PATH"] += os.pathsep + str(LOOKS.parents[1] / ".looks" / "bin")
    rows = {}
    print(HEAD)
    with tempfile.TemporaryDirectory() as scratch:
        for look in others if words.others else words.looks:
            folder = (words.keep or Path(scratch)) / look
            folder.mkdir(parents=True, exist_ok=True)
            if not words.kept:
                play(look, words.games, ["--size", words.size] if words.size else [], folder)
            rows[look] = judge(look, folder)
    print("\nlook | games | looks | cells | wrong | ~ in game 1 | ~ later | untold | certain moves on a mine")
    for look, games in rows.items():
        print(f"{look} | {games.row}")
    bad = any(
        games.wrong_certain or games.stopped or any(t.wrong for t in games.played) for games in rows.values()
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
