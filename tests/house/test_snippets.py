"""Blocks of code and text in the pages: Python runs, TOML loads, text is what Sapper writes or reads."""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from places import FIXTURES, PAGES, snippets, text_of

from bot.cli.main import main
from bot.programs.program import Program
from bot.recording.recording import Recording
from games.minesweeper.board import Board
from games.minesweeper.deals import read_deals
from games.minesweeper.position import board_knowledge
from strategies import Reasoner, load_strategies
from strategies.testing import assert_sound, check_strategy, position_of, small_boards
from vision.annotations import parse_labels

PYTHON = dict(snippets("python"))
STRATEGIES = {name: code for name, code in PYTHON.items() if "@hookimpl" in code}
OTHERS = sorted(PYTHON.keys() - STRATEGIES.keys())
EXAMPLE = "README.md 1"
CHECKED = re.compile(r"^(?:<!-- check: (\w+) -->\n)?```text\n(.*?)^```", re.MULTILINE | re.DOTALL)


def text_blocks() -> Iterator[tuple[str, str, str]]:
    """Yield page, name of the check and text of each `text` block."""
    for page in PAGES:
        for check, block in CHECKED.findall(text_of(page)):
            yield page.name, check, block


def block_of(check: str) -> str:
    """The first block that this check covers."""
    return next(block for _, name, block in text_blocks() if name == check)


def test_example_strategies_have_at_most_ten_lines() -> None:
    for name in (EXAMPLE, "first-strategy.md 1"):
        assert len(STRATEGIES[name].splitlines()) <= 10, name


def test_every_block_has_a_check() -> None:
    kinds = {kind for page in PAGES for kind in re.findall(r"^```(\w+)$", text_of(page), re.MULTILINE)}
    assert kinds == {"python", "toml", "text"}
    assert [f"{page}: {block}" for page, check, block in text_blocks() if check not in CHECKS] == []
    assert set(CHECKS) == {check for _, check, _ in text_blocks()}


@pytest.mark.parametrize("name", STRATEGIES)
def test_strategy_passes_the_contract(name: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(STRATEGIES[name], encoding="utf-8")
    strategies = load_strategies([str(file)])
    check_strategy(strategies[0], boards=30)
    reasoner, found, guessed = Reasoner(strategies), 0, 0
    for board in small_boards("docs", 30):
        knowledge = reasoner.deduce(board_knowledge(board)).knowledge
        found += len(knowledge.history)
        guessed += bool(reasoner.guess(position_of(board, knowledge)))
    assert reasoner.faults == ()
    assert found or not strategies[0].has_deduce
    assert guessed


@pytest.mark.parametrize("name", OTHERS)
def test_other_python_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It runs next to the example strategy, a screenshot and a recording, and contains tests."""
    (tmp_path / "mine.py").write_text(STRATEGIES[EXAMPLE], encoding="utf-8")
    shutil.copy(FIXTURES / "screens" / "kmines" / "question_mark.png", tmp_path / "screenshot.png")
    shutil.copytree(FIXTURES / "recordings" / "kmines-001", tmp_path / "recordings" / "kmines-001")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(compile(PYTHON[name], name, "exec", dont_inherit=True), names)  # noqa: S102 - our own docs
    tests = [value for key, value in names.items() if key.startswith("test_") and callable(value)]
    assert tests
    for test in tests:
        test()


def test_program_file_loads() -> None:
    files = [code for _, code in snippets("toml") if "command =" in code]
    assert files
    for code in files:
        program = Program.parse("mygame", code, "the docs")
        assert program.level(program.default)


def test_toml_blocks_are_valid() -> None:
    assert all(tomllib.loads(code) for _, code in snippets("toml"))


def plain_rows(text: str) -> str:
    """Remove times and column widths."""
    return re.sub(r" +", " ", re.sub(r"\d+\.\d+ ms", "ms", text)).strip()


def output_of(code: int, folder: Path, *words: str | Path) -> str:
    """Both outputs of a command with this exit code, in the folder."""
    out = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        assert main([str(word) for word in words]) == code
    return out.getvalue()


def unsound_rule(text: str, folder: Path) -> bool:
    rule = STRATEGIES[EXAMPLE].replace("clue.all_true", "clue.low >= clue.size - 1 > 0")
    (folder / "mine.py").write_text(rule.replace("all mines", "nearly all"), encoding="utf-8")
    with pytest.raises(AssertionError) as caught:
        assert_sound(folder / "mine.py")
    return text.strip() == str(caught.value)


def trace_of(text: str, folder: Path) -> bool:
    (folder / "mine.py").write_text(STRATEGIES[EXAMPLE], encoding="utf-8")
    (folder / "board.txt").write_text("mines 2\n1...\n11..\n", encoding="utf-8")
    traced = output_of(0, folder, "strategies", "--trace", "board.txt", "--strategy", "./mine.py")
    return plain_rows(text) in plain_rows(traced)


def drawn_fault(text: str, folder: Path) -> bool:
    rule = STRATEGIES[EXAMPLE].replace("clue.all_true", "clue.low and not clue.is_global")
    (folder / "lazy.py").write_text(rule.replace("all mines", "lazy"), encoding="utf-8")
    recording = FIXTURES / "recordings" / "ace-minesweeper-001"
    return text in output_of(0, folder, "strategies", "--trace", recording, "--strategy", folder / "lazy.py")


def explained(text: str, folder: Path) -> bool:
    (folder / "board.txt").write_text("...\n121\n000\n", encoding="utf-8")
    return text in output_of(0, folder, "explain", "board.txt")


def compared(text: str, folder: Path) -> bool:
    words = ("--strategy", "single-cell", "--strategy", "lowest-risk")
    output = output_of(1, folder, "replay", FIXTURES / "recordings" / "kmines-001", *words)
    return {*text.splitlines()} <= {*output.splitlines()}


def reasons_for_a_guess(text: str, folder: Path) -> bool:
    """The board is another one: same phrases, other cells and numbers."""
    recording = Recording(FIXTURES / "recordings" / "xdemineur-002")
    board: Board | None = None
    for look, *_ in recording.turns()[:17]:
        board = recording.board(board, look)
    (folder / "board.txt").write_text(f"mines 99\n{board}\n", encoding="utf-8")
    return phrases(text) <= phrases(output_of(0, folder, "explain", "board.txt", "--guess"))


def phrases(text: str) -> set[str]:
    """Split into phrases; replace cells and numbers."""
    return set(
        re.split(r"[,:;\n] *", re.sub(r"r\d+c\d+", "CELL", re.sub(r"(?<![rc\d])\d+(\.\d+)?", "N", text)))
    )


def boards_file(text: str, folder: Path) -> bool:
    (folder / "boards.txt").write_text(text, encoding="utf-8")
    return len(read_deals(folder / "boards.txt")) == text.count("\n") - 1


def labels(text: str, folder: Path) -> bool:
    grid = "" if "." in text else "..1.\n.21F\n1100\n0000\n"
    lattice, board = parse_labels(text + grid)
    return (lattice.rows, lattice.columns) == (board.rows, board.columns)


def groups_of_cells(text: str, folder: Path) -> bool:
    """With other learned parameters, one group may have another name."""
    picture = FIXTURES / "screens" / "kmines" / "question_mark.png"
    output = output_of(0, folder, "learn", "my", picture, "--out", "my.skin")
    return sum(line not in output for line in text.splitlines()) <= 1


def board_text(text: str, folder: Path) -> bool:
    return str(Board.parse(text)) == text.strip()


def clue_output(code: int, folder: Path, log: list[str], *words: str) -> str:
    (folder / "game.clue").write_text("\n".join(log), encoding="utf-8")
    return output_of(code, folder, "clue", "game.clue", *words)


def clue_lines() -> list[str]:
    return block_of("clue_log").splitlines()


def clue_log(text: str, folder: Path) -> bool:
    return "envelope" in clue_output(0, folder, text.splitlines())


def clue_sheet(text: str, folder: Path) -> bool:
    """The sheet after six lines of the log; `…` stands for omitted rows."""
    output = clue_output(0, folder, clue_lines()[:6])
    return all(line in output for line in text.splitlines() if line != "…")


def clue_conflict(text: str, folder: Path) -> bool:
    log = [*clue_lines(), "Bob asks mustard, pipe, hall: Cat shows pipe"]
    return text.strip() in clue_output(7, folder, log)


def clue_answers(text: str, folder: Path) -> bool:
    """After seven lines, Cat shows a plum."""
    log = [*clue_lines()[:7], "Ann asks plum, candlestick, lounge: Cat shows plum"]
    options = ("--why", "plum,envelope", "--suggest", "--only", "hall,study,lounge")
    return text in clue_output(0, folder, log, *options)


CHECKS: Mapping[str, Callable[[str, Path], bool]] = {
    check.__name__: check
    for check in (
        unsound_rule,
        trace_of,
        drawn_fault,
        explained,
        compared,
        reasons_for_a_guess,
        boards_file,
        labels,
        groups_of_cells,
        board_text,
        clue_log,
        clue_sheet,
        clue_conflict,
        clue_answers,
    )
}


@pytest.mark.parametrize(("page", "check", "text"), list(text_blocks()))
def test_text_matches_sapper(page: str, check: str, text: str, tmp_path: Path) -> None:
    assert CHECKS[check](text, tmp_path), page
