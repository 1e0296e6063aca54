"""Play series of games on real programs with nothing remembered, and judge every recording.

Tables: docs/results, "Unseen programs", "Series of games" and "Game times". `make unknown` runs it.

    python -m benchmarks.live_games --games 10 sgt-mines:9x9/10 xdemineur
    python -m benchmarks.live_games --games 3 --details --looks
    python -m benchmarks.live_games --games 5 --undescribed --limit 240 kmines:9x9/10 --looks

A PROGRAM is a known program, a name in `benchmarks/looks` (`tools/get_looks.sh` fetches the programs), or a
program file; `NAME:9x9/10` also sets the board. Without any PROGRAM, all known programs are played; `--looks`
adds all of `benchmarks/looks`. `benchmarks/sealed.toml` lists programs that we have never started.

Each series is one run of `sapper play --json` with an empty data folder, on a virtual screen with openbox, or
with `--here` on this desktop. With `--undescribed`, Sapper only knows the window title and the mine total,
and recognises no program.

The table contains a line for each program: reported results, next games that began and the actions that start
them, repeated clicks ("later" excludes the first game, in which Sapper measures the click timing), the exit
code, and the judgement of the recordings
(`benchmarks/game_verdict.py`): ends that the numbers and mines do not prove, misread cells, cells that were
never read (`~`), guesses that were avoidable, and certain moves on a mine. `--details` adds a line for each
game. The exit code is 1 if Sapper stopped, misread a cell, or opened a mine with a certain move.
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
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from benchmarks.game_verdict import GameVerdict, judge
from benchmarks.shared import LOOK_PROGRAMS, LOOKS, busy_processes, new_parser
from bot.desktop.backends import open_desktop
from bot.desktop.virtual import virtual_screen
from bot.play.next_game_actions import FILE
from bot.programs.program import BoardSize, Program
from bot.programs.runner import RunningProgram
from bot.recording.recording import Recording
from games.errors import SapperError

REPEATED = re.compile(r"clicked again, since it did not show: .*?(?: and (\d+) more)?$")
SCREEN = "1280x900"  # pixels
MAX_SHOWN = 5  # misread cells printed for one game
SAPPER = "-m", "bot"
FORGET = "from bot.programs.program import Program; Program.of_window = classmethod(lambda *_: None)"
STRANGER = "-c", f"{FORGET}; import sys; from bot.cli.main import main; sys.exit(main())"  # knows no program


@dataclass(frozen=True)
class LiveSeries:
    """The JSON results of `sapper play`, its exit code and its stderr."""

    games: tuple[Mapping[str, Any], ...]
    code: int
    stderr: str
    asked: int  # number of games requested
    actions: str = ""  # that started the next games

    @property
    def clicks(self) -> int:
        """Clicks of all games."""
        return sum(int(game["clicks"]) for game in self.games)

    def repeated(self, first: int = 0) -> int:
        """Clicks that were repeated, from this game on."""
        recordings = [Recording(Path(game["recording"])) for game in self.games[first:]]
        notes = [str(e["text"]) for each in recordings for e in each.events if e["event"] == "note"]
        return sum(1 + int(match[1] or 0) for note in notes if (match := REPEATED.match(note)))

    @cached_property
    def verdicts(self) -> tuple[GameVerdict, ...]:
        """The judgement of each recording."""
        return tuple(judge(Recording(Path(game["recording"]))) for game in self.games)

    @property
    def next_games(self) -> str:
        """The next games that began, and the attempts to start one: `3 of 4`."""
        began = max(len(self.games) - 1, 0)
        ended = sum(game["result"] != "stopped" for game in self.games)
        return f"{began} of {max(began, min(ended, self.asked - 1))}"

    @property
    def row(self) -> dict[str, Any]:
        """The columns of the table after the program's name."""
        results = [game["result"] for game in self.games]
        seconds = [float(game["seconds"]) for game in self.games]
        judged, later = self.verdicts, self.verdicts[1:]
        return {
            "games": len(results),
            **{name: results.count(name) for name in ("won", "lost", "stopped")},
            "next games": self.next_games,
            "actions": self.actions,
            "inferred": sum(game["known"] == "inferred" for game in self.games),
            "ends not proved": sum(not game.proved for game in judged),
            "repeated clicks": f"{self.repeated()} of {self.clicks:,}",
            "later": self.repeated(first=1),
            "code": self.code,
            "wrong certain": max(
                sum(int(game["wrong_certain"]) for game in self.games),
                sum(game.wrong_certain for game in judged),
            ),
            "observations": sum(game.observations for game in judged),
            "cells": sum(game.cells for game in judged),
            "cells read wrong": sum(len(game.wrong) for game in judged),
            "~ in game 1": sum(game.unread for game in judged[:1]),
            "~ later": sum(game.unread for game in later),
            "unjudged": sum(game.unjudged for game in judged),
            "guesses": sum(game.guesses for game in judged),
            "avoidable in game 1": sum(game.avoidable_guesses for game in judged[:1]),
            "avoidable later": sum(game.avoidable_guesses for game in later),
            "median s": round(statistics.median(seconds), 2) if seconds else "",
            "load": round(os.getloadavg()[1], 1),
        }

    @property
    def is_good(self) -> bool:
        """Whether Sapper played to the end without a misread cell or a wrong certain move."""
        return not (self.code or self.row["wrong certain"] or self.row["cells read wrong"])


def print_details(name: str, series: LiveSeries) -> None:
    """Print a line for each game; `?` marks a result that is not proved."""
    for number, (game, verdict) in enumerate(zip(series.games, series.verdicts, strict=True), 1):
        result = verdict.result + ("" if verdict.proved else "?")
        print(
            f"    {name} {number}: {result}, {game['seconds']:.1f} s, {verdict.observations} observations, "
            f"{verdict.unread} ~, {len(verdict.wrong)} wrong, {verdict.unjudged} unjudged, mines "
            f"{verdict.mines_known}/{verdict.mines or '?'}, {verdict.guesses} guesses, "
            f"{verdict.avoidable_guesses} avoidable, {verdict.wrong_certain} wrong certain",
            flush=True,
        )
        for wrong in verdict.wrong[:MAX_SHOWN]:
            print(f"        {wrong}")


def play_series(folder: Path, program: str, games: int, *options: str, busy: int = 0) -> LiveSeries:
    """Play games of a described program on a virtual screen with openbox."""
    width, height = map(int, SCREEN.split("x"))
    with virtual_screen(width, height, window_manager=True), busy_processes(busy):
        return play_here(folder, games, "--program", program, *options)


def play_here(
    folder: Path,
    games: int,
    *options: str,
    environment: Mapping[str, str] | None = None,
    sapper: Sequence[str] = SAPPER,
    limit: float = 0,
) -> LiveSeries:
    """Play games on this desktop, or on the desktop of `environment`, with an empty data folder.

    `sapper` are the arguments of Python that start Sapper; after `limit` seconds, it is stopped.
    """
    command = [*(["timeout", str(limit)] if limit else []), sys.executable, *sapper]
    command += ["play", "--games", str(games), "--json"]
    done = subprocess.run(
        [*command, "--record", str(folder / "games"), *options],
        env={**(environment or os.environ), "XDG_DATA_HOME": str(folder / "data")},
        capture_output=True,
        text=True,
        check=False,
    )
    results = tuple(json.loads(line) for line in done.stdout.splitlines())
    return LiveSeries(results, done.returncode, done.stderr, games, actions_in(folder / "data"))


def actions_in(data: Path) -> str:
    """The actions that started next games, as remembered in a data folder."""
    memory = next(data.glob(f"**/{FILE}"), None)
    paths = json.loads(memory.read_text(encoding="utf-8")).values() if memory else ()
    names = ([each["key"] or f"{each['kind']} {each['side']}" for each in path] for path in paths)
    return "; ".join(" + ".join(path) for path in names)


def play_undescribed(folder: Path, file: str, board: str, games: int, limit: float) -> LiveSeries:
    """Start a program on this desktop; Sapper attaches to its window without a description."""
    program = Program.load(file)
    layout = BoardSize.parse(board) if board else program.default
    with open_desktop() as desktop, RunningProgram.start(desktop, program, layout) as running:
        title = running.window.title
        words = ["--window", title, "--mines", str(layout.mines), "--yes"]
        return play_here(folder, games, *words, sapper=STRANGER, limit=limit)


def play(folder: Path, argument: str, options: argparse.Namespace) -> LiveSeries:
    """Play a series of the program that a command line argument names."""
    name, _, board = argument.partition(":")
    file = str(LOOKS / f"{name}.toml") if (LOOKS / f"{name}.toml").exists() else name
    if options.undescribed:
        try:
            return play_undescribed(folder, file, board, options.games, options.limit)
        except SapperError as error:  # the program does not start
            return LiveSeries((), error.exit_code, str(error), options.games)
    size, _, mines = board.partition("/")
    words = [f"--size={size}", f"--mines={mines}"] if board else []
    return play_here(folder, options.games, "--program", file, *words, limit=options.limit)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play all series, print the table, and return the exit code."""
    parser = new_parser(__doc__)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    parser.add_argument("--looks", action="store_true", help="also play all of benchmarks/looks")
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--busy", type=int, default=0, help="processes that compute at the same time")
    parser.add_argument("--undescribed", action="store_true", help="give Sapper only the window title")
    parser.add_argument("--limit", type=float, default=0, help="seconds of a series; 0: no limit")
    parser.add_argument("--here", action="store_true", help="play on this desktop")
    parser.add_argument("--screen", default=SCREEN, help="size of the virtual screen, WIDTHxHEIGHT pixels")
    parser.add_argument("--keep", type=Path, help="keep recordings in this folder")
    parser.add_argument("--details", action="store_true", help="print a line for each game")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each program")
    options = parser.parse_args(arguments)
    os.environ["PATH"] += os.pathsep + str(LOOK_PROGRAMS)
    width, height = map(int, options.screen.split("x"))
    screen = nullcontext() if options.here else virtual_screen(width, height, window_manager=True)
    looks = sorted(path.stem for path in LOOKS.glob("*.toml")) if options.looks else []
    programs, is_good, has_head = [*options.programs, *looks] or Program.names(), True, options.json
    with tempfile.TemporaryDirectory() as scratch, screen, busy_processes(options.busy):
        for name in programs:
            folder = (options.keep or Path(scratch)) / name.replace("/", "-").replace(":", "-")
            folder.mkdir(parents=True, exist_ok=True)
            series = play(folder, name, options)
            if not has_head:
                print(" | ".join(["program", *series.row]))
                has_head = True
            line = " | ".join(map(str, [name, *series.row.values()]))
            print(json.dumps({"program": name, **series.row}) if options.json else line, flush=True)
            if options.details:
                print_details(name, series)
            if series.code:
                print(f"{name}: {series.stderr.strip().splitlines()[-1:]}", file=sys.stderr, flush=True)
            is_good &= series.is_good
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
