"""The test tools for strategy authors detect errors and print a small board."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from authored import BAD, GOOD, written
from places import FIXTURES

from games.errors import UsageError
from games.logic import Knowledge
from games.minesweeper import Board
from strategies import Reasoner, load_strategies
from strategies.testing import CHECKS, assert_deduces, assert_sound, check_strategy, position_of, samples
from strategies.testing.contract import GuardedKnowledge
from strategies.testing.minimize import minimize

pytest_plugins = ["pytester"]


@pytest.mark.parametrize("name", BAD)
def test_contract_detects(name: str, tmp_path: Path) -> None:
    check, code, said = BAD[name]
    with pytest.raises(AssertionError, match=re.escape(said)) as caught:
        check_strategy(written(tmp_path, code), only=check)
    first, *board = str(caught.value).splitlines()
    assert first.startswith(f"mine, {check}: ")
    assert len(Board.parse("\n".join(board))) <= 6


def test_contract_good_strategy_passes(tmp_path: Path) -> None:
    check_strategy(written(tmp_path, GOOD))
    assert_sound(written(tmp_path, GOOD), boards=300)


def test_contract_unknown_check_refused() -> None:
    with pytest.raises(UsageError, match="'pretty' is not a check: use one of within budget, sound"):
        check_strategy("single-cell", only="pretty")


def test_counterexample_is_minimal(tmp_path: Path) -> None:
    """`nearly all` is wrong for a 1 next to two cells; no smaller board shows it."""
    with pytest.raises(AssertionError) as caught:
        assert_sound(written(tmp_path, BAD["an unsound rule"][1]))
    first, *board = str(caught.value).splitlines()
    assert first.startswith("mine is not sound: 'nearly all' concludes that 2 of r")
    assert sorted("".join(board)) == list("..1")


def test_minimize_stops_at_smallest_complaint() -> None:
    sample = next(s for s in samples("shrink", 50) if s.mines.bit_count() > 2)
    smallest, said = minimize(sample, lambda s: "too many mines" if s.mines.bit_count() > 1 else "")
    assert said == "too many mines"
    assert smallest.mines.bit_count() == 2
    assert (smallest.rows * smallest.columns, smallest.open) == (2, 0)


def test_assert_deduces_compares_boards(tmp_path: Path) -> None:
    mine = written(tmp_path, GOOD)
    assert_deduces(mine, "1.\n11", "1*\n11")
    assert_deduces(mine, "mines 1\n1..", "1*.")
    assert_deduces(mine, "...\n121", "...\n121")
    assert_deduces("set-rules", "...\n111", "-*-\n111", beside=["single-cell"])
    with pytest.raises(AssertionError, match=r"mine finds\n1\*\n11\nand not\n1\.\n11\non\n1\.\n11"):
        assert_deduces(mine, "1.\n11", "1.\n11")


def test_assert_deduces_fault_shows_its_board(tmp_path: Path) -> None:
    said = r"mine is quarantined .* from r0c0 = 1 that r0c1 and r1c1 are mines, .*\n1\.\.\n"
    with pytest.raises(AssertionError, match=said):
        assert_deduces(written(tmp_path, BAD["an unsound rule"][1]), "1..\n1..", "1**\n1**")


def test_guarded_knowledge_same_answers() -> None:
    """The strategies derive the same from guarded knowledge and read no private attributes."""
    strategies = load_strategies()
    for sample in samples("watched", 20):
        watched = GuardedKnowledge(sample.knowledge)
        found, plain = (Reasoner(strategies).deduce(each).knowledge for each in (watched, sample.knowledge))
        assert (found.true, found.false) == (plain.true, plain.false)
        assert watched.peeked == ()
        assert isinstance(watched, Knowledge)
        assert position_of(sample.board, watched).openable


def test_position_of_text_has_exact_risks() -> None:
    position = position_of("1..\n...")
    assert (position.rows, position.columns, position.openable.bit_count()) == (2, 3, 5)
    assert position.risks[1] == pytest.approx(1 / 3)


@pytest.fixture
def project(pytester: pytest.Pytester, request: pytest.FixtureRequest) -> Callable[..., pytest.RunResult]:
    """A project with one file; runs pytest in it in this process."""

    has_plugin = request.config.pluginmanager.hasplugin("sapper")
    plugins = () if has_plugin else ("-p", "sapper_pytest")

    def run(code: str, *words: str, settings: str = "") -> pytest.RunResult:
        pytester.makepyfile(mine="from strategies import Deduction, Guess, hookimpl\n" + code)
        pytester.makepyprojecttoml(f"[tool.pytest.ini_options]\n{settings}")
        return pytester.runpytest_inprocess("-p", "no:xdist", *plugins, *words)

    return run


def test_suite_runs_on_command_line_names(project: Callable[..., pytest.RunResult]) -> None:
    done = project(GOOD, "-v", "--sapper-strategy", "mine.py", "--sapper-strategy", "mine-count")
    done.assert_outcomes(passed=2 * len(CHECKS))
    done.stdout.fnmatch_lines(
        ["*collected 12 items", "mine.py::contract[[]sound[]] PASSED*", "mine-count::contract*"]
    )


def test_suite_runs_on_configured_names(project: Callable[..., pytest.RunResult]) -> None:
    settings = 'sapper_strategies = ["mine.py"]'
    project(GOOD, "-k", "sound", settings=settings).assert_outcomes(passed=1, deselected=len(CHECKS) - 1)


def test_suite_failure_shows_complaint_and_board(project: Callable[..., pytest.RunResult]) -> None:
    done = project(BAD["random guesses"][1], "--sapper-strategy", "mine.py")
    done.assert_outcomes(passed=len(CHECKS) - 2, failed=2)  # `does not peek` asks twice, too
    done.stdout.fnmatch_lines(["mine, deterministic: it answers a repeated call differently"])
    done.stdout.no_fnmatch_line("*Traceback*")


FIXTURE_TESTS = """
def test_pictures(sapper_screenshot):
    assert sapper_screenshot("lost.png").board.rows == 16


def test_games(sapper_recording):
    assert sapper_recording("kmines-001").boards().shape[1:] == (16, 16)
"""


def test_fixtures_open_files_of_project(
    project: Callable[..., pytest.RunResult], pytester: pytest.Pytester
) -> None:
    shutil.copy(FIXTURES / "screens" / "kmines" / "question_mark.png", pytester.path / "lost.png")
    shutil.copytree(FIXTURES / "recordings" / "kmines-001", pytester.path / "kmines-001")
    pytester.makepyfile(test_files=FIXTURE_TESTS)
    project(GOOD).assert_outcomes(passed=2)


def test_suite_missing_strategy_one_line(project: Callable[..., pytest.RunResult]) -> None:
    done = project(GOOD, "--sapper-strategy", "magic")
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines(["ERROR: 'magic' is not a known strategy: use one of single-cell*"])
