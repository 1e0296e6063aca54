"""Putting packages of strategies into the environment that Sapper runs in, and taking them out again.

That is what `sys.executable` says: a virtual environment, pipx's (which shares its pip with them) or that of
a uv tool (which has no pip: uv itself is asked).
"""

from __future__ import annotations

import importlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Sequence
from importlib import metadata, util
from pathlib import Path

from games.errors import InvalidFile, MachineLacks, Usage
from games.suggesting import did_you_mean
from strategies.hookspecs import ENTRY_POINTS, PROJECT


def install(what: str, editable: bool = False, extra: Sequence[str] = ()) -> tuple[str, tuple[str, ...]]:
    """Install a package: by name, a project's folder, a wheel. Its name, and those of its strategies.

    `extra` goes to the installer as it is. Raises Usage for a single file, InvalidFile when it cannot be
    installed or holds no strategy, MachineLacks where there is nothing to install with.
    """
    if what.endswith(".py"):
        raise Usage(f"{what} is a single file: use it with --strategy, or make a package with new-strategy")
    if what.startswith("-"):
        raise Usage(f"'{what}' is no package: put the installer's own options behind --")
    name = _name_of(what)
    is_here = Path(what).exists()
    source = str(Path(what).absolute()) if is_here else what
    _run("install", [*(["--editable"] if editable else []), source, *extra], what)
    importlib.invalidate_caches()
    found = _strategies_of(name)
    if not found:
        raise InvalidFile(
            f"{name} is installed and holds no strategy: no entry point of the group '{ENTRY_POINTS}'; "
            f"'{sys.executable} -m pip uninstall {name}' takes it out again"
        )
    return _plain(name), found


def uninstall(what: str) -> tuple[str, tuple[str, ...]]:
    """Take out the package of this name, or that a strategy of this name is from; what `install` says.

    Raises Usage for what holds no strategy, and what `install` raises.
    """
    by_strategy = {point.name: point.dist.name for point in _points() if point.dist}
    package = by_strategy.get(what, what)
    found = _strategies_of(package)
    if not found or _plain(package) == PROJECT:
        known = sorted({*by_strategy, *by_strategy.values()})
        there = f"installed are {', '.join(known)}" if known else "none is installed"
        raise Usage(f"'{what}' is no package with strategies{did_you_mean(what, known)}: {there}")
    _run("uninstall", [package], what)
    importlib.invalidate_caches()
    return package, found


def _points() -> list[metadata.EntryPoint]:
    return list(metadata.entry_points(group=ENTRY_POINTS))


def _strategies_of(package: str) -> tuple[str, ...]:
    return tuple(p.name for p in _points() if p.dist and _plain(p.dist.name) == _plain(package))


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _name_of(what: str) -> str:
    """The name of a package that is to be installed. Raises InvalidFile, Usage."""
    path = Path(what)
    if path.is_dir():
        try:
            return str(
                tomllib.loads((path / "pyproject.toml").read_text(encoding="utf-8"))["project"]["name"]
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InvalidFile(f"{what}: no pyproject.toml that names a project: see new-strategy") from error
    match = re.match(
        r"[A-Za-z0-9][A-Za-z0-9._]*" if path.suffix == ".whl" else r"[A-Za-z0-9][\w.-]*", path.name
    )
    if not match:
        raise Usage(f"'{what}' is no package: name one, the folder of a project, or a wheel")
    return re.sub(r"-\d.*", "", match[0]) if path.suffix == ".gz" else match[0]


def _run(verb: str, words: Sequence[str], what: str) -> None:
    """Have pip or uv do it. Raises InvalidFile with its last word, MachineLacks where there is neither."""
    if sys.prefix == sys.base_prefix and (Path(sysconfig.get_path("stdlib")) / "EXTERNALLY-MANAGED").exists():
        raise MachineLacks(
            "this Python belongs to the system, which lets nobody install: "
            "put Sapper into an environment of its own (python3 -m venv, pipx or uv), and use that one"
        )
    if util.find_spec("pip"):
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", verb]
        command += ["--yes"] if verb == "uninstall" else []
    elif uv := shutil.which("uv"):
        command = [uv, "pip", verb, "--python", sys.executable]
    else:
        raise MachineLacks("there is neither pip nor uv to install with: 'python -m ensurepip' brings pip")
    done = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
    if done.returncode:
        said = [line.strip() for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        errors = [line for line in said if re.match(r"error|\u00d7", line, re.IGNORECASE)] or said[-1:]
        raise InvalidFile(f"{what}: cannot {verb} it: {errors[0] if errors else 'no reason was given'}")
