"""The list of platform checks is complete."""

from __future__ import annotations

import re
from fnmatch import fnmatch

from places import HOUSE

CHECK = re.compile(
    r"sys\.platform|platform\.(machine|system)\(|os\.name\b|is_wine\(|hasattr\((os|signal|select|socket|errno),"
)
PRODUCT = ("bot", "games", "strategies", "vision")


def test_platform_checks_are_listed() -> None:
    page = (HOUSE / "docs" / "reference" / "platforms.md").read_text(encoding="utf-8")
    listed = re.findall(
        r"`([\w/*]+\.py)`", "".join(line.split("|")[1] for line in page.splitlines() if "|" in line)
    )
    files = [HOUSE / "setup.py", *(path for folder in PRODUCT for path in (HOUSE / folder).rglob("*.py"))]
    checking = {
        path.relative_to(HOUSE).as_posix() for path in files if CHECK.search(path.read_text(encoding="utf-8"))
    }
    assert [name for name in sorted(checking) if not any(fnmatch(name, each) for each in listed)] == []
    assert [each for each in listed if not any(fnmatch(name, each) for name in checking)] == []
