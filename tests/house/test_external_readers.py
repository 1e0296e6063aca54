"""Every reader of files from outside uses `games.external`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
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
    for folder in ("bot", "games", "strategies", "vision"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            lines = list(direct_reads(ast.parse(file.read_text(encoding="utf-8"))))
            if lines:
                found[file.relative_to(ROOT).as_posix()] = lines
    found.pop("games/external.py")
    assert not {file: lines for file, lines in found.items() if file not in OWN_FILES}
    assert found.keys() >= OWN_FILES.keys()  # no entry without a reason left
