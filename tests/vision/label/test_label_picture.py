"""Readings of single pictures without a skin: almost complete, and never wrong."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawing import LABELLED, draw, labelled, lattice_for, readers, skin_of
from places import FIXTURES
from tracked import wrong

from benchmarks.adversarial import examine
from benchmarks.boardless_pictures import COMMON
from benchmarks.random_skins import random_skin
from bot.readers import ReaderFactory, SkinLibrary
from games.errors import BoardUnplayable
from games.logic import bits
from games.minesweeper import MINES_SHOWN, UNKNOWN, Board, Move
from strategies.probability.board_prior import UniformMinePrior
from vision.annotations import load_annotated
from vision.cells.model import CellModel
from vision.frame import Frame
from vision.label.picture import cluster_picture, weighted_sum
from vision.label.scorer import CachedPrior, LabelScorer
from vision.label.search import find_labellings
from vision.lattice import Lattice
from vision.locate.locate import locate_lattice
from vision.reading import Reading
from vision.skins import Skin
from vision.track.tracker import Tracker

FRESH_BOARD = ".....\n.....\n.....\n.....\n....."
OPENED_MORE = "........\n...212..\n.2F102..\n121101..\n00000111\n00000000".replace("F", ".")
OPENED = "01...\n12...\n.....\n.....\n....."


def read_right(seen: Board, true: Board) -> float:
    """The share of cells read right; fails for a misread cell."""
    assert wrong(seen, str(true)) == []
    return 1 - seen.unread.bit_count() / len(seen)


@pytest.mark.parametrize("program", sorted({state.partition("/")[0] for state in LABELLED}))
def test_reader_screenshots_of_program_read(program: str) -> None:
    """At most one cell in a thousand is misread; marks and ends of games may stay unread."""
    counts, in_play = Counter[str](), Counter[str]()
    for state in (state for state in LABELLED if state.startswith(f"{program}/")):
        sample = labelled(state)
        _, reading = readers().best_skin(sample.frame, sample.lattice)
        seen = reading.board
        assert set(np.flatnonzero(reading.confidence == 0)) == set(bits(seen.unread))
        misread = len(wrong(seen, str(sample.board)))
        found = Counter(wrong=misread, right=len(seen) - misread - seen.unread.bit_count(), cells=len(seen))
        counts += found
        in_play += Counter() if "marks" in state or "lost" in state else found
    assert counts["wrong"] <= 0.001 * counts["cells"]
    assert in_play["wrong"] == 0
    assert in_play["right"] >= 0.97 * in_play["cells"]


def test_reader_lost_games_nearly_complete() -> None:
    """No move depends on the mines of a lost game, so less certain ones are read as well."""
    lost = [labelled(state) for state in LABELLED if "dense" in state or "lost" in state]
    shares = [
        read_right(readers().best_skin(each.frame, each.lattice)[1].board, each.board)
        for each in lost
        if each.board.cells_showing(MINES_SHOWN)
    ]
    assert len(shares) > 40
    assert np.mean(shares) >= 0.985


@pytest.mark.parametrize(
    ("name", "scale"),
    [
        ("xdemineur/mid_game", 0.75),
        ("xdemineur/mid_game", 1.5),
        ("kmines/mid_game", 0.75),
        ("sgt-mines/mid_game", 1.25),
        ("gnome-mines/mid_game", 2.0),
        ("ace-minesweeper/mid_game", 0.75),  # cells of 9 pixels
        ("xdemineur/lost", 0.75),  # with wrong flags; its first line is a pixel off
    ],
)
def test_reader_scaled_board_nothing_wrong(name: str, scale: float) -> None:
    sample = labelled(name)
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    pixels = cv2.resize(sample.frame.pixels, None, fx=scale, fy=scale, interpolation=way)
    frame = Frame(np.ascontiguousarray(pixels, np.uint8))
    _, reading = readers().best_skin(frame, locate_lattice(frame))
    assert read_right(reading.board, sample.board) >= 0.99


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("text", [OPENED_MORE, FRESH_BOARD])
def test_reader_invented_theme_one_picture(seed: int, text: str) -> None:
    look, board = random_skin(seed), Board.parse(text)
    _, reading = readers().best_skin(draw(board, look), lattice_for(board, look, 24, 32))
    assert read_right(reading.board, board) == 1


def covers_of_unknown_drawing(signs: str) -> tuple[Frame, Lattice]:
    """A page with 8 rows of 9 discs ("o"), squares ("s") or letters, whose colours change slowly."""
    lattice = Lattice(tuple(range(30, 373, 38)), tuple(range(30, 335, 38)))
    pixels = np.full((360, 400, 3), (46, 38, 32), np.uint8)
    for cell in range(72):
        x, y, _, _ = lattice.rectangle(cell)
        sign, middle = signs[cell % len(signs)], (x + 19, y + 19)
        if sign == "o":
            cv2.circle(pixels, middle, 13, (138, 112, 53 + cell // 9), -1, cv2.LINE_AA)
            cv2.circle(pixels, (x + 15, y + 14), 5, (196, 179, 125), -1, cv2.LINE_AA)
        elif sign == "s":
            cv2.rectangle(pixels, (x + 3, y + 3), (x + 34, y + 34), (170 - cell // 9, 110, 80), -1)
            cv2.rectangle(pixels, (x + 14, y + 14), (x + 23, y + 23), (240, 240, 240), -1)
        else:
            cv2.putText(pixels, sign, (x + 9, y + 29), cv2.FONT_HERSHEY_DUPLEX, 0.9, (138, 112, 53), 2)
    return Frame(pixels), lattice


@pytest.mark.parametrize(
    ("signs", "located", "is_fresh"),
    [
        *(("o", 0.8, True), ("s", 0.8, True), ("os", 0.8, False), ("ABDEH", 0.8, False), ("3", 0.8, False)),
        ("o", 0.5, False),  # a page of equal icons
    ],
)
def test_reader_cells_that_look_alike_are_covers(signs: str, located: float, is_fresh: bool) -> None:
    frame, lattice = covers_of_unknown_drawing(signs)
    board = readers().best_skin(frame, lattice, located)[1].board
    assert (not board.unread and not board.open) == is_fresh


def test_reader_cells_beyond_picture_edge_read() -> None:
    look, board = skin_of("kmines"), Board.parse(OPENED_MORE)
    frame, lattice = draw(board, look), lattice_for(board, look, 24, 32)
    cut = frame.crop(25, 33, lattice.xs[-1] - 26, lattice.ys[-1] - 34)
    assert read_right(readers().best_skin(cut, lattice.translated(-25, -33))[1].board, board) == 1
    with pytest.raises(BoardUnplayable, match="reaches beyond the picture"):
        readers().best_skin(cut, lattice.translated(-2000, 0))


def test_reader_named_or_matching_skin_helps() -> None:
    look, board = random_skin(3), Board.parse(".F...\n12...\n01...\n01...\n01...")
    frame, lattice = draw(board, look), lattice_for(board, look, 24, 32)
    model = readers().model
    assert readers().best_skin(frame, lattice)[1].board[1] == UNKNOWN  # an unusual flag
    for skins, named in (((skin_of("kmines"), look), False), ((look,), True)):
        found, reading = ReaderFactory(model, skins, named).best_skin(frame, lattice)
        assert found is look
        assert reading.board == board


def played_on(look: Skin, *boards: str, skin: Skin | None = None) -> tuple[Tracker, Reading]:
    """A reader that has seen these boards in order; a click on cell 0 follows each but the last."""
    reader = readers().reader(lattice_for(Board.parse(boards[0]), look, 24, 32), skin)
    reading = reader.observe(draw(Board.parse(boards[0]), look))
    for text in boards[1:]:
        reader.notify_moves([Move("open", 0)], certain=True)
        reading = reader.observe(draw(Board.parse(text), look))
    return reader, reading


def test_skin_shelf_keeps_learned_skin_under_new_name(tmp_path: Path) -> None:
    library = SkinLibrary([skin_of("sgt-mines")], tmp_path / "skins")
    unseen = readers().reader(lattice_for(Board.parse(FRESH_BOARD), random_skin(5), 24, 32))
    assert library.keep(unseen, None, "My Mines 2!") is None
    reader, _ = played_on(random_skin(5), FRESH_BOARD, OPENED)
    skin = library.keep(reader, None, "My Mines 2!")
    assert skin is not None
    assert (skin.name, skin.program, skin.is_learned) == ("my-mines-2-learned", None, True)
    assert {state for state, _ in skin.evidence} == set(skin.states) >= {".", "0"}
    kept = Skin.load(tmp_path / "skins" / "my-mines-2-learned.skin")
    assert kept.to_bytes() == skin.to_bytes()
    assert [known.name for known in library.skins] == ["my-mines-2-learned", "sgt-mines"]
    # the next game starts with it; a second theme of the program gets another name
    again, reading = played_on(random_skin(5), OPENED, skin=kept)
    assert reading.board == Board.parse(OPENED)
    assert library.keep(again, None, "My Mines 2!") is None
    other, _ = played_on(random_skin(6), FRESH_BOARD)
    assert (library.keep(other, None, "my mines 2") or skin).name == "my-mines-2-learned-2"


FALSE_BOARDS = (
    102,  # letters of a word search, read as flags
    369,  # numbers of a puzzle, read as flags and question marks
    616,  # two chess pieces, read as 4 and 6
    875,  # slanted lines among discs, read as 4s
    1595,  # a line one pixel beyond the picture
    4300429,  # a column of cells beyond it
    200,  # words, read as covers of a board with visible lines
    371,  # squares and crosses, read as covers and 1s
)


@pytest.mark.slow
@pytest.mark.parametrize("number", [*range(len(COMMON)), *FALSE_BOARDS])
def test_reader_no_board_claims_none(number: int) -> None:
    assert examine(number, readers())[1] in ("nothing", "refused", "unread", "fresh")


def test_reader_board_doubted_by_locate_still_read() -> None:
    sample = labelled("gnome-mines/numbers_31")
    _, reading = readers().best_skin(sample.frame, sample.lattice, located=0.02)
    assert read_right(reading.board, sample.board) >= 0.97


def test_labellings_keep_a_possible_start() -> None:
    """In this drawn picture, the climb from the likeliest states ends where nothing possible is near."""
    picture = load_annotated(FIXTURES / "halfway" / "drawn-doubtful" / "after.png")
    seen = cluster_picture(picture.frame, picture.lattice, CellModel.load())
    scores, prior = weighted_sum(seen.rows()), CachedPrior(UniformMinePrior())
    scorer = LabelScorer(seen.scene, scores, prior, None)
    start = scores.argmax(axis=1)
    judged = scorer.prior_score(start)
    assert judged is not None
    best = find_labellings(seen.scene, scores, prior)[0][0]
    assert best >= float(scorer.fast_scores(start[None])[0]) + judged
