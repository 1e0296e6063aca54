"""Read pictures that contain no board: none may be read with confidence, and nothing may crash.

Table: docs/results, "Pictures without a board". `make adversarial` runs it.

    python -m benchmarks.adversarial [PICTURES] [--log build/adversarial.jsonl]

Each picture is located and read as in `sapper read` with nothing remembered. Grids that are read as hidden
cells only are counted separately, because an empty grid looks like a fresh board. A picture is drawn from its
number; numbers below a million were used during development. `--log` stores the counts of every thousand
pictures, and the same command continues an interrupted run.
"""

from __future__ import annotations

import sys
import traceback
from collections import Counter
from pathlib import Path

from benchmarks.boardless_pictures import KINDS, draw_boardless
from benchmarks.shared import append_log, new_parser, read_log
from bot.readers import ReaderFactory
from games.errors import BoardNotFound, SapperError
from games.minesweeper import HIDDEN, UNKNOWN
from vision.frame import Frame
from vision.locate.locate import locate

STEP = 1000  # pictures per line of the log
MAX_UNREAD = 0.5  # share of unread cells in an accepted board
ALLOWED = 0.001  # largest share of accepted pictures

OUTCOMES = ("nothing", "refused", "unread", "fresh", "accepted", "crashed")
Counts = dict[str, Counter[str]]  # kind of picture -> outcomes


def examine(number: int, readers: ReaderFactory) -> tuple[str, str, str]:
    """The kind of one picture, its outcome, and the board if one was accepted.

    Outcomes: `nothing` (no board found), `refused` (several, clipped or unreadable), `unread` (most cells are
    ~), `fresh` (hidden cells only) or `accepted`.
    """
    kind, picture = draw_boardless(number)
    try:
        frame = Frame(picture)
        found = locate(frame)
        board = readers.best_skin(frame, found.lattice, found.probability)[1].board
    except BoardNotFound:
        return kind, "nothing", ""
    except SapperError:
        return kind, "refused", ""
    if board.unread.bit_count() >= MAX_UNREAD * len(board):
        return kind, "unread", ""
    return (kind, "fresh", "") if set(board.cells) <= {HIDDEN, UNKNOWN} else (kind, "accepted", str(board))


def main() -> int:
    """Examine the pictures, print the table, and return the exit code."""
    parser = new_parser(__doc__)
    parser.add_argument("pictures", nargs="?", type=int, default=900)
    parser.add_argument(
        "--first", type=int, default=1_000_000, metavar="N", help="number of the first picture"
    )
    parser.add_argument("--log", type=Path)
    options = parser.parse_args()
    counts: Counts = {}
    done = 0
    for entry in read_log(options.log):
        if entry["first"] == options.first:
            _add(counts, entry["counts"])
            done = entry["start"] + STEP
    readers = ReaderFactory.load()
    for start in range(done, options.pictures, STEP):
        numbers = range(options.first + start, options.first + min(start + STEP, options.pictures))
        part = _examine_all(numbers, readers)
        _add(counts, part)
        append_log(options.log, {"first": options.first, "start": start, "counts": part})
    return _report(counts)


def _examine_all(numbers: range, readers: ReaderFactory) -> Counts:
    counts: Counts = {}
    for number in numbers:
        try:
            kind, outcome, board = examine(number, readers)
        except Exception:  # noqa: BLE001 - crashes are counted
            kind, outcome, board = draw_boardless(number)[0], "crashed", traceback.format_exc(limit=-3)
        counts.setdefault(kind, Counter())[outcome] += 1
        if board:
            print(f"picture {number}, {kind}, {outcome}:\n{board}", flush=True)
    return counts


def _add(counts: Counts, more: Counts) -> None:
    for kind, found in more.items():
        counts.setdefault(kind, Counter()).update(found)


def _report(counts: Counts) -> int:
    print(f"{'':16} pictures {' '.join(OUTCOMES)}")
    everything: Counter[str] = Counter()
    for kind in (*KINDS, "all"):
        found = counts.get(kind, Counter()) if kind != "all" else everything
        everything.update(found if kind != "all" else {})
        print(f"{kind:16} {found.total():8} " + " ".join(f"{found[name]:{len(name)}}" for name in OUTCOMES))
    bad = everything["accepted"] > ALLOWED * everything.total() or everything["crashed"]
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
