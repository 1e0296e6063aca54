"""Loading strategies: names, order, files, packages, and errors."""

from __future__ import annotations

from pathlib import Path

import pytest
from installed import pretend_installed

import strategies
from games import minesweeper
from games.errors import InvalidFile, UsageError
from games.logic import Constraint, Deduction, Knowledge
from strategies import BUILT_IN, DEFAULT_ORDER, Reasoner, available_strategies, load_strategies, load_strategy
from strategies import testing as strategy_testing

TEN_LINES = """
from strategies import Deduction, hookimpl

NAME = "nothing-left"

@hookimpl
def deduce(knowledge):
    for constraint in knowledge.constraints:
        if constraint.all_false:
            yield Deduction.false(constraint.cells, because=(constraint,), rule="no mine is left")
"""

A_CLASS = """
from __future__ import annotations
from dataclasses import dataclass, field
from strategies import Guess, Position, hookimpl

@dataclass
class Last:
    NAME = "last-cell"
    asked: list[int] = field(default_factory=list)

    @hookimpl
    def guess(self, position: Position) -> list[Guess]:
        return [Guess(position.openable.bit_length() - 1, 0.5)]
"""


def names(*wanted: str) -> list[str]:
    return [strategy.name for strategy in load_strategies(wanted or None)]


def written(folder: Path, text: str, name: str = "my_own.py") -> str:
    (folder / name).write_text(text)
    return str(folder / name)


def test_load_order_and_additions(tmp_path: Path) -> None:
    assert names() == [strategy.name for strategy in load_strategies([])] == list(DEFAULT_ORDER)
    assert set(DEFAULT_ORDER) <= set(BUILT_IN)
    assert load_strategies()[-1].has_guess
    own, last = written(tmp_path, TEN_LINES), written(tmp_path, A_CLASS, "last.py")
    given = ["backtracking", own, "lowest-risk", "single-cell"]
    assert names(*given) == ["backtracking", "nothing-left", "lowest-risk", "single-cell"]
    assert names("single-cell", "single-cell") == ["single-cell", "lowest-risk"]  # it cannot guess
    deducing = [name for name in DEFAULT_ORDER if load_strategy(name).has_deduce]
    assert names(last) == [*deducing, "last-cell"]  # it cannot deduce
    assert names(last, "lowest-risk") == [*deducing, "last-cell", "lowest-risk"]
    assert names("single-cell", last) == ["single-cell", "last-cell"]


def test_load_one_strategy_alone(tmp_path: Path) -> None:
    """By name, by file, or as a plugin object."""
    guess = load_strategy("lowest-risk")
    assert (guess.name, guess.origin) == ("lowest-risk", "built-in")
    assert load_strategy(guess) is guess
    own = load_strategy(Path(written(tmp_path, A_CLASS)))
    assert load_strategy(own.plugin).has_guess
    assert load_strategy(type(own.plugin)).name == "last-cell"
    with pytest.raises(InvalidFile, match="dict: contains no strategy"):
        load_strategy({})


def test_load_built_in_origin() -> None:
    for strategy in load_strategies(list(BUILT_IN)):
        assert strategy.origin == "built-in"
        assert strategy.version
        assert strategy.has_deduce or strategy.has_guess
    assert dict(available_strategies())["set-rules"] == "built-in"


def test_load_ten_line_file(tmp_path: Path) -> None:
    path = written(tmp_path, TEN_LINES)
    strategy = load_strategies([path])[0]
    assert (strategy.name, strategy.origin) == ("nothing-left", path)
    assert (strategy.has_deduce, strategy.has_guess) == (True, False)
    assert len(strategy.version) == 12
    known = Knowledge.of(7, [Constraint(7, 0, 0, "A")])
    assert list(strategy.deduce(known, 7)) == [Deduction.false(7, known.constraints, "no mine is left")]
    assert Reasoner([strategy]).deduce(known).knowledge.false == 7
    nameless = written(tmp_path, TEN_LINES.replace('NAME = "nothing-left"', ""))
    assert load_strategies([nameless])[0].name == "my-own"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("def deduce(:\n", "line 1: invalid syntax"),
        ("\n\nx = 1 / 0\n", "line 3: ZeroDivisionError: division by zero"),
        ("import a_module_that_is_nowhere\n", "line 1: ModuleNotFoundError"),
        ("def deduce(knowledge): return []\n", "contains no strategy"),
        ("from strategies import hookimpl\n@hookimpl\ndef deduce(board): return []\n", "board"),
        (A_CLASS + A_CLASS.replace("Last", "Other").partition("hookimpl")[2], "contains 2 strategies"),
        (A_CLASS.replace("= field(default_factory=list)", ""), "failed: TypeError"),
    ],
)
def test_load_damaged_file_one_line(tmp_path: Path, text: str, complaint: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InvalidFile) as caught:
        load_strategies([path])
    message = str(caught.value)
    assert complaint in message
    assert path in message
    assert "\n" not in message


def test_load_unknown_name_or_file_refused() -> None:
    with pytest.raises(
        UsageError, match=r"'magic' is not a known strategy: use one of single-cell, .*lowest"
    ):
        load_strategies(["magic"])
    with pytest.raises(InvalidFile, match="cannot be read"):
        load_strategies(["nowhere/mine.py"])


def test_load_installed_strategies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plugin = load_strategy(written(tmp_path, TEN_LINES)).plugin
    pretend_installed(monkeypatch, "sapper.strategies", fine=plugin, broken=ImportError("no such thing"))
    assert dict(available_strategies())["fine"] == "entry point of package.module"
    strategy = load_strategies(["fine"], trust=True)[0]
    assert (strategy.name, strategy.origin) == ("nothing-left", "entry point of package.module")
    with pytest.raises(InvalidFile, match=r"strategy broken: .* ImportError: no such thing"):
        load_strategies(["broken"], trust=True)


def test_load_twice_answers_once() -> None:
    first, second = load_strategies(["single-cell"])[0], load_strategies(["single-cell"])[0]
    knowledge = Knowledge.of(0b11, [Constraint.parse("0:0,1")])
    assert first.plugin is second.plugin
    assert len(list(first.deduce(knowledge, 0b11))) == len(list(second.deduce(knowledge, 0b11))) == 1


def test_deprecated_names_still_importable() -> None:
    assert strategies.Outcome is strategies.ReasoningResult
    assert strategies.Step is strategies.ProofStep
    assert strategies.Game is strategies.GameInfo
    assert strategies.Planned is strategies.PlanInfo
    assert strategies.Shown is strategies.CertainCell
    assert strategies.Ended is strategies.GameEnd
    assert strategies.available is strategies.available_strategies
    assert strategy_testing.Sample is strategy_testing.SampleBoard
    assert strategy_testing.layouts is strategy_testing.all_models
    assert strategy_testing.certain is strategy_testing.certain_variables
    assert strategy_testing.smallest_like is strategy_testing.minimize_fault
    assert minesweeper.knowledge_of is minesweeper.board_knowledge  # in tests of old `new-strategy` projects


@pytest.mark.parametrize(
    ("named", "name"),
    [("first-order", "single-cell"), ("recursion_deduct", "supposing"), ("update-deduct", "supposing")],
)
def test_registry_source_name_leads_to_strategy(named: str, name: str) -> None:
    assert load_strategy(named).name == name
