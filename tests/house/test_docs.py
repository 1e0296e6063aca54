"""The docs say what is so: names that exist, snippets that run, commands that parse."""

from __future__ import annotations

import contextlib
import inspect
import io
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import click
import pytest
from live import program_on, session_on
from places import defined

from bot.cli.main import COMMANDS, main, sapper
from bot.doctor import Finding
from bot.live.finding import Finder, Surroundings
from bot.live.session import Session, Wishes
from bot.live.surroundings import Desktop
from bot.loop.game import put_together
from bot.loop.ports import Rules
from bot.programs.description import Program
from bot.recording.recording import Recording
from bot.sight import Sight
from games.errors import Unplayable
from games.minesweeper import Board, Move, knowledge_of
from games.minesweeper.dealing import read_deals
from strategies import Reasoner, load_strategies
from strategies.compiled import kernels
from strategies.testing import assert_sound, check_strategy, position_of, small_boards
from strategies.testing.asking import MOST_STEPS
from strategies.testing.plugin import OPTION, SETTING
from vision.capture import Grabber
from vision.labels import parse_labels
from vision.reading import Reading

HOUSE = Path(__file__).resolve().parents[2]
PAGES = [HOUSE / "README.md", *sorted((HOUSE / "docs").rglob("*.md"))]
TOLD_IN = {"clue": "docs/clue.md", "review": "docs/review.md"}  # pages of their own


def text_of(page: str | Path) -> str:
    return (HOUSE / page).read_text(encoding="utf-8")


def command_of(name: str) -> click.Command:
    found = sapper.get_command(click.Context(sapper), name)
    assert isinstance(found, click.Command)
    return found


# --- commands and options --------------------------------------------------------------------------------


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
    from bot.loop.results.outcome import GameResult

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


# --- strategies ------------------------------------------------------------------------------------------


def snippets(language: str) -> Iterator[tuple[str, str]]:
    for page in PAGES:
        blocks = re.findall(rf"^```{language}\n(.*?)^```", text_of(page), re.MULTILINE | re.DOTALL)
        for number, block in enumerate(blocks, 1):
            yield f"{page.name} {number}", block


PYTHON = dict(snippets("python"))
STRATEGIES = {name: code for name, code in PYTHON.items() if "@hookimpl" in code}


def test_both_pages_have_an_example_of_at_most_ten_lines() -> None:
    shown = [code for name, code in STRATEGIES.items() if name in ("README.md 1", "strategies.md 1")]
    assert [len(code.splitlines()) <= 10 for code in shown] == [True, True]


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_strategy_in_the_docs_works(name: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(STRATEGIES[name], encoding="utf-8")
    strategies = load_strategies([str(file)])
    check_strategy(strategies[0], boards=30)
    reasoner, found, guessed = Reasoner(strategies), 0, 0
    for board in small_boards("docs", 30):
        knowledge = reasoner.deduce(knowledge_of(board)).knowledge
        found += len(knowledge.history)
        guessed += bool(reasoner.guess(position_of(board, knowledge)))
    assert reasoner.faults == ()
    assert found or not strategies[0].has_deduce
    assert guessed


@pytest.mark.parametrize("name", sorted(PYTHON.keys() - STRATEGIES.keys()))
def test_any_other_snippet_runs_beside_a_strategy(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(STRATEGIES["README.md 1"], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(compile(PYTHON[name], name, "exec", dont_inherit=True), names)  # noqa: S102 - our own docs
    tests = [value for key, value in names.items() if key.startswith("test_") and callable(value)]
    assert tests
    for test in tests:
        test()


def test_a_program_file_in_the_docs_loads() -> None:
    files = [code for _, code in snippets("toml") if "command =" in code]
    assert files
    for code in files:
        program = Program.parse("mygame", code, "the docs")
        assert program.level(program.default)


def test_the_names_that_strategies_md_tells_of_exist() -> None:
    import strategies
    import strategies.testing

    page = text_of("docs/strategies.md")
    knowledge = knowledge_of(next(small_boards("docs", 1)))
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
    from strategies import hookspecs, observing

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
    from bot.project import new_project
    from strategies.hookspecs import ENTRY_POINTS

    (told,) = [tomllib.loads(code) for _, code in snippets("toml") if ENTRY_POINTS in code]
    new_project("corner-rule", tmp_path)
    written = tomllib.loads((tmp_path / "corner-rule" / "pyproject.toml").read_text(encoding="utf-8"))
    assert written["project"]["entry-points"] == told["project"]["entry-points"]


def test_every_snippet_is_of_a_kind_that_a_test_runs() -> None:
    """Python, TOML and text are looked at by tests of this file; there is no other kind."""
    kinds = {kind for page in PAGES for kind in re.findall(r"^```(\w+)$", text_of(page), re.MULTILINE)}
    assert kinds == {"python", "toml", "text"}
    assert set(TEXT) == {name for name, _ in snippets("text")}
    assert all("[" in code for _, code in snippets("toml"))


def plain_rows(text: str) -> str:
    """Without times and the width of columns."""
    return re.sub(r" +", " ", re.sub(r"\d+\.\d+ ms", "ms", text)).strip()


def unsound_rule(told: str, folder: Path) -> bool:
    rule = STRATEGIES["README.md 1"].replace("clue.all_true", "clue.low >= clue.size - 1 > 0")
    (folder / "mine.py").write_text(rule.replace("all mines", "nearly all"), encoding="utf-8")
    with pytest.raises(AssertionError) as caught:
        assert_sound(folder / "mine.py")
    return told.strip() == str(caught.value)


def trace_of(told: str, folder: Path) -> bool:
    (folder / "mine.py").write_text(STRATEGIES["README.md 1"], encoding="utf-8")
    (folder / "board.txt").write_text("mines 2\n1...\n11..\n", encoding="utf-8")
    words = ["strategies", "--trace", "board.txt", "--strategy", "./mine.py"]
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(words) == 0
    return plain_rows(told) in plain_rows(out.getvalue())


def drawn_fault(told: str, folder: Path) -> bool:
    rule = STRATEGIES["README.md 1"].replace("clue.all_true", "clue.low and not clue.is_global")
    (folder / "lazy.py").write_text(rule.replace("all mines", "lazy"), encoding="utf-8")
    recording = str(HOUSE / "fixtures" / "recordings" / "ace-minesweeper-001")
    with contextlib.redirect_stderr(io.StringIO()) as told_here:
        assert main(["strategies", "--trace", recording, "--strategy", str(folder / "lazy.py")]) == 0
    return told in told_here.getvalue()


def explained(told: str, folder: Path) -> bool:
    (folder / "board.txt").write_text("...\n121\n000\n", encoding="utf-8")
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(["explain", str(folder / "board.txt")]) == 0
    return told in out.getvalue()


def compared(told: str, folder: Path) -> bool:
    recording = HOUSE / "fixtures" / "recordings" / "kmines-001"
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(["replay", str(recording), "--strategy", "single-cell", "--strategy", "lowest-risk"]) == 1
    return {*told.splitlines()} <= {*out.getvalue().splitlines()}


def reasons_for_a_guess(told: str, folder: Path) -> bool:
    """Of another board: the same phrases with other cells and figures."""
    recording = Recording(HOUSE / "fixtures" / "recordings" / "xdemineur-002")
    board: Board | None = None
    for look, *_ in recording.turns()[:17]:
        board = recording.board(board, look)
    (folder / "board.txt").write_text(f"mines 99\n{board}\n", encoding="utf-8")
    with kernels().held(plain=True), contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(["explain", str(folder / "board.txt"), "--guess"]) == 0
    return phrases(told) <= phrases(out.getvalue())


def phrases(text: str) -> set[str]:
    """The parts of sentences, without their cells and numbers."""
    return set(
        re.split(r"[,:;\n] *", re.sub(r"r\d+c\d+", "CELL", re.sub(r"(?<![rc\d])\d+(\.\d+)?", "N", text)))
    )


def boards_file(told: str, folder: Path) -> bool:
    (folder / "boards.txt").write_text(told, encoding="utf-8")
    return len(read_deals(folder / "boards.txt")) == told.count("\n") - 1


def labels(told: str, folder: Path) -> bool:
    grid = "" if "." in told else "..1.\n.21F\n1100\n0000\n"
    lattice, board = parse_labels(told + grid)
    return (lattice.rows, lattice.columns) == (board.rows, board.columns)


def groups_of_cells(told: str, folder: Path) -> bool:
    picture = HOUSE / "fixtures" / "screens" / "kmines" / "question_mark.png"
    with contextlib.redirect_stderr(io.StringIO()) as err:
        assert main(["learn", "my", str(picture), "--out", str(folder / "my.skin")]) == 0
    return told in err.getvalue()


def board_text(told: str, folder: Path) -> bool:
    return str(Board.parse(told)) == told.strip()


def clue_log(told: str, folder: Path) -> bool:
    said = clue_says(folder, told)
    return "envelope" in said and "sapper:" not in said


def clue_log_of_the_docs() -> list[str]:
    return dict(snippets("text"))["clue.md 2"].splitlines()


def clue_sheet(told: str, folder: Path) -> bool:
    """The sheet when the log had six lines; `…` stands for rows that the page leaves out."""
    said = clue_says(folder, "\n".join(clue_log_of_the_docs()[:6]))
    return all(line in said for line in told.splitlines() if line != "…")


def clue_conflict(told: str, folder: Path) -> bool:
    log = [*clue_log_of_the_docs(), "Bob asks mustard, pipe, hall: Cat shows pipe"]
    return told.strip() in clue_says(folder, "\n".join(log))


def clue_answers(told: str, folder: Path) -> bool:
    """Behind seven lines Cat shows a plum."""
    log = [*clue_log_of_the_docs()[:7], "Ann asks plum, candlestick, lounge: Cat shows plum"]
    asked = ("--why", "plum,envelope", "--suggest", "--only", "hall,study,lounge")
    return told in clue_says(folder, "\n".join(log), *asked)


def clue_says(folder: Path, log: str, *words: str) -> str:
    (folder / "game.clue").write_text(log, encoding="utf-8")
    out = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        main(["clue", "game.clue", *words])
    return out.getvalue()


TEXT: Mapping[str, Callable[[str, Path], bool]] = {
    "bench.md 1": boards_file,
    "clue.md 1": clue_sheet,
    "clue.md 2": clue_log,
    "clue.md 3": clue_conflict,
    "clue.md 4": clue_answers,
    "clue.md 5": clue_answers,
    "guessing.md 1": reasons_for_a_guess,
    "players.md 1": compared,
    "players.md 2": explained,
    "players.md 3": groups_of_cells,
    "players.md 4": board_text,
    "players.md 5": labels,
    "strategies.md 1": unsound_rule,
    "strategies.md 2": trace_of,
    "strategies.md 3": drawn_fault,
    "vision.md 1": labels,
}


@pytest.mark.parametrize(("name", "told"), list(snippets("text")))
def test_text_in_the_docs_is_what_sapper_writes_or_reads(name: str, told: str, tmp_path: Path) -> None:
    assert TEXT[name](told, tmp_path)


# --- errors that no other test tries -----------------------------------------------------------------------


def test_a_display_that_cannot_be_opened() -> None:
    """In a process of its own: pyautogui opens its display once."""
    done = subprocess.run(
        [sys.executable, "-m", "bot", "play", "--mines", "10"],
        env=os.environ | {"DISPLAY": ":987"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (8, "")
    assert "the display :987 cannot be opened" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_doctor_who_finds_something(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lacking = Finding("Xvfb", False, True, "virtual screens", "apt-get install xvfb")
    monkeypatch.setattr("bot.doctor.examine", lambda: [lacking])
    assert main(["doctor"]) == 8
    captured = capsys.readouterr()
    assert "MISSING Xvfb" in captured.out
    assert "apt-get install xvfb" in captured.out
    assert captured.err == "sapper: live play lacks Xvfb: the lines above say how to get it\n"


@pytest.mark.live
def test_a_screen_that_is_too_small() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bot", "play", "--program", "xdemineur", "--virtual", "--screen", "400x300"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (4, "")
    assert "the board is cut at the " in done.stderr


@pytest.mark.live
def test_a_board_of_another_size(desktop: Desktop) -> None:
    with (
        program_on(desktop, "xdemineur", "12x9/10"),
        session_on(desktop, None, size=(30, 16)) as session,
        pytest.raises(Unplayable, match="a board of 12x9 is to be seen, not of 30x16"),
    ):
        next(session.games(1))


@pytest.mark.live
def test_more_games_on_a_program_that_nobody_described(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.programs.description.Program.of_window", lambda title, command: None)
    with program_on(desktop, "sgt-mines", "9x9/10"), Grabber() as grabber:
        around = Surroundings(grabber, desktop.hands, desktop.windows)
        finder = Finder(around, Sight.load())
        session = Session(Wishes(mines=10), around, finder, load_strategies(), "test")
        assert [(game.result in ("won", "lost"), game.program) for game in session.games(2)] == [
            (True, None)
        ] * 2


def test_a_board_that_nobody_can_read() -> None:
    class Hidden:
        """A table of which nothing is to be seen."""

        def look(self) -> Reading:
            return Reading.sure(Board(4, 4, "~" * 16))

        def act(self, moves: Sequence[Move], certain: bool) -> None:
            raise AssertionError("nothing may be clicked")

    player = put_together(Hidden(), Reasoner(load_strategies()), Rules())
    with pytest.raises(Unplayable, match="most of it is unknown"):
        player.play()


def test_every_case_has_a_code_that_its_tables_explain() -> None:
    _, cases = text_of("docs/errors.md").split("## Case by case")
    rows = [row for row in re.findall(r"^\| (.*) \|$", cases, re.MULTILINE) if not row.startswith("what ")]
    codes = [re.search(r" \| (\d) \| ", row) for row in rows]
    assert len(rows) > 45
    assert all(codes)
    assert {code[1] for code in codes if code} == set("12345678")


# --- places ----------------------------------------------------------------------------------------------


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
