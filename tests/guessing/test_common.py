"""A boards file played beside another program's results (benchmarks/guessing/common.py)."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest
from common import main, results_of

from games.errors import InvalidFile

BOARDS = 8


@pytest.fixture
def boards(tmp_path: Path) -> Path:
    rng = Random(1)
    lines = [f"{game} {' '.join(map(str, rng.sample(range(25), 13)))}" for game in range(BOARDS)]
    path = tmp_path / "small.txt"
    path.write_text("\n".join(["# small 5 5 4", *lines, ""]), encoding="utf-8")
    return path


def test_bench_interrupted_run_continues(
    boards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out, theirs = tmp_path / "ours.csv", tmp_path / "theirs.txt"
    theirs.write_text("1" * BOARDS + "\n", encoding="utf-8")
    words = ["common.py", str(boards), "--out", str(out), "--theirs", str(theirs)]
    monkeypatch.setattr(sys, "argv", words)
    assert main() == 0
    rows = out.read_text(encoding="utf-8").splitlines()
    won = [int(row.split(",")[1]) for row in rows[2:]]
    assert len(won) == BOARDS
    assert 0 < sum(won) < BOARDS
    said = capsys.readouterr().out
    assert f"difference {100 * (sum(won) - BOARDS) / BOARDS:+.2f}" in said
    out.write_text("\n".join(rows[:5]) + "\n7,1", encoding="utf-8")
    assert main() == 0
    again = [row.split(",")[:3] for row in out.read_text(encoding="utf-8").splitlines()[2:]]
    assert again == [row.split(",")[:3] for row in rows[2:]]
    monkeypatch.setattr(sys, "argv", [*words, "--way", "quick"])
    assert main() == InvalidFile.exit_code
    assert "another run" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "0120", "won"])
def test_results_that_are_none_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "theirs.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidFile, match="no text of 0 and 1"):
        results_of(path)
    path.write_text("101\n", encoding="utf-8")
    assert results_of(path) == {0: True, 1: False, 2: True}
