"""A window that is resized in mid-game: the board is found again, read, recorded, and replayed the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from drawing import ScriptedFinder, draw, lattice_for, record_game, skin_of, tiles_of
from tracked import sized

from benchmarks.random_skins import random_skin
from bot.play.finder import LocatedBoard
from bot.recording.recording import Recording
from bot.recording.replay import replay
from bot.show.story import tell_story
from games.errors import BoardNotFound, BoardUnplayable
from games.minesweeper import UNKNOWN, Board
from strategies import Reasoner, load_strategies
from vision.frame import Frame
from vision.skins import Skin

PLAIN = skin_of("xdemineur")
BLANK = np.zeros((900, 1280, 3), np.uint8)
KNOWN = "01...\n12...\n..F..\n.....\n....."


def larger(skin: Skin) -> Skin:
    return sized(skin, round(1.4 * tiles_of(skin)["."].shape[0]))


LARGE = larger(PLAIN)


def seen(board: str, skin: Skin, left: int = 24, top: int = 32) -> LocatedBoard:
    """A board where it was found, unread."""
    shown = Board.parse(board)
    unread = shown.with_states(dict.fromkeys(range(len(shown)), UNKNOWN))
    return LocatedBoard(draw(shown, skin, left, top), lattice_for(shown, skin, left, top), unread)


@pytest.mark.parametrize("remembers", [False, True])
def test_session_larger_cells_continue_and_replay(remembers: bool, tmp_path: Path) -> None:
    def right(read: Board, true: Board) -> None:
        assert [k for k in range(len(read)) if read[k] not in (true[k], UNKNOWN)] == []

    look = PLAIN if remembers else random_skin(5)
    result = record_game(
        tmp_path, 4, (8, 8), 10, drawn=look, remembers=remembers, later=larger(look), watched=right
    )
    assert result.result in ("won", "lost")
    assert result.wrong_certain == 0
    recording = Recording(tmp_path)
    assert sum("lattice" in event for event in recording.events) == 1
    assert replay(recording, Reasoner(load_strategies())).differences == ()
    # whoever retells the game sees cells of one size
    sizes = {frame.pixels.shape for frame, _ in recording.looks()}
    assert max(sizes)[0] - min(sizes)[0] < 8
    assert len(tell_story(recording, load_strategies()).steps) == len(list(recording.looks()))


def finds(now: LocatedBoard) -> ScriptedFinder:
    return ScriptedFinder(lambda: now)


def test_relocate_resized_same_board_elsewhere() -> None:
    now = seen(KNOWN, LARGE, 50, 60)
    found = finds(now).relocate_resized(seen(KNOWN, PLAIN), Board.parse(KNOWN))
    assert found is now
    assert found.region_lattice.columns == 5
    assert list(found.region)[:2] == [50, 60]


EMPTY_ROWS = "\n.....\n.....\n.....\n....."


def test_relocate_resized_other_board_stops_game() -> None:
    other = "2122." + EMPTY_ROWS
    now = replace(seen(other, LARGE), board=Board.parse(other))
    with pytest.raises(
        BoardUnplayable, match=r"another board now \(r0c0 showed 1 and now shows 2\)"
    ) as caught:
        finds(now).relocate_resized(seen(KNOWN, PLAIN), Board.parse("1122." + EMPTY_ROWS))
    assert "\n" not in str(caught.value)


def test_relocate_resized_empty_cell_read_as_hidden() -> None:
    now = replace(seen(KNOWN, LARGE), board=Board.parse(KNOWN.replace("0", ".")))
    assert finds(now).relocate_resized(seen(KNOWN, PLAIN), Board.parse(KNOWN)) is now
    fresh = replace(now, board=Board.fresh(5, 5))
    with pytest.raises(BoardUnplayable, match="another board now"):
        finds(fresh).relocate_resized(seen(KNOWN, PLAIN), Board.parse(KNOWN))


def test_relocate_only_if_moved() -> None:
    known, before = Board.parse(KNOWN), seen(KNOWN, PLAIN)
    assert finds(seen(KNOWN, LARGE)).relocate(before, known) is not None
    assert finds(seen(KNOWN, PLAIN)).relocate(before, known) is None  # a message covers it


def test_relocate_lost_board() -> None:
    class Lost(ScriptedFinder):
        def screenshot(self) -> Frame:
            return Frame(BLANK)

    def nothing() -> LocatedBoard:
        raise BoardNotFound("no board is visible")

    known, before = Board.parse(KNOWN), seen(KNOWN, PLAIN)
    assert Lost(nothing).relocate(before, known) is None
    searches: list[None] = []

    def search() -> LocatedBoard:
        searches.append(None)
        return nothing()

    finder = Lost(search)
    assert [finder.relocate(before, known) for _ in range(3)] == [None] * 3
    assert len(searches) == 1  # the image has not changed
    with pytest.raises(BoardUnplayable, match="its board is gone: no board is visible"):
        Lost(nothing).relocate_resized(before, known)
