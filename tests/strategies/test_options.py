"""Options of a strategy: declared in its file, set behind its name, refused in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from said import Sapper, refused

from bot.simulation.simulated_game import StrategySet
from games.errors import InvalidFile, UsageError
from strategies import CONTRACT, Option, load_strategies, load_strategy
from strategies.options import parse_spec
from strategies.testing import position_of

DEEP = """
from strategies import Guess, Option, bits, hookimpl

OPTIONS = (
    Option("depth", 3, "how many cells", least=1, most=5),
    Option("order", "first", "which of them", choices=("first", "last")),
    Option("sure", 0.5, "how safe"),
    Option("loud", False),
)


@hookimpl
def guess(position, options):
    cells = list(bits(position.openable))
    cells = cells[: options["depth"]] if options["order"] == "first" else cells[-options["depth"] :]
    return [Guess(k, options["sure"], "loud" if options["loud"] else "") for k in cells]
"""


@pytest.fixture
def deep(tmp_path: Path) -> str:
    (tmp_path / "deep.py").write_text(DEEP)
    return str(tmp_path / "deep.py")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("mine.py", ("mine.py", {})),
        ("./a:b/mine.py", ("./a:b/mine.py", {})),
        ("best:depth=3", ("best", {"depth": "3"})),
        ("C:\\mine.py:depth=3, wide = yes", ("C:\\mine.py:depth=3, wide = yes", {})),
        ("mine.py:depth=3,wide=,x-y=a b", ("mine.py", {"depth": "3", "wide": "", "x-y": "a b"})),
    ],
)
def test_options_after_last_colon(text: str, parts: tuple[str, dict[str, str]]) -> None:
    assert parse_spec(text) == parts


@pytest.mark.parametrize("trust", [True, False])
def test_options_reach_hook_everywhere(deep: str, trust: bool) -> None:
    position = position_of("....")
    (*_, plain) = load_strategies([deep], trust)
    assert [guess.cell for guess in plain.guess(position)] == [0, 1, 2]
    (*_, other) = load_strategies([f"{deep}:depth=2,order=last,loud=yes,sure=0.25"], trust)
    guesses = [(guess.cell, guess.safe, guess.reason) for guess in other.guess(position)]
    assert guesses == [(2, 0.25, "loud"), (3, 0.25, "loud")]
    assert other.name == "deep:depth=2,order=last,sure=0.25,loud=yes"
    assert other.chosen["depth"] == 2
    with pytest.raises(TypeError):
        other.chosen["depth"] = 3  # type: ignore[index]


def test_options_lineup_same_in_any_process(deep: str) -> None:
    assert load_strategy(f"{deep}:depth=3,loud=no").name == "deep"  # the defaults
    lineup = StrategySet.of([f"{deep}:depth=1"])
    assert lineup.sources[-1] == f"{deep}:depth=1"
    assert lineup.load()[-1].chosen["depth"] == 1
    assert lineup != StrategySet.of([f"{deep}:depth=2"])


@pytest.mark.parametrize("trust", [True, False])
@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        ("dept=2", r"no option 'dept' \(did you mean 'depth'\?\): its options are depth, a whole"),
        ("depth=9", "'9' is not a value of deep:depth: use a whole number from 1 to 5"),
        ("depth=two", "use a whole number from 1 to 5"),
        ("order=lats", r"did you mean 'last'\?\): use one of first, last"),
        ("loud=maybe", "use yes or no"),
    ],
)
def test_options_wrong_value_refused(deep: str, setting: str, complaint: str, trust: bool) -> None:
    with pytest.raises(UsageError, match=complaint) as caught:
        load_strategies([f"{deep}:{setting}"], trust)
    assert "\n" not in str(caught.value)


def test_options_of_built_in_without_options_refused() -> None:
    with pytest.raises(UsageError, match="it has no options"):
        load_strategy("single-cell:depth=3")


@pytest.mark.parametrize(
    "declared",
    ['Option("depth", 9, most=5)', 'Option("a b", 1)', '"depth"', 'Option("x", "a", choices=("b",))',
     'Option("x", 1), Option("x", 2)'],
)  # fmt: skip
def test_options_invalid_declaration_damaged_file(tmp_path: Path, declared: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        DEEP.partition("OPTIONS")[0] + f"OPTIONS = ({declared},)\n" + DEEP[DEEP.index("@hook") - 1 :]
    )
    with pytest.raises(InvalidFile, match=r"mine\.py"):
        load_strategy(str(file))


def test_options_listed_with_strategy(deep: str, sapper: Sapper) -> None:
    said = sapper("strategies", deep)
    assert "depth=3" in said.out
    assert "how many cells (a whole number from 1 to 5)" in said.out
    (told,) = sapper("strategies", f"{deep}:depth=4", "--json").objects
    assert told["options"][0] == {
        "name": "depth", "default": 3, "about": "how many cells", "kind": "a whole number from 1 to 5",
        "value": 4,
    }  # fmt: skip
    assert told["contract"] == CONTRACT
    refused(sapper("strategies", f"{deep}:dept=4"), 2, "did you mean 'depth'?")
    assert json.dumps(Option("x", 1).as_json())


@pytest.mark.parametrize(
    ("wanted", "complaint"), [("1.9", "use a newer Sapper"), ("0.3", "an older"), ("x", "'1.2'")]
)
def test_contract_unsupported_version_refused(tmp_path: Path, wanted: str, complaint: str) -> None:
    (tmp_path / "mine.py").write_text(f"CONTRACT = {wanted!r}\n{DEEP}")
    with pytest.raises(InvalidFile, match=complaint):
        load_strategies([str(tmp_path / "mine.py")])
    (tmp_path / "mine.py").write_text(f"CONTRACT = '1.0'\n{DEEP}")
    assert load_strategies([str(tmp_path / "mine.py")])[-1].name == "mine"
