"""Moves between two boards: recorded ones with their effect, and inferred ones."""

from __future__ import annotations

from random import Random

import pytest

from bot.review.played_moves import PlayedMove, board_after, inferred_moves, recorded_moves
from games.minesweeper import Board, Deal, Minefield, Move
from games.minesweeper.board import MoveKind


def names(board: Board, made: list[PlayedMove]) -> list[str]:
    """Moves with the cells they opened, such as `open r0c0: r0c0 r0c1`."""
    return [f"{one.move.text(board)}: {' '.join(board.names(one.opened))}".rstrip(": ") for one in made]


@pytest.mark.parametrize(
    ("before", "after", "moves"),
    [
        ("... ... ...", "... .2. ...", ["open r1c1: r1c1"]),
        ("... ...", "2.. ..3", ["open r0c0: r0c0", "open r1c2: r1c2"]),
        (
            ".... .... ....",
            "01.. 01.. 01..",
            ["open r0c0: r0c0 r0c1 r1c0 r1c1 r2c0 r2c1"],
        ),  # an opening is one click
        ("..1. ....", "..1F ....", ["flag r0c3"]),
        ("..1F ....", "..1. ....", ["unflag r0c3"]),
        ("..1F ....", "..12 ....", ["unflag r0c3", "open r0c3: r0c3"]),  # it was no mine after all
        ("F1. ... ...", "F12 121 ...", ["chord r0c1: r0c2 r1c0 r1c1 r1c2"]),
        ("F1. 122", "F11 122", ["open r0c2: r0c2"]),  # one cell needs no chord
        (".1. ... ...", "F12 121 ...", ["flag r0c0", "chord r0c1: r0c2 r1c0 r1c1 r1c2"]),
        ("... ...", "!.* ...", ["open r0c0: r0c0"]),  # the mine that exploded
        (".1 11", "F1 11", []),  # nothing is closed any more: the program put the flag there
        ("1.1 ...", "1~1 ...", []),  # something lies over a cell
    ],
)
def test_infer_moves_from_change(before: str, after: str, moves: list[str]) -> None:
    one, other = (Board.parse(text.replace(" ", "\n")) for text in (before, after))
    assert names(one, inferred_moves(one, other)) == moves


def test_infer_chord_only_if_program_has_chords() -> None:
    before, after = (Board.parse(text.replace(" ", "\n")) for text in ("F1. ... ...", "F12 121 ..."))
    kinds = [one.move.kind for one in inferred_moves(before, after, chords=False)]
    assert kinds == ["open"] * 4


def test_infer_click_on_number_is_chord() -> None:
    before, after = (Board.parse(text.replace(" ", "\n")) for text in ("F1. ... ...", "F12 121 ..."))
    made, late = recorded_moves(before, after, [Move("open", 1)])
    assert names(before, made) == ["chord r0c1: r0c2 r1c0 r1c1 r1c2"]
    assert late == []


def test_infer_late_and_ineffective_moves() -> None:
    before, after = (Board.parse(text.replace(" ", "\n")) for text in ("1.. ...", "1.2 ..."))
    made, late = recorded_moves(
        before, after, [Move("open", 0), Move("open", 1), Move("open", 2), Move("flag", 0)]
    )
    assert [(one.move, one.has_effect) for one in made] == [
        (Move("open", 0), False),
        (Move("open", 2), True),
        (Move("flag", 0), False),
    ]
    assert late == [Move("open", 1)]


@pytest.mark.parametrize("seed", range(60))
def test_infer_moves_lead_to_same_board(seed: int) -> None:
    """For random moves, the inferred ones open the same cells in at most as many moves."""
    rng = Random(seed)
    field = Minefield(Deal.random(8, 9, 8 + seed % 9, seed), "zero")
    field.play([Move("open", rng.randrange(72))])
    for _ in range(12):
        if field.is_lost or field.is_won:
            break
        before = field.board
        cells = [rng.randrange(72) for _ in range(rng.randint(1, 6))]
        kinds: tuple[MoveKind, ...] = ("open", "open", "flag", "chord")
        moves = [Move(rng.choice(kinds), k) for k in cells]
        after = field.play(moves)
        exact, late = recorded_moves(before, after, moves)
        assert late == [] or field.is_lost
        if field.is_lost or not after.closed:
            continue
        assert board_after(before, after, *exact) == after
        found = inferred_moves(before, after)
        assert board_after(before, after, *found) == after
        kept = [one for one in exact if one.has_effect and one.move.kind not in ("flag", "unflag")]
        assert sum(one.move.kind not in ("flag", "unflag") for one in found) <= len(kept)
