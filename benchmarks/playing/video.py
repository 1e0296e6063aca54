"""How long `sapper review` takes for a long video of a screen.

Makes a video of simulated games, an Expert board somewhere on a 1920x1080 desktop, a move about every
`--pace` seconds, and reviews it:

    python benchmarks/playing/video.py --minutes 10

prints minutes of video, games, frames, moves that were made, and how many were seen, seconds for reading the
video and for judging the games, and what an hour of such video would take by the clock and in processor time.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np

from bot.game.plan import Planner
from bot.game.types import GameRules
from bot.readers import ReaderFactory
from bot.recording.recording import Recording
from bot.review.images import VideoFrames, import_video
from bot.review.importer import ImportRecorder
from bot.review.pages import review
from bot.show.pictures import draw_board
from games.minesweeper import Deal, Minefield, Move
from strategies import Reasoner, load_strategies
from vision.frame import Pixels

RATE = 30
WIDTH, HEIGHT = 1920, 1080
LEFT, TOP = 400, 200
RULES = GameRules(99, "zero", "open", can_chord=False, flags="none")


def main() -> None:
    """Make the video, review it, and print what that took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--pace", type=float, default=0.7)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.mp4"
        games, moves = write(path, asked.minutes * 60.0, asked.pace)
        print(json.dumps(measured(path, Path(folder) / "out") | {"games_played": games, "moves_made": moves}))


def write(path: Path, seconds: float, pace: float) -> tuple[int, int]:
    """A video of so many seconds; the games and the moves in it."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), RATE, (WIDTH, HEIGHT))
    rng = np.random.default_rng(1)
    colours = rng.integers(60, 190, (9, 16, 3), np.uint8)
    desktop = np.asarray(cv2.resize(colours, (WIDTH, HEIGHT)), np.uint8)
    frames = games = moves = 0

    def show(field: Minefield, for_seconds: float) -> None:
        nonlocal frames
        picture = with_board(desktop, draw_board(field.board).pixels)
        for _ in range(max(1, round(for_seconds * RATE))):
            writer.write(picture)
            frames += 1

    while frames < seconds * RATE:
        field = Minefield(Deal.random(16, 30, 99, f"video/{games}"), "zero")
        planner = Planner(Reasoner(load_strategies()), RULES)
        show(field, 2.0)
        field.play([Move("open", 0)])
        games, moves = games + 1, moves + 1
        show(field, pace)
        while not (field.is_won or field.is_lost) and frames < seconds * RATE:
            for move in planner.plan(field.board).moves:
                if field.board.closed >> move.cell & 1 and frames < seconds * RATE:
                    field.play([move])
                    moves += 1
                    show(field, pace * float(rng.uniform(0.4, 1.6)))
        show(field, 1.5)
    writer.release()
    return games, moves


def with_board(desktop: Pixels, board: Pixels) -> Pixels:
    """A window with a board on a desktop."""
    picture = desktop.copy()
    height, width = board.shape[:2]
    picture[TOP - 60 : TOP + height + 20, LEFT - 20 : LEFT + width + 20] = (200, 200, 200)
    picture[TOP : TOP + height, LEFT : LEFT + width] = board
    return picture


def measured(path: Path, folder: Path) -> dict[str, float]:
    """What reviewing a video takes, and what was seen in it."""
    began, cpu = time.perf_counter(), time.process_time()
    kept: list[Path] = []
    video = VideoFrames(path)
    keeper = ImportRecorder(folder, "game", GameRules(None, "zero", "unknown"), "benchmark", kept=kept.append)
    import_video(video, keeper, ReaderFactory.load(), None, lambda done, total: None)
    read = time.perf_counter() - began
    strategies = load_strategies()
    judged = [review(Recording(each), strategies) for each in kept]
    whole, used = time.perf_counter() - began, time.process_time() - cpu
    minutes = video.count / RATE / 60.0
    return {
        "minutes": round(minutes, 2),
        "frames": video.count,
        "games_seen": len(judged),
        "moves_seen": sum(bool(one.made.opened) for each in judged for one in each.verdicts),
        "read_s": round(read, 1),
        "judge_s": round(whole - read, 1),
        "cpu_s": round(used, 1),
        "an_hour_takes_min": round(whole / minutes, 2),
        "an_hour_takes_cpu_min": round(used / minutes, 2),
    }


if __name__ == "__main__":
    main()
