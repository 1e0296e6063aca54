"""Generated boards in every form, read by every command that takes boards."""

from __future__ import annotations

from pathlib import Path

import pytest
from said import Sapper

from games.errors import InvalidFile
from games.minesweeper import read_deals
from games.minesweeper.minefield import bv3, zini

MADE = ["generate", "--size", "9x9", "--mines", "10", "--games", "2", "--start", "r4c4", "--seed", "forms"]


@pytest.fixture(params=["boards", "text", "mbf"])
def made(request: pytest.FixtureRequest, tmp_path: Path, sapper: Sapper) -> Path:
    """Two boards in one form; an MBF file has only the first."""
    out = {"boards": "fair.boards", "text": "fair.txt", "mbf": "fair"}[request.param]
    assert sapper(*MADE, "--form", request.param, "--out", out).code == 0
    return tmp_path / out / "0000.mbf" if request.param == "mbf" else tmp_path / out


def test_boards_every_form_for_bench_and_review(made: Path, sapper: Sapper) -> None:
    generated = sapper(*MADE, "--json").objects[: 1 if made.suffix == ".mbf" else 2]
    reviewed = sapper("review", made, "--json").objects
    for wanted, deal, found in zip(generated, read_deals(made).values(), reviewed, strict=True):
        mines = deal.lay(0, "none")
        assert found["bv3"] == wanted["bv3"] == bv3(9, 9, mines)
        assert found["openings"] == wanted["openings"]
        assert (found["size"], found["mines"], found["zini"]) == ("9x9", 10, zini(9, 9, mines))
    words = ("--boards", made, "--start", "r4c4", "--strategy", "quick", "--trust", "--json")
    assert sapper("bench", *words).objects[0]["games"] == len(reviewed)


@pytest.mark.parametrize("made", ["boards", "mbf"], indirect=True)
def test_boards_explain_after_first_click(made: Path, sapper: Sapper) -> None:
    *certain, end = sapper("explain", made, "--json").objects
    assert end["contradiction"] == []
    assert certain  # behind a zero


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1*\n11\n\n1*\n12\n", "board 1, r1c1 shows a wrong number"),
        ("1*\n11\n\n1*1\n111\n", "board 1 differs in size or mine total"),
    ],
)
def test_boards_wrong_whole_boards_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "wrong.txt").write_text(text)
    with pytest.raises(InvalidFile, match=message):
        read_deals(tmp_path / "wrong.txt")
