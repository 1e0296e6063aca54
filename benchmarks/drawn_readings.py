"""Read drawn boards of one split with known lines, and explain the errors.

Table: docs/results, "Drawn boards".

    python -m benchmarks.drawn_readings validation --count 150

`training.drawn_pictures` draws the boards in themes of the split: fresh, in play, won, lost and crowded
games, seen by a camera. `python -m training fetch` installs the fonts and icons. For each picture with a
wrong cell, the script prints the cause: *search* if the true labelling is likelier than the chosen one but
was not found, *evidence* if it is less likely, *rules* if it contradicts the rules. *Mixed* counts cells that
share a cluster with cells of another state.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from statistics import median

import numpy as np

from benchmarks.shared import new_parser
from games.minesweeper import MINES_SHOWN, UNKNOWN, Board
from strategies.probability.board_prior import UniformMinePrior
from training.drawn_pictures import drawn_pictures
from training.splits import SPLITS
from vision.cells.model import CLASSES, CellModel
from vision.label.picture import PictureClusters, cluster_picture, read_clusters, weighted_sum
from vision.label.scorer import CachedPrior, LabelScorer
from vision.label.search import find_labellings

CROWDED = 0.03  # share of cells with a number of five or more in a crowded board


@dataclass(frozen=True)
class PictureVerdict:
    """The reading of one picture: numbers of cells, and `behind` in nats."""

    right: int
    unknown: int
    wrong: int
    mixed: int
    cause: str
    behind: float
    milliseconds: float


def examine(seen: PictureClusters, truth: Board) -> PictureVerdict:
    """Read one picture and determine the cause of its errors."""
    begin = time.process_time()
    reading = read_clusters(seen, UniformMinePrior())
    took = 1000 * (time.process_time() - begin)
    read = np.array(list(reading.board.cells))
    true = np.array(list(truth.cells))
    wrong = int(((read != true) & (read != UNKNOWN)).sum())
    right = int(((read == true) & (read != UNKNOWN)).sum())
    labels, mixed = true_labels(seen, truth)
    cause, behind = _find_cause(seen, labels) if wrong or right < 0.97 * len(truth) else ("", 0.0)
    return PictureVerdict(right, len(truth) - right - wrong, wrong, mixed, cause, behind, took)


def true_labels(seen: PictureClusters, truth: Board) -> tuple[tuple[int, ...], int]:
    """The most frequent state of each cluster (index in CLASSES), and the number of cells in other states."""
    states = np.array([CLASSES.index(state) for state in truth.cells])
    labels = tuple(int(np.bincount(states[seen.scene.ids == c]).argmax()) for c in seen.scene.present)
    return labels, int((np.array(labels)[seen.scene.places] != states).sum())


def _find_cause(seen: PictureClusters, labels: tuple[int, ...]) -> tuple[str, float]:
    """Why the true labelling was not chosen, and how many nats it is behind the chosen one."""
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
    return ("search" if behind < -1e-6 else "evidence" if behind > 1e-6 else "confidence"), behind


def board_kind(truth: Board) -> str:
    """`crowded`, `fresh`, `in play` or `ended`."""
    many = sum(truth.cells.count(str(number)) for number in (5, 6, 7, 8))
    if many > CROWDED * len(truth):
        return "crowded"
    if not truth.open:
        return "fresh"
    return "ended" if truth.cells_showing(MINES_SHOWN) or not truth.closed else "in play"


def main() -> None:
    """Read every picture and print the table."""
    parser = new_parser(__doc__)
    parser.add_argument("split", choices=SPLITS)
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--count", type=int, default=150)
    options = parser.parse_args()
    model = CellModel.load()
    verdicts: list[tuple[str, PictureVerdict]] = []
    for labelled in drawn_pictures(options.split, range(options.first, options.first + options.count)):
        verdict = examine(cluster_picture(labelled.frame, labelled.lattice, model), labelled.board)
        kind = board_kind(labelled.board)
        verdicts.append((kind, verdict))
        if verdict.wrong or verdict.cause == "search":
            print(
                f"{labelled.source} {kind}: {verdict.wrong} wrong, {verdict.unknown} unknown of "
                f"{len(labelled.board)}; {verdict.cause} {verdict.behind:.1f}; mixed {verdict.mixed}",
                flush=True,
            )
    report(verdicts)


def report(verdicts: list[tuple[str, PictureVerdict]]) -> None:
    """Print the cells by kind of board."""
    by_kind: dict[str, list[PictureVerdict]] = defaultdict(list)
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
    causes = Counter((v.cause, "wrong" if v.wrong else "unknown") for _, v in verdicts if v.cause)
    print(", ".join(f"{kind} ({reason}): {count}" for (reason, kind), count in sorted(causes.items())))
    took = [v.milliseconds for _, v in verdicts]
    print(
        f"labelling: median {median(took):.1f} ms, longest {max(took):.0f} ms, sum {sum(took) / 1000:.1f} s"
    )


if __name__ == "__main__":
    main()
