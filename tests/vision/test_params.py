"""Learned parameters: `vision` loads what `training` writes; damaged files and other numbers are refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import vision
from games.errors import InvalidFile, MissingRequirement
from training import params_check
from training.pipeline import ASSUMED, STEPS
from vision.params import digest_of, load_table, write_table

SHIPPED = Path(vision.__file__).parent / "params"


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table that `load_table("mine")` reads."""
    monkeypatch.setattr("vision.params.resources.files", lambda package: tmp_path)
    (tmp_path / "params").mkdir()
    file = tmp_path / "params" / "mine.json"
    write_table(file, {"a": 1.5, "b": [2.0]}, {"command": "python -m training mine"})
    return file


def test_table_written_is_loaded(table: Path) -> None:
    assert load_table("mine") == {"a": 1.5, "b": [2.0]}


def test_table_changed_value_is_refused(table: Path) -> None:
    table.write_text(table.read_text(encoding="utf-8").replace("1.5", "1.6"), encoding="utf-8")
    with pytest.raises(MissingRequirement, match=r"mine.json: the file is damaged .*install Sapper again"):
        load_table("mine")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"values": 1}', '{"sha256": "0"}'])
def test_table_other_content_is_refused(table: Path, text: str) -> None:
    table.write_text(text, encoding="utf-8")
    with pytest.raises(MissingRequirement, match="no table of parameters"):
        load_table("mine")


def test_shipped_params_agree_with_headers() -> None:
    params_check.main()


def test_steps_use_only_files_of_earlier_steps() -> None:
    written = set(ASSUMED)
    for step in STEPS:
        assert set(step.inputs) <= written, step.name
        written |= set(step.files)


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the shipped files that the check reads."""
    shutil.copytree(SHIPPED, tmp_path / "params")
    monkeypatch.setattr("vision.params.resources.files", lambda package: tmp_path)
    monkeypatch.setattr(params_check, "PARAMS", tmp_path / "params")
    return tmp_path / "params"


def rewrite(path: Path, **changes: Any) -> None:
    file = json.loads(path.read_text(encoding="utf-8")) | changes
    if "values" in changes:
        file["sha256"] = digest_of(file["values"])
    path.write_text(json.dumps(file), encoding="utf-8")


def refused() -> str:
    with pytest.raises(InvalidFile) as caught:
        params_check.main()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_check_value_changed_by_hand_is_refused(copy: Path) -> None:
    """Even if the checksum is right: `vision` was started with another value."""
    values = load_table("links")
    rewrite(copy / "links.json", values=values | {"blank": [0.0, 0.0, 0.0, 0.0]})
    assert "links.json: vision uses other values" in refused()


MADE: dict[str, Any] = {"commit": "0" * 40, "data_sha256": "0", "metrics": {"links": 1}, "inputs": {}}
ON_VALIDATION = {"fitted": "training and validation families", "measured": None}


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("links.json", {"command": "hand"}, "another command made it: hand"),
        ("game.json", {"split": ON_VALIDATION}, "it was fitted on validation data"),
        ("links.json", {"inputs": {"cells.json": "another"}}, "its inputs have changed since"),
        *(("game.json", {"commit": text, "origin": None}, "") for text in (None, "0" * 40 + "-changed")),
    ],
)
def test_check_other_header_is_refused(copy: Path, name: str, changes: dict[str, Any], message: str) -> None:
    rewrite(copy / name, **MADE | changes)
    assert f"{name}: {message}" in refused()


def test_check_changed_network_is_refused(copy: Path) -> None:
    (copy / "digits.npz").write_bytes(b"other")
    assert "digits.npz: the file is damaged" in refused()


def test_check_file_without_step_is_refused(copy: Path) -> None:
    (copy / "other.json").write_text("{}")
    assert "other.json: no step writes it" in refused()
