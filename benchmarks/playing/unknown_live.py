"""Plays programs whose look nobody taught: `python benchmarks/playing/unknown_live.py [--games 10] [LOOK…]`.

A THEME is one of the known programs, or of the others in benchmarks/looks: themes of these programs,
other programs, a page in a browser (`--others` means all of them; tools/get_looks.sh fetches what they need).
Each is played on a virtual screen with an empty folder of skins, so its look must be learned from the first
click on.

The games themselves show how well they were read, and whether they ended as Sapper says:
benchmarks/playing/truth.py. Prints a line for each game, and a table; the exit code is 1 when a cell was read
wrong, a certain move hit a mine, an end is not proved, or Sapper stopped. What fails to start is named, and
the next one is played.
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
from typing import Any

from truth import Verdict, judge

from bot.programs.program import Program
from bot.recording.recording import Recording

HEAD = (
    "look                         game result     looks   cells      ~ untold wrong  mines guesses spared "
    "wrong certain seconds"
)
TABLE = (
    "look | games | won | lost | stopped | end not proved | looks | cells | wrong | ~ in game 1 | ~ later | "
    "untold | guesses | spared by reading in game 1 | later | certain moves on a mine"
)
LOOKS = Path(__file__).parents[1] / "looks"
SHOWN = 5  # cells that were read wrong, of one game


@dataclass
class Games:
    """All games of one look; `stopped` is what Sapper said when it gave up."""

    played: list[Verdict] = field(default_factory=list)
    stopped: str = ""

    @property
    def is_good(self) -> bool:
        """Whether all went as it should."""
        fine = all(game.proved and not game.wrong and not game.wrong_certain for game in self.played)
        return fine and bool(self.played) and not self.stopped

    @property
    def row(self) -> str:
        """What the table says of it."""
        games, first, later = self.played, self.played[:1], self.played[1:]
        counts = (
            len(games),
            *(sum(game.result == result for game in games) for result in ("won", "lost", "stopped")),
            sum(not game.proved for game in games),
            sum(game.looks for game in games),
            f"{sum(game.cells for game in games):,}",
            sum(len(game.wrong) for game in games),
            sum(game.unread for game in first),
            sum(game.unread for game in later),
            sum(game.untold for game in games),
            sum(game.guesses for game in games),
            sum(game.spared for game in first),
            sum(game.spared for game in later),
            sum(game.wrong_certain for game in games),
        )
        return " | ".join(map(str, counts)) + (f" | {self.stopped}" if self.stopped else "")


def play(look: str, games: int, options: list[str], folder: Path) -> None:
    """Play games of a theme and record them."""
    program = look if look in Program.names() else str(LOOKS / f"{look}.toml")
    command = [
        sys.executable, "-m", "bot", "play", "--program", program, "--virtual", "--json",
        "--skins", str(folder / "skins"), "--record", str(folder / "games"), "--games", str(games), *options,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    (folder / "results.jsonl").write_text(done.stdout)
    (folder / "stopped.txt").write_text(done.stderr if done.returncode else "")


def judged(look: str, folder: Path) -> Games:
    """What the recorded games of a theme show."""
    said = (folder / "stopped.txt").read_text().strip().splitlines()
    games = Games(stopped=said[-1] if said else "")
    for number, line in enumerate((folder / "results.jsonl").read_text().splitlines(), 1):
        result = json.loads(line)
        verdict = judge(Recording(Path(result["recording"])))
        games.played.append(verdict)
        print(line_of(look, number, verdict, result), flush=True)
        for wrong in verdict.wrong[:SHOWN]:
            print(f"    {wrong}")
    if games.stopped:
        print(f"    {look}: {games.stopped}")
    return games


def line_of(look: str, number: int, verdict: Verdict, result: dict[str, Any]) -> str:
    """What is printed of one game; a question mark is behind an end that is not proved."""
    end = verdict.result + ("" if verdict.proved else "?")
    return (
        f"{look:28} {number:4} {end:9} {verdict.looks:6} {verdict.cells:7} {verdict.unread:6} "
        f"{verdict.untold:6} {len(verdict.wrong):5} {verdict.mines_known:2}/{verdict.mines or '?':<3} "
        f"{verdict.guesses:7} {verdict.spared:6} {verdict.wrong_certain:13} {result['seconds']:7.1f}"
    )


def main() -> int:
    """Play every look, or judge games that were kept."""
    others = sorted(path.stem for path in LOOKS.glob("*.toml"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("looks", nargs="*", help="known programs, or files of benchmarks/looks without .toml")
    parser.add_argument("--others", action="store_true", help="all looks in benchmarks/looks")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--size", help="columns x rows, where the program's own default is not wanted")
    parser.add_argument(
        "--screen", help="WIDTHxHEIGHT of the virtual screen, for looks larger than the usual one"
    )
    parser.add_argument("--keep", type=Path, help="keep recordings and skins in this folder")
    parser.add_argument(
        "--kept", action="store_true", help="judge what is in the folder of --keep; play nothing"
    )
    words = parser.parse_args()
    os.environ["PATH"] += os.pathsep + str(LOOKS.parents[1] / ".looks" / "bin")
    options = [f"--{name}={value}" for name in ("size", "screen") if (value := getattr(words, name))]
    rows = {}
    print(HEAD)
    with tempfile.TemporaryDirectory() as scratch:
        for look in [*words.looks, *(others if words.others else [])] or Program.names():
            folder = (words.keep or Path(scratch)) / look
            folder.mkdir(parents=True, exist_ok=True)
            if not words.kept:
                play(look, words.games, options, folder)
            rows[look] = judged(look, folder)
    print(f"\n{TABLE}")
    for look, games in rows.items():
        print(f"{look} | {games.row}")
    return 0 if all(games.is_good for games in rows.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
