"""Expected states of unread cells that moves have changed."""

from __future__ import annotations

import pytest

from games.logic import cell_set
from games.minesweeper import Board, Move
from vision.cells.model import CLASSES
from vision.params import EXPECTED, MISREAD
from vision.track.belief import NONE, LastMoves, UnreadHistory
from vision.track.transition import expected_states, log_probability_ended, transition_kinds

BEFORE = Board.parse("....\n....\n....")
OPENED = LastMoves((Move("open", BEFORE.cell("r1c1")),), certain=True)
FLAGGED = Board.parse("....\n.1F.\n....")


@pytest.mark.parametrize(
    ("now", "lasting"),
    [
        ("~~~.\n~0~.\n~~~.", "r0c0 r0c1 r0c2 r1c0 r1c2 r2c0 r2c1 r2c2"),  # opened by it
        ("~~~.\n~1~.\n~~~.", ""),  # covers with other edges next to an open cell
        ("....\n.~..\n....", "r1c1"),
        ("....\n.1.~\n....", ""),
    ],
)
def test_acts_lasting_change_open_except_near_number(now: str, lasting: str) -> None:
    board = Board.parse(now)
    same = board.cells_showing(".")
    unread = NONE.after(OPENED, BEFORE, board, same)
    assert board.names(unread.lasting) == lasting.split()


def test_acts_chord_opens_nothing_next_to_flag() -> None:
    board = Board.parse("111~\n11F~\n111~")
    chord = LastMoves((Move("chord", FLAGGED.cell("r1c1")),), certain=True)
    assert NONE.after(chord, FLAGGED, board, same=0).lasting == 0


@pytest.mark.parametrize("beside", [Move("chord", 4), Move("open", 1)], ids=str)
def test_flagged_cell_does_not_count_as_opened(beside: Move) -> None:
    """The moves flag r0c0 and open r0c1 next to it."""
    before, now = Board.parse("...\n.1.\n..."), Board.parse("~~.\n.1.\n...")
    unread = NONE.after(LastMoves((Move("flag", 0), beside), certain=True), before, now, same=0)
    assert [before.names(each) for each in (unread.lasting, unread.reached)] == [["r0c1"], ["r0c1"]]


@pytest.mark.parametrize(
    ("changed", "ended", "expected"),
    [
        ("r2c3", False, "lasting"),
        ("r2c3", True, "lasting"),  # it changes, so the game was not over
        ("", False, "lasting"),
        ("", True, "hidden, lost"),
    ],
)
def test_acts_lasting_change_open_unless_over(changed: str, ended: bool, expected: str) -> None:
    board = Board.parse("....\n.~..\n....")
    elsewhere = LastMoves((Move("open", board.cell("r2c3")),), certain=False)
    shows = 1 << board.cell(changed) if changed else 0
    kinds = transition_kinds(board, shows, elsewhere, ended, UnreadHistory(lasting=board.unread))
    assert kinds[board.cell("r1c1")] == expected


@pytest.mark.parametrize(("changed", "may_be_flags"), [("r0c0 r0c1", False), ("r0c0 r0c1 r0c2 r0c3", True)])
def test_acts_guess_leaving_covers_adds_no_flags(changed: str, may_be_flags: bool) -> None:
    """A program may flag the mines of a won game, but then no cover is left."""
    before = Board.parse("....\n1221")
    cells = cell_set(before.cell(name) for name in changed.split())
    guess = LastMoves((Move("open", before.cell("r0c0")),), certain=False)
    row = expected_states(transition_kinds(before, cells, guess, ended=True))[before.cell("r0c1")]
    assert (row[CLASSES.index("F")] > row[CLASSES.index("*")] - 5) == may_be_flags


def test_acts_change_connected_to_opened_cell() -> None:
    now = Board.parse("~~~.\n.1..\n...~")
    unread = NONE.after(OPENED, BEFORE, now, same=now.cells_showing("."))
    assert now.names(unread.reached) == ["r0c0", "r0c1", "r0c2"]
    kinds = transition_kinds(now, 0, OPENED, ended=False, unread=unread)
    assert (kinds[now.cell("r0c0")], kinds[now.cell("r2c3")]) == ("stayed", "anything")


def test_acts_opened_cell_without_closed_neighbour_is_empty() -> None:
    """Around the cell r1c1, all cells have opened; the others have closed neighbours, or are still drawn."""
    opened = Board.parse("000.\n000.\n000.").open
    kinds = transition_kinds(BEFORE, opened, OPENED, ended=False)
    assert [kinds[BEFORE.cell(name)] for name in ("r1c1", "r1c0", "r1c2")] == ["inside", "inside", "reached"]
    row = expected_states(transition_kinds(BEFORE, opened, OPENED, ended=False))[BEFORE.cell("r1c1")]
    assert CLASSES[row.argmax()] == "0"
    alone = transition_kinds(BEFORE, 1 << BEFORE.cell("r1c1"), OPENED, ended=False)
    assert alone[BEFORE.cell("r1c1")] == "opened"


WON = EXPECTED["ended"]["certain"]


@pytest.mark.parametrize(
    ("mines", "first", "expected"),
    [(2, ".", 2 * MISREAD), (2, "0", MISREAD), (3, ".", WON), (None, ".", WON)],
)
def test_acts_certain_moves_end_game_with_mines_left(mines: int | None, first: str, expected: float) -> None:
    """Otherwise a cell was misread, but before the first move none could be."""
    changed = Board.parse("0000\n0000\n0...").open
    assert log_probability_ended(BEFORE.with_states({0: first}), changed, OPENED, mines) == expected


def test_flag_that_stays_is_no_animation() -> None:
    """A drawing that the model does not know may be an animation at first, and a flag later."""
    flag = LastMoves((Move("flag", 0),), certain=True)
    early, late = (
        expected_states(transition_kinds(BEFORE, 1, flag, False, stayed=stayed))[0] for stayed in (0, 1)
    )
    unknown = CLASSES.index("~")
    assert late[unknown] < early[unknown] - 3
    assert [*late[:unknown], *late[unknown + 1 :]] == [*early[:unknown], *early[unknown + 1 :]]


def test_watched_change_is_mine_if_game_ended() -> None:
    """Of a game that a person plays, the moves are unknown: cells opened, or the program showed its mines."""
    watched = LastMoves((), certain=False)
    lost, goes_on = (
        expected_states(transition_kinds(BEFORE, 1, watched, ended))[0] for ended in (True, False)
    )
    mine, exploded, number = (CLASSES.index(state) for state in "*!1")
    assert min(lost[mine], lost[exploded]) > lost[number]
    assert goes_on[number] > max(goes_on[mine], goes_on[exploded])
