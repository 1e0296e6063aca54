"""`sapper validate`: the checks of a strategy; exit code 1 if one fails."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from said import Sapper, refused

from games.minesweeper import STATES
from strategies.testing import CHECKS

HEAD = "import os, time\nfrom strategies import Deduction, hookimpl\n\n\n"
GOOD = """@hookimpl
def deduce(knowledge):
    for clue in knowledge.constraints:
        if clue.all_false:
            yield Deduction.false(clue.cells, because=(clue,), rule="none left")
"""
SLOW = """@hookimpl
def deduce(knowledge):
    end = time.process_time() + 2.5
    while knowledge.universe.bit_count() > 99 and time.process_time() < end:
        pass
    return []
"""


def checked(sapper: Sapper, file: Path, code: str) -> dict[str, str]:
    """The details of the failed checks, by name."""
    file.write_text(HEAD + code, encoding="utf-8")
    said = sapper("validate", file, "--boards", "60", "--json")
    (verdict,) = said.objects
    assert said.code == (0 if verdict["ok"] else 1)
    assert verdict["ok"] == all(check["ok"] for check in verdict["checks"])
    return {check["check"]: check["detail"] for check in verdict["checks"] if not check["ok"]}


def test_validate_good_strategy_passes(sapper: Sapper, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(HEAD + GOOD)
    printed = sapper("validate", "mine.py", "--boards", "60").printed
    *checks, verdict = printed.splitlines()[1:]
    names = [line[10:36].strip() for line in checks]
    assert (names, verdict) == (["loads", "answers", *CHECKS, "cost", "fires", "plays"], "  valid")
    assert "ms per call" in printed
    assert re.search(r"ok +fires +alone on [1-9]\d* of 60 boards; never after", printed)


@pytest.mark.parametrize(
    ("check", "code", "detail"),
    [
        ("loads", "x = 1 / 0\n", "mine.py, line 5: ZeroDivisionError"),
        ("loads", "os._exit(3)\n", "its process ended (exit code 3)"),
        ("answers", GOOD.replace("for", "knowledge.nothing\n    for"), "line 7: it raised AttributeError"),
        ("sound", GOOD.replace("clue.all_false", "clue.high <= 1"), "(mine.py, line 9)"),
        ("fires", GOOD.replace("clue.all_false", "clue.size == 77"), "line 5: its deduce never answers"),
        ("fires", "@hookimpl\ndef guess(position):\n    return []\n", "its guess never answers"),
        ("cost", SLOW, "more than 2 s; bound the work in steps"),
    ],
)
def test_validate_bad_strategy_fails_its_check(
    check: str, code: str, detail: str, sapper: Sapper, tmp_path: Path
) -> None:
    failed = checked(sapper, tmp_path / "mine.py", code)
    assert check in failed
    assert detail in failed[check]


def test_validate_board_below_check(sapper: Sapper, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(HEAD + GOOD.replace("clue.all_false", "clue.high <= 1"))
    said = sapper("validate", "mine.py", "--boards", "60")
    assert said.code == 1
    assert re.search(rf"(?m)^ {{36}}[{re.escape(STATES)}]", said.out)
    assert said.out.endswith("\n  not valid\n")


def test_validate_observer(sapper: Sapper, tmp_path: Path) -> None:
    good = "@hookimpl\ndef acted(moves):\n    {}\n"
    assert checked(sapper, tmp_path / "mine.py", good.format("len(moves)")) == {}
    failed = checked(sapper, tmp_path / "mine.py", good.format("1 / 0"))
    assert "mine.py, line 7: its acted raised ZeroDivisionError" in failed["watches"]


def test_validate_project(sapper: Sapper, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[project.entry-points."sapper.strategies"]\na = "one"\nb = "two"\n'
    )
    (tmp_path / "one.py").write_text(HEAD + GOOD)
    refused(sapper("validate", "."), 7, "entry point b names 'two'")
    (tmp_path / "src" / "two").mkdir(parents=True)
    (tmp_path / "src" / "two" / "__init__.py").write_text(HEAD + GOOD)
    assert [each["ok"] for each in sapper("validate", ".", "--boards", "20", "--json").objects] == [True] * 2
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    refused(sapper("validate", "."), 7, "sapper.strategies")


def test_validate_missing_refused(sapper: Sapper) -> None:
    refused(sapper("validate", "nobody"), 2, "neither a file nor installed")
    said = sapper("validate", "nowhere/mine.py", "--json")
    assert (said.code, said.objects[0]["checks"][0]["ok"]) == (1, False)
