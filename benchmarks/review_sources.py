"""Play games on real programs while filming the screen, and compare the reviews of each game's sources.

Table: docs/results, "Reviews of videos and screenshots".

    python -m benchmarks.review_sources --games 2 kmines:16x16/40 sgt-mines:9x9/10 xdemineur

A PROGRAM is as in `benchmarks.live_games`. Sapper plays with a pause between two clicks, as a person does. A
thread captures the whole screen, from before the first click until seconds after the last one: as a video,
and as screenshots of all pictures that stay. Then `sapper review` judges the recording, the video, the
screenshots and the video of `sapper report`, each without any option.

For each source, the table compares with the recording: the result, the mine total, the moves (which cells
opened together), their verdicts, and the figures. Differences are followed by what only one of the two pages
states as unknown. Each imported game is also replayed. `--keep` keeps all files.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.shared import LOOK_PROGRAMS, LOOKS, new_parser
from bot.desktop.backends import Desktop, open_desktop
from bot.play.finder import BoardFinder, DesktopAccess
from bot.play.session import PlayOptions, Session
from bot.programs.program import BoardSize, Program
from bot.programs.runner import RunningProgram
from bot.readers import ReaderFactory
from bot.recording.recording import Recording
from bot.recording.replay import replay
from bot.review.pages import Review, review
from games.errors import SapperError
from games.logic import bits, cell_set
from strategies import Reasoner, load_strategies
from vision.frame import MssCapture

SIZE = 1280, 900  # pixels of the virtual screen
BEFORE = 1.5  # seconds of the video before the game
QUICK = (cv2.IMWRITE_PNG_COMPRESSION, 1)
AFTER = 2.0, 8.0  # seconds of the video after a game, in turn
SOURCES = ("video", "screenshots", "report video")
FIGURES = ("bv3", "solved", "openings", "zini", "hits", "survival", "expected_hits", "given_away")


@contextmanager
def filming(folder: Path, rate: float) -> Iterator[None]:
    """Film the whole screen while this runs, and save a screenshot of each new picture that stays.

    The video is written afterwards, so that it misses nothing on a busy machine.
    """
    stop = threading.Event()
    shots = folder / "shots"
    shots.mkdir()
    pictures: list[tuple[int, Any]] = []  # the frame number of each new picture, and its PNG file

    def film() -> None:
        began, number = time.monotonic(), 0
        before = kept = np.zeros((*SIZE[::-1], 3), np.uint8)
        with MssCapture() as grabber:
            while not stop.is_set():
                pixels = grabber.grab().pixels
                is_new = not np.array_equal(pixels, before)
                if is_new or not pictures:
                    pictures.append((number, cv2.imencode(".png", pixels, QUICK)[1]))
                elif not np.array_equal(pixels, kept):
                    (shots / f"{number:05d}.png").write_bytes(pictures[-1][1].tobytes())
                    kept = pixels
                before = pixels
                number = max(number + 1, int((time.monotonic() - began) * rate))
                stop.wait(max(0.0, began + number / rate - time.monotonic()))
        pictures.append((number, None))

    thread = threading.Thread(target=film)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        writer = cv2.VideoWriter(str(folder / "game.mp4"), cv2.VideoWriter.fourcc(*"mp4v"), rate, SIZE)
        for (number, picture), (later, _) in pairwise(pictures):
            pixels = cv2.imdecode(picture, cv2.IMREAD_COLOR)
            assert pixels is not None
            for _ in range(later - number):
                writer.write(pixels)
        writer.release()


@dataclass(frozen=True)
class FilmedGame:
    """A played game: its folder, with `recording`, `game.mp4`, `shots` and `report.mp4`, and its result."""

    folder: Path
    result: str

    @property
    def places(self) -> dict[str, Path]:
        """The recording and the other sources, by name."""
        named = {"video": "game.mp4", "screenshots": "shots", "report video": "report.mp4"}
        return {"recording": next((self.folder / "recording").iterdir())} | {
            name: self.folder / named[name] for name in SOURCES
        }


def play(desktop: Desktop, argument: str, folder: Path, options: argparse.Namespace) -> Iterator[FilmedGame]:
    """Play games of a program, and film each."""
    name, _, board = argument.partition(":")
    program = Program.load(str(LOOKS / f"{name}.toml") if (LOOKS / f"{name}.toml").exists() else name)
    desktop.controls.forget_pointer()
    layout = BoardSize.parse(board) if board else None
    with RunningProgram.start(desktop, program, layout) as running, desktop.open_grabber() as grabber:
        around = DesktopAccess(grabber, desktop.controls, desktop.windows, running)
        finder = BoardFinder(around, ReaderFactory.load(), (running.size.columns, running.size.rows))
        record = folder / "recording"
        wanted = PlayOptions(yes=True, record=record, delay=options.delay, flags=options.flags)
        games = Session(wanted, around, finder, load_strategies(), "benchmark").games(options.games)
        for number in range(1, options.games + 1):
            place = folder / f"{argument.replace('/', '-').replace(':', '-')}-{number}"
            place.mkdir(parents=True)
            with filming(place, options.rate):
                time.sleep(BEFORE)
                result = next(games)
                time.sleep(AFTER[number % len(AFTER)])
            (place / "recording").mkdir()
            Path(str(result.recording)).rename(place / "recording" / Path(str(result.recording)).name)
            game = FilmedGame(place, result.result)
            sapper("report", str(game.places["recording"]), "--video", str(place / "report.mp4"))
            yield game


def sapper(*words: str) -> list[dict[str, Any]]:
    """The objects that a command prints."""
    done = subprocess.run(
        [sys.executable, "-m", "bot", *words, "--json"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        return [{"error": done.stderr.strip().splitlines()[-1:]}]
    return [json.loads(line) for line in done.stdout.splitlines()]


def compare(known: Review, seen: Review) -> list[str]:
    """The differences of a review from that of the recording, as short sentences."""
    pairs: dict[str, tuple[object, object]] = {
        "result": (known.game.ended, seen.game.ended),
        "mines": (known.game.mines, seen.game.mines),
    }
    was, now = _verdicts(known), _verdicts(seen)
    for names, what in ((was.keys() - now.keys(), "cells"), (now.keys() - was.keys(), "other cells")):
        if names:
            pairs[f"{len(names)} {what} opened"] = (known.game.last.names(cell_set(names))[:3], "")
    others = Counter((was[k], now[k]) for k in was.keys() & now.keys() if was[k] != now[k])
    pairs |= {f"{count} cells:": (one, other) for (one, other), count in others.items()}
    figures = [each.figures.as_json() for each in (known, seen)]
    pairs |= {name: (figures[0][name], figures[1][name]) for name in FIGURES}
    return [f"{name} {was} -> {now}" for name, (was, now) in pairs.items() if was != now]


def _verdicts(review: Review) -> dict[int, str]:
    """For each cell that a move opened: its verdict, and the cost of a guess."""
    return {
        k: each.kind if each.kind in ("certain", "first click")
        else f"{each.kind}, risk {_percent(each.risk)}, {_percent(each.win_chance_lost)} lost"
        for each in review.verdicts
        for k in bits(each.made.opened)
    }  # fmt: skip


def _percent(share: float | None) -> str:
    return "unknown" if share is None else f"{100 * share:.1f} %"


def judge(game: FilmedGame, out: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield (source, differences) for each source of a game."""
    known = review(Recording(game.places["recording"]), load_strategies())
    yield "recording", [] if known.game.ended == game.result else [f"result {known.game.ended}"]
    for source in SOURCES:
        found = sapper("review", str(game.places[source]), "--out", str(out / source))
        if len(found) == 1 and "recording" in found[0]:
            seen = review(Recording(Path(found[0]["recording"])), load_strategies())
            differences = compare(known, seen)
            if differences:
                stated = set(seen.unknown) ^ set(known.unknown)
                differences += [f"stated: {fact}" for fact in sorted(stated)]
            replayed = replay(seen.recording, Reasoner(load_strategies()))
            yield source, [*differences, *replayed.differences]
        else:
            yield source, [str(each.get("error") or each.get("headline")) for each in found]


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, review and compare; return the exit code."""
    parser = new_parser(__doc__)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--rate", type=float, default=15.0, help="pictures per second of the video")
    parser.add_argument("--delay", type=float, default=150.0, help="pause between two clicks, milliseconds")
    parser.add_argument("--flags", default="needed", choices=("none", "needed", "all"))
    parser.add_argument("--keep", type=Path, help="keep all files in this folder")
    options = parser.parse_args(arguments)
    os.environ["PATH"] += os.pathsep + str(LOOK_PROGRAMS)
    worst = 0
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["XDG_DATA_HOME"] = scratch  # no stored appearance of a program
        folder = (options.keep or Path(scratch)).resolve()
        for game in played(folder, options):
            for source, differences in judge(game, Path(tempfile.mkdtemp(dir=scratch))):
                print(
                    f"{game.folder.name} | {game.result} | {source} | {'; '.join(differences) or 'same'}",
                    flush=True,
                )
                worst = worst or int(bool(differences))
    return worst


def played(folder: Path, options: argparse.Namespace) -> Iterator[FilmedGame]:
    """Play all programs on one virtual screen."""
    with open_desktop(virtual=True, size=SIZE, window_manager=True) as desktop:
        for name in options.programs:
            try:
                yield from play(desktop, name, folder, options)
            except SapperError as error:
                print(f"{name}: {error}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
