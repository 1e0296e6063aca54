"""`sapper replay` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from drawing import record_game
from said import Sapper, refused


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    record_game(tmp_path / "game-001", seed=2, remembers=True)
    return tmp_path / "game-001"


def test_replay_recording_same(sapper: Sapper, recording: Path) -> None:
    said = sapper("replay", "game-001")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("game-001: ")
    assert said.out.endswith(" actions: the same\n")
    (data,) = sapper("replay", "--json", recording).objects
    assert data["differences"] == []
    assert data["looks"] == data["acts"] + 1 > 2


def test_replay_difference_exit_code_1(sapper: Sapper, recording: Path) -> None:
    said = sapper("replay", "--strategy", "single-cell", "game-001")
    assert said.code == 1
    assert "differences: 1" in said.out
    (told,) = sapper("replay", "--json", "--strategy", "single-cell", "game-001").objects
    assert len(told["differences"]) == 1


def test_replay_missing_strategy_reported(sapper: Sapper, recording: Path) -> None:
    meta = json.loads((recording / "meta.json").read_text())
    meta["strategies"] = [["my-own", "ab12cd"], *meta["strategies"]]
    (recording / "meta.json").write_text(json.dumps(meta))
    said = "sapper: game-001: replaying without my-own: name them with --strategy\n"
    assert sapper("replay", "game-001").err == said


@pytest.mark.parametrize(
    ("code", "words", "message"),
    [
        (7, ["missing"], "missing"),
        (7, ["game-001/empty"], "contains no recording"),
        (7, ["game-001", "--strategy", "nosuch.py"], "nosuch.py"),
        (2, ["game-001", "--skin", "nosuch"], "'nosuch'"),
    ],
)
def test_replay_invalid_input_refused(
    code: int, words: list[str], message: str, sapper: Sapper, recording: Path
) -> None:
    (recording / "empty").mkdir()
    refused(sapper("replay", *words), code, message)
