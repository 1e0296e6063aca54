"""Every rule and function of the five sources has a row with code and tests in docs/reference/sources.md."""

from __future__ import annotations

import re

import pytest
from places import HOUSE, defined, text_of

PAGE = text_of("docs/reference/sources.md")
# number of a source: its rules
SOURCES = {
    "1": """
        5.1 fundamental clue rule | 5.2 containment reduction | 5.3 residual saturation | 5.3.1 lemma |
        saturation
    """,
    "2": """
        ADJMINE | Rn INT Rm | not transitive | 1 all | 2 as many | 3 a subset | 4 the difference | 4 … |
        5 the chain | 5 Rusin | 6 the endgame | 6 "one more
    """,
    "3": """
        the loop | hand disjointedness | card shown | no card shown | knowing a murder card |
        knowing all but one | number of cards ruled out | the simplest case | a more general case |
        the most general case | repeated elements | sole player | across categories
    """,
    "4": """
        `first_order_deduct` | `flag_change` | `coords_to_check` | `recursion_deduct` | `possible` |
        `update_deduct` | `has_update` | `list_open` | `list_mark_mine` | `is_legal` |
        ILLEGAL 0, POSSIBLE 1, LEGAL 2 | `coord_around` | `count_around` | `get_next_hidden_coord`
    """,
    "5": """
        `get_frontier` | `get_statement_source` | tree shaking | combinations | model list |
        `reduce_cell_state_variation` | stays unknown | sequential steps | user's hint | input file |
        output parser
    """,
}


def source_rows(page: str) -> dict[str, list[list[str]]]:
    """Rows (rule, code, tests) of each source's table, by the number of the source."""
    _, tables = page.split("## Rules and their code")
    found: dict[str, list[list[str]]] = {}
    for part in re.split(r"^### ", tables, flags=re.MULTILINE)[1:]:
        rows = re.findall(r"^\| (.*?) ?\|$", part, re.MULTILINE)
        cells = [[cell.strip() for cell in row.split(" | ")] for row in rows]
        found[part[0]] = [row for row in cells if row[1:] != ["code", "tests"]]
    return found


def source_problems(page: str) -> list[str]:
    """Rules without a row, rows without code or tests, and places that do not exist."""
    problems = []
    tables = source_rows(page)
    for source, names in SOURCES.items():
        rules = " ".join(row[0] for row in tables.get(source, []))
        words = (re.sub(r"\s+", " ", name).strip() for name in names.split("|"))
        problems += [f"{source}: {name} has no row" for name in words if name not in rules]
    for source, rows in tables.items():
        for rule, *rest in rows:
            code, tests = (*rest, "", "")[:2]
            if not re.search(r"`(games|strategies|bot)/[\w/]+\.py::\w+`", code):
                problems.append(f"{source}: {rule} has no code")
            if not re.search(r"`tests/\w+/test_\w+\.py`", tests):
                problems.append(f"{source}: {rule} has no tests")
            for path, name in re.findall(r"`([\w/]+\.py)(?:::(\w+))?`", f"{code} {tests}"):
                file = HOUSE / path
                if not file.is_file() or (name and name not in defined(file)):
                    problems.append(f"{source}: {rule}: {path}::{name} does not exist")
    return problems


def test_every_rule_has_code_and_tests() -> None:
    assert sum(map(len, source_rows(PAGE).values())) > 65
    assert source_problems(PAGE) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("linear.py::IntegerElimination`", "linear.py::Gauss`", "5 Rusin"),
        ("`tests/strategies/test_packing.py`", "`tests/strategies/test_nothing.py`", "hitting sets"),
        ("| 5.2 containment", "| 9.9 containment", "5.2 containment reduction has no row"),
        ("`strategies/builtin/packing.py::_summed`", "*missing*", "missing multiple cards has no code"),
        ("strategies/builtin/legality.py", "strategies/illegal.py", "does not exist"),
    ],
)
def test_missing_code_or_test_is_reported(old: str, new: str, problem: str) -> None:
    assert old in PAGE
    assert any(problem in line for line in source_problems(PAGE.replace(old, new)))
