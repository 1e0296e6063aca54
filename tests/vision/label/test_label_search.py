"""Labelling of one picture from the model, similar cells and the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as some
from models import Shades, row
from numpy.typing import NDArray

from games.logic import bits
from games.minesweeper import HIDDEN, UNKNOWN, Board, Deal, Minefield, Move
from games.minesweeper.variants import PLAIN
from strategies.probability.board_prior import UniformMinePrior
from vision.cells.model import CLASSES
from vision.frame import Frame, Pixels
from vision.label.picture import has_random_mines, prior_features, read_picture
from vision.label.scene import Scene, mask_impossible_numbers
from vision.label.scorer import CachedPrior, LabelScorer
from vision.label.search import confidences, find_labellings, normalised
from vision.lattice import Lattice
from vision.params import GAME_WEIGHTS, WEIGHTS
from vision.reading import Reading
from vision.track.tracker import Tracker

SIDE = 8
BLANK = {".": 0.5, "0": 0.5}  # what a model says that cannot tell a hidden cell from an empty one


def picture(text: str, shades: Mapping[str, int]) -> tuple[Frame, Lattice]:
    """A board whose cells are shades of grey: a letter of the text has one shade."""
    board = Board.parse(text)
    grid = np.array([shades[state] for state in board.cells], np.uint8).reshape(board.rows, board.columns)
    pixels = np.repeat(np.repeat(grid, SIDE, axis=0), SIDE, axis=1)[:, :, None].repeat(3, axis=2)
    lattice = Lattice(
        tuple(SIDE * c for c in range(board.columns + 1)), tuple(SIDE * r for r in range(board.rows + 1))
    )
    return Frame(np.ascontiguousarray(pixels)), lattice


SHADES = {
    state: 10 + 14 * place for place, state in enumerate([*CLASSES[1:], HIDDEN])
}  # covers look like no empty cell
EXACT = {shade: {state: 0.999} for state, shade in SHADES.items()}
FLAT = EXACT | {SHADES["."]: BLANK, SHADES["0"]: BLANK}
KNOWN = EXACT | {SHADES["."]: {".": 1.0, "0": 1e-9}, SHADES["0"]: {"0": 1.0, ".": 1e-9}}
OPENED = "0001..\n0002..\n0002..\n0001.."
DECIDED = "000000\n012210\n01FF10\n012210\n000000"


def read(text: str, says: Mapping[int, Mapping[str, float]]) -> Reading:
    """The reading of a board drawn in these shades."""
    frame, lattice = picture(text, SHADES)
    return read_picture(frame, lattice, UniformMinePrior(), Shades(says))


@pytest.mark.parametrize(
    ("text", "says", "board"),
    [
        # the rules tell hidden and empty cells apart
        *((text, FLAT, text) for text in ("....\n....\n....", "..1..\n.....\n.....", DECIDED, "1!\n11")),
        ("....\n.F..\n..?.\n....", KNOWN, "....\n.~..\n..~.\n...."),  # without a number, only covers
        (OPENED, KNOWN, OPENED),  # a hint of the model breaks the symmetry
        # an impossible number is unread, the rest is read
        ("5001..\n0002..\n0002..\n0001..", KNOWN | {SHADES["5"]: {"5": 0.9, UNKNOWN: 0.05}},
         "~001..\n0002..\n0002..\n0001.."),
        # the rules choose between two numbers
        ("0003..\n0002..\n0002..\n0003..", KNOWN | {SHADES["3"]: {"1": 0.5, "7": 0.5}}, OPENED),
    ],
)  # fmt: skip
def test_labeller_rules_and_model_decide(
    text: str, says: Mapping[int, Mapping[str, float]], board: str
) -> None:
    assert str(read(text, says).board) == board


def test_labeller_dark_empty_cells_read_by_rules() -> None:
    """If empty cells and covers are exchanged, each number alone still fits, but not all together."""
    text = """
        01.......
        01122....
        000012321
        000000000
        011223210
        01.....10
        01.....21
        01.......
        01......."""
    board = Board.parse(text)
    says = EXACT | {SHADES["."]: {"0": 1.0, ".": 0.01}, SHADES["0"]: {".": 1.0, "0": 0.03}}
    assert read(str(board), says).board == board


@pytest.mark.parametrize(
    ("read", "left"),
    [
        ("0.\n4.", "~.\n~."),  # no room for four mines: the four is wrong, or the cell is not empty
        ("000.\n005.\n001.", "0~~.\n0~~.\n0~1."),  # the one has room, and stays
        ("*1*\n121\n000", "*~*\n121\n000"),  # too many mines: no empty cell has to do with that
        ("01F\n012", "01F\n01~"),
    ],
)
def test_labeller_impossible_number_or_blank_not_read(read: str, left: str) -> None:
    assert mask_impossible_numbers(Board.parse(read)) == Board.parse(left)


def test_labeller_rules_alone_nothing_wrong() -> None:
    right = 0
    for seed in range(30):
        field = Minefield(Deal.random(9, 9, 12, seed), "zero")
        field.play([Move("open", 40)])
        seen = read(str(field.board), FLAT).board
        assert all(a in (b, UNKNOWN) for a, b in zip(seen.cells, field.board.cells, strict=True))
        right += seen.cells == field.board.cells
    assert right >= 24


def test_labeller_symmetric_board_without_hint_unread() -> None:
    assert UNKNOWN in read(OPENED, FLAT).board.cells


def test_labeller_doubtful_possible_is_unknown() -> None:
    reading = read("0001..\n0003..\n0002..\n0001..", KNOWN | {SHADES["3"]: {"1": 0.5, "2": 0.5}})
    assert str(reading.board) == "0001..\n000~..\n0002..\n0001.."
    assert reading.confidence[1, 3] == 0
    assert reading.unsettled == 1 << 9


@pytest.mark.parametrize("cell", ["3.\n..", "3.7\n.1.", "5.\n.5"])
def test_labeller_position_pattern_is_no_number(cell: str) -> None:
    """Covers may be drawn in more ways than one, and look like numbers; numbers do not lie in a pattern."""
    rows = [line * 4 for line in cell.split("\n")] * 4
    frame, lattice = picture("\n".join(rows), SHADES)
    model = Shades(KNOWN | {SHADES[s]: {s: 0.6, HIDDEN: 0.2, UNKNOWN: 0.2} for s in "1357"})
    assert not read_picture(frame, lattice, UniformMinePrior(), model).board.open
    assert set(Tracker(lattice, UniformMinePrior(), model).observe(frame).board.cells) == {HIDDEN}


@pytest.mark.parametrize("share", [0.05, 0.15, 0.4])
def test_labeller_mines_explain_real_numbers_only(share: float) -> None:
    """On a board, numbers depend on each other; letters on a page, taken for numbers, do not."""
    rng = np.random.default_rng(1)
    for seed in range(10):
        field = Minefield(Deal.random(9, 16, round(144 * share), seed), "safe")
        while not (field.is_won or field.is_lost):
            assert has_random_mines(field.board, UniformMinePrior())
            closed = field.board.closed & ~(field.truth or 0)
            field.play([Move("open", int(k)) for k in rng.choice(list(bits(closed)), 1)])
        lines = [
            "." * 16,
            *("".join(rng.choice(list("1."), 16).tolist()) + "\n" + "." * 16 for _ in range(4)),
        ]
        page = Board.parse("\n".join(lines))
        assert UniformMinePrior().log_likelihood(page) is not None
        assert not has_random_mines(page, UniformMinePrior())


@pytest.mark.parametrize("seed", range(12))
def test_labeller_impossible_never_likeliest(seed: int) -> None:
    """Whatever the model takes numbers for, and however many labellings near the best are doubts alone."""
    rng = np.random.default_rng(seed)
    field = Minefield(Deal.random(9, 9, 14, seed), "zero")
    field.play([Move("open", 40)])
    states = sorted(set(field.board.cells))
    scene = Scene(9, 9, np.array([states.index(s) for s in field.board.cells], np.int32))
    likely = [
        {s: 1.0} if s in ".0" else dict(zip("12345", rng.dirichlet([1.0] * 5), strict=True)) for s in states
    ]
    weights = np.stack([row(says) for says in likely]).astype(np.float64)
    found = find_labellings(scene, weights, CachedPrior(UniformMinePrior()), doubts=48)
    assert UniformMinePrior().log_likelihood(scene.board(found[0][1])) is not None


def test_labeller_noisy_cover_is_joined() -> None:
    rng = np.random.default_rng(3)
    board = Board.parse("\n".join(["." * 9] * 6))
    frame, lattice = picture(str(board), SHADES)
    noisy = np.clip(frame.pixels.astype(int) + rng.integers(-9, 90, frame.pixels.shape), 0, 255)

    class UnsureModel:
        def likelihoods(self, pictures: Sequence[Pixels]) -> NDArray[np.float32]:
            return np.stack([row(BLANK) for _ in pictures])

    reading = read_picture(Frame(noisy.astype(np.uint8)), lattice, UniformMinePrior(), UnsureModel())
    assert reading.board.cells == board.cells


def test_scorer_cluster_change_equals_full_score() -> None:
    rng = np.random.default_rng(5)
    scene = Scene(7, 9, rng.integers(0, 12, 63).astype(np.int32))
    weighing = LabelScorer(scene, rng.normal(0, 3, (12, len(CLASSES))), Anything(), None)
    labels = rng.integers(0, len(CLASSES), 12)
    places, states = (each.ravel() for each in np.mgrid[0:12, 0 : len(CLASSES)])
    many = np.repeat(labels[None], len(places), axis=0)
    many[np.arange(len(places)), places] = states
    assert weighing.scores_after_change(labels, places, states) == pytest.approx(weighing.fast_scores(many))
    alone = weighing.counted(labels)
    assert float(weighing.fast_scores(labels[None])[0]) == pytest.approx(
        float(weighing.known(labels)) + sum(WEIGHTS.get(name, 0.0) * count for name, count in alone.items())
    )


@pytest.mark.parametrize(
    ("ids", "read", "ways", "regions"),
    [
        ("000111", "~~", 20, 1),  # 6! / (3! 3!)
        ("000111", "12", 1, 0),
        ("000011", "11", 15, 0),
        ("012345", "~~~~~~", 1, 1),  # each cell has a drawing of its own
        ("001122", "~1~", 6, 2),
    ],
)
def test_scorer_counts_arrangements_and_regions(ids: str, read: str, ways: int, regions: int) -> None:
    clusters = np.array([*map(int, ids)], np.int32)
    scene = Scene(1, 6, clusters, drawn=tuple(range(len(read))))
    scorer = LabelScorer(scene, np.zeros((len(read), len(CLASSES))), Anything(), None)
    counts = scorer.counted(np.array([CLASSES.index(state) for state in read]))
    assert np.exp(counts["arranged"]) == pytest.approx(ways)
    assert counts["regions"] == regions


@pytest.mark.parametrize("seed", range(4))
def test_labeller_search_tells_single_blanks_apart(seed: int) -> None:
    """In a noisy picture every blank has a look of its own, and each looks rather hidden than empty."""
    rng = np.random.default_rng(seed)
    field = Minefield(Deal.random(12, 12, 16, seed), "zero")
    field.play([Move("open", 66)])
    board, fresh = field.board, Scene(12, 12, np.arange(144, dtype=np.int32))
    unsure = [{".": 0.8, "0": 0.2} if state == "." else {".": 0.55, "0": 0.45} for state in board.cells]
    says = [each if state in ".0" else {state: 1.0} for each, state in zip(unsure, board.cells, strict=True)]
    weights = np.stack([row(each) for each in says]).astype(np.float64)
    weights[:, CLASSES.index("0")] += rng.normal(0, 0.2, 144)
    found = find_labellings(fresh, weights, CachedPrior(UniformMinePrior()), weights=GAME_WEIGHTS)
    assert fresh.board(found[0][1]).cells == board.cells


@pytest.mark.parametrize("seed", range(3))
def test_labeller_covers_like_wrong_flags_are_covers(seed: int) -> None:
    """Programs show wrong flags with mines only."""
    field = Minefield(Deal.random(8, 8, 8, seed), "zero")
    board = field.play([Move("open", 27)])
    scene = Scene(8, 8, np.arange(64, dtype=np.int32))
    says = [{"x": 0.8, ".": 0.2} if state == HIDDEN else {state: 1.0} for state in board.cells]
    weights = np.stack([row(each) for each in says]).astype(np.float64)
    found = find_labellings(scene, weights, CachedPrior(UniformMinePrior()))
    assert scene.board(found[0][1]).cells == board.cells


def test_linked_clusters_of_flags_fill_board_together() -> None:
    clusters, flag = np.repeat(np.arange(3, dtype=np.int32), 4), CLASSES.index("F")
    for links, filled in (((), [0.0, 0.0, 0.0]), (((0, 1, 2.0),), [1.0, 1.0, 0.0])):
        scene = Scene(3, 4, clusters, links=links)
        assert prior_features(scene, WEIGHTS)["filled"][:, flag] == pytest.approx(filled)


def test_labeller_noise_unread() -> None:
    """If hundreds of cells look different, the search would take minutes."""
    scene = Scene(30, 30, np.arange(900, dtype=np.int32))
    assert find_labellings(scene, np.zeros((900, len(CLASSES))), Anything()) == []


def test_scorer_regions_of_guess_next_to_empty_cells() -> None:
    """A guess may have hit a mine, so only unread cells next to an empty one were certainly opened."""
    scene = Scene(1, 5, np.arange(5, dtype=np.int32), cascade=0, guessed=0b11110)
    scorer = LabelScorer(scene, np.zeros((5, len(CLASSES))), Anything(), None)
    for read, regions in (("1~~~~", 0), ("10~1~", 1), ("1~0~1", 2)):
        assert scorer.counted(np.array([CLASSES.index(state) for state in read]))["regions"] == regions


def test_scorer_lasting_empty_cells_unfinished() -> None:
    """In a program without cascades, any number of empty cells may have covered neighbours, at one cost."""
    for lasting, pending in ((0, 2.0), (0b10001, 0.0)):
        scene = Scene(1, 5, np.array([0, 1, 1, 1, 0], np.int32), lasting=lasting)
        scorer = LabelScorer(scene, np.zeros((2, len(CLASSES))), Anything(), None)
        counts = scorer.counted(np.array([CLASSES.index(state) for state in "0."]))
        assert (counts["unfinished"], counts["beside"]) == (1.0, pending)


class Anything:
    """A judge to whom every board is as good as any other."""

    variant = PLAIN

    def log_likelihood(self, board: Board) -> float | None:
        return 0.0 if board.cells else None


@settings(max_examples=60, phases=(Phase.explicit, Phase.generate))
@given(
    some.lists(some.integers(0, 1), min_size=9, max_size=9),
    some.lists(some.tuples(*[some.integers(-60, 0)] * 4), min_size=2, max_size=2),
)
def test_labeller_search_finds_best_labelling(ids: list[int], nats: list[tuple[int, ...]]) -> None:
    used = [CLASSES.index(state) for state in (".", "0", "1", UNKNOWN)]
    scene = Scene(3, 3, np.array(ids, np.int32))
    weights = np.full((len(scene.present), len(CLASSES)), -1e3)
    for place, cluster in enumerate(scene.present):
        weights[place, used] = np.array(nats[cluster]) / 10
    found = find_labellings(scene, weights, Anything())
    weighing = LabelScorer(scene, weights, Anything(), None)
    every = [np.array(labels) for labels in product(used, repeat=len(scene.present))]
    can_be = [labels for labels in every if weighing.judgement(labels) is not None]
    best = max((float(weighing.fast_scores(labels[None])[0]) for labels in can_be), default=-np.inf)
    if found:
        assert found[0][0] == pytest.approx(best)
    else:
        assert best == -np.inf


@pytest.mark.parametrize("seed", range(8))
def test_labeller_doubts_marks_before_numbers(seed: int) -> None:
    """Flags that look like wrong flags contradict the numbers around them, which are certain."""
    field = Minefield(Deal.random(16, 16, 30, seed), "zero")
    field.play([Move("open", 100)])
    board, truth = field.board, field.truth or 0
    flagged = [k for k in bits(truth) if board.around[k] & board.open][:3]
    cells = board.with_states(dict.fromkeys(flagged, "F")).cells
    states = sorted(set(cells))
    scene = Scene(16, 16, np.array([states.index(state) for state in cells], np.int32))
    says = [{"x": 1.0, "!": 0.5, "F": 0.04} if s == "F" else {s: 1.0, UNKNOWN: 7e-4} for s in states]
    weights = np.stack([row(each) for each in says]).astype(np.float64)
    found = find_labellings(scene, weights, CachedPrior(UniformMinePrior()))[0][1]
    assert [found[k] for k in scene.present if states[k] != "F"] == [s for s in states if s != "F"]


def test_labeller_doubt_elsewhere_keeps_certainty() -> None:
    ids = np.arange(8, dtype=np.int32)
    scene = Scene(2, 4, ids)
    weights = np.tile(row({"1": 0.9, "2": 0.1}).astype(np.float64), (8, 1))
    weights[0] = row({".": 1.0})
    weights[4] = row({".": 1.0})
    found = confidences(normalised(find_labellings(scene, weights, Anything())))
    assert found[0][0] == "."
    assert found[0][1] == pytest.approx(1.0)
    assert all(sure < 0.95 for cluster, (_, sure) in found.items() if cluster in (1, 5))


def test_labeller_mine_next_to_several_numbers_is_doubted() -> None:
    scene = Scene(3, 5, np.array([1, 0, 2, 6, 0, 3, 0, 4, 6, 0, 5, 5, 5, 5, 5], np.int32))
    weights = np.tile(row({"2": 0.6, "1": 0.4}).astype(np.float64), (7, 1))
    weights[0], weights[5], weights[6] = row({".": 1.0}), row({"1": 1.0}), row({"2": 1.0})
    # the second cell is a mine or not, so the four numbers next to it are all 2 or all 1
    found = confidences(normalised(find_labellings(scene, weights, UniformMinePrior(), doubts=9)))
    assert all(sure < 0.95 for cluster, (_, sure) in found.items() if 1 <= cluster <= 4)
    assert found[5][1] == pytest.approx(1.0)
