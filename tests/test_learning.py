"""Learning a skin: from the other screenshots of a program none is read wrong; contradictions are refused."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from games.errors import InvalidFile
from games.minesweeper.board import UNKNOWN, Board
from vision.frame import Frame
from vision.labels import Labelled, format_labels, labelled_pictures, load_labelled, parse_labels
from vision.lattice import Lattice
from vision.skins import improve, learn
from vision.reader import read
from vision.skins import SUFFIX, known_skins

HOUSE = Path(__file__).resolve().parents[1]
SCREENS = HOUSE / "fixtures" / "screens"
PICTURES = [p for folder in sorted(SCREENS.iterdir()) if folder.is_dir() for p in labelled_pictures(folder)]
PROGRAMS = sorted({p.parent.name for p in PICTURES})


@lru_cache(maxsize=2)
def samples_of(program: str) -> tuple[Labelled, ...]:
    return tuple(load_labelled(p) for p in labelled_pictures(SCREENS / program))


def score(board: Board, truth: Board) -> tuple[int, int]:
    """Cells left unread and cells read wrong."""
    pairs = list(zip(board.cells, truth.cells, strict=True))
    return sum(a == UNKNOWN for a, _ in pairs), sum(a not in (b, UNKNOWN) for a, b in pairs)


TRIED = 10  # pictures of each program that are read with a skin learned from all the others


@pytest.mark.parametrize("program", PROGRAMS)
def test_learned_from_the_others_no_picture_is_read_wrong(program: str) -> None:
    samples = samples_of(program)
    unread = cells = 0
    for k, sample in enumerate(samples):
        if k % (len(samples) // TRIED + 1):
            continue  # learning anew for each picture takes a second or two
        others = samples[:k] + samples[k + 1 :]
        size = round(sample.lattice.pitch)
        seen = set("".join(s.board.cells for s in others if round(s.lattice.pitch) == size))
        board = read(sample.frame, sample.lattice, learn(program, others)).board
        missed, mistaken = score(board, sample.board)
        assert mistaken == 0, sample.source
        cells += len(board)
        unread += missed - sum(state not in seen for state in sample.board.cells)
    assert unread <= 0.01 * cells  # states that no other picture of that size shows are not counted


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_size_that_was_never_seen_is_not_read_wrong(program: str) -> None:
    samples = samples_of(program)
    for size in sorted({round(sample.lattice.pitch) for sample in samples}):
        others = [s for s in samples if round(s.lattice.pitch) != size]
        if not others:
            continue
        skin = learn(program, others)
        for sample in (s for s in samples if round(s.lattice.pitch) == size):
            assert score(read(sample.frame, sample.lattice, skin).board, sample.board)[1] == 0, sample.source


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_built_in_skins_are_what_the_screenshots_teach(program: str) -> None:
    built_in = known_skins(HOUSE / "nowhere")[program].read_bytes()
    assert learn(program, samples_of(program)).to_bytes() == built_in, "run 'python tools/build_skins.py'"


def test_improving_adds_what_was_missing() -> None:
    samples = {Path(s.source).stem: s for s in samples_of("xdemineur")}
    first = learn("mine", [samples["fresh"]])
    better = improve(first, [samples["mid_game"], samples["question_mark"]])
    assert first.states == ".0123"
    assert set(better.states) >= set(".012345F?")
    assert (
        read(samples["mid_game"].frame, samples["mid_game"].lattice, better).board
        == samples["mid_game"].board
    )
    assert improve(better, [samples["fresh"]]).to_bytes() == better.to_bytes()


def picture(*colours: int) -> Frame:
    """A row of 10 x 10 cells, each of one grey."""
    return Frame(np.repeat(np.repeat(np.array(colours, np.uint8), 10)[None, :, None], 10, 0).repeat(3, 2))


def row(text: str, frame: Frame, source: str = "") -> Labelled:
    return Labelled(
        frame, Lattice(tuple(range(0, 10 * len(text) + 1, 10)), (0, 10)), Board.parse(text), source
    )


def test_one_picture_with_two_labels_is_refused() -> None:
    with pytest.raises(
        InvalidFile, match=r"^a\.png: r0c2 is labelled '1', .* same as a\.png: r0c0, labelled '\.'"
    ):
        learn("two", [row(".01", picture(100, 200, 100), "a.png")])


def test_two_states_that_nobody_can_tell_apart_are_refused() -> None:
    with pytest.raises(InvalidFile, match=r"b\.png: r0c1 .* same as a\.png: r0c0"):
        learn("two", [row(".", picture(100), "a.png"), row(".0", picture(100, 101), "b.png")])


def test_improving_refuses_what_contradicts_the_skin() -> None:
    skin = learn("grey", [row(".0", picture(100, 200))])
    with pytest.raises(InvalidFile, match="skin grey"):
        improve(skin, [row("0.", picture(100, 200), "c.png")])


def test_nothing_labelled_teaches_nothing() -> None:
    with pytest.raises(InvalidFile, match="no cell is labelled"):
        learn("nothing", [row("~~", picture(1, 2))])


def test_a_cell_beyond_the_picture_is_refused() -> None:
    with pytest.raises(InvalidFile, match="r0c2 lies beyond the picture"):
        learn("far", [row(".0.", picture(100, 200))])


def test_few_tiles_stand_for_many_pictures() -> None:
    greys = [100 + k % 5 for k in range(40)]
    skin = learn("grey", [row("." * 40 + "0", picture(*greys, 200))])
    assert [tile.state for tile in skin.tiles] == [".", "0"]


@pytest.mark.parametrize("picture_file", PICTURES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_labels_round_trip(picture_file: Path) -> None:
    lattice, board = parse_labels(picture_file.with_suffix(".txt").read_text())
    assert parse_labels(format_labels(lattice, board, ["a note"])) == (lattice, board)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".", "no line '# x:"),
        ("# x: 0 10\n.", "no line '# y:"),
        ("# x: 0 10 5\n# y: 0 10\n..", "rise"),
        ("# x: 0 10\n# y: 0 10\n..", "the lines make 1x1 cells, the grid has 2x1"),
        ("# x: 0 ten\n# y: 0 10\n.", "no line '# x:"),
        ("# x: 0 10\n# y: 0 10\nq", "no cell state"),
        ("# x: 0 10\n# y: 0 10\n", "no board"),
    ],
)
def test_labels_that_do_not_add_up_are_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidFile, match=f"^shot.txt: .*{message}"):
        parse_labels(text, "shot.txt")


def test_built_in_skins_are_small() -> None:
    files = {name: file for name, file in known_skins(HOUSE / "nowhere").items() if name in PROGRAMS}
    assert files.keys() == set(PROGRAMS)
    for name, file in files.items():
        assert file.name == name + SUFFIX
        assert len(file.read_bytes()) < 300_000
