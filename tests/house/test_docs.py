"""The pages agree with the code: commands, options, hooks, exit codes, names, paths; the site builds."""

from __future__ import annotations

import inspect
import os
import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import click
import pytest
from places import HOUSE, PAGES, ROOMS, defined, snippets, text_of
from said import run_process

from bot.cli.main import COMMANDS, sapper
from bot.programs.program import Program
from games.minesweeper.position import board_knowledge
from sapper_pytest import OPTION, SETTING
from strategies.testing import small_boards
from strategies.testing.contract import MOST_STEPS
from tools.command_reference import PAGE, option_rows, reference_page

GUIDES = [
    page for page in PAGES if page.parent.name in {"tutorial", "howto", "explain"} or page.parent == HOUSE
]
CONTRACT = "docs/reference/plugin-contract.md"
EXIT_CODES = "docs/reference/exit-codes.md"


def command_of(name: str) -> click.Command:
    found = sapper.get_command(click.Context(sapper), name)
    assert isinstance(found, click.Command)
    return found


def test_command_reference_is_current() -> None:
    """`python -m tools.command_reference` writes the page."""
    assert PAGE.read_text(encoding="utf-8") == reference_page()


@pytest.mark.parametrize("name", COMMANDS)
def test_command_reference_has_every_option(name: str) -> None:
    """Checks the generator: names, choices and defaults of each option are in the text."""
    text = reference_page()
    assert f"## `sapper {name}`" in text
    rows = set(option_rows(command_of(name)))
    options = [option for option in command_of(name).params if isinstance(option, click.Option)]
    assert len(rows) == len(options)
    assert all(row in text for row in rows)
    for option in options:
        (row,) = [row for row in rows if re.match(rf"- `(\S+, )*{re.escape(option.opts[0])}[`, ]", row)]
        assert not isinstance(option.type, click.Choice) or ",".join(option.type.choices) in row


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.name)
def test_guide_names_existing_options_only(page: Path) -> None:
    known = {word for name in COMMANDS for each in command_of(name).params for word in each.opts}
    known |= {word for each in sapper.params for word in each.opts} | {"--help"}
    assert set(re.findall(r"`(--[a-z0-9-]+)", text_of(page))) - known == set()


def examples() -> Iterator[str]:
    """Yield every indented `sapper` command of the pages, without its comment."""
    for page in PAGES:
        for line in text_of(page).splitlines():
            if re.match(r"    (\$ )?sapper ", line) and not re.search(
                r" (\[|[A-Z_]{3,}\b.*\.\.\.|[A-Z]+$)", line
            ):
                yield line.strip().removeprefix("$ ")


@pytest.mark.parametrize("line", sorted(set(examples())))
def test_example_command_parses(line: str) -> None:
    """Click parses the line; nothing runs."""
    _, name, *words = shlex.split(line, comments=True)
    assert name in COMMANDS
    command_of(name).make_context(name, words)


def test_programs_and_game_fields_are_documented() -> None:
    from bot.game.outcome import GameResult

    guides = "".join(map(text_of, GUIDES))
    assert [name for name in Program.names() if name not in guides] == []
    page = text_of("docs/reference/json-output.md")
    assert [name for name in GameResult.__dataclass_fields__ if f"`{name}`" not in page] == []


def test_contract_names_members_and_strategies() -> None:
    import strategies

    knowledge = board_knowledge(next(small_boards("docs", 1)))
    page = text_of(CONTRACT)
    table = page.partition("**Knowledge** is immutable.")[2].partition("`changed` is")[0]
    members = re.findall(r"`(\w+)(?:\(\w+\))?`", "".join(re.findall(r"^\| (.*?) \|", table, re.MULTILINE)))
    assert len(members) >= 6
    assert [name for name in members if not hasattr(knowledge, name)] == []
    assert [name for name in strategies.BUILT_IN if f"`{name}`" not in page] == []


def test_contract_lists_test_helpers() -> None:
    import strategies.testing

    page = text_of(CONTRACT)
    hidden = {"CHECKS", "Sample", "SampleBoard", "samples", "small_knowledge"}
    assert [name for name in set(strategies.testing.__all__) - hidden if f"`{name}(" not in page] == []
    checks = page.partition("| check | fails when |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `([a-z ]+)` \|", checks, re.MULTILINE) == list(strategies.testing.CHECKS)
    assert f"more than {MOST_STEPS:,} lines of Python" in page


def test_contract_lists_every_hook() -> None:
    from strategies import hookspecs

    hooks = {name for name, each in vars(hookspecs).items() if hasattr(each, f"{hookspecs.PROJECT}_spec")}
    assert hooks == {"deduce", "guess", *hookspecs.HOOKS}
    page = text_of(CONTRACT)
    for name in hooks:
        words = inspect.signature(getattr(hookspecs, name)).parameters
        assert f"| `{name}({', '.join(words)})` |" in page


def test_contract_names_the_pytest_setting() -> None:
    assert f"pytest {OPTION} " in text_of(CONTRACT)
    settings = [tomllib.loads(code) for _, code in snippets("toml") if SETTING in code]
    assert [each["tool"]["pytest"]["ini_options"] for each in settings] == [{SETTING: ["mine.py"]}]


def test_entry_points_match_a_new_project(tmp_path: Path) -> None:
    from bot.plugin_template import create_project
    from strategies.hookspecs import ENTRY_POINTS

    create_project("corner-rule", tmp_path)
    written = tomllib.loads((tmp_path / "corner-rule" / "pyproject.toml").read_text(encoding="utf-8"))
    shown = [tomllib.loads(code)["project"] for _, code in snippets("toml") if ENTRY_POINTS in code]
    assert shown
    assert all(each["entry-points"] == written["project"]["entry-points"] for each in shown)


def test_every_case_has_an_exit_code() -> None:
    _, cases = text_of(EXIT_CODES).split("## Cases")
    items = re.findall(r"^- .*$", cases, re.MULTILINE)
    codes = [re.match(r"- \*\*(\d)\*\* .+: .+", item) for item in items]
    assert len(items) > 50
    assert all(codes)
    assert {code[1] for code in codes if code} == set("12345678")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(HOUSE)))
def test_every_named_path_exists(page: Path) -> None:
    """`path/file.py::name` is a function or class in that file; `path/file.py` is a file."""
    place = re.compile(
        r"`((?:benchmarks|bot|games|strategies|tests|tools|training|vision)/[\w./-]+\.\w+)(?:::(\w+))?`"
    )
    missing = [
        f"{path}::{name}"
        for path, name in place.findall(text_of(page))
        if not (HOUSE / path).is_file() or (name and name not in defined(HOUSE / path))
    ]
    assert missing == []


def test_decision_records_are_numbered_and_indexed() -> None:
    records = sorted(path.name for path in (HOUSE / "docs" / "adr").glob("[0-9]*.md"))
    assert [int(name[:3]) for name in records] == list(range(1, len(records) + 1))
    index = text_of("docs/adr/index.md")
    assert [name for name in records if f"({name})" not in index] == []


PLATFORM_CHECK = re.compile(
    r"sys\.platform|platform\.(machine|system)\(|os\.name\b|is_wine\(|hasattr\((os|signal|select|socket|errno),"
)


def test_platform_checks_are_listed() -> None:
    rows = re.findall(r"^\|(.*?)\|", text_of("docs/reference/platforms.md"), re.MULTILINE)
    listed = re.findall(r"`([\w/*]+\.py)`", "".join(rows))
    files = [HOUSE / "setup.py", *(path for room in ROOMS for path in (HOUSE / room).rglob("*.py"))]
    checking = {path.relative_to(HOUSE).as_posix() for path in files if PLATFORM_CHECK.search(text_of(path))}
    assert [name for name in sorted(checking) if not any(fnmatch(name, each) for each in listed)] == []
    assert [each for each in listed if not any(fnmatch(name, each) for name in checking)] == []


@pytest.mark.slow
def test_site_builds_strictly(tmp_path: Path) -> None:
    """Strict mode fails on broken links and on names that mkdocstrings cannot find."""
    words = ("-m", "mkdocs", "build", "--strict", "--site-dir", tmp_path / "site")
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    assert run_process(sys.executable, *words, cwd=HOUSE, env=quiet, timeout=240).code == 0
    reference = (tmp_path / "site" / "reference" / "library.html").read_text(encoding="utf-8")
    assert 'id="strategies.hookspecs.deduce"' in reference
    assert 'id="games.minesweeper.board.Board"' in reference
    assert (tmp_path / "site" / "howto" / "play.html").is_file()


def test_navigation_names_every_page() -> None:
    """Decision records are reached from their index."""
    settings = text_of("mkdocs.yml")
    named = re.findall(r"- ([\w/-]+\.md)$", settings, re.MULTILINE)
    docs = HOUSE / "docs"
    pages = {path.relative_to(docs).as_posix() for path in docs.rglob("*.md")}
    assert sorted(named) == sorted(page for page in pages if not re.match(r"adr/\d", page))
