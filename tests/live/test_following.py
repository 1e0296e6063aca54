"""A window that is resized in mid-game: the board is found again, read, recorded, and replayed the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawing import draw, lattice_for, record_game, skin_of

from benchmarks.random_skins import random_skin
from bot.play.finder import Follower, LocatedBoard
from bot.recording.recording import EVENTS, Recording, resize_to_lattice
from bot.recording.replay import replay
from bot.show.story import tell_story
from games.errors import BoardNotFound, BoardUnplayable, InvalidFile
from games.minesweeper import UNKNOWN, Board
from strategies import Reasoner, load_strategies
from vision.frame import Frame
from vision.skins import Skin, Tile

PLAIN = skin_of("xdemineur")
BLANK = np.zeros((900, 1280, 3), np.uint8)
KNOWN = "01...\n12...\n..F..\n.....\n....."


def scaled(skin: Skin, factor: float) -> Skin:
    """The same look, drawn larger or smaller."""
    tiles = [
        Tile(tile.state, np.asarray(cv2.resize(tile.pixels, None, fx=factor, fy=factor), np.uint8))
        for tile in skin.tiles
    ]
    return Skin(skin.name, tuple(tiles))


LARGE = scaled(PLAIN, 1.4)


def seen(board: str, skin: Skin, left: int = 24, top: int = 32) -> LocatedBoard:
    """A board where it was found, unread."""
    shown = Board.parse(board)
    unread = shown.with_states(dict.fromkeys(range(len(shown)), UNKNOWN))
    return LocatedBoard(draw(shown, skin, left, top), lattice_for(shown, skin, left, top), None, unread)


def follower(now: LocatedBoard) -> tuple[Follower, list[LocatedBoard]]:
    """Somebody who will find this, and what is told."""
    told: list[LocatedBoard] = []
    return Follower(
        seen(KNOWN, PLAIN),
        lambda _: now,
        lambda _: now,
        lambda: now.frame,
        lambda found, _: told.append(found),
    ), told


@pytest.mark.parametrize("remembers", [False, True])
def test_session_larger_cells_continue_and_replay(remembers: bool, tmp_path: Path) -> None:
    def right(read: Board, true: Board) -> None:
        if 2 * read.unread.bit_count() > len(read):
            return  # in the look that saw the new size, the cells lie elsewhere: nobody plays on that
        assert [k for k in range(len(read)) if read[k] not in (true[k], UNKNOWN)] == []

    look = PLAIN if remembers else random_skin(5)
    result = record_game(
        tmp_path, 4, (8, 8), 10, drawn=look, remembers=remembers, later=scaled(look, 1.4), watched=right
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


def test_replay_damaged_lattice_reported(tmp_path: Path) -> None:
    record_game(tmp_path, 4, (8, 8), 10, later=LARGE)
    events = (tmp_path / EVENTS).read_text()
    for damage in ('"lattice": {"x": [3, 2, 1]', '"lattice": {"x": [0, 9, 18]', '"lattice": {"z": [0]'):
        before, _, after = events.partition('"lattice": {"x": [')
        (tmp_path / EVENTS).write_text(before + damage + after[after.index("]") + 1 :])
        with pytest.raises(InvalidFile, match="damaged") as caught:
            list(Recording(tmp_path).looks())
        assert "\n" not in str(caught.value)


def test_relocate_same_board_elsewhere() -> None:
    now = seen(KNOWN, LARGE, 50, 60)
    follows, told = follower(now)
    view = follows.after_resizing(Board.parse(KNOWN))
    assert view.lattice.columns == 5
    assert list(view.region)[:2] == [50, 60]
    assert told == [now]
    assert follows.seen is now


EMPTY_ROWS = "\n.....\n.....\n.....\n....."


def test_relocate_other_board_stops_game() -> None:
    known = Board.parse("1122." + EMPTY_ROWS)
    follows, told = follower(seen("2122." + EMPTY_ROWS, LARGE))
    read = replace(follows.find(follows.seen), board=Board.parse("2122." + EMPTY_ROWS))
    follows, told = follower(read)
    with pytest.raises(
        BoardUnplayable, match=r"another board now \(r0c0 showed 1 and now shows 2\)"
    ) as caught:
        follows.after_resizing(known)
    assert "\n" not in str(caught.value)
    assert told == []


def test_relocate_lost_board_only_if_moved() -> None:
    known = Board.parse(KNOWN)
    follows, told = follower(seen(KNOWN, LARGE))
    assert follows.search_again(known) is not None
    follows, told = follower(seen(KNOWN, PLAIN))  # where it was: a message lies over it
    assert follows.search_again(known) is None
    assert told == []

    def nothing(before: LocatedBoard) -> LocatedBoard:
        raise BoardNotFound("no board is to be seen")

    follows = Follower(seen(KNOWN, PLAIN), nothing, nothing, lambda: Frame(BLANK), lambda a, b: None)
    assert follows.search_again(known) is None
    with pytest.raises(BoardUnplayable, match="its board is gone: no board is to be seen"):
        follows.after_resizing(known)


def test_transfer_cells_to_other_lattice() -> None:
    board = Board.parse(KNOWN)
    frame = draw(board, LARGE)
    old, new = lattice_for(board, PLAIN), lattice_for(board, LARGE, 24, 32)
    small = resize_to_lattice(frame, new, old)
    assert small.pixels.shape[:2] == (old.ys[-1], old.xs[-1])
    assert resize_to_lattice(frame, new, new) is frame
