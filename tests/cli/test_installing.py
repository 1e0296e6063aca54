"""`sapper install` and `sapper uninstall`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from importlib import util
from pathlib import Path

import pytest
from places import HOUSE
from said import Said, Sapper, refused, run_process


def run(*words: str | Path, cwd: Path) -> Said:
    return run_process(*words, cwd=cwd, env=os.environ | {"PYTHONPATH": str(HOUSE)})


@pytest.mark.slow
def test_install_build_install_use_uninstall(tmp_path: Path) -> None:
    """In a new environment with the dependencies of this one, without network access."""
    venv.create(tmp_path / "venv", symlinks=True)  # pip is one of the dependencies
    python = tmp_path / "venv" / "bin" / "python"
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=tmp_path).printed
    (Path(site.strip()) / "ours.pth").write_text(sysconfig.get_path("purelib") + "\n")
    sapper = (python, "-m", "bot")
    project = tmp_path / "corner-rule"
    assert run(*sapper, "new-strategy", "corner-rule", cwd=tmp_path).printed
    assert run(sys.executable, "-m", "build", "--wheel", "--no-isolation", project, cwd=tmp_path).printed
    (wheel,) = (project / "dist").glob("sapper_corner_rule-0.1.0-*.whl")
    done = run(*sapper, "install", wheel, "--json", "--", "--no-index", "--no-deps", cwd=tmp_path)
    assert json.loads(done.printed) == {
        "package": "sapper-corner-rule", "done": "installed", "strategies": ["corner-rule"],
    }  # fmt: skip
    listed = run(*sapper, "strategies", cwd=tmp_path).printed
    assert "corner-rule          deduces  entry point of sapper-corner-rule 0.1.0" in listed
    assert run(*sapper, "validate", "sapper-corner-rule", "--boards", "20", cwd=tmp_path).printed
    words = ("bench", "--size", "5x5", "--mines", "3", "--games", "5", "--strategy", "corner-rule", "--json")
    assert json.loads(run(*sapper, *words, cwd=tmp_path).printed)["games"] == 5
    gone = run(*sapper, "uninstall", "corner-rule", cwd=tmp_path)
    assert gone.printed == "removed sapper-corner-rule: corner-rule\n"
    assert "corner-rule" not in run(*sapper, "strategies", cwd=tmp_path).printed


def test_install_invalid_package_refused(
    sapper: Sapper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    refused(sapper("install", "mine.py"), 2, "is a single file: use it with --strategy")
    refused(sapper("install", "empty"), 7, "no pyproject.toml with a project name")
    refused(sapper("uninstall", "pytest"), 2, "'pytest' is not a package with strategies")
    refused(sapper("uninstall", "sapper"), 2, "'sapper' is not a package with strategies")
    said = subprocess.CompletedProcess([], 1, "", "Looking\nERROR: Could not find it\nERROR: No match\n")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: said)
    refused(sapper("install", "nothing"), 7, "nothing: cannot install it: ERROR: Could not find it")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0, "", ""))
    refused(sapper("install", "pytest"), 7, "pytest is installed but has no plugin")


def test_install_without_pip_uses_uv_here(sapper: Sapper, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def ran(words: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        asked.append(words)
        return subprocess.CompletedProcess(words, 1, "", "error: no network")

    monkeypatch.setattr(util, "find_spec", lambda name: None)
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/uv")
    monkeypatch.setattr(subprocess, "run", ran)
    refused(sapper("install", "sapper-corner-rule"), 7, "error: no network")
    assert asked == [["/usr/bin/uv", "pip", "install", "--python", sys.executable, "sapper-corner-rule"]]


def test_install_without_pip_or_uv_refused(
    sapper: Sapper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = util.find_spec
    monkeypatch.setattr(util, "find_spec", lambda name: None if name == "pip" else real(name))
    monkeypatch.setattr(shutil, "which", lambda name: None)
    refused(sapper("install", "x"), 8, "neither pip nor uv")
    (tmp_path / "EXTERNALLY-MANAGED").touch()
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    refused(sapper("install", "x"), 8, "this Python belongs to the system")
