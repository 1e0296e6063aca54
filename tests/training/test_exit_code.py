"""Messages of the training commands if a download or a package is missing."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from places import HOUSE
from said import run_process

from training.exit_code import exit_code_of


@pytest.mark.parametrize(
    ("words", "lacks"),
    [
        ("training report", "python -m training draw"),
        ("training draw", "python -m training fetch"),
        ("training digits", "python -m training fetch"),
        ("training board-check", "python -m training fetch"),
        ("training.grids.locate_report", "python -m training fetch"),
    ],
)
def test_missing_download_is_named(words: str, lacks: str, tmp_path: Path) -> None:
    shutil.copytree(HOUSE / "training", tmp_path / "training")  # without .cache
    environment = os.environ | {"PYTHONPATH": str(HOUSE)}
    done = run_process(sys.executable, "-m", *words.split(), cwd=tmp_path, env=environment)
    assert done.code == 8, done
    (line,) = done.err.splitlines()
    assert lacks in line


def test_missing_package_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    def work() -> None:
        raise ModuleNotFoundError("no torch", name="torch")

    assert exit_code_of(work) == 8
    assert capsys.readouterr().err == "missing package torch: run pip install -e '.[train]'\n"
