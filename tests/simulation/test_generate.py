"""Generated boards meet the request; every form can be read again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from said import Sapper, refused
from tables import known

from bot.simulation.boards import BoardRequest, certain_win, generate
from games.errors import InvalidFile, UsageError
from games.logic import bits, cell_set
from games.minesweeper import Board, Minefield, Move, read_deals
from games.minesweeper.deals import decode_mbf, encode_mbf
from games.minesweeper.minefield import bv3, find_openings, zini
from games.minesweeper.variants import get_variant
from strategies import load_strategies

BEGINNER = BoardRequest(9, 9, 10, 40)


def test_generate_no_guess_won_by_plans() -> None:
    made = generate(BoardRequest(16, 30, 99, 93, no_guess=True), load_strategies(), "tests")
    for board in [next(made) for _ in range(5)]:
        field = Minefield(board.deal, "none")
        field.play([Move("open", 93)])
        assert field.board.open.bit_count() >= 9  # the first click is a zero
        for plan in board.plans:
            assert plan.guess is None
            field.play(plan.moves)
        assert field.is_won
        assert (field.truth, board.mines.bit_count()) == (board.mines, 99)


def test_generate_no_guess_skips_guess_boards() -> None:
    wanted = BoardRequest(1, 4, 2, 0, "safe", no_guess=True)
    # `1*..` leaves one mine in two cells
    won = {next(generate(wanted, load_strategies(), str(seed))).mines for seed in range(20)}
    assert won == {0b1100}


def test_generate_figures_within_limits() -> None:
    wanted = replace(BEGINNER, bv3=(25, 30), openings=(1, 2))
    made = generate(wanted, load_strategies(), "tests")
    for board in [next(made) for _ in range(10)]:
        assert 25 <= board.bv3 == bv3(9, 9, board.mines) <= 30
        assert board.openings == len(find_openings(9, 9, board.mines)) in {1, 2}


def test_generate_needed_strategy_is_needed() -> None:
    strategies = load_strategies()
    names = [strategy.name for strategy in strategies if strategy.has_deduce]
    wanted = BoardRequest(16, 16, 40, 0, needs="set-rules")
    board = next(generate(wanted, strategies, "tests"))
    cheaper = strategies[: names.index("set-rules")]
    assert certain_win(board.deal, wanted, cheaper) is None
    plans = certain_win(board.deal, wanted, strategies[: len(cheaper) + 1])
    assert plans is not None
    assert [plan.moves for plan in plans] == [plan.moves for plan in board.plans]


def test_generate_impossible_request_refused() -> None:
    with pytest.raises(UsageError, match=r"none of 50 boards of 9x9 with 10 mines"):
        next(generate(replace(BEGINNER, bv3=(60, 70), tries=50), load_strategies(), "1"))
    with pytest.raises(UsageError, match=r"--needs: best finds no certain moves: use one of single-cell"):
        next(generate(replace(BEGINNER, needs="best"), load_strategies(), "1"))


@pytest.mark.parametrize(
    ("rows", "columns", "mine"), [(1, 2, 0), (3, 2, 5), (16, 30, 479), (255, 255, 65_024)]
)
def test_mbf_round_trip(rows: int, columns: int, mine: int) -> None:
    for mines in (1 << mine, 1 << mine | 2 << mine // 2):
        if mines.bit_count() < rows * columns:
            assert decode_mbf(encode_mbf(rows, columns, mines)) == (rows, columns, mines)


def test_mbf_of_other_programs_read() -> None:
    # 8 columns, 4 rows, 2 mines: the third cell of the first row, and the last of the last
    assert decode_mbf(bytes([8, 4, 0, 2, 2, 0, 7, 3])) == (4, 8, cell_set([2, 31]))


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "columns, rows and the number of mines are missing"),
        (b"\2\2\0\1\0", "1 mines take 6 bytes, not 5"),
        (b"\2\2\0\1\2\0", "a mine at r0c2 is not on the 2x2 board"),
        (b"\2\2\0\2\0\0\0\0", "2 mines do not make a game, or a mine occurs twice"),
        (b"\1\1\0\1\0\0", "1 mines do not make a game"),
    ],
)
def test_mbf_damaged_file_explains(data: bytes, what: str) -> None:
    with pytest.raises(InvalidFile, match=what):
        decode_mbf(data)


MADE = ("generate", "--level", "beginner", "--start", "r4c4", "--games", "2", "--no-guess")


def test_generate_json_explains_every_move(sapper: Sapper) -> None:
    for made in sapper(*MADE, "--json").objects:
        assert Board.parse("\n".join(made["rows"])).shown_mines.bit_count() == 10
        assert all(move["is"] in {"mine", "safe"} and move["because"] for move in made["moves"])


@pytest.mark.parametrize(
    ("form", "out", "file"), [("boards", "x.boards", ""), ("text", "x.txt", ""), ("mbf", "x", "0000.mbf")]
)
def test_generate_every_form_is_read(form: str, out: str, file: str, sapper: Sapper) -> None:
    """By `bench`, `review` and `explain`; an MBF file has only the first board."""
    assert sapper(*MADE, "--form", form, "--out", out).code == 0
    generated = sapper(*MADE, "--json").objects[: 1 if file else 2]
    path = Path(out) / file
    reviewed = sapper("review", path, "--json").objects
    for made, deal, found in zip(generated, read_deals(path).values(), reviewed, strict=True):
        mines = deal.lay(40, "none")
        assert mines == Board.parse("\n".join(made["rows"])).shown_mines
        assert found["bv3"] == made["bv3"] == bv3(9, 9, mines)
        assert found["openings"] == made["openings"]
        assert (found["size"], found["mines"], found["zini"]) == ("9x9", 10, zini(9, 9, mines))
    words = ("--boards", path, "--start", "r4c4", "--first-click", "zero", "--json")
    (played,) = sapper("bench", *words).objects
    assert played["won"] == played["games"] == len(generated)  # without a guess
    if form != "text":  # whole boards are explained after their first click, which opens a zero
        *certain, end = sapper("explain", path, "--json").objects
        assert certain
        assert end["contradiction"] == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1*\n11\n\n1*\n12\n", "board 1, r1c1 shows a wrong number"),
        ("1*\n11\n\n1*1\n111\n", "board 1 differs in size or mine total"),
    ],
)
def test_read_deals_wrong_whole_board_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "wrong.txt").write_text(text)
    with pytest.raises(InvalidFile, match=message):
        read_deals(tmp_path / "wrong.txt")


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("--size 9x9", "--size and --mines require each other"),
        ("--level expert --size 9x9 --mines 9", "--level excludes --size"),
        ("--size 9x9 --mines 81", "81 mines are not possible on 9x9"),
        ("--size 3x3 --mines 1 --start r9c9", "'r9c9' is not a cell of 3x3"),
        ("--bv3 many", "invalid --bv3 'many'"),
        ("--openings 3-2", "the minimum exceeds the maximum"),
        ("--form mbf", "name a folder with --out"),
        ("--out /dev/null/board", "name another place with --out"),
        ("--needs nothing", "--needs: nothing finds no certain moves"),
    ],
)
def test_generate_wrong_options_one_line(words: str, what: str, sapper: Sapper) -> None:
    refused(sapper("generate", *words.split()), 2, what)


@pytest.mark.parametrize("variant", ["quad", "triplet", "balance", "cross"])
def test_generated_variant_wins_by_certain_moves(variant: str, sapper: Sapper) -> None:
    words = ("generate", "--size", "5x5", "--mines", "5", "--variant", variant, "--first-click", "safe",
             "--no-guess", "--start", "r2c2", "--form", "text")  # fmt: skip
    said = sapper(*words)
    assert said.code == 0, said.err
    solved = Board.parse(said.out)
    mines = solved.cells_showing("*")
    assert (solved.variant, mines.bit_count()) == (variant, 5)
    rules = get_variant(variant)
    assert all(constraint.holds(mines) for constraint in rules.states(5, 5, 5))
    assert all((solved.around[k] & mines).bit_count() == int(solved[k]) for k in bits(solved.open))
    board = solved.with_states(dict.fromkeys(range(25), "."))
    while closed := board.not_open & ~mines:
        safe = known(board).false & closed or closed & 1 << 12
        assert safe
        board = board.with_states({k: solved[k] for k in bits(safe)})
    refused(sapper(*words[:-1], "boards"), 2, "use --form text")
