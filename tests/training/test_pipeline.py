"""Steps of the training: all exist, and their headers tell trial runs and changed sources apart."""

from __future__ import annotations

import ast
import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from places import HOUSE

from games.errors import MissingRequirement
from training import cell_dataset, storage
from training.__main__ import MAINS
from training.params_check import FIELDS, NETWORKS
from training.storage import Fit, digest_arrays, make_header, sized
from vision.params import header_name

FIT = Fit("2 drawn cells", "0", {"right": 0.123456789, "cells": 2})


@pytest.mark.parametrize("name", MAINS)
def test_step_function_exists(name: str) -> None:
    module, function = MAINS[name].split(":")
    tree = ast.parse((HOUSE / "training" / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8"))
    assert function in {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}


def test_header_has_all_fields() -> None:
    header = make_header("links.json", FIT)
    assert set(header) == set(FIELDS) - {"sha256"}
    assert header["command"] == "python -m training links"
    assert header["metrics"] == {"right": 0.12346, "cells": 2}


def test_header_trial_run_names_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(storage.SHARE, "0.01")
    assert sized(200) == 2
    assert make_header("links.json", FIT)["command"] == "python -m training links --share 0.01"


@pytest.mark.parametrize("name", NETWORKS.values())
def test_network_header_names_checksum(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "PARAMS", tmp_path)
    (tmp_path / name).write_bytes(b"network")
    storage.write_network(name, FIT)
    header = json.loads((tmp_path / header_name(name)).read_text(encoding="utf-8"))
    assert header["sha256"] == hashlib.sha256(b"network").hexdigest()
    assert set(header) == set(FIELDS)


def test_digest_depends_on_type_shape_and_values() -> None:
    zeros = np.zeros((2, 3))
    others = (np.zeros((3, 2)), np.zeros((2, 3), np.float32), np.ones((2, 3)))
    assert digest_arrays(zeros) == digest_arrays(zeros.copy())
    assert digest_arrays(zeros) not in {digest_arrays(each) for each in others}


def test_load_cells_missing_batch_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupted `draw` step must not become a smaller training set."""
    monkeypatch.setattr(cell_dataset, "CELLS", tmp_path)
    cells = {"pictures": np.zeros((2, 32, 32, 3), np.uint8), "kinds": np.array([3, 4], np.uint8)}
    storage.write_arrays(tmp_path / "train-00001.npz", cells)
    assert cell_dataset.load_cells("train", [1])[1].tolist() == [3, 4]
    with pytest.raises(MissingRequirement, match="run 'python -m training draw'"):
        cell_dataset.load_cells("train", [1, 2])
