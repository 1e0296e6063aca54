"""How well drawn boards are read, cut along their lines: `python benchmarks/seeing/labelling.py validation`.

The boards are of `training.pictures`: themes of one split's families, games fresh, in play, won and lost,
crowded ones among them, seen by a camera; `python -m training fetch` brings the fonts and icons they need.
Of every picture with a wrong cell it says why: *search* where the right labelling weighs more than the chosen
one and was not found, *evidence* where it weighs less, *rules* where it cannot be at all; and how many cells
share a cluster with cells of another state (*mixed*).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

from games.minesweeper import MINES_SHOWN, UNKNOWN, Board
from strategies.probability.board_prior import UniformMinePrior
from training.pictures import drawn_pictures
from training.splits import SPLITS
from vision.cells.model import CLASSES, CellModel
from vision.label.features import weighted_sum
from vision.label.picture import PictureClusters, cluster_picture, read_clusters
from vision.label.scorer import CachedPrior, LabelScorer
from vision.label.search import find_labellings

if __package__ in (None, ""):  # run as a file
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))


CROWDED = 0.03  # of the cells of a crowded board, at least, show a number of five or more


@dataclass(frozen=True)
class Verdict:
    """How one picture was read. `right`, `unknown`, `wrong` and `mixed` count its cells."""

    right: int
    unknown: int
    wrong: int
    mixed: int
    why: str
    behind: float
    milliseconds: float


def examine(seen: PictureClusters, truth: Board) -> Verdict:
    """Read one picture, and say what went wrong."""
    began = time.process_time()
    reading = read_clusters(seen, UniformMinePrior())
    took = 1000 * (time.process_time() - began)
    read = np.array(list(reading.board.cells))
    true = np.array(list(truth.cells))
    wrong = int(((read != true) & (read != UNKNOWN)).sum())
    right = int(((read == true) & (read != UNKNOWN)).sum())
    labels, mixed = right_labels(seen, truth)
    why, behind = _reason(seen, labels) if wrong or right < 0.97 * len(truth) else ("", 0.0)
    return Verdict(right, len(truth) - right - wrong, wrong, mixed, why, behind, took)


def right_labels(seen: PictureClusters, truth: Board) -> tuple[tuple[int, ...], int]:
    """The state (its place in CLASSES) that most cells of each cluster have; how many have another."""
    states = np.array([CLASSES.index(state) for state in truth.cells])
    labels = tuple(int(np.bincount(states[seen.scene.ids == c]).argmax()) for c in seen.scene.present)
    return labels, int((np.array(labels)[seen.scene.places] != states).sum())


def _reason(seen: PictureClusters, labels: tuple[int, ...]) -> tuple[str, float]:
    """What kept the right labelling from being chosen, and how many nats it is behind the chosen one."""
    weights = weighted_sum(seen.rows())
    judge = CachedPrior(UniformMinePrior())
    found = find_labellings(seen.scene, weights, judge)
    weighing = LabelScorer(seen.scene, weights, judge, None)
    likely = weighing.prior_score(np.array(labels))
    if likely is None:
        return "rules", 0.0
    if not found:
        return "search", -99.0
    behind = found[0][0] - float(weighing.fast_scores(np.array([labels]))[0]) - likely
    return ("search" if behind < -1e-6 else "evidence" if behind > 1e-6 else "sureness"), behind


def kind_of(truth: Board) -> str:
    """How far the game of a picture is."""
    many = sum(truth.cells.count(str(number)) for number in (5, 6, 7, 8))
    if many > CROWDED * len(truth):
        return "crowded"
    if not truth.open:
        return "fresh"
    return "ended" if truth.cells_showing(MINES_SHOWN) or not truth.closed else "in play"


def main() -> None:
    """Read every picture, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("split", choices=SPLITS)
    parser.add_argument("--first", type=int, default=0, help="where the seeds begin")
    parser.add_argument("--count", type=int, default=150)
    words = parser.parse_args()
    model = CellModel.load()
    verdicts: list[tuple[str, Verdict]] = []
    for labelled in drawn_pictures(words.split, range(words.first, words.first + words.count)):
        verdict = examine(cluster_picture(labelled.frame, labelled.lattice, model), labelled.board)
        kind = kind_of(labelled.board)
        verdicts.append((kind, verdict))
        if verdict.wrong or verdict.why == "search":
            print(
                f"{labelled.source} {kind}: {verdict.wrong} wrong, {verdict.unknown} unknown of "
                f"{len(labelled.board)}; {verdict.why} {verdict.behind:.1f}; mixed {verdict.mixed}",
                flush=True,
            )
    report(verdicts)


def report(verdicts: list[tuple[str, Verdict]]) -> None:
    """Print what became of the cells by kind of picture."""
    by_kind: dict[str, list[Verdict]] = defaultdict(list)
    for kind, verdict in verdicts:
        by_kind[kind].append(verdict)
        by_kind["all"].append(verdict)
    print("| kind | pictures | cells | right | unknown | wrong | pictures with wrong | mixed |")
    print("|---|---|---|---|---|---|---|---|")
    for kind, each in sorted(by_kind.items()):
        cells = sum(v.right + v.unknown + v.wrong for v in each)
        right, unknown, wrong = (
            sum(getattr(v, name) for v in each) for name in ("right", "unknown", "wrong")
        )
        shares = f"{100 * right / cells:.2f} % | {100 * unknown / cells:.2f} % | {100 * wrong / cells:.3f} %"
        pictures, mixed = sum(v.wrong > 0 for v in each), sum(v.mixed for v in each)
        print(f"| {kind} | {len(each)} | {cells} | {shares} | {pictures} | {mixed} |")
    why = Counter((v.why, "wrong" if v.wrong else "unknown") for _, v in verdicts if v.why)
    print(", ".join(f"{kind} ({reason}): {count}" for (reason, kind), count in sorted(why.items())))
    took = [v.milliseconds for _, v in verdicts]
    print(f"labelling: median {median(took):.1f} ms, most {max(took):.0f} ms, sum {sum(took) / 1000:.1f} s")


if __name__ == "__main__":
    main()
