"""pytest plugin: the contract suite of a strategy, one test for each check; fixtures for recorded games.

pytest --sapper-strategy my-rule          # installed or built in
pytest --sapper-strategy ./my_rule.py     # a file

The fixtures `sapper_screenshot` and `sapper_recording` open files next to the test file.

pytest imports this module in every project of an environment with Sapper. It therefore imports nothing of
Sapper until it is used: a project may have its own package `strategies` or module `games`.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from bot.recording.recording import Recording
    from strategies.strategy import Strategy
    from vision.screenshot import ImageReading


OPTION, SETTING = "--sapper-strategy", "sapper_strategies"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option `--sapper-strategy` and the project setting `sapper_strategies`."""
    about = "Sapper strategy, by name or file, to run the contract suite on"
    parser.getgroup("sapper").addoption(
        OPTION, action="append", default=[], metavar="NAME_OR_FILE", help=f"{about}; repeat for more"
    )
    parser.addini(SETTING, f"{about}; files are relative to the configuration file", "linelist", [])


@pytest.hookimpl(tryfirst=True)  # so that -k, -m and --last-failed apply to these items, too
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Append the contract suite of each named strategy to the collected tests."""
    added: list[pytest.Item | pytest.Collector] = [*contract_items(session, config)]
    if added:
        config.hook.pytest_collectreport(report=pytest.CollectReport("sapper", "passed", None, added))
        items.extend(item for item in added if isinstance(item, pytest.Item))


def contract_items(session: pytest.Session, config: pytest.Config) -> Iterator[pytest.Item]:
    """One test for each check of each strategy in the options and settings."""
    names = dict.fromkeys([*config.getini(SETTING), *config.getoption(OPTION)])
    if not names:
        return
    refuse_shadowed_packages()
    from games.errors import SapperError
    from strategies.registry import load_strategy
    from strategies.testing.contract import CHECKS

    for name in names:
        beside = config.rootpath / name
        try:
            strategy = load_strategy(str(beside) if name.endswith(".py") and beside.exists() else name)
        except SapperError as error:
            raise pytest.UsageError(str(error)) from error
        for check in CHECKS:
            title = f"contract[{check}]"
            yield ContractItem.from_parent(
                session, name=title, nodeid=f"{name}::{title}", strategy=strategy, check=check
            )


@pytest.fixture
def sapper_screenshot(request: pytest.FixtureRequest) -> Callable[[str], ImageReading]:
    """Read the board in a picture; the path is relative to the folder of the test file."""
    refuse_shadowed_packages("sapper_screenshot", ("sapper", "vision"))
    import sapper

    return lambda path: sapper.read(request.path.parent / path)


@pytest.fixture
def sapper_recording(request: pytest.FixtureRequest) -> Callable[[str], Recording]:
    """Open a recording; the path is relative to the folder of the test file."""
    refuse_shadowed_packages("sapper_recording", ("bot", "sapper", "vision"))
    import sapper

    return lambda path: sapper.Recording(request.path.parent / path)


def refuse_shadowed_packages(use: str = OPTION, others: tuple[str, ...] = ()) -> None:
    """Raise UsageError if a module of the project hides a package of Sapper."""
    for package in ("games", "strategies", *others):
        spec = importlib.util.find_spec(package)
        found = Path(spec.origin) if spec and spec.origin else Path(package)
        if Path(__file__).parent not in (found.parent, found.parent.parent):
            raise pytest.UsageError(f"{found} hides Sapper's package {package}: rename it to use {use}")


class ContractItem(pytest.Item):
    """One check of one strategy."""

    def __init__(self, strategy: Strategy, check: str, **about: Any) -> None:
        super().__init__(**about)
        self._strategy, self._check = strategy, check

    def runtest(self) -> None:
        """Raises AssertionError with the smallest board on which the check fails."""
        from strategies.testing.contract import check_strategy

        check_strategy(self._strategy, only=self._check)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The error and the board, without a traceback."""
        if isinstance(excinfo.value, AssertionError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """The project folder instead of a line of code."""
        return self.session.path, None, f"{self._strategy.name}, {self._check}"
