"""Every rule and function of the five sources has its row in docs/reasoning.md, with a place and a test."""

from __future__ import annotations

import re

import pytest
from places import HOUSE, defined

PAGE = (HOUSE / "docs/reasoning.md").read_text(encoding="utf-8")
SOURCES: dict[str, tuple[str, ...]] = {
    "1": (
        "5.1 fundamental clue rule",
        "5.2 containment reduction",
        "5.3 residual saturation",
        "5.3.1 lemma",
        "saturation",
    ),
    "2": (
        "ADJMINE",
        "Rn INT Rm",
        "not transitive",
        "1 all",
        "2 as many",
        "3 a subset",
        "4 the difference",
        "4 …",
        "5 the chain",
        "5 Rusin",
        "6 the endgame",
        '6 "one more',
    ),
    "3": (
        "the loop",
        "hand disjointedness",
        "card shown",
        "no card shown",
        "knowing a murder card",
        "knowing all but one",
        "number of cards ruled out",
        "the simplest case",
        "a more general case",
        "the most general case",
        "repeated elements",
        "sole player",
        "across categories",
    ),
    "4": (
        "`first_order_deduct`",
        "`flag_change`",
        "`coords_to_check`",
        "`recursion_deduct`",
        "`possible`",
        "`update_deduct`",
        "`has_update`",
        "`list_open`",
        "`list_mark_mine`",
        "`is_legal`",
        "ILLEGAL 0, POSSIBLE 1, LEGAL 2",
        "`coord_around`",
        "`count_around`",
        "`get_next_hidden_coord`",
    ),
    "5": (
        "`get_frontier`",
        "`get_statement_source`",
        "tree shaking",
        "combinations",
        "model list",
        "`reduce_cell_state_variation`",
        "stays unknown",
        "sequential steps",
        "user's hint",
        "input file",
        "output parser",
    ),
}
NOT_YET: tuple[str, ...] = ()  # rules that a later version brings


def rows_of_the_sources(page: str) -> dict[str, list[list[str]]]:
    """The rows (rule, place, test) of each source's table."""
    _, tables = page.split("## Where each rule of the sources lives")
    found: dict[str, list[list[str]]] = {}
    for part in re.split(r"^### ", tables, flags=re.MULTILINE)[1:]:
        rows = re.findall(r"^\| (.*?) ?\|$", part, re.MULTILINE)
        cells = [[cell.strip() for cell in row.split(" | ")] for row in rows if "lives in" not in row]
        found[part[0]] = cells
    return found


def wrong_with_the_sources(page: str) -> list[str]:
    """Rules without a row, rows without a place or a test, and places that are not there."""
    wrong = []
    tables = rows_of_the_sources(page)
    for source, words in SOURCES.items():
        rules = " ".join(row[0] for row in tables.get(source, []))
        wrong += [f"{source}: {name} has no row" for name in words if name not in rules]
    for source, rows in tables.items():
        for rule, *rest in rows:
            place, test = (*rest, "", "")[:2]
            if "*not yet*" in place and rule.startswith(NOT_YET):
                continue
            if not re.search(r"`(games|strategies|bot)/[\w/]+\.py::\w+`", place):
                wrong.append(f"{source}: {rule} has no place")
            if not re.search(r"`tests/\w+/test_\w+\.py::test_\w+`", test):
                wrong.append(f"{source}: {rule} has no test")
            for path, name in re.findall(r"`([\w/]+\.py)::(\w+)`", f"{place} {test}"):
                file = HOUSE / path
                if not file.is_file() or name not in defined(file):
                    wrong.append(f"{source}: {rule}: {path}::{name} is not there")
    return wrong


def test_every_rule_of_the_sources_has_a_place_and_a_test() -> None:
    assert sum(map(len, rows_of_the_sources(PAGE).values())) > 65
    assert wrong_with_the_sources(PAGE) == []


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("elimination.py::Elimination`", "elimination.py::Gauss`", "5 Rusin"),
        ("test_packing.py::test_clue_inference`", "test_packing.py::test_nothing`", "repeated elements"),
        ("| 5.2 containment", "| 9.9 containment", "5.2 containment reduction has no row"),
        (
            "`strategies/builtin/packing.py::_summed`",
            "*not yet*",
            "sole player missing multiple cards has no",
        ),
        ("strategies/builtin/legality.py", "strategies/illegal.py", "is not there"),
    ],
)
def test_a_row_whose_code_or_test_is_gone_is_seen(old: str, new: str, complaint: str) -> None:
    assert old in PAGE
    assert any(complaint in line for line in wrong_with_the_sources(PAGE.replace(old, new)))
