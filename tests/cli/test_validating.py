"""`sapper validate`: the checks of a strategy; exit code 1 if one fails."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from authored import GOOD, hook, written
from said import Sapper, refused

from games.minesweeper import STATES
from strategies.testing import CHECKS

UNSOUND = GOOD.replace("clue.all_true", "clue.low")
SLOW = """end = time.process_time() + 2.5
while knowledge.universe.bit_count() > 99 and time.process_time() < end:
    pass
return []"""


def checked(sapper: Sapper, folder: Path, code: str) -> dict[str, str]:
    """The details of the failed checks, by name."""
    said = sapper("validate", written(folder, code), "--boards", "60", "--json")
    (verdict,) = said.objects
    assert said.code == (0 if verdict["ok"] else 1)
    assert verdict["ok"] == all(check["ok"] for check in verdict["checks"])
    return {check["check"]: check["detail"] for check in verdict["checks"] if not check["ok"]}


def test_validate_good_strategy_passes(sapper: Sapper, tmp_path: Path) -> None:
    printed = sapper("validate", written(tmp_path, GOOD), "--boards", "60").printed
    *checks, verdict = printed.splitlines()[1:]
    names = [line[10:36].strip() for line in checks]
    assert (names, verdict) == (["loads", "answers", *CHECKS, "cost", "fires", "plays"], "  valid")
    assert "ms per call" in printed
    assert re.search(r"ok +fires +alone on [1-9]\d* of 60 boards; never after", printed)


@pytest.mark.parametrize(
    ("check", "code", "detail"),
    [
        ("loads", "x = 1 / 0\n", "mine.py, line 2: ZeroDivisionError"),
        ("loads", "import os\nos._exit(3)\n", "its process ended (exit code 3)"),
        ("answers", GOOD.replace("for", "knowledge.nothing\n    for"), "line 7: it raised AttributeError"),
        ("sound", UNSOUND, "(mine.py, line 9)"),
        ("fires", GOOD.replace("clue.all_true", "clue.size == 77"), "line 5: its deduce never answers"),
        ("fires", hook("guess", "return []"), "its guess never answers"),
        ("cost", "import time\n" + hook("deduce", SLOW), "more than 2 s; bound the work in steps"),
    ],
)
def test_validate_bad_strategy_fails_its_check(
    check: str, code: str, detail: str, sapper: Sapper, tmp_path: Path
) -> None:
    failed = checked(sapper, tmp_path, code)
    assert check in failed
    assert detail in failed[check]


def test_validate_board_below_check(sapper: Sapper, tmp_path: Path) -> None:
    said = sapper("validate", written(tmp_path, UNSOUND), "--boards", "60")
    assert said.code == 1
    assert re.search(rf"(?m)^ {{36}}[{re.escape(STATES)}]", said.out)
    assert said.out.endswith("\n  not valid\n")


def test_validate_observer(sapper: Sapper, tmp_path: Path) -> None:
    good = "@hookimpl\ndef acted(moves):\n    {}\n"
    assert checked(sapper, tmp_path, good.format("len(moves)")) == {}
    failed = checked(sapper, tmp_path, good.format("1 / 0"))
    assert "mine.py, line 4: its acted raised ZeroDivisionError" in failed["watches"]


def test_validate_project(sapper: Sapper, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[project.entry-points."sapper.strategies"]\na = "one"\nb = "two"\n'
    )
    (tmp_path / "one.py").write_text(GOOD)
    refused(sapper("validate", "."), 7, "entry point b names 'two'")
    (tmp_path / "src" / "two").mkdir(parents=True)
    (tmp_path / "src" / "two" / "__init__.py").write_text(GOOD)
    assert [each["ok"] for each in sapper("validate", ".", "--boards", "20", "--json").objects] == [True] * 2
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    refused(sapper("validate", "."), 7, "sapper.strategies")


def test_validate_missing_refused(sapper: Sapper) -> None:
    refused(sapper("validate", "nobody"), 2, "neither a file nor installed")
    said = sapper("validate", "nowhere/mine.py", "--json")
    assert (said.code, said.objects[0]["checks"][0]["ok"]) == (1, False)
