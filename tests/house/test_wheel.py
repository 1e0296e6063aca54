"""The wheel contains exactly the packages, their data and the kernels, and works outside the checkout."""

from __future__ import annotations

import os
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from places import HOUSE, ROOMS, house_files, text_of
from said import run_process

INFO = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE", "top_level.txt"}

pytestmark = pytest.mark.slow


def run(*words: str | Path, cwd: Path, **options: Any) -> str:
    """The output of a program that succeeds."""
    return run_process(*words, cwd=cwd, timeout=300, **options).printed


def expected_files() -> Iterator[str]:
    project = tomllib.loads(text_of("pyproject.toml"))
    name, version = project["project"]["name"], project["project"]["version"]
    yield from (f"{name}-{version}.dist-info/{file}" for file in INFO)
    yield from (f"{module}.py" for module in project["tool"]["setuptools"]["py-modules"])
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    kernels = {path.stem for path in (HOUSE / "strategies" / "kernels").glob("*.py")}
    yield from (f"strategies/kernels/{name}{suffix}" for name in kernels - {"__init__", "settings"})
    for package in project["tool"]["setuptools"]["packages"]:
        folder = HOUSE / package.replace(".", "/")
        for pattern in ("*.py", *project["tool"]["setuptools"]["package-data"].get(package, ())):
            yield from (path.relative_to(HOUSE).as_posix() for path in folder.glob(pattern))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    clone, out = tmp_path_factory.mktemp("clone"), tmp_path_factory.mktemp("wheel")
    for path in house_files():
        if "fixtures" not in path.parts:
            copy = clone / path.relative_to(HOUSE)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    words = ("-m", "build", "--no-isolation", "--outdir", out, clone)  # from the sdist
    quick = out / "quick-cc"  # the same contents in less time
    quick.write_text('#!/bin/sh\nexec cc "$@" -O0\n', encoding="utf-8")
    quick.chmod(0o755)
    run(sys.executable, *words, cwd=out, env=os.environ | {"CC": str(quick)})
    (built,) = out.glob("*.whl")
    return built


def test_wheel_without_compiler_is_plain(wheel: Path, tmp_path: Path) -> None:
    (source,) = wheel.parent.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, filter="data")
    (clone,) = tmp_path.iterdir()
    words = ("-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, clone)
    run(sys.executable, *words, cwd=tmp_path, env=os.environ | {"CC": "false"})
    (built,) = tmp_path.glob("*.whl")
    code = "from strategies.kernels import is_compiled; print(is_compiled())"
    for path, answer in ((built, "False"), (wheel, "True")):
        unpacked = tmp_path / answer
        with zipfile.ZipFile(path) as zipped:
            zipped.extractall(unpacked)  # noqa: S202 - our own
        assert run(sys.executable, "-c", code, cwd=unpacked, env=clean_environment()).strip() == answer


def test_wheel_contains_packages_and_data(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    assert held == set(expected_files())
    assert held >= {
        "bot/programs/known/xdemineur.toml",
        "vision/params/cells.onnx",
        "vision/params/cells.json",
    }


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of a new environment with the wheel.

    The dependencies come from the environment of the tests, so no network is needed. Its editable install of
    the checkout is invisible, because Python does not follow .pth files in such a folder.
    """
    place = tmp_path_factory.mktemp("away") / "venv"
    venv.create(place, with_pip=False, symlinks=True)
    python = place / "bin" / "python"
    target = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=place).strip()
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    run(*pip, "install", "--no-deps", "--no-index", "--no-compile", wheel, cwd=place)
    folders = [folder for folder in sys.path if Path(folder).name == "site-packages"]
    (Path(target) / "dependencies.pth").write_text("\n".join(folders) + "\n", encoding="utf-8")
    return place / "bin"


def clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


@pytest.mark.parametrize("command", ["sapper --help", "python -m bot --help"])
def test_installed_command_runs(installed: Path, tmp_path: Path, command: str) -> None:
    program, *words = command.split()
    printed = run(installed / program, *words, cwd=tmp_path, env=clean_environment())
    assert "Usage: " in printed
    assert "play" in printed


@pytest.mark.parametrize("room", sorted((*ROOMS, "sapper")))
def test_packages_come_from_wheel(installed: Path, tmp_path: Path, room: str) -> None:
    code = f"import {room}; print({room}.__file__)"
    found = run(installed / "python", "-c", code, cwd=tmp_path, env=clean_environment()).strip()
    assert Path(found).is_relative_to(installed.parent)
