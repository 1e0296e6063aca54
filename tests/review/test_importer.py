"""Games that were watched, not recorded by Sapper: how they ended, and what their pictures do not show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawing import draw, lattice_for, readers, skin_of
from said import Sapper

from bot.game.types import GameRules
from bot.recording.recording import Recording
from bot.recording.replay import replay
from bot.review.assessment import describe
from bot.review.importer import CounterTotal, ImportRecorder
from bot.review.pages import Review, review
from bot.review.sources import SourceOptions, sources_in
from bot.show.pictures import draw_board, drawn_skin, lattice_of
from games.logic import bits
from games.minesweeper import Board, Deal, Minefield, Move, board_knowledge
from strategies import Reasoner, load_strategies
from vision.counter import CounterObservation, CounterText, CounterValue
from vision.frame import Frame
from vision.lattice import Lattice
from vision.reading import BoardHypothesis, Reading

RULES = GameRules(None, "safe", "unknown", can_chord=True)


def board_of(text: str) -> Board:
    return Board.parse(text.replace(" ", "\n"))


class Watched:
    """Imports boards, one per second."""

    def __init__(self, folder: Path, rules: GameRules = RULES) -> None:
        self.kept: list[Path] = []
        self.recorder = ImportRecorder(folder, "game", rules, "under test", None, self.kept.append)
        self.seconds = -1.0

    def see(
        self,
        *boards: str,
        frame: Frame | None = None,
        shown: Lattice | None = None,
        read: Reading | None = None,
    ) -> None:
        """Import these boards; the frame, lattice and reading are the usual ones unless given."""
        for board in map(board_of, boards):
            self.seconds += 1
            look = frame or draw_board(board), shown or lattice_of(board.rows, board.columns)
            self.recorder.on_frame(*look, read or Reading.sure(board), self.seconds)

    def review(self, result: str | None = None) -> Review:
        """The review of the first game, after its end."""
        self.recorder.close({"result": result} if result else None)
        return review(Recording(self.kept[0]), load_strategies())


def reviewed(folder: Path, *texts: str, rules: GameRules = RULES) -> Review:
    game = Watched(folder, rules)
    game.see(*texts)
    return game.review()


def kinds(judged: Review) -> list[str]:
    return [f"{each.move.text(each.board)}: {each.kind}" for each in judged.verdicts]


def test_watched_unread_explosion_is_fatal_click(tmp_path: Path) -> None:
    """The exploded mine has an unknown picture, and the 1 lacks a mine."""
    judged = reviewed(tmp_path, "..... .....", ".1... .....", ".1..* ~....")
    assert kinds(judged) == ["open r0c1: first click", "open r1c0: guess"]
    assert judged.verdicts[-1].hit
    assert judged.game.truth == 1 << 4 | 1 << 5
    assert judged.figures.hits == 1


FIRST = "open r0c0: first click"


@pytest.mark.parametrize(
    ("texts", "moves"),
    [
        (("... ...", "1.. ...", "1.. ..*", "1!. ..*"), [FIRST, "open r0c1: guess"]),  # drawn late
        ((".... ....", "1... ....", "1!11 1111"), [FIRST, "open r0c1: guess"]),  # the lost game is opened
        (("..... .....", "..0.. .....", "0001. 0001."), [FIRST]),  # an opening drawn in steps
    ],
)
def test_watched_several_pictures_one_move(texts: Sequence[str], moves: list[str], tmp_path: Path) -> None:
    judged = reviewed(tmp_path, *texts)
    assert kinds(judged) == moves
    assert ("it was on one of 6 cells" in describe(judged.verdicts[0])) == (len(moves) == 1)


def test_watched_held_button_is_no_move(tmp_path: Path) -> None:
    """Many programs draw a held cell as an empty one; the button may be released elsewhere."""
    game = Watched(tmp_path)
    game.see("... ...", "0.. ...", "... ...", "0.. ...", "1.. ...")
    assert kinds(game.review()) == [FIRST]
    assert len(game.kept) == 1


def test_watched_mines_alike_click_unknown(tmp_path: Path) -> None:
    judged = reviewed(tmp_path, "... ...", "1.. ...", "1*. ..*")
    assert judged.game.ended == "lost"
    fatal = judged.verdicts[-1]
    assert (fatal.kind, fatal.risk, fatal.hit, judged.figures.unjudged) == ("not judged", None, True, 1)
    assert describe(fatal) == "A click on one of 2 mines: the picture does not show which."
    assert any("Which mine was clicked is unknown" in fact for fact in judged.unknown)
    assert judged.as_json()["moves"][-1]["clicked"] == ["r0c1", "r1c2"]


def test_watched_mines_shown_after_last_cell_won(tmp_path: Path) -> None:
    assert reviewed(tmp_path / "a", "... ...", "1.1 112", "1*1 112").game.ended == "stopped"
    won = reviewed(tmp_path / "b", "1.. 11.".replace("1", "."), "1.. 11.", "1.1 11.", "1*1 111")
    assert (won.game.ended, won.game.mines, won.figures.hits) == ("won", 1, 0)


def test_recorded_board_revealed_after_loss(tmp_path: Path) -> None:
    game = Watched(tmp_path)
    for cell, text in enumerate((".... ....", "1... ....", "1*11 1111")):
        game.see(text)
        game.recorder.on_moves((Move("open", cell),), game.seconds)
    judged = game.review("lost")
    assert kinds(judged) == ["open r0c0: first click", "open r0c1: guess"]
    assert judged.verdicts[-1].hit


def test_watched_loss_inferred_from_redrawn_board(tmp_path: Path) -> None:
    """The last click shows nothing known, and every closed cell has another colour since."""
    for name, shade in (("redrawn", 60), ("unchanged", 0)):
        game = Watched(tmp_path / name)
        game.see("... ... ...", "1.. ... ...")
        game.see("1.. ... ..~", frame=darker("1.. ... ..~", shade))
        judged = game.review()
        assert judged.game.ended == ("lost" if shade else "stopped")
        assert any("loss is inferred" in fact for fact in judged.unknown) == bool(shade)


def darker(text: str, shade: int) -> Frame:
    """The usual picture of a board, darker by this number of grey levels."""
    frame = draw_board(board_of(text))
    frame.pixels[:] -= np.minimum(frame.pixels, shade).astype(np.uint8)
    return frame


def doubtful(text: str, states: dict[str, float]) -> Reading:
    """A reading whose unread cells all have one of these states, with these probabilities."""
    board = board_of(text)
    return replace(
        Reading.sure(board),
        alternatives=tuple(
            BoardHypothesis(board.with_states(dict.fromkeys(bits(board.unread), state)), weight)
            for state, weight in states.items()
        ),
    )


@pytest.mark.parametrize(
    ("last", "states", "ended"),
    [
        (".1~ ... ...", {"!": 0.9, "~": 0.1}, "lost"),
        (".1~ ... ...", {"!": 0.3, "~": 0.69, "F": 0.01}, "lost"),  # nothing known, but surely no number
        (".1~ ... ...", {"!": 0.1, "~": 0.7, "1": 0.2}, "stopped"),
        (".1~ ... ...", {"!": 0.1, "~": 0.7, "F": 0.2}, "stopped"),
        ("01~ 01. 01.", {"!": 0.9, "~": 0.1}, "stopped"),  # the clues prove that it is safe
        ("011 01~ 011", {"!": 0.9, "~": 0.1}, "won"),  # the program draws its mine
    ],
)
def test_watched_likely_mine_is_inferred_loss(
    last: str, states: dict[str, float], ended: str, tmp_path: Path
) -> None:
    game = Watched(tmp_path)
    game.see("... ... ...", ".1. ... ..." if last.startswith(".") else "01. 01. 01.")
    game.see(last, read=doubtful(last, states))
    judged = game.review()
    assert (judged.game.ended, judged.game.is_inferred) == (ended, ended == "lost")
    assert any("loss is inferred" in fact for fact in judged.unknown) == (ended == "lost")
    assert judged.verdicts[-1].hit == (ended == "lost")
    assert ("Unread at the end: r0c2." in judged.unknown) == (ended == "stopped")


@pytest.mark.parametrize(
    ("last", "states", "is_number_hidden", "ended"),
    [
        ("1...~ ..... ~.~..", {".": 0.9, "~": 0.1}, False, "lost"),
        ("1...~ ..... ..~..", {".": 0.9, "~": 0.1}, False, "stopped"),
        ("1...~ ..... ~.~..", {"~": 0.9, "1": 0.1}, False, "stopped"),
        ("1...~ ..... ~.~..", {"~": 0.9, "F": 0.1}, False, "stopped"),
        ("1~11~ 12221 01~10", {"~": 0.9, "F": 0.1}, False, "lost"),  # opened at once
        ("1...* ~.~.. ...~.", {"~": 0.9, ".": 0.1}, False, "lost"),  # the mine is seen
        ("1...~ ..... ~.~..", {".": 0.9, "~": 0.1}, True, "stopped"),  # a message hides the number as well
    ],
)
def test_watched_unread_cells_in_places_are_mines(
    last: str, states: dict[str, float], is_number_hidden: bool, ended: str, tmp_path: Path
) -> None:
    game = Watched(tmp_path)
    game.see("..... ..... .....", "1.... ..... .....")
    reading = doubtful(last, states)
    reading.confidence[0, 0] = not is_number_hidden
    game.see(last, read=reading)
    judged = game.review()
    is_inferred = ended == "lost" and not board_of(last).shown_mines
    assert (judged.game.ended, judged.game.is_inferred) == (ended, is_inferred)
    assert ("Unread at the end: r0c4, r2c2." in judged.unknown) == (last.count("~") == 2)


def test_watched_end_seen_again_stays_lost(tmp_path: Path) -> None:
    """Compression changes a picture of the end, and one of its mines looks like a flag."""
    game = Watched(tmp_path)
    game.see("..... ..... .....", "1.... ..... .....")
    game.see("1~11~ 12221 01~10", read=doubtful("1~11~ 12221 01~10", {"~": 0.9, "F": 0.1}))
    game.see("1F11~ 12221 01~10")
    judged = game.review()
    assert (judged.game.ended, judged.game.mines) == ("lost", 3)
    assert kinds(judged) == ["open r0c0: first click", "open r0c1: not judged"]


@pytest.mark.parametrize(
    ("is_gone", "why"),
    [(True, "the board disappears during the game"), (False, "the pictures end during the game")],
)
def test_watched_missing_end_is_stated(is_gone: bool, why: str, tmp_path: Path) -> None:
    game = Watched(tmp_path)
    game.see("... ...", "1.. ...")
    if is_gone:
        game.recorder.on_gone(2.0)
    judged = game.review()
    assert judged.headline.startswith(f"Not finished in 0.0 s ({why}): ")
    assert f"The result is unknown: {why}." in judged.unknown


@pytest.mark.parametrize(
    ("looks", "is_stated"), [((0, 0, 60), True), ((0, 60, 0), False), ((0, 0, 0), False)]
)
def test_watched_changed_closed_cell_is_stated(looks: Sequence[int], is_stated: bool, tmp_path: Path) -> None:
    """A highlight changes a closed cell and goes again; a misread zero stays."""
    game = Watched(tmp_path)
    left, top, right, bottom = lattice_of(2, 3).rectangle(5)
    for text, shade in zip(("... ...", "1.. ...", "12. ..."), looks, strict=True):
        frame = draw_board(board_of(text))
        frame.pixels[top:bottom, left:right] -= np.uint8(shade)
        game.see(text, frame=frame)
    facts = game.review().unknown
    assert ("1 closed cell changed in the pictures: possibly opened." in facts) == is_stated


def test_watched_loss_by_first_click_is_game(tmp_path: Path) -> None:
    """Nothing else is shown, so the other mines and their number stay unknown."""
    watched = Watched(tmp_path)
    watched.see("... ... ...")
    watched.see("... ... ..~", frame=darker("... ... ..~", 60))
    game = watched.review().game
    assert (game.ended, game.mines, game.truth) == ("lost", None, None)
    assert game.moves[0].opened == 1 << 8


@pytest.mark.parametrize(
    ("last", "is_gone", "ended"),
    [("01.1.", True, "won"), ("01.1.", False, "stopped"), (".1.1.", True, "stopped")],
)
def test_watched_win_behind_message_is_inferred(last: str, is_gone: bool, ended: str, tmp_path: Path) -> None:
    """A program may show a message in place of the board at once, but only one move can be missing."""
    game = Watched(tmp_path, replace(RULES, mines=1))
    for seconds, board in enumerate((Board.fresh(1, 5), Board.parse(last))):
        look = draw_board(board), lattice_of(1, 5), Reading.sure(board)
        game.recorder.on_frame(*look, seconds, skin=drawn_skin())
    if is_gone:
        game.recorder.on_gone(2.0)
    judged = game.review()
    assert not replay(judged.recording, Reasoner(load_strategies())).differences
    assert (judged.game.ended, judged.game.is_inferred) == (ended, ended == "won")
    assert any("win is inferred" in fact for fact in judged.unknown) == (ended == "won")
    assert (judged.game.moves[-1].move.cell == 4) == (ended == "won")


def test_watched_won_game_keeps_known_total(tmp_path: Path) -> None:
    """The last move of a won game was not seen: its cell is no mine."""
    watched = Watched(tmp_path, replace(RULES, mines=1))
    watched.see(".....", "01.1.")
    game = watched.review("won").game
    assert (game.ended, game.mines, str(game.last).splitlines()[-1]) == ("won", 1, "01.10")


def test_watched_best_order_divides_moves(tmp_path: Path) -> None:
    """Many moves between two pictures, each certain when it was made."""
    most = 0
    for seed in range(4):
        field = Minefield(Deal.random(9, 9, 10, seed), "zero")
        before = after = field.play([Move("open", 40)])
        rounds = 0
        while True:
            known = Reasoner(load_strategies()).deduce(board_knowledge(after)).knowledge
            if not (safe := known.false & after.closed):
                break
            rounds += 1
            after = field.play([Move("open", k) for k in bits(safe)])
        most = max(most, rounds)
        texts = [" ".join(each.grid) for each in (Board.fresh(9, 9), before, after)]
        judged = reviewed(tmp_path / str(seed), *texts)
        assert {each.kind for each in judged.verdicts} <= {"first click", "certain"}
        assert any("lie between two pictures" in fact for fact in judged.unknown) == (rounds > 0)
    assert most > 2


def test_watched_assumed_total_judges_and_is_stated(tmp_path: Path) -> None:
    texts = ("......", "1.....", "1....1")
    free = reviewed(tmp_path / "a", *texts)
    assumed = reviewed(tmp_path / "b", *texts, rules=GameRules(None, "safe", assumed_mines=2))
    assert (free.game.mines, assumed.game.mines) == (None, 2)
    assert (free.verdicts[-1].risk, assumed.verdicts[-1].risk) != (0.25, 0.25)
    assert assumed.verdicts[-1].risk == 0.25  # one mine in four cells
    assert any("total of 2 is a number next to the board" in fact for fact in assumed.unknown)
    refuted = reviewed(tmp_path / "c", "...", "1..", "1.1", rules=GameRules(None, assumed_mines=2))
    assert (refuted.game.mines, refuted.game.ended) == (1, "won")


def test_watched_moved_board_same_game(tmp_path: Path) -> None:
    game = Watched(tmp_path)
    game.see("...", "1..")
    moved = Frame(np.pad(draw_board(board_of("1.1")).pixels, ((0, 0), (5, 0), (0, 0))))
    game.see("1.1", frame=moved, shown=lattice_of(1, 3).translated(5, 0))
    game.see("2..", "2.2")
    assert game.review().game.ended == "won"
    assert len(game.kept) == 2  # another number: another game


def test_watched_finished_board_is_no_game(tmp_path: Path) -> None:
    game = Watched(tmp_path)
    game.see("1.1", "...", "1..", "1.1")
    assert game.review().game.ended == "won"
    assert len(game.kept) == 1


def test_watched_counter_fraction_proves_total() -> None:
    total = CounterTotal()
    total.add(0.0, CounterObservation(board_of("... ..."), (CounterValue(2, "0/2", "fraction"),)))
    assert (total.total, total.assumed) == (2, None)
    total.add(1.0, CounterObservation(board_of("1.. ..."), (CounterValue(3, "0/3", "fraction"),)))
    assert (total.total, total.assumed) == (None, None)


def test_watched_single_number_is_assumed() -> None:
    """The number of mines stays while the clock runs; before the first click, both stay."""
    board = board_of("1........ " + " ".join(["........."] * 8))
    total = CounterTotal()
    for seconds, clock in ((0.0, "11"), (2.0, "13")):
        numbers = CounterText("10", (0, 0, 9, 9), True), CounterText(clock, (50, 0, 59, 9), True)
        total.add(seconds, CounterObservation(Board.fresh(9, 9), numbers=numbers))
        assert total.assumed is None
        total.add(10.0 + seconds, CounterObservation(board, numbers=numbers))
    assert (total.total, total.assumed) == (None, 10)


def test_watched_report_tells_review(tmp_path: Path, sapper: Sapper) -> None:
    game = Watched(tmp_path)
    game.see("...", "1..", "1.1")
    headline, (folder,) = game.review().headline, game.kept
    assert sapper("report", folder).printed.splitlines()[0] == headline
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "clicks without effect are unknown" in page


def test_watched_dialog_over_board_same_game(tmp_path: Path) -> None:
    """A window covers the board after the last move, as the list of the best players does; then it goes."""
    skin = skin_of("xdemineur")
    field, mines = Minefield(Deal.random(9, 9, 10, 4), "zero"), Deal.random(9, 9, 10, 4).lay(40, "zero")
    order = [40, *(k for k in range(81) if not mines >> k & 1)]
    boards = list(dict.fromkeys([field.board, *(field.play([Move("open", k)]) for k in order)]))
    frames = [np.array(draw(board, skin).pixels) for board in boards]
    covered = frames[-1].copy()
    lattice = lattice_for(boards[0], skin, 24, 32)
    covered[lattice.ys[1] : lattice.ys[8], lattice.xs[1] : lattice.xs[8]] = (236, 240, 240)
    frames[-1:] = [covered, frames[-1]]
    height, width = (side // 2 * 2 for side in frames[0].shape[:2])
    writer = cv2.VideoWriter(str(tmp_path / "game.mp4"), cv2.VideoWriter.fourcc(*"mp4v"), 10, (width, height))
    for number, frame in enumerate(frames):
        for _ in range(10 if number >= len(frames) - 2 else 3):
            writer.write(frame[:height, :width])
    writer.release()
    (source,) = sources_in(tmp_path / "game.mp4")
    options = SourceOptions(
        tmp_path / "out", readers, RULES, None, None, "under test", print, lambda done, total: None
    )
    (folder,) = source.recordings(options)
    judged = review(Recording(folder), load_strategies())
    assert not replay(judged.recording, Reasoner(load_strategies())).differences
    assert (judged.game.ended, judged.game.truth) == ("won", mines)
