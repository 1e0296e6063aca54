"""The wheel holds exactly the packages, their data and the kernels, and works far from the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[2]
ROOMS = {"bot", "games", "strategies", "vision"}
INFO = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE", "top_level.txt"}

pytestmark = pytest.mark.slow


def run(*words: str | Path, cwd: Path, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def tracked_copy(target: Path) -> None:
    """What git would put into a fresh clone if everything that it does not ignore were committed."""
    listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", cwd=HOUSE).stdout
    for name in filter(None, listed.split("\0")):
        if (HOUSE / name).is_file() and not name.startswith("fixtures/"):
            copy = target / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes((HOUSE / name).read_bytes())


def expected_files() -> Iterator[str]:
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))
    name, version = project["project"]["name"], project["project"]["version"]
    yield from (f"{name}-{version}.dist-info/{file}" for file in INFO)
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    kernels = HOUSE / "strategies" / "kernels"
    yield from (path.with_suffix(suffix).relative_to(HOUSE).as_posix() for path in kernels.glob("*.pxd"))
    for package in project["tool"]["setuptools"]["packages"]:
        folder = HOUSE / package.replace(".", "/")
        for pattern in ("*.py", *project["tool"]["setuptools"]["package-data"].get(package, ())):
            yield from (path.relative_to(HOUSE).as_posix() for path in folder.glob(pattern))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    clone, out = tmp_path_factory.mktemp("clone"), tmp_path_factory.mktemp("wheel")
    tracked_copy(clone)
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, clone, cwd=out)  # from the sdist
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
        done = run(sys.executable, "-c", code, cwd=unpacked, env=clean_environment())
        assert done.stdout.strip() == answer


def test_the_wheel_holds_exactly_the_packages_and_their_data(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    assert held == set(expected_files())


def test_the_wheel_holds_no_folder_but_the_four_rooms(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.partition("/")[0] for name in archive.namelist()}
    assert tops == ROOMS | {"-".join(wheel.name.split("-")[:2]) + ".dist-info"}


@pytest.mark.parametrize(
    "needed",
    [
        "bot/__main__.py",
        "bot/programs/known/xdemineur.toml",
        "vision/params/cells.onnx",
        "vision/params/cells.sha256",
        "vision/params/picture.json",
    ],
)
def test_the_wheel_can_play_xdemineur(wheel: Path, needed: str) -> None:
    with zipfile.ZipFile(wheel) as archive:
        assert needed in archive.namelist()


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of a new environment with the wheel in it and nothing else of ours.

    The dependencies come from the environment of the tests, so that no network is needed; the checkout that
    is installed there as editable does not, for a .pth file named in a .pth file is not followed.
    """
    place = tmp_path_factory.mktemp("away") / "venv"
    venv.create(place, with_pip=False, symlinks=True)
    python = place / "bin" / "python"
    target = run(
        python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=place
    ).stdout.strip()
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    run(*pip, "install", "--no-deps", "--no-index", "--no-compile", wheel, cwd=place)
    (Path(target) / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return place / "bin"


def clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


@pytest.mark.parametrize("command", ["sapper --help", "python -m bot --help"])
def test_the_installed_command_answers_outside_the_checkout(
    installed: Path, tmp_path: Path, command: str
) -> None:
    program, *words = command.split()
    done = run(installed / program, *words, cwd=tmp_path, env=clean_environment())
    assert "Usage: " in done.stdout
    assert "play" in done.stdout


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_the_rooms_come_from_the_wheel(installed: Path, tmp_path: Path, room: str) -> None:
    code = f"import {room}; print({room}.__file__)"
    found = run(installed / "python", "-c", code, cwd=tmp_path, env=clean_environment()).stdout.strip()
    assert Path(found).is_relative_to(installed.parent)
