"""What the docs show runs, loads, and is what Sapper writes."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from places import snippets, text_of

from bot.cli.main import main
from bot.programs.program import Program
from bot.recording.recording import Recording
from games.minesweeper import Board, board_knowledge, read_deals
from strategies import Reasoner, load_strategies
from strategies.compiled.kernels import kernels
from strategies.testing import assert_sound, check_strategy, position_of, small_boards
from vision.annotations import parse_labels

HOUSE = Path(__file__).resolve().parents[2]
PAGES = [HOUSE / "README.md", *sorted((HOUSE / "docs").rglob("*.md"))]
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
        knowledge = reasoner.deduce(board_knowledge(board)).knowledge
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
