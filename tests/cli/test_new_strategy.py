"""`sapper new-strategy`: the project is valid, tested and installable."""

from __future__ import annotations

import json
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from places import HOUSE
from said import Said, Sapper, refused, run_process

from bot.cli.main import main


def run_pytest(project: Path, *words: str) -> Said:
    return run_process(sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", *words, cwd=project)


@pytest.mark.parametrize("kind", ["", "--guess", "--observer"])
def test_template_is_valid(kind: str, sapper: Sapper, tmp_path: Path) -> None:
    said = sapper("new-strategy", "my-own", *filter(None, [kind]))
    assert said.code == 0
    folder = tmp_path / "my-own"
    assert len(said.out.split()) == len(list(folder.rglob("*.*")))
    done = run_pytest(folder, "-W", "error")
    assert kind or "10 passed" in done.printed
    ruff = Path(sys.executable).with_name("ruff")
    assert run_process(ruff, "check", "--config", HOUSE / "pyproject.toml", "my_own.py", cwd=folder).printed
    (verdict,) = sapper("validate", folder, "--boards", "20", "--json").objects
    assert verdict["ok"], verdict


def test_template_two_kinds_refused(sapper: Sapper) -> None:
    refused(sapper("new-strategy", "other", "--guess", "--observer"), 2, "leave one of them out")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    assert main(["new-strategy", "corner-rule", "--out", str(tmp_path)]) == 0
    return tmp_path / "corner-rule"


def test_template_tests_find_mistake(project: Path) -> None:
    """The contract suite in the project settings runs on the changed file."""
    rule = project / "corner_rule.py"
    rule.write_text(rule.read_text(encoding="utf-8").replace("clue.all_true:", "clue.low:"), encoding="utf-8")
    done = run_pytest(project, "-k", "sound")
    assert done.code == 1
    assert "corner-rule, sound: 'all mines' concludes that" in done.out


@pytest.mark.parametrize(
    ("origin", "requirement"),
    [
        (None, "sapper>=1.5"),
        ({"url": "https://git.example/s.git", "vcs_info": {"vcs": "git", "commit_id": "ab12"}},
         "sapper @ git+https://git.example/s.git@ab12"),
        ({"url": "https://x.example/s.whl", "archive_info": {}}, "sapper @ https://x.example/s.whl"),
        ({"url": "file" + ":///somewhere", "dir_info": {}}, ""),
    ],
)  # fmt: skip
def test_template_names_installable_sapper(
    origin: object, requirement: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Installed:
        version = "1.5"

        def read_text(self, name: str) -> str | None:
            assert name == "direct_url.json"
            return json.dumps(origin) if origin else None

    monkeypatch.setattr(metadata, "distribution", lambda name: Installed())
    assert main(["new-strategy", "corner-rule", "--out", str(tmp_path)]) == 0
    project = tomllib.loads((tmp_path / "corner-rule" / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["dependencies"] == ([requirement] if requirement else [])


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("Corner", "cannot be a strategy's name"),
        ("../x", "cannot be a strategy's name"),
        ("single-cell", "is already the name of a strategy"),
        ("random", "would hide a module of Python or Sapper"),
        ("strategies", "would hide a module of Python or Sapper"),
        ("taken", "already exists: choose another name"),
    ],
)
def test_template_invalid_name_refused(name: str, complaint: str, tmp_path: Path, sapper: Sapper) -> None:
    (tmp_path / "taken").mkdir()
    refused(sapper("new-strategy", name, "--out", tmp_path), 2, complaint)
