"""Series of games, what became of every click: `python benchmarks/playing/series.py [--games 10] [PROGRAM…]`.

A PROGRAM is a known one, one of benchmarks/looks, or a file; `NAME:9x9/10` also says the board. Each is
played with `sapper play --json` and an empty folder of data, so nothing that was learned before is known, on
a screen of its own with openbox, or with `--here` on the desktop on which this is started. With
`--undescribed` the program is started as a person would start it, and Sapper knows only the title of its
window and the mines. `--beside N` keeps so many processors busy with other things.

Prints a line for each program as it ends, with `--json` an object: what Sapper said of its games, the acts
that were made again of all that were made ("later" leaves the first game out, in which Sapper finds out how a
program wants to be pressed), the exit code, and what the recordings prove of it
(benchmarks/playing/truth.py). The exit code is 1 when a game was stopped, a certain move hit a mine, or a
cell was read wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from truth import Verdict, judge

from bot.desktop.backends import open_desktop
from bot.desktop.virtual import VirtualScreen
from bot.programs.program import BoardSize, Program
from bot.programs.runner import RunningProgram
from bot.recording.recording import Recording

AGAIN = re.compile(r"clicked again, since it did not show: .*?(?: and (\d+) more)?$")
SPIN = "while True: pass"
USUAL = ("sgt-mines:9x9/10", "xdemineur:12x12/20", "gnome-mines:8x8/10")
LOOKS = Path(__file__).parents[1] / "looks"
HEAD = (
    "program | games | won | lost | stopped | inferred | ends not proved | made again, of all acts | later | "
    "code | wrong certain | cells read wrong | median s | load"
)


@dataclass(frozen=True)
class Series:
    """What `sapper play --json` said of its games, its exit code, and what it said on stderr."""

    games: tuple[Mapping[str, Any], ...]
    code: int
    said: str

    @property
    def acts(self) -> int:
        """Clicks that were made, in all games."""
        return sum(int(game["clicks"]) for game in self.games)

    def again(self, first: int = 0) -> int:
        """Those of them that made an act again, from this game on."""
        notes = [note for game in self.games[first:] for note in notes_of(Path(game["recording"]))]
        return sum(1 + int(said[1] or 0) for note in notes if (said := AGAIN.match(note)))

    @cached_property
    def judged(self) -> tuple[Verdict, ...]:
        """What the recording of each game proves."""
        return tuple(judge(Recording(Path(game["recording"]))) for game in self.games)

    @property
    def row(self) -> dict[str, Any]:
        """The columns of the table, but for the program's name."""
        results = [game["result"] for game in self.games]
        seconds = [float(game["seconds"]) for game in self.games]
        return {
            "games": len(results),
            **{name: results.count(name) for name in ("won", "lost", "stopped")},
            "inferred": sum(game["known"] == "inferred" for game in self.games),
            "ends not proved": sum(not game.proved for game in self.judged),
            "made again, of all acts": f"{self.again()} of {self.acts:,}",
            "later": self.again(first=1),
            "code": self.code,
            "wrong certain": max(
                sum(int(game["wrong_certain"]) for game in self.games),
                sum(game.wrong_certain for game in self.judged),
            ),
            "cells read wrong": sum(len(game.wrong) for game in self.judged),
            "median s": round(statistics.median(seconds), 1) if seconds else "",
            "load": round(os.getloadavg()[1], 1),
        }


def notes_of(folder: Path) -> list[str]:
    """What a recording says was printed."""
    return [str(event["text"]) for event in Recording(folder).events if event["event"] == "note"]


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """So many processes that do nothing but compute."""
    spinning = [subprocess.Popen([sys.executable, "-c", SPIN]) for _ in range(processes)]
    try:
        yield
    finally:
        for each in spinning:
            each.kill()
            each.wait()


def play_series(folder: Path, program: str, games: int, *words: str, beside: int = 0) -> Series:
    """Play so many games in a row of a described program under openbox."""
    with VirtualScreen(1280, 900, window_manager=True), busy(beside):
        return play_here(folder, games, "--program", program, *words)


def play_here(folder: Path, games: int, *words: str, on: Mapping[str, str] | None = None) -> Series:
    """Play so many games in a row on this desktop, or the one that the variables `on` lead to.

    Nothing that was learned before is known.
    """
    command = [sys.executable, "-m", "bot", "play", "--games", str(games), "--json"]
    done = subprocess.run(
        [*command, "--record", str(folder / "games"), *words],
        env={**(on or os.environ), "XDG_DATA_HOME": str(folder / "data")},
        capture_output=True,
        text=True,
        check=False,
    )
    return Series(tuple(json.loads(line) for line in done.stdout.splitlines()), done.returncode, done.stderr)


def play_undescribed(folder: Path, file: str, board: str, games: int) -> Series:
    """Start a program on this desktop, and have its window played as if nobody had described it."""
    program = Program.load(file)
    layout = BoardSize.parse(board) if board else program.default
    with open_desktop() as desktop, RunningProgram.start(desktop, program, layout) as running:
        title = running.window.title
        return play_here(folder, games, "--window", title, "--mines", str(layout.mines), "--yes")


def play(folder: Path, named: str, chosen: argparse.Namespace) -> Series:
    """Play a series of what is named, as it was chosen on the command line."""
    name, _, board = named.partition(":")
    file = str(LOOKS / f"{name}.toml") if (LOOKS / f"{name}.toml").exists() else name
    if chosen.undescribed:
        return play_undescribed(folder, file, board, chosen.games)
    size, _, mines = board.partition("/")
    words = [f"--size={size}", f"--mines={mines}"] if board else []
    return play_here(folder, chosen.games, "--program", file, *words)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play every program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--beside", type=int, default=0, help="processes that do nothing but compute")
    parser.add_argument("--undescribed", action="store_true", help="as if nobody had described it")
    parser.add_argument("--here", action="store_true", help="on this desktop, on no screen of its own")
    parser.add_argument("--keep", type=Path, help="keep recordings in this folder")
    parser.add_argument("--json", action="store_true", help="an object for each program")
    chosen = parser.parse_args(arguments)
    os.environ["PATH"] += os.pathsep + str(LOOKS.parents[1] / ".looks" / "bin")
    all_good = True
    if not chosen.json:
        print(HEAD, flush=True)
    screen = nullcontext() if chosen.here else VirtualScreen(1280, 900, window_manager=True)
    with tempfile.TemporaryDirectory() as scratch, screen, busy(chosen.beside):
        for named in chosen.programs or USUAL:
            folder = (chosen.keep or Path(scratch)) / named.replace("/", "-").replace(":", "-")
            folder.mkdir(parents=True, exist_ok=True)
            series = play(folder, named, chosen)
            row = series.row
            line = " | ".join(map(str, [named, *row.values()]))
            print(json.dumps({"program": named, **row}) if chosen.json else line, flush=True)
            if series.code:
                print(f"{named}: {series.said.strip().splitlines()[-1:]}", file=sys.stderr, flush=True)
            all_good &= not (series.code or row["wrong certain"] or row["cells read wrong"])
    return 0 if all_good else 1


if __name__ == "__main__":
    sys.exit(main())
