"""Learned parameters: `vision` loads what `training` writes; damaged files and other numbers are refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import vision
from games.errors import InvalidFile, MissingRequirement
from training import params_check
from training.pipeline import ASSUMED, STEPS
from vision.cells.model import CellModel
from vision.counter import CounterReader
from vision.params import digest_of, load_network, load_table, write_header, write_table

SHIPPED = Path(vision.__file__).parent / "params"


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the shipped files that `vision` and the check read."""
    shutil.copytree(SHIPPED, tmp_path / "params")
    monkeypatch.setattr("vision.params.resources.files", lambda package: tmp_path)
    monkeypatch.setattr(params_check, "PARAMS", tmp_path / "params")
    return tmp_path / "params"


def load_error(load: Callable[[], object]) -> str:
    with pytest.raises(MissingRequirement, match=r"\A[^\n]*: install Sapper again\Z") as caught:
        load()
    assert caught.value.exit_code == 8
    return str(caught.value)


def load_links() -> object:
    return load_table("links")


@pytest.mark.parametrize(
    ("name", "load", "message"),
    [
        ("cells.onnx", CellModel.load, "the file is damaged"),
        ("cells.json", CellModel.load, ""),
        ("digits.npz", CounterReader.load, "the file is damaged"),
        ("links.json", load_links, "it is no table of parameters"),
    ],
)
def test_shipped_file_missing_or_damaged_one_line(
    name: str, load: Callable[[], object], message: str, copy: Path
) -> None:
    for text in (b"", b"[]", b"{}", b"\xff\xfe", b'{"values": 1}', b'{"sha256": "0"}'):
        (copy / name).write_bytes(text)
        assert message in load_error(load)
    (copy / name).unlink()
    assert "No such file" in load_error(load)


@pytest.mark.parametrize("name", ["cells.onnx", "grid_cells.onnx", "overview.onnx"])
def test_shipped_file_no_network_one_line(name: str, copy: Path) -> None:
    assert (copy / name).stat().st_size <= 1_500_000
    (copy / name).write_bytes(b"not a network")
    write_header(copy / name, {})
    assert "cannot run it" in load_error(lambda: load_network(name))


def test_table_written_is_loaded_changed_is_refused(copy: Path) -> None:
    file = copy / "links.json"
    write_table(file, {"a": 1.5, "b": [2.0]}, {"command": "python -m training mine"})
    assert load_links() == {"a": 1.5, "b": [2.0]}
    file.write_text(file.read_text(encoding="utf-8").replace("1.5", "1.6"), encoding="utf-8")
    assert "links.json: the file is damaged" in load_error(load_links)


def test_shipped_params_agree_with_headers() -> None:
    params_check.main()


def test_steps_use_only_files_of_earlier_steps() -> None:
    written = set(ASSUMED)
    for step in STEPS:
        assert set(step.inputs) <= written, step.name
        written |= set(step.files)


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
        *(("game.json", {"commit": text}, "no commit") for text in (None, "0" * 40 + "-changed")),
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
