"""Looks that nobody taught, from one picture or from the first click on: none is read wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from adversarial import BUILT_IN, judged
from boardless import COMMON
from drawing import draw, lattice_for, record_game
from synthetic import random_look
from vision.apprentice import Apprentice
from vision.dots import TYPEFACES
from vision.glyphs import find_glyph, likeness_to_letters
from vision.looks import Gallery
from vision.meanings import beliefs
from vision.scene import Hypothesis
from vision.single import read_unknown

from bot.exploring import safest
from bot.finding import Seen
from bot.judging import Solver
from bot.recording import Recording
from bot.replay import replay
from bot.session import Session, Wishes
from bot.sight import SkinShelf
from games.errors import Unplayable
from games.minesweeper import Board, Guess, Move
from games.minesweeper.board import UNKNOWN
from strategies import Reasoner, load_strategies
from vision.frame import Frame
from vision.labels import load_labelled
from vision.reading import Alternative
from vision.skins import Skin, load_skin

SCREENS = Path(__file__).resolve().parents[1] / "fixtures" / "screens"
IN_PLAY = (
    "ace-minesweeper/first_click", "gnome-mines/first_click", "kmines/first_click", "sgt-mines/first_click",
    "xdemineur/mid_game", "kmines/mid_game", "sgt-mines/mid_game", "ace-minesweeper/numbers_24",
    "xdemineur/won",
)  # fmt: skip
FRESH = ("ace-minesweeper/fresh", "gnome-mines/fresh", "kmines/fresh", "sgt-mines/fresh")


def read_right(seen: Board, true: Board) -> float:
    """The share of cells read right; fails when one is read wrong."""
    wrong = [seen.name(k) for k in range(len(seen)) if seen[k] not in (true[k], UNKNOWN)]
    assert wrong == []
    return sum(a == b for a, b in zip(seen.cells, true.cells, strict=True)) / len(seen)


@pytest.mark.parametrize("name", IN_PLAY + FRESH)
def test_one_picture_tells_what_a_board_in_play_shows(name: str) -> None:
    sample = load_labelled(SCREENS / f"{name}.png")
    reading = read_unknown(sample.frame, sample.lattice, Solver())
    assert read_right(reading.board, sample.board) >= 0.97
    assert set(np.flatnonzero(reading.confidence == 0)) == {
        k for k, state in enumerate(reading.board.cells) if state == UNKNOWN
    }


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_a_look_is_learned_while_playing_and_the_game_replays_the_same(seed: int, tmp_path: Path) -> None:
    shares = []
    result = record_game(
        tmp_path,
        seed,
        (12, 12),
        22,
        drawn=random_look(seed),
        learns=True,
        watched=lambda seen, true: shares.append(read_right(seen, true)),
    )
    assert result.wrong_certain == 0
    assert shares[0] == 1
    assert sum(shares) / len(shares) > 0.97
    assert replay(Recording(tmp_path), Reasoner(load_strategies())).differences == ()


LADDER = ".....\n.....\n.....\n.....\n....."
OPENED = "01...\n12...\n.....\n.....\n....."


def apprentice_on(look: Skin, *boards: str, skin: Skin | None = None) -> tuple[Apprentice, list[Frame]]:
    """An apprentice, and pictures of boards that it has not seen yet."""
    pictures = [draw(Board.parse(text), look) for text in boards]
    return Apprentice(lattice_for(Board.parse(boards[0]), look, 24, 32), Solver(), skin), pictures


def test_hidden_cells_are_known_from_the_first_look_and_what_was_flagged_is_a_flag() -> None:
    look = random_look(5)
    apprentice, (fresh, flagged) = apprentice_on(look, LADDER, LADDER[:-1] + "F")
    assert apprentice.read(fresh).board == Board.parse(LADDER)
    apprentice.acted([Move("flag", 24)], certain=True)
    assert apprentice.read(flagged).board[24] == "F"


def test_a_cell_that_only_lights_up_under_the_pointer_is_no_number() -> None:
    look = random_look(5)
    apprentice, (fresh,) = apprentice_on(look, LADDER)
    apprentice.read(fresh)
    apprentice.acted([Move("open", 12)], certain=True)
    x, y, x2, y2 = apprentice.lattice.rectangle(12)
    lit = Frame(fresh.pixels.copy())
    lit.pixels[y:y2, x:x2] = np.clip(lit.pixels[y:y2, x:x2].astype(int) + 40, 0, 255)
    reading = apprentice.read(lit)
    assert reading.board[12] == UNKNOWN
    assert reading.unsettled == 1 << 12


def test_what_was_hit_is_told_from_a_number_when_the_program_takes_no_more_acts() -> None:
    look = random_look(5)
    apprentice, (fresh, lost) = apprentice_on(look, LADDER, "!....\n.....\n.....\n.....\n.....")
    apprentice.read(fresh)
    assert not apprentice.stuck()
    apprentice.acted([Move("open", 0)], certain=False)
    if apprentice.read(lost).board[0] == UNKNOWN:
        assert apprentice.stuck()
    assert apprentice.read(lost).board[0] == "!"


def test_mines_that_are_shown_far_from_the_click_end_the_game() -> None:
    look = random_look(7)
    apprentice, (fresh, lost) = apprentice_on(look, LADDER, "!....\n.....\n..*..\n.....\n....*")
    apprentice.read(fresh)
    apprentice.acted([Move("open", 0)], certain=False)
    assert str(apprentice.read(lost).board).startswith("!....\n.....\n..*..")


def test_what_an_apprentice_learned_is_a_skin_that_reads_and_keeps(tmp_path: Path) -> None:
    look = random_look(5)
    apprentice, (fresh, opened) = apprentice_on(look, LADDER, OPENED)
    assert apprentice.learned("mine") is None
    apprentice.read(fresh)
    apprentice.acted([Move("open", 0)], certain=True)
    apprentice.read(opened)
    shelf = SkinShelf([load_skin("sgt-mines")], tmp_path / "skins")
    skin = shelf.keep(apprentice, None, "My Mines 2!")
    assert skin is not None
    assert (skin.name, skin.program, skin.is_learned) == ("my-mines-2-learned", None, True)
    assert {state for state, _ in skin.evidence} == set(skin.states) >= {".", "0"}
    kept = Skin.load(tmp_path / "skins" / "my-mines-2-learned.skin")
    assert kept.to_bytes() == skin.to_bytes()
    assert [known.name for known in shelf.skins] == ["my-mines-2-learned", "sgt-mines"]
    # the next game begins with it, and a second look of the same program gets a name of its own
    again, (first,) = apprentice_on(look, OPENED, skin=kept)
    assert UNKNOWN not in set(again.read(first).board.cells) & {".", "0"}
    other, (another,) = apprentice_on(random_look(6), LADDER)
    other.read(another)
    assert (shelf.keep(other, None, "my mines 2") or skin).name == "my-mines-2-learned-2"


def test_pictures_are_grouped_by_how_they_look() -> None:
    look = random_look(5)
    board = Board.parse("12.\n12.\n..0")
    frame, lattice = draw(board, look), lattice_for(board, look, 24, 32)
    noise = np.random.default_rng(1).integers(-3, 4, frame.pixels.shape)
    noisy = Frame(np.clip(frame.pixels + noise, 0, 255).astype(np.uint8))
    gallery = Gallery()
    assert gallery.group(frame, lattice).tolist() == [0, 1, 2, 0, 1, 2, 2, 2, 3]
    assert gallery.group(noisy, lattice).tolist() == [0, 1, 2, 0, 1, 2, 2, 2, 3]
    assert gallery.group(frame, lattice, [8, 0]).tolist() == [3, 0]


def test_cells_that_reach_beyond_the_picture_by_a_pixel_are_grouped_all_the_same() -> None:
    look, board = random_look(5), Board.parse(".....\n.....\n.....\n.....\n.....")
    frame, lattice = draw(board, look), lattice_for(board, look, 24, 32)
    cut = frame.cut(25, 33, lattice.xs[-1] - 26, lattice.ys[-1] - 34)
    assert Gallery().group(cut, lattice.moved(-25, -33)).shape == (25,)
    with pytest.raises(Unplayable, match="reaches beyond the picture"):
        Gallery().group(cut, lattice.moved(-200, 0))


@pytest.mark.parametrize("seed", range(6))
def test_digits_are_known_by_their_shape(seed: int) -> None:
    tiles = {tile.state: tile.pixels for tile in random_look(seed).tiles}
    best = 0
    for digit in "12345678":
        glyph = find_glyph(tiles[digit])
        assert glyph is not None
        like = likeness_to_letters(glyph)
        best += max("12345678", key=like.__getitem__) == digit
    assert best >= 6
    assert find_glyph(tiles["0"]) is None


def test_dotted_digits_are_all_different() -> None:
    for letters in TYPEFACES:
        assert len(set(letters.values())) == len(letters)


def test_a_board_is_weighed_by_the_layouts_that_it_allows() -> None:
    weigh = Solver().weigh
    assert weigh(Board.parse("11.\n...")) is not None
    assert weigh(Board.parse("1...\n8...")) is None
    assert weigh(Board.parse("3.\n1.")) is None
    likely, unlikely = weigh(Board.parse("1..\n...")), weigh(Board.parse("3..\n..."))
    assert likely is not None
    assert unlikely is not None
    assert likely > unlikely


def test_beliefs_leave_out_what_is_likeliest_nothing() -> None:
    hypotheses = [Hypothesis({0: "1", 1: "~"}, 0.6), Hypothesis({0: "1", 1: "F"}, 0.4)]
    assert beliefs(hypotheses) == {0: ("1", 1.0)}


class OneBoard:
    """A finder that sees one board of a look that is not known."""

    def find(self) -> Seen:
        look = random_look(5)
        board = Board.parse(LADDER)
        return Seen(draw(board, look), lattice_for(board, look, 24, 32), None, board)


def test_nobody_clicks_on_an_unlearned_look_before_a_person_agreed() -> None:
    session = Session(Wishes(agreed=False), None, OneBoard(), [], "test")  # type: ignore[arg-type]
    with pytest.raises(Unplayable, match=r"never learned: name its window with --window, or .* --yes"):
        next(session.games(1))


def meanings(*texts: str) -> list[Alternative]:
    return [Alternative(Board.parse(text), 1 / len(texts)) for text in texts]


def test_what_is_safe_under_every_meaning_is_opened_first() -> None:
    # whether r1c1 shows 1 or 2, the mines lie in the left column, and r0c2 is safe
    seen = Board.parse("..1\n.~.\n.11")
    strategies_like = Guess(0, 0.5)
    better = safest(seen, meanings("..1\n.1.\n.11", "..1\n.2.\n.11"), strategies_like)
    assert better is not None
    assert better.safe > 0.5
    assert better.cell != 0
    assert safest(seen, meanings("..1\n.1.\n.11"), strategies_like) is strategies_like


FALSE_BOARDS = (
    102,  # letters of a word search were flags
    369,  # numbers of a puzzle were flags and question marks
    616,  # two men on a chess board were a 4 and a 6
    875,  # slanted lines among discs were 4s
    1595,  # a line was seen one pixel beyond the picture
)


@pytest.mark.slow
@pytest.mark.parametrize("number", [*range(len(COMMON)), *FALSE_BOARDS])
def test_no_board_is_claimed_where_there_is_none(number: int) -> None:
    skins = [load_skin(name) for name in BUILT_IN]
    assert judged(number, skins)[1] in ("nothing", "refused", "unread", "fresh")
