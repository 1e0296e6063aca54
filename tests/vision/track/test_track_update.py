"""Evidence about clusters in a game: links to similar ones, cascades, covers in two colours."""

from __future__ import annotations

import numpy as np
import pytest
from models import Shades

from games.logic import bits, cell_set
from games.minesweeper import UNKNOWN, Board, Move
from strategies.probability.board_prior import UniformMinePrior
from vision.cells.clusters import RIM, SIDE, Likelihoods, Signatures
from vision.cells.model import CLASSES
from vision.frame import Frame
from vision.label.scene import Scene
from vision.lattice import Lattice
from vision.track.belief import Belief, LastMoves, UnreadHistory
from vision.track.tracker import Tracker
from vision.track.update import LOUDEST, cascade_cells, cluster_rows, link_similar_clusters

GROUND = 200
ONE, TWO, NEW, OTHER = range(4)  # clusters; the first two are settled
STATES = {ONE: "1", TWO: "2"}


def signed(*strokes: tuple[int, int], rim: int = GROUND) -> Signatures:
    """Pictures of one column each, (column, grey level); the last one has this rim."""
    grid = np.full((len(strokes), SIDE, SIDE, 3), GROUND, np.uint8)
    for picture, (column, grey) in zip(grid, strokes, strict=True):
        picture[4:12, column] = grey
    grid[-1, :RIM] = rim
    return grid.reshape(len(strokes), -1)


def likely(count: int) -> Likelihoods:
    """A model that knows none of them."""
    row = np.log([0.9 if state == UNKNOWN else 0.1 / 15 for state in CLASSES])
    return np.tile(row, (count, 1)).astype(np.float32)


@pytest.mark.parametrize(
    ("strokes", "rim", "states", "linked"),
    [
        ([(5, 40), (9, 40), (5, 44)], GROUND, STATES, (ONE, NEW)),
        ([(5, 40), (9, 40), (5, 44)], 0, STATES, (ONE, NEW)),  # another rim
        # a program draws the same mark with other pixels in another cell
        *(([(5, 40), (9, 40), (9, 44)], GROUND, {ONE: "1", TWO: mark}, (TWO, NEW)) for mark in "F?"),
        ([(5, 40), (9, 40), (12, 40)], GROUND, STATES, None),  # both numbers are near
        ([(5, 40), (9, 40), (5, 44)], GROUND, {ONE: "1", TWO: "F"}, None),  # a mark is far from any number
        # both marks are near, the number is not
        ([(5, 150), (9, 150), (12, 150), (7, 0)], GROUND, {ONE: "F", TWO: "?", OTHER: "1"}, None),
        ([(5, 40), (5, GROUND), (5, 60)], GROUND, {ONE: "1", TWO: "0"}, None),  # a distant blank
        ([(5, 40), (9, 40), (12, 40), (12, 42)], GROUND, STATES, (NEW, OTHER)),  # two unsettled ones
    ],
)
def test_similar_clusters_nearest_one_linked(
    strokes: list[tuple[int, int]], rim: int, states: dict[int, str], linked: tuple[int, int] | None
) -> None:
    count = len(strokes)
    scene = Scene(1, count, np.arange(count, dtype=np.int32))
    found = link_similar_clusters(scene, states, likely(count), signed(*strokes, rim=rim)).links
    assert [tuple(link) for link in found] == ([(*linked, LOUDEST)] if linked else [])


def test_linked_clusters_tell_their_number_once() -> None:
    """Three linked clusters say as much about which number they show as one cluster."""
    row = np.log([{"1": 0.3, "2": 0.4, UNKNOWN: 0.2}.get(state, 0.1 / 13) for state in CLASSES])
    likelihoods, fresh = np.tile(row, (3, 1)).astype(np.float32), Board(1, 3, UNKNOWN * 3)
    scene = Scene(1, 3, np.arange(3, dtype=np.int32))
    linked = Scene(1, 3, scene.ids, links=((0, 1, 1.0), (1, 2, 1.0)))
    apart, together = (cluster_rows(fresh, each, likelihoods)["model"] for each in (scene, linked))
    one, two = CLASSES.index("1"), CLASSES.index("2")
    assert (together[:, two] - together[:, one]).sum() == pytest.approx(apart[0, two] - apart[0, one])
    np.testing.assert_allclose(together[:, CLASSES.index(UNKNOWN)], apart[:, CLASSES.index(UNKNOWN)])


@pytest.mark.parametrize(
    ("earlier", "certain", "cascade", "guessed"),
    [
        ("", True, "r0c1 r1c0 r1c1", ""),
        ("r2c2", True, "r0c1 r1c0 r1c1 r2c2", ""),
        ("r2c2", False, "r2c2", "r0c1 r1c0 r1c1"),
    ],
)
def test_cascade_is_what_moves_may_have_opened(
    earlier: str, certain: bool, cascade: str, guessed: str
) -> None:
    before = Board.parse("....\n....\n..~.\n....")
    cells = cell_set(before.cell(name) for name in earlier.split())
    belief = Belief(
        board=before, acts=LastMoves((Move("open", 0),), certain), unread=UnreadHistory(reached=cells)
    )
    changed = cell_set(before.cell(name) for name in ("r0c0", "r0c1", "r1c0", "r1c1", "r0c3"))
    found = cascade_cells(belief, before, changed)
    assert [[before.name(k) for k in bits(each)] for each in found] == [cascade.split(), guessed.split()]


def test_tracker_covers_with_an_edge_on_both_colours() -> None:
    """A program without a checkerboard draws an edge on some covers next to open cells."""
    model = Shades({200: {".": 0.99}, 212: {".": 0.99}, 60: {"0": 0.99}, 100: {"1": 0.99}})
    lines = tuple(range(0, 7 * SIDE, SIDE))
    reader = Tracker(Lattice(lines, lines), UniformMinePrior(), model)
    first = "0001..\n0001..\n1111..\n" + "......\n" * 3
    second = Board.parse(first).with_states({10: "1"})
    for text, edges, cell in (("......\n" * 6, "", 0), (first, "r3c3", 10), (str(second), "r3c3 r0c5", 0)):
        board = Board.parse(text)
        shades = np.array([{".": 200, "0": 60, "1": 100}[state] for state in board.cells])
        shades[[board.cell(name) for name in edges.split()]] = 212
        grey = np.kron(shades.reshape(6, 6), np.ones((SIDE, SIDE)))
        reading = reader.observe(Frame(grey[..., None].repeat(3, axis=2).astype(np.uint8)))
        assert reading.board.cells == board.cells
        reader.notify_moves([Move("open", cell)], certain=True)


def test_tracker_empty_cells_like_other_covers() -> None:
    """An empty cell of a checkerboard looks like a cover on the other colour."""
    covers, open_cells = {".": 0.6, "0": 0.4}, {".": 0.4, "0": 0.6}
    model = Shades({200: covers, 210: covers, 220: open_cells, 100: {"1": 0.99}})
    lines = tuple(range(0, 7 * SIDE, SIDE))
    reader = Tracker(Lattice(lines, lines), UniformMinePrior(), model)
    opened = "0001..\n0001..\n1111..\n" + "......\n" * 3
    for text in ("......\n" * 6, opened):
        shades = [
            [
                100 if state == "1" else 200 + 10 * ((row + column) % 2 + (state == "0"))
                for column, state in enumerate(line)
            ]
            for row, line in enumerate(text.split())
        ]
        grey = np.kron(np.array(shades), np.ones((SIDE, SIDE)))
        for _ in range(5):
            reading = reader.observe(Frame(grey[..., None].repeat(3, axis=2).astype(np.uint8)))
        reader.notify_moves([Move("open", 0)], certain=True)
    truth = opened.replace("\n", "")
    assert not reading.covered
    assert all(seen in (state, UNKNOWN) for seen, state in zip(reading.board.cells, truth, strict=True))
    assert sum(seen != UNKNOWN for seen in reading.board.cells) > 30


def test_tracker_flags_set_by_program_not_read_as_mines() -> None:
    """A won program flags the last mines; one of the flags looks more like a mine."""
    shades = {".": 200, "0": 60, "1": 100, "2": 110, "F": 180, "*": 190}
    says = {shade: {state: 0.99} for state, shade in shades.items()}
    model = Shades(says | {190: {"*": 0.9, "F": 0.01}})
    lines = tuple(range(0, 7 * SIDE, SIDE))
    reader = Tracker(Lattice(lines, lines), UniformMinePrior(), model)
    opened = "00001. 00002. 00001. 00002. 00001. 00001."
    steps = [
        ("...... " * 6, [Move("open", 0)]),
        (opened, [Move("flag", 5)]),
        (opened.replace(".", "F", 1), [Move("open", 11), Move("open", 23), Move("open", 35)]),
        ("00001F 000022 00001F 000022 00001* 000011", []),
    ]
    for text, moves in steps:
        grey = np.kron([[shades[state] for state in line] for line in text.split()], np.ones((SIDE, SIDE)))
        reading = reader.observe(Frame(grey[..., None].repeat(3, axis=2).astype(np.uint8)))
        reader.notify_moves(moves, certain=True)
    assert reading.board.cells_showing("F").bit_count() == 3
