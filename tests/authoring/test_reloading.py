"""`--reload`: save the file, and the figures and what has changed come again."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from said import Sapper, refused

from bot.cli import status as reloading
from games.errors import InvalidFile

RULE = """
from strategies import Deduction, hookimpl

@hookimpl
def deduce(knowledge):
    for clue in knowledge.constraints:
        if clue.all_false:
            yield Deduction.false(clue.cells, because=(clue,), rule="none left")
"""


def saved(file: Path, text: str) -> None:
    """Written under another name and put in its place, as editors do."""
    other = file.with_suffix(".new")
    other.write_text(text)
    other.replace(file)


def test_it_runs_again_after_each_change_and_an_error_is_only_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.py"
    file.write_text("1")
    texts = iter(["2", "broken", "3"])
    runs: list[str] = []

    def run() -> dict[str, str]:
        runs.append(file.read_text())
        following = next(texts, None)
        if following:
            threading.Timer(0.05, saved, (file, following)).start()
        if runs[-1] == "broken":
            raise InvalidFile("mine.py, line 1: broken: correct the file")
        return {"r0c0": runs[-1], "r0c1": "safe"}

    reloading.rerun_on_change([f"{file}:depth=3", "best"], run, looks=20)
    assert runs == ["1", "2", "broken", "3"]
    told = capsys.readouterr()
    assert "changed: 1\n  r0c0: 1 -> 2\n" in told.out
    assert "  r0c0: 2 -> 3\n" in told.out
    assert told.err.count("broken: correct the file") == 1


@pytest.mark.parametrize("command", ["trace", "bench"])
def test_with_trace_and_bench(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sapper: Sapper
) -> None:
    file, board = tmp_path / "mine.py", tmp_path / "board.txt"
    file.write_text(RULE)
    board.write_text("1.1\n111\n...")
    real = reloading._state  # noqa: SLF001 - what is polled
    polls = iter(range(10**6))

    def state(files: list[Path]) -> dict[str, tuple[int, int]]:
        number = next(polls)
        if number == 2:
            saved(file, RULE.replace("all_false", "all_true").replace("false(", "true("))
        if number == 8:
            raise KeyboardInterrupt
        return real(files)

    monkeypatch.setattr(reloading, "_state", state)
    words = {
        "trace": ["strategies", "--trace", str(board)],
        "bench": ["bench", "--size", "5x5", "--mines", "4", "--games", "6"],
    }[command]
    said = sapper(*words, "--strategy", file, "--reload")
    assert said.code == 5
    out = said.out
    assert "changed: " in out
    assert out.count("questions, " if command == "trace" else "games won") == 2
    if command == "trace":
        assert "r0c1: nothing -> mine (none left)" in out


def test_what_cannot_be_watched(sapper: Sapper, tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text("1.")
    refused(sapper("strategies", "--trace", "board.txt", "--reload"), 2, "name one with --strategy ./mine.py")
    refused(sapper("strategies", "--reload"), 2, "say how to --trace")
    words = ("bench", "--size", "5x5", "--mines", "4", "--strategy", "mine.py", "--reload")
    refused(sapper(*words, "--out", "x.csv"), 2, "leave out --out")
