"""Result tables: continued after a stop, refused for another run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.simulation.boards import BoardSet
from bot.simulation.simulated_game import GameStart, SimulatedResult, StrategySet
from bot.simulation.tournament import (
    COLUMNS,
    GAMES_PER_TASK,
    ResultTable,
    Tournament,
    read_wins,
    run_bench,
    run_description,
    run_file,
)
from bot.simulation.workers import InlineWorkers
from games.errors import InvalidFile

COURSE = BoardSet.random((5, 5), 5, "tests", 3 * GAMES_PER_TASK + 1)
FEW = BoardSet.random((5, 5), 5, "tests", 4)
OPENING = GameStart("safe", 0)
CHAIN = ["single-cell", "set-rules"]


def run(out: Path, course: BoardSet = COURSE, opening: GameStart = OPENING, chain: list[str] = CHAIN) -> int:
    """Play with a table and return the number of new games."""
    before = out.read_bytes().count(b"\n") - 1 if out.exists() else 0
    summary = run_bench(course, opening, StrategySet.of(chain), InlineWorkers(), out, print, quiet=True)
    assert summary.games == len(course.deals)
    return out.read_text(encoding="utf-8").count("\n") - 1 - before


def without_seconds(out: Path) -> list[str]:
    return [line.rpartition(",")[0] for line in out.read_text(encoding="utf-8").splitlines()]


def test_table_stopped_run_continues(tmp_path: Path) -> None:
    whole, stopped = tmp_path / "whole.csv", tmp_path / "stopped.csv"
    assert [run(whole), run(whole), run(stopped)] == [len(COURSE.deals), 0, len(COURSE.deals)]
    lines = stopped.read_text(encoding="utf-8").splitlines(keepends=True)
    stopped.write_text("".join(lines[:10]) + lines[10][:3], encoding="utf-8")
    assert "slowest_move_ms" in run_file(stopped).read_text(encoding="utf-8")
    assert run(stopped) == len(COURSE.deals) - 9
    assert without_seconds(stopped) == without_seconds(whole)


def test_table_longer_run_continues(tmp_path: Path) -> None:
    out = tmp_path / "run.csv"
    assert [run(out, FEW), run(out), run(out, FEW)] == [4, len(COURSE.deals) - 4, 0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"course": BoardSet.random((5, 5), 4, "tests", 4)}, "boards: 5x5/5 from seed tests, now 5x5/4"),
        ({"course": BoardSet.random((5, 5), 5, "others", 4)}, "from seed tests, now 5x5/5 from seed others"),
        ({"opening": GameStart("zero", 0)}, "first_click: safe, now zero"),
        ({"opening": GameStart("safe", 1)}, "start: r0c0, now r0c1"),
        ({"opening": GameStart("safe")}, "start: r0c0, now the strategies' own"),
        ({"chain": ["single-cell"]}, "strategies: single-cell "),
    ],
)
def test_table_other_run_refused(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    out = tmp_path / "run.csv"
    run(out, FEW)
    before = out.read_bytes()
    with pytest.raises(InvalidFile, match="belongs to another run") as caught:
        run(out, **change)
    assert words in str(caught.value)
    assert out.read_bytes() == before


def test_table_foreign_or_unwritable_refused(tmp_path: Path) -> None:
    out = tmp_path / "run.csv"
    out.write_text("game,won\n1,1\n", encoding="utf-8")
    with pytest.raises(InvalidFile, match="its run file is missing"):
        run(out)
    assert out.read_text(encoding="utf-8") == "game,won\n1,1\n"
    with pytest.raises(InvalidFile, match="name a writable file with --out"):
        run(tmp_path / "none" / "run.csv")


def test_table_empty_file_is_started(tmp_path: Path) -> None:
    out = tmp_path / "run.csv"
    out.touch()
    run(out)
    assert out.read_text(encoding="utf-8").startswith(",".join(COLUMNS) + "\n0,")


@pytest.mark.parametrize(
    ("suffix", "old", "new", "words"),
    [
        ("", "\n1,", "\nx,", "line 3: not a game"),
        ("", "game,", "g,", "line 1: wrong columns: write 'game,won"),
        (".run", "{", "", "damaged"),
    ],
)
def test_table_damaged_refused(tmp_path: Path, suffix: str, old: str, new: str, words: str) -> None:
    out = tmp_path / "run.csv"
    run(out, FEW)
    file = tmp_path / f"run.csv{suffix}"
    file.write_text(file.read_text().replace(old, new))
    with pytest.raises(InvalidFile, match=words):
        run(out)


def test_table_written_while_playing(tmp_path: Path) -> None:
    out = tmp_path / "run.csv"
    lineup = StrategySet.of(CHAIN)
    with ResultTable(out, run_description(COURSE, OPENING, lineup)) as table:
        scores: Iterator[SimulatedResult] = Tournament(lineup, OPENING, COURSE.deals).scores(InlineWorkers())
        table.add(next(scores))
        assert out.read_text(encoding="utf-8").count("\n") == 2


@pytest.mark.parametrize(
    ("text", "wins"),
    [
        ("game,won\n0,1\n2,0\n", {0: True, 2: False}),
        ("# by hand\nseconds,won,game\n0.5,0,7\n\n# end\n0.25,1,8\n", {7: False, 8: True}),
        ("game, won\n0, 1\n1, ", {0: True}),  # its last line is cut off
    ],
)
def test_table_wins_of_any_table(tmp_path: Path, text: str, wins: dict[int, bool]) -> None:
    file = tmp_path / "other.csv"
    file.write_text(text, encoding="utf-8")
    assert read_wins(file) == wins


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not a table of games"),
        ("number,won\n1,1\n", "not a table of games"),
        ("game,won\n", "no games"),
        ("game,won\n1,yes\n", "line 2"),
        ("game,won\n1,1\n\n2\n3,1\n", "line 4"),
    ],
)
def test_table_without_wins_refused(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "other.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidFile, match=words):
        read_wins(file)
    with pytest.raises(InvalidFile, match="unreadable"):
        read_wins(tmp_path / "none.csv")
