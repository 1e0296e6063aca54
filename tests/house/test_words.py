"""Words of a private dialect that must not come back, in names, docstrings, comments and messages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[2]

CLEAN = ("games", "strategies", "vision", "bot", "training", "benchmarks", "tools")

INSTEAD = {  # what must not be said, as a pattern without word boundaries: what to say
    r"told|(?<!\.)tells?|telling|teller": "reports, prints, names, says",  # but file.tell()
    "worked out": "inferred",
    "anew": "again",
    "twins?": "unavoidable 50/50",
    "suppositions?": "case, split",
    "roles?|fillings?|meanings?": "label, labelling",
    "counting in the premises|count(?:ing)? out": "bounds propagation",
    "second look": "look-ahead depth 2",
    "looks? of|a look|passing look": "observation, frame, skin, theme, transient",
    "(?:smallest )?sets? that cannot all hold": "minimal conflict, smallest conflict",
    "rules? off": "quarantined",
    "(?:first|second|third|fourth|fifth) (?:seed|source)|seed [1-5]": "the source's title and section",
}
REASONING = {  # what these mean on a screen is not what they once meant in a proof
    "box|boxes": "equivalence class (of cells)",
    "witness(?!es\\b)|refuting|forcing": "model, refutation, propagation",
}


def offences(text: str, instead: Mapping[str, str] = INSTEAD) -> Iterator[tuple[int, str, str]]:
    """The line, what is said there, and what to say instead; words in names count as words."""
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, better in instead.items():
            found = re.search(rf"(?<![A-Za-z])(?:{pattern})(?![A-Za-z])", line, re.IGNORECASE)
            if found:
                yield number, found[0], better


@pytest.mark.parametrize("folder", CLEAN)
def test_the_old_words_do_not_come_back(folder: str) -> None:
    instead = INSTEAD | (REASONING if folder in {"games", "strategies"} else {})
    files = sorted((HOUSE / folder).rglob("*.py"))
    assert files
    wrong = [
        f"{path.relative_to(HOUSE)}, line {number}: '{said}': say {better}"
        for path in files
        for number, said, better in offences(path.read_text(encoding="utf-8"), instead)
    ]
    assert not wrong, "\n".join(wrong)


PAGES = sorted((HOUSE / "docs").glob("*.md"))  # results name seeds, and decisions what a word was before


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_old_words_do_not_come_back_in_the_docs(page: Path) -> None:
    assert [found for _, found, _ in offences(page.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("_told_apart = 1", "told"),
        ("# worked out anew", "worked out"),
        ("class Twin:", "Twin"),
        ("raise Wrong('seed 3 says')", "seed 3"),
        ('"""A supposition."""', "supposition"),
    ],
)
def test_old_words_are_found_in_names_comments_and_messages(line: str, said: str) -> None:
    assert said in [found for _, found, _ in offences(line)]


@pytest.mark.parametrize("line", ["stolid = 1", "a gold medal", "untold", "boxed", "TellPerson", "outlook"])
def test_other_words_are_left_alone(line: str) -> None:
    assert list(offences(line)) == []
