"""Rules of the repository: file contents, dependencies, imports, packages, links, exit codes, readers."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

import pytest
from places import HOUSE, ROOMS, house_files, text_of
from said import run_process

import strategies.kernels
from games import errors


def text_files() -> Iterator[tuple[Path, str]]:
    for path in house_files():
        data = path.read_bytes()
        if b"\0" not in data[:8000]:
            yield path.relative_to(HOUSE), data.decode("utf-8", errors="replace")


def project() -> dict[str, Any]:
    return tomllib.loads(text_of("pyproject.toml"))


MACHINE_DETAILS = {
    "an index address": r"(--(extra-)?index[-]url|--find[-]links|PIP_\w+URL|\bhttps?:[/]{2}\S+/simple\b)",
    "a home folder": r"(?<![\w.])/(home/(?!\.\.\.)\w+|root/|Users/\w+)",
    "a folder of one machine": r"(?<![\w.\-}/])/(work|opt)/\w+",
    "a file address": r"file:///\w",
}


@pytest.mark.parametrize("what", sorted(MACHINE_DETAILS))
def test_no_file_contains(what: str) -> None:
    pattern = re.compile(MACHINE_DETAILS[what])
    here = Path(__file__).relative_to(HOUSE)
    found = [
        f"{path}:{number}: {line.strip()[:100]}"
        for path, text in text_files()
        if path != here  # it holds the patterns
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]
    assert found == []


def test_pins_are_names_and_versions_only() -> None:
    lines = text_of("requirements/constraints.txt").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert [pin for pin in pins if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", pin)] == []


def plain(requirement: str) -> str:
    """Normalized name of a requirement: 'PyAutoGUI>=0.9' is 'pyautogui'."""
    name = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert name is not None
    return re.sub(r"[-_.]+", "-", name[0]).lower()


def test_every_requirement_is_pinned() -> None:
    pins = text_of("requirements/constraints.txt").splitlines()
    pinned = {plain(pin) for pin in pins if not pin.startswith("#")}
    stated = project()["project"]
    required = {plain(one) for one in stated["dependencies"] + stated["optional-dependencies"]["dev"]}
    assert required - pinned == set()


def test_every_dependency_has_its_reason() -> None:
    page = text_of("docs/reference/dependencies.md")
    documented = {plain(name) for name in re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE)}
    stated = project()["project"]
    assert documented == {
        plain(one) for one in stated["dependencies"] + stated["optional-dependencies"]["dev"]
    }


def test_every_package_is_listed_by_name() -> None:
    folders = {
        path.parent.relative_to(HOUSE).as_posix().replace("/", ".")
        for room in ROOMS
        for path in (HOUSE / room).rglob("*.py")
    }
    assert sorted(project()["tool"]["setuptools"]["packages"]) == sorted(folders)
    assert [room for room in ROOMS if not (HOUSE / room / "py.typed").is_file()] == []


def imports(room: str) -> set[str]:
    found = set()
    for path in (HOUSE / room).rglob("*.py"):
        for node in ast.walk(ast.parse(text_of(path))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                found.add(node.module.partition(".")[0])
    return found - sys.stdlib_module_names


def test_games_imports_only_the_standard_library() -> None:
    assert imports("games") <= {"games"}


@pytest.mark.parametrize(
    ("modules", "unused"),
    [
        ("bot.game, bot.simulation", "cv2 mss"),
        ("games.minesweeper, strategies.guesser, vision.frame, vision.reading", "Xlib mss numba pyautogui"),
    ],
)
def test_import_loads_no_unused_packages(modules: str, unused: str) -> None:
    code = f"import sys, {modules}; print(*set({unused.split()}) & set(sys.modules))"
    assert not run_process(sys.executable, "-c", code, cwd=HOUSE, env={"PATH": ""}).printed.strip()


def test_tests_and_their_files_have_unique_names() -> None:
    files = [path for path in (HOUSE / "tests").rglob("*.py") if path.name != "conftest.py"]
    names = [path.name for path in files]
    assert "__init__.py" not in names
    assert sorted(names) == sorted(set(names))
    tests = [name for path in files for name in re.findall(r"^def (test_\w+)", text_of(path), re.MULTILINE)]
    assert [name for name, count in Counter(tests).items() if count > 1] == []


PAGES = sorted(path for path in house_files() if path.suffix == ".md" and "fixtures" not in path.parts)


def anchors(page: Path) -> set[str]:
    """Anchors of a page's headings: lower case, dashes for spaces, no punctuation."""
    text = re.sub(r"^```.*?^```", "", text_of(page), flags=re.MULTILINE | re.DOTALL)
    heads = re.findall(r"^#+ +(.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(HOUSE)))
def test_every_link_has_a_target(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", text_of(page), flags=re.MULTILINE | re.DOTALL)
    dead = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"https?://|mailto:", target):
            continue
        name, _, anchor = target.partition("#")
        goal = (page.parent / name).resolve() if name else page
        is_there = goal.exists() and goal.is_relative_to(HOUSE)
        if not is_there or (anchor and anchor not in anchors(goal)):
            dead.append(target)
    assert dead == []


BASES = (errors.SapperError, errors.RetryableError, errors.GameStopped, errors.UserError)  # never raised


def test_every_error_has_its_exit_code() -> None:
    page = text_of("docs/reference/exit-codes.md")
    documented = dict(re.findall(r"^\| `(\w+)` \| (\d) \|", page, re.MULTILINE))
    own = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    kinds = [kind for kind in own if issubclass(kind, errors.SapperError) and kind not in BASES]
    assert documented == {kind.__name__: str(kind.exit_code) for kind in kinds}
    assert re.findall(r"^\| (\d) \|", page, re.MULTILINE) == [str(code) for code in range(9)]


OWN_FILES = {  # these read only what Sapper, Python or the kernel wrote
    "bot/desktop/virtual.py": "the log of the X server that Sapper started",
    "bot/plugin_template.py": "the metadata of the installed Sapper",
    "strategies/isolation/spawned.py": "messages of the parent process",
    "strategies/isolation/supervisor.py": "/proc",
    "strategies/isolation/server.py": "/proc and messages of the parent process",
    "strategies/isolation/client.py": "answers, limited in size when they are received",
    "strategies/isolation/worker.py": "/proc",
    "bot/desktop/wayland/sway.py": "messages of the compositor",
    "bot/simulation/tournament.py": "json.loads(json.dumps(...)), to compare with a file",
    "vision/params.py": "parameters in the package",
}
PARSERS = {"json", "tomllib", "pickle"}


def direct_reads(tree: ast.Module) -> Iterator[int]:
    """Lines that read or parse a file without the loader."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner, name = ast.unparse(node.func.value), node.func.attr
            is_read = name in {"read_bytes", "read_text"} and "resources.files" not in owner
            if (
                is_read
                or (name in {"load", "loads"} and owner in PARSERS)
                or (owner, name) == ("cv2", "imread")
            ):
                yield node.lineno


def test_readers_use_the_loader() -> None:
    found: dict[str, list[int]] = {}
    for file in (path for room in ROOMS for path in (HOUSE / room).rglob("*.py")):
        if lines := list(direct_reads(ast.parse(text_of(file)))):
            found[file.relative_to(HOUSE).as_posix()] = lines
    found.pop("games/external.py")
    assert not {file: lines for file, lines in found.items() if file not in OWN_FILES}
    assert found.keys() >= OWN_FILES.keys()  # no entry without a reason left


KERNELS = HOUSE / "strategies" / "kernels"


@pytest.mark.skipif(not strategies.kernels.is_compiled(), reason="the extension was not built")
@pytest.mark.parametrize("name", sorted(path.stem for path in KERNELS.glob("*.pxd")))
def test_kernel_newer_than_source(name: str) -> None:
    built = next(path for path in KERNELS.glob(f"{name}.*") if path.name.endswith(tuple(EXTENSION_SUFFIXES)))
    suffix = ".pyx" if (KERNELS / f"{name}.pyx").exists() else ".py"
    for source in (KERNELS / f"{name}{suffix}", KERNELS / f"{name}.pxd"):
        assert source.stat().st_mtime <= built.stat().st_mtime, "run make kernels"
