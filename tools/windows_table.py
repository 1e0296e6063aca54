"""Print the results of `make windows` and the skipped tests as Markdown tables.

python -m tools.windows_table FOLDER    # with the JUnit files of pytest, one per part
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

LONGEST_REASON = 160  # characters


def main(folder: Path) -> None:
    """Print one line per part, then the skipped and failed tests with their reasons."""
    print("| part | passed | skipped | failed | seconds |\n|---|---|---|---|---|")
    skipped: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for file in sorted(folder.glob("*.xml")):
        for suite in ET.parse(file).getroot().iter("testsuite"):  # noqa: S314 - written by pytest
            cases = list(suite.iter("testcase"))
            skips = [row for case in cases for row in _reasons(case, "skipped")]
            faults = [row for case in cases for row in _reasons(case, "failure", "error")]
            skipped.update(skips)
            failed.update(faults)
            passed = len(cases) - len(skips) - len(faults)
            seconds = float(suite.get("time", 0))
            print(f"| tests/{file.stem} | {passed} | {len(skips)} | {len(faults)} | {seconds:.0f} |")
    for title, found in (("skipped", skipped), ("failed", failed)):
        if found:
            print(f"\n| {title} | reason | number |\n|---|---|---|")
            for row, count in sorted(found.items()):
                print(f"| {row} | {count} |")


def _reasons(case: ET.Element, *kinds: str) -> list[str]:
    """`file | reason` for each result of these kinds."""
    name = (case.get("classname") or case.get("name") or "").replace(".", "/")
    messages = [found.get("message") or "" for kind in kinds for found in case.findall(kind)]
    return [f"{name} | {' '.join(each.split())[:LONGEST_REASON].replace('|', '/')}" for each in messages]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
