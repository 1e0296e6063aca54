"""Pictures that show no board, or hardly one: `python benchmarks/seeing/adversarial.py [PICTURES]`.

Looks at each as `sapper read` does where nothing is remembered. Counts what is located, and what is read with
confidence although there is no board; nothing may crash. A grid that is read as hidden cells only is counted
by itself: an empty grid cannot be distinguished from a fresh board. A picture is drawn from its number, and
`--first` is the first of them: those below a million have been looked at while Sapper was written. `--log
FILE` keeps the counts of every thousand pictures, and goes on behind the last of them when it is started
again.
"""

from __future__ import annotations

import argparse
import json
import sys
import traceback
from collections import Counter
from pathlib import Path

from boardless import KINDS, boardless

from bot.readers import ReaderFactory
from games.errors import BoardNotFound, SapperError
from games.minesweeper import HIDDEN, UNKNOWN
from vision.frame import Frame
from vision.locate.locate import locate

STEP = 1000  # pictures between two lines of the log
BOLD = 0.5  # of the cells; a board that is read so far is claimed
SHOWN = 10  # claims that are printed in full
ALLOWED = 0.001  # of the pictures may be claimed

Counts = dict[str, Counter[str]]  # kind -> what became of its pictures


def judged(number: int, sight: ReaderFactory) -> tuple[str, str, str]:
    """The kind of one picture, what became of it, and the board that was claimed to be on it, "" for none.

    It is `nothing` (no board was seen), `refused` (many, or cut, or unreadable), `unread` (most of it is ~),
    `fresh` (hidden cells only) or `claimed`.
    """
    kind, picture = boardless(number)
    try:
        frame = Frame(picture)
        found = locate(frame)
        board = sight.best_skin(frame, found.lattice, found.confidence)[1].board
    except BoardNotFound:
        return kind, "nothing", ""
    except SapperError:
        return kind, "refused", ""
    if board.unread.bit_count() >= BOLD * len(board):
        return kind, "unread", ""
    return (kind, "fresh", "") if set(board.cells) <= {HIDDEN, UNKNOWN} else (kind, "claimed", str(board))


def main() -> int:
    """Look at so many pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pictures", nargs="?", type=int, default=900)
    parser.add_argument(
        "--first", type=int, default=1_000_000, metavar="N", help="the number of the first one"
    )
    parser.add_argument("--log", type=Path)
    words = parser.parse_args()
    if words.log:
        words.log.parent.mkdir(parents=True, exist_ok=True)
    counts, done = _resumed(words.log, words.first)
    sight = ReaderFactory.load()
    for start in range(done, words.pictures, STEP):
        numbers = range(words.first + start, words.first + min(start + STEP, words.pictures))
        part = _examined(numbers, sight)
        _add(counts, part)
        if words.log:
            with words.log.open("a", encoding="utf-8") as log:
                log.write(json.dumps({"first": words.first, "start": start, "counts": part}) + "\n")
    return _report(counts)


def _examined(numbers: range, sight: ReaderFactory) -> Counts:
    counts: Counts = {}
    for number in numbers:
        try:
            kind, what, board = judged(number, sight)
        except Exception:  # noqa: BLE001 - a crash is what is looked for: named with its number
            kind, what, board = boardless(number)[0], "crashed", traceback.format_exc(limit=-3)
        counts.setdefault(kind, Counter())[what] += 1
        if board:
            print(f"picture {number}, {kind}, {what}:\n{board}", flush=True)
    return counts


def _resumed(log: Path | None, first: int) -> tuple[Counts, int]:
    """What an earlier run has counted, and how many pictures it has looked at."""
    counts: Counts = {}
    done = 0
    if log and log.exists():
        for line in log.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            if entry.get("first") != first:
                continue
            _add(counts, entry["counts"])
            done = entry["start"] + STEP
    return counts, done


def _add(counts: Counts, more: Counts) -> None:
    for kind, found in more.items():
        counts.setdefault(kind, Counter()).update(found)


def _report(counts: Counts) -> int:
    print(f"{'':16} pictures nothing refused unread fresh claimed crashed")
    everything: Counter[str] = Counter()
    for kind in (*KINDS, "all"):
        found = counts.get(kind, Counter()) if kind != "all" else everything
        everything.update(found if kind != "all" else {})
        columns = ("nothing", "refused", "unread", "fresh", "claimed", "crashed")
        print(f"{kind:16} {found.total():8} " + " ".join(f"{found[what]:{len(what)}}" for what in columns))
    bad = everything["claimed"] > ALLOWED * everything.total() or everything["crashed"]
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
