"""The docs say what is so: names that exist, snippets that run, commands that parse."""

from __future__ import annotations

import inspect
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from places import defined, snippets, text_of

from bot.cli.main import COMMANDS, sapper
from bot.programs.program import Program
from games.minesweeper import board_knowledge
from strategies.testing import small_boards
from strategies.testing.calls import MOST_STEPS
from strategies.testing.pytest_plugin import OPTION, SETTING

HOUSE = Path(__file__).resolve().parents[2]
PAGES = [HOUSE / "README.md", *sorted((HOUSE / "docs").rglob("*.md"))]
TOLD_IN = {"clue": "docs/clue.md", "review": "docs/review.md"}  # pages of their own


def command_of(name: str) -> click.Command:
    found = sapper.get_command(click.Context(sapper), name)
    assert isinstance(found, click.Command)
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_reported(name: str) -> None:
    assert re.search(rf"`(sapper )?{name}\b|^    sapper {name}\b", text_of("docs/players.md"), re.MULTILINE)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_reported(name: str) -> None:
    page = text_of(TOLD_IN.get(name, "docs/players.md"))
    options = {word for each in command_of(name).params for word in each.opts if word.startswith("--")}
    assert {word for word in options if not re.search(rf"`{word}[ `]", page)} == set()


def test_every_choice_of_an_option_is_reported() -> None:
    page = text_of("docs/players.md")
    for option in command_of("play").params:
        if isinstance(option.type, click.Choice):
            assert [word for word in option.type.choices if f"`{word}`" not in page] == []


def test_every_field_of_a_result_is_reported() -> None:
    from bot.game.outcome import GameResult

    page = text_of("docs/players.md")
    assert [name for name in GameResult.__dataclass_fields__ if f"`{name}`" not in page] == []


@pytest.mark.parametrize("name", Program.names())
def test_every_known_program_is_reported(name: str) -> None:
    assert name in text_of("docs/players.md")


def test_no_page_tells_of_an_option_that_is_not_there() -> None:
    known = {word for name in COMMANDS for each in command_of(name).params for word in each.opts}
    known |= {word for each in sapper.params for word in each.opts} | {"--help"}
    told = {
        word
        for page in ("README.md", "docs/players.md", *TOLD_IN.values())
        for word in re.findall(r"`(--[a-z0-9-]+)", text_of(page))
    }
    assert told - known == set()


def examples() -> Iterator[str]:
    """Every line of a page that shows a command of Sapper's, without its comment."""
    for page in PAGES:
        for line in text_of(page).splitlines():
            if re.match(r"    (\$ )?sapper ", line):
                yield line.strip().removeprefix("$ ")


@pytest.mark.parametrize("line", sorted(set(examples())))
def test_every_example_can_be_typed(line: str) -> None:
    """It is parsed as click would parse it; nothing runs."""
    _, name, *words = shlex.split(line, comments=True)
    assert name in COMMANDS
    command_of(name).make_context(name, words)


def test_the_names_that_strategies_md_tells_of_exist() -> None:
    import strategies
    import strategies.testing

    page = text_of("docs/strategies.md")
    knowledge = board_knowledge(next(small_boards("docs", 1)))
    for told in re.findall(r"^\| `(\w+)(?:\(\w+\))?`(?:, `\w+`)? \| [a-z ]+", page, re.MULTILINE):
        if told not in ("deduce", "guess", "sound", "deterministic", *strategies.BUILT_IN):
            assert hasattr(knowledge, told), told
    helpers = set(strategies.testing.__all__) - {"CHECKS", "Sample", "samples", "small_knowledge"}
    assert {name for name in helpers if f"`{name}(" not in page} == set()
    checks = page.partition("| check | fails when |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `([a-z ]+)` \|", checks, re.MULTILINE) == list(strategies.testing.CHECKS)
    assert f"more than {MOST_STEPS:,} lines of Python" in page
    assert [name for name in strategies.BUILT_IN if f"`{name}`" not in page] == []


def test_every_hook_is_reported() -> None:
    from strategies import hookspecs
    from strategies import hookspecs as observing

    hooks = {name for name, each in vars(hookspecs).items() if hasattr(each, f"{hookspecs.PROJECT}_spec")}
    assert hooks == {"deduce", "guess", *observing.HOOKS}
    page = text_of("docs/strategies.md")
    for name in hooks:
        words = inspect.signature(getattr(hookspecs, name)).parameters
        assert f"| `{name}({', '.join(words)})` |" in page


def test_the_pytest_plugin_is_reported() -> None:
    page = text_of("docs/strategies.md")
    assert f"pytest {OPTION} " in page
    settings = [tomllib.loads(code) for _, code in snippets("toml") if SETTING in code]
    assert [each["tool"]["pytest"]["ini_options"] for each in settings] == [{SETTING: ["mine.py"]}]


def test_the_entry_point_in_the_docs_is_that_of_a_new_project(tmp_path: Path) -> None:
    from bot.plugin_template import create_project
    from strategies.hookspecs import ENTRY_POINTS

    (told,) = [tomllib.loads(code) for _, code in snippets("toml") if ENTRY_POINTS in code]
    create_project("corner-rule", tmp_path)
    written = tomllib.loads((tmp_path / "corner-rule" / "pyproject.toml").read_text(encoding="utf-8"))
    assert written["project"]["entry-points"] == told["project"]["entry-points"]


def test_every_case_has_a_code_that_its_tables_explain() -> None:
    _, cases = text_of("docs/errors.md").split("## Case by case")
    rows = [row for row in re.findall(r"^\| (.*) \|$", cases, re.MULTILINE) if not row.startswith("what ")]
    codes = [re.search(r" \| (\d) \| ", row) for row in rows]
    assert len(rows) > 45
    assert all(codes)
    assert {code[1] for code in codes if code} == set("12345678")


def test_every_place_that_the_docs_name_exists() -> None:
    """`path/file.py::name` is a function or class in that file; `path/file.py` is a file."""
    gone = []
    place = re.compile(
        r"`((?:bot|games|strategies|vision|tests|tools|benchmarks)/[\w./-]+\.\w+)(?:::(\w+))?`"
    )
    for page in PAGES:
        for path, name in place.findall(text_of(page)):
            file = HOUSE / path
            if not file.is_file() or (name and name not in defined(file)):
                gone.append(f"{page.name}: {path}::{name}")
    assert gone == []


def test_every_decision_is_numbered_once() -> None:
    numbers = sorted(int(path.name[:3]) for path in (HOUSE / "docs" / "decisions").iterdir())
    assert numbers == list(range(1, len(numbers) + 1))
