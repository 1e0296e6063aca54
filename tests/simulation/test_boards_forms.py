"""Boards that `sapper generate` makes, in every form, read by every command that takes boards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.cli.main import main
from games.errors import InvalidFile
from games.minesweeper import read_deals
from games.minesweeper.minefield import bv3, zini

MADE = ["generate", "--size", "9x9", "--mines", "10", "--games", "2", "--start", "r4c4", "--seed", "forms"]


@pytest.fixture(params=["boards", "text", "mbf"])
def made(request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Two boards in one form; of MBF, which holds one, the first."""
    out = {"boards": "fair.boards", "text": "fair.txt", "mbf": "fair"}[request.param]
    assert main([*MADE, "--form", request.param, "--out", str(tmp_path / out), "--json"]) == 0
    capsys.readouterr()
    return tmp_path / out / "0000.mbf" if request.param == "mbf" else tmp_path / out


def lines(capsys: pytest.CaptureFixture[str], *words: object) -> list[dict[str, Any]]:
    assert main([*map(str, words), "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_boards_every_form_for_bench_and_review(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = lines(capsys, *MADE)[: 1 if made.suffix == ".mbf" else 2]
    told = lines(capsys, "review", made)
    assert [one["bv3"] for one in told] == [one["bv3"] for one in asked]
    assert [one["openings"] for one in told] == [one["openings"] for one in asked]
    assert all((one["size"], one["mines"]) == ("9x9", 10) for one in told)
    for deal, one in zip(read_deals(made).values(), told, strict=True):
        mines = deal.lay(0, "none")
        assert (bv3(9, 9, mines), zini(9, 9, mines)) == (one["bv3"], one["zini"])
    (played,) = lines(capsys, "bench", "--boards", made, "--start", "r4c4", "--strategy", "quick", "--trust")
    assert played["games"] == len(told)


@pytest.mark.parametrize("made", ["boards", "mbf"], indirect=True)
def test_boards_explain_after_first_click(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = lines(capsys, "explain", made)
    assert told[-1]["contradiction"] == []
    assert len(told) > 1  # something is certain behind a zero


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("1*\n11\n\n1*\n12\n", "board 1, r1c1 shows a wrong number"),
        ("1*\n11\n\n1*1\n111\n", "board 1 differs in size or mine total"),
    ],
)
def test_boards_wrong_whole_boards_refused(text: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "wrong.txt").write_text(text)
    with pytest.raises(InvalidFile, match=complaint):
        read_deals(tmp_path / "wrong.txt")
