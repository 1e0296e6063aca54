"""What pages of HTML that need nothing else are made of: files of a package, and data for a script."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any


def part(package: str, name: str) -> str:
    """The text of a file that lies in a package."""
    return resources.files(package).joinpath(name).read_text(encoding="utf-8")


def in_script(data: dict[str, Any]) -> str:
    """JSON that can stand in a script element whatever it holds."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
