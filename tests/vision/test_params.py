"""Tables of learned parameters: what `training` writes is what `vision` loads; damaged files are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import vision
from games.errors import MissingRequirement
from vision.params import load_table, write_table

TABLES = sorted(path.stem for path in (Path(vision.__file__).parent / "params").glob("*.json"))


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table that `load_table("mine")` reads."""
    monkeypatch.setattr("vision.params.resources.files", lambda package: tmp_path)
    (tmp_path / "params").mkdir()
    file = tmp_path / "params" / "mine.json"
    write_table(file, {"a": 1.5, "b": [2.0]}, made_by="python -m training mine", commit=None)
    return file


def test_table_written_is_loaded(table: Path) -> None:
    assert load_table("mine") == {"a": 1.5, "b": [2.0]}


def test_table_changed_value_is_refused(table: Path) -> None:
    table.write_text(table.read_text(encoding="utf-8").replace("1.5", "1.6"), encoding="utf-8")
    with pytest.raises(MissingRequirement, match=r"mine.json: the file is damaged .*install Sapper again"):
        load_table("mine")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"values": 1}'])
def test_table_other_content_is_refused(table: Path, text: str) -> None:
    table.write_text(text, encoding="utf-8")
    with pytest.raises(MissingRequirement, match="no table of parameters"):
        load_table("mine")


@pytest.mark.parametrize("name", TABLES)
def test_table_shipped_names_its_origin(name: str) -> None:
    """The command, the data and the split; the commit is unknown for files from before it was recorded."""
    file = json.loads((Path(vision.__file__).parent / "params" / f"{name}.json").read_text())
    assert file["made_by"] == "hand" or file["made_by"].startswith("python -m training ")
    assert file["data"]
    assert file["fitted_on"]
    assert file["commit"] or file["note"]
