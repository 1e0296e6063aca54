"""Slow operations are announced; `--reload` runs again after a strategy is saved, and shows the changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from authored import GOOD
from said import Sapper, refused
from waiting import wait_for

from bot.cli import status
from games.errors import InvalidFile


def test_announce_slow_operation_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(status, "QUICK", 60.0)
    said: list[str] = []
    with status.announce_if_slow("looking for a board", said.append):
        pass
    monkeypatch.setattr(status, "QUICK", 0.01)
    with status.announce_if_slow("something else", said.append):
        wait_for(lambda: bool(said))
    assert said == ["something else"]


class Editor:
    """In place of `time`: saves the next text in every other pause, after the last one Ctrl+C.

    The command pauses once before it sees a change, and once after, until the files are settled.
    """

    def __init__(self, file: Path, *texts: str) -> None:
        self._file = file
        self._texts = iter(texts)
        self._pauses = 0

    def sleep(self, _: float) -> None:
        self._pauses += 1
        if self._pauses % 2:
            text = next(self._texts, None)
            if text is None:
                raise KeyboardInterrupt
            other = self._file.with_suffix(".new")  # as editors do
            other.write_text(text)
            other.replace(self._file)


def test_reload_error_is_printed_and_run_continues(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.py"
    file.write_text("1")
    monkeypatch.setattr(status, "time", Editor(file, "2", "broken", "3"))
    runs: list[str] = []

    def run() -> dict[str, str]:
        runs.append(file.read_text())
        if runs[-1] == "broken":
            raise InvalidFile("mine.py, line 1: broken: correct the file")
        return {"r0c0": runs[-1], "r0c1": "safe"}

    with pytest.raises(KeyboardInterrupt):
        status.rerun_on_change([f"{file}:depth=3", "best"], run)
    assert runs == ["1", "2", "broken", "3"]
    printed = capsys.readouterr()
    assert "changed: 1\n  r0c0: 1 -> 2\n" in printed.out
    assert "  r0c0: 2 -> 3\n" in printed.out
    assert printed.err.count("broken: correct the file") == 1


@pytest.mark.parametrize(
    ("words", "figures", "change"),
    [
        (["strategies", "--trace", "board.txt"], "calls, ", "r0c1: nothing -> mine (all mines)"),
        (["bench", "--size", "5x5", "--mines", "4", "--games", "6"], "games won", ""),
    ],
)
def test_reload_changed_file_shows_changes(
    words: list[str],
    figures: str,
    change: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    sapper: Sapper,
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(GOOD.replace("all_true", "all_false").replace("true(", "false("))
    (tmp_path / "board.txt").write_text("1.1\n111\n...")
    monkeypatch.setattr(status, "time", Editor(file, GOOD))
    said = sapper(*words, "--strategy", file, "--reload")
    assert said.code == 5
    assert "changed: " in said.out
    assert said.out.count(figures) == 2
    assert change in said.out


def test_reload_without_file_is_refused(sapper: Sapper, tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text("1.")
    refused(sapper("strategies", "--trace", "board.txt", "--reload"), 2, "name one with --strategy ./mine.py")
    refused(sapper("strategies", "--reload"), 2, "require --trace")
    words = ("bench", "--size", "5x5", "--mines", "4", "--strategy", "mine.py", "--reload")
    refused(sapper(*words, "--out", "x.csv"), 2, "--reload excludes --out")
