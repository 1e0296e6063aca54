"""Print what ran and what was skipped in `make windows`, as Markdown tables.

python -m tools.windows_table FOLDER    # with the JUnit files of pytest, one per part
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

KINDS = ("skipped", "failure", "error")


def main(folder: Path) -> None:
    """Print one line per part, then the skipped and failed tests."""
    print("| part | passed | skipped | failed | seconds |\n|---|---|---|---|---|")
    found: dict[str, Counter[tuple[str, str]]] = {kind: Counter() for kind in KINDS}
    for file in sorted(folder.glob("*.xml")):
        suites = ET.parse(file).getroot().iter("testsuite")  # noqa: S314 - written by pytest
        for suite in suites:
            counts = dict.fromkeys(KINDS, 0)
            cases = list(suite.iter("testcase"))
            for case in cases:
                for kind in KINDS:
                    for why in case.findall(kind):
                        counts[kind] += 1
                        name = case.get("classname") or case.get("name") or ""
                        found[kind][
                            name.replace(".", "/"), " ".join(why.get("message", "").split())[:160]
                        ] += 1
            failed = counts["failure"] + counts["error"]
            passed = len(cases) - counts["skipped"] - failed
            print(
                f"| {file.stem.replace(' ', '/')} | {passed} | {counts['skipped']} | {failed} "
                f"| {float(suite.get('time', 0)):.0f} |"
            )
    for title, kinds in (("skipped", KINDS[:1]), ("failed", KINDS[1:])):
        rows = [(*key, count) for kind in kinds for key, count in sorted(found[kind].items())]
        if rows:
            print(f"\n| {title} | number | reason |\n|---|---|---|")
            for name, reason, count in rows:
                print(f"| {name} | {count} | {reason.replace('|', '/')} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
