"""Guesses beyond the lowest risk: exact figures, exact endgames, twins, the same answers from both paths."""

from __future__ import annotations

import getpass
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from games.logic import Knowledge, bits, cell_set
from games.minesweeper import Board, Deal, Guess, Minefield, Move, Position, knowledge_of
from strategies import Reasoner, load_strategies
from strategies.builtin.guesses.best import SETTINGS
from strategies.compiled import Field, Kernels, Settings, find_directory, is_under_way, kernels, share_done
from strategies.compiled.__main__ import compile_into
from strategies.compiled.counting import Survey, survey
from strategies.compiled.guessing import FIGURES, IS_SAFE, PLAYED, SCORE, WEIGHED
from strategies.compiled.guessing.deeper import value_opened
from strategies.compiled.keeping import BUSY, COMPLETE, LOCK, UNUSED, alone
from strategies.compiled.tables import make_tables
from strategies.counting import PRIOR_ODDS, Risks, risks, take_census
from strategies.guessing import MOST_GUESSES, Situation, instead, weighed_guesses
from strategies.testing import layouts, position_of, small_boards, small_knowledge


class Plain(Kernels):
    """The inner loops as plain Python, whatever has been compiled."""

    @property
    def is_compiled(self) -> bool:
        """They are not."""
        return False


@pytest.fixture(scope="module")
def plain() -> Kernels:
    return Plain()


def told(position: Position, settings: Settings, use: Kernels) -> list[Guess]:
    """All guesses, those that nobody asked for among them."""
    return list(weighed_guesses(position, settings, use) or ())


def surveyed(knowledge: Knowledge, counted: int, loops: Kernels) -> Risks:
    """The risks that the kernel counts."""
    situation = Situation.of(knowledge, counted)
    found = loops["survey"](situation.field, loops.tables)
    assert found.worked
    bound = situation.field.bound
    by_cell = dict(zip(situation.cells[:bound], found.risks.tolist(), strict=True))
    return Risks(by_cell, cell_set(situation.cells[bound:]), float(found.rest_risk))


def check_risks(knowledge: Knowledge, counted: int, loops: Kernels) -> int:
    """Compare with every layout, as fractions; how many cells were compared."""
    has_total = any(c.is_global for c in knowledge.given)
    odds = Fraction(PRIOR_ODDS)
    likely = {m: Fraction(1) if has_total else odds ** (m & counted).bit_count() for m in layouts(knowledge)}
    found = surveyed(knowledge, counted, loops)
    compared = 0
    for k in (*found.by_cell, *bits(found.rest)):
        truth = sum((w for m, w in likely.items() if m >> k & 1), Fraction()) / sum(likely.values())
        assert abs(found.of(k) - float(truth)) < 1e-12
        assert (found.of(k) == 0, found.of(k) == 1) == (truth == 0, truth == 1)
        compared += 1
    return compared


def test_risks_are_those_of_all_layouts_to_12_digits(plain: Kernels) -> None:
    assert sum(check_risks(knowledge_of(b), b.not_open, plain) for b in small_boards("guess", 80, 13)) > 400


def test_bounds_and_variables_outside_the_total(plain: Kernels) -> None:
    compared = 0
    for knowledge in small_knowledge("guess", 80):
        total = next((c.cells for c in knowledge.given if c.is_global), None)
        compared += check_risks(knowledge, knowledge.universe if total is None else total, plain)
    assert compared > 400


@pytest.mark.slow
def test_thousands_of_small_positions() -> None:
    assert kernels().wait(), kernels().error
    for board in small_boards("thousands", 600, 12):
        check_risks(knowledge_of(board), board.not_open, kernels())


def expert_positions(seed: str, games: int) -> list[tuple[Board, Knowledge]]:
    """The positions of Expert games at which nothing is certain."""
    found = []
    for game in range(games):
        field = Minefield(Deal.random(16, 30, 99, f"{seed}/{game}"))
        board = field.play([Move("open", 0)])
        reasoner = Reasoner(load_strategies(["single-cell", "set-rules", "mine-count", "backtracking"]))
        while not (field.is_won or field.is_lost):
            known = reasoner.deduce(knowledge_of(board)).knowledge
            safe = known.false & board.closed
            if not safe:
                found.append((board, known))
                safe = board.closed & ~known.true & ~(field.truth or 0)
                safe &= -safe
            board = field.play([Move("open", k) for k in bits(safe)])
    return found


def test_whole_numbers_and_doubles_count_alike(plain: Kernels) -> None:
    for board, known in expert_positions("alike", 2)[:12]:
        exact = risks(take_census(known, board.not_open))
        found = surveyed(known, board.not_open, plain)
        assert found.rest == exact.rest
        for k in bits(known.undecided):
            assert found.of(k) == pytest.approx(exact.of(k), abs=1e-11)


def test_another_solver_says_the_same(plain: Kernels) -> None:
    """`cal_probability_onboard` of ms_toollib, a program in Rust with which this shares nothing."""
    other = pytest.importorskip("ms_toollib", reason="a wheel that this system has none of")
    for board, known in expert_positions("other", 2)[:15]:
        numbers = [[int(s) if s in "012345678" else 10 for s in row] for row in board.grid]
        theirs, *_ = other.cal_probability_onboard(numbers, 99.0)
        found = surveyed(known, board.not_open, plain)
        for k in bits(known.undecided):
            assert found.of(k) == pytest.approx(theirs[k // 30][k % 30], abs=1e-9)


@pytest.mark.slow
def test_compiled_and_plain_guesses_are_the_same(plain: Kernels) -> None:
    assert kernels().wait(), kernels().error
    for board, known in expert_positions("same", 2)[:25]:
        position = position_of(board, known)
        assert as_told(told(position, SETTINGS, plain)) == as_told(told(position, SETTINGS.plain, kernels()))


@pytest.mark.slow
def test_compiled_and_plain_code_look_two_moves_ahead_alike(plain: Kernels) -> None:
    assert kernels().wait(), kernels().error
    settings = Settings(layouts=150, work=3e5, deep=2, candidates=8, away=3, replies=3)
    for board, known in expert_positions("deep", 1)[:8]:
        situation = Situation.of(known, board.not_open, board.closed, board.around)
        found = []
        for loops in (plain, kernels()):
            figures = np.zeros((len(situation.cells), FIGURES), np.float64)
            marks = np.arange(1, 152) * 7919
            found.append(
                (loops["choose"](situation.field, settings.floats, marks, loops.tables, figures), figures)
            )
        assert found[0][0] == found[1][0]
        assert found[0][1] == pytest.approx(found[1][1], abs=1e-12)


def as_told(guesses: list[Guess] | None) -> list[tuple[int, float, dict[str, float]]]:
    """Guesses with their figures to nine digits, whichever code they are from."""
    assert guesses
    return [
        (g.cell, round(g.safe, 9), {name: round(f, 9) for name, f in g.figures.items() if name != "plain"})
        for g in guesses
    ]


# --- the endgame ---------------------------------------------------------------------------------------


def wins(board: Board, truths: tuple[int, ...]) -> int:
    """In how many of these layouts the best play wins, by trying every move; nothing is clever here."""
    if len(truths) < 2:
        return len(truths)
    return max(wins_by(board, truths, k) for k in bits(board.not_open))


def wins_by(board: Board, truths: tuple[int, ...], k: int) -> int:
    """In how many of these layouts the best play wins when this cell is opened first."""
    by_number: dict[int, list[int]] = {}
    for truth in truths:
        if not truth >> k & 1:
            by_number.setdefault((truth & board.around[k]).bit_count(), []).append(truth)
    return sum(wins(board.showing({k: str(number)}), tuple(own)) for number, own in by_number.items())


def late_boards(seed: str) -> Iterator[tuple[Board, Knowledge, tuple[int, ...]]]:
    """Boards with a known total and 6 to 50 layouts, and what is known of them."""
    for board in small_boards(seed, 260, 8):
        known = knowledge_of(board)
        truths = tuple(layouts(known))
        if board.mines is not None and 5 < len(truths) <= 50:
            yield board, known, truths


def test_endgames_are_solved_exactly(plain: Kernels) -> None:
    solved = 0
    for board in small_boards("endgame", 260, 8):
        known = knowledge_of(board)
        truths = tuple(layouts(known))
        guesses = told(position_of(board, known), Settings(), plain)
        if all(known.undecided & ~truth == 0 for truth in truths):
            continue  # nothing but mines is left
        assert guesses
        if board.mines is not None and guesses[0].safe < 1.0:
            assert guesses[0].figures["win"] == pytest.approx(wins(board, truths) / len(truths)), str(board)
            solved += 1
    assert solved > 10


def test_what_a_cell_leaves_is_solved_exactly_when_all_of_it_is_too_much(plain: Kernels) -> None:
    solved = 0
    for board, known, truths in late_boards("beyond"):
        settings = Settings(layouts=len(truths) - 1, beyond=2, work=3e4).floats
        position = position_of(board, known)
        situation = Situation.of(known, (1 << len(board)) - 1, position.openable, position.counts)
        figures = np.zeros((len(situation.cells), FIGURES))
        marks = np.random.default_rng(1).integers(1, 2**62, len(truths))
        way, best = plain.plain["choose"](situation.field, settings, marks, plain.tables, figures)
        if way == PLAYED:
            won = wins_by(board, truths, situation.cells[best])
            assert figures[best, SCORE] == pytest.approx(won / len(truths)), str(board)
            solved += 1
    assert solved > 10


def plain_play(board: Board, truths: tuple[int, ...], k: int) -> int:
    """In how many of these layouts opening this cell wins, and then always the safest that tells anything."""
    won = 0
    for number in range(9):
        own = tuple(t for t in truths if not t >> k & 1 and (t & board.around[k]).bit_count() == number)
        shown = board.showing({k: str(number)})
        telling = [
            (sum(not t >> c & 1 for t in own), c)
            for c in bits(shown.not_open)
            if len({(t & board.around[c]).bit_count() for t in own if not t >> c & 1}) > 1
        ]
        if len(own) < 2 or not telling:
            won += min(len(own), 1)
        else:
            safest = max(count for count, _ in telling)
            won += max(plain_play(shown, own, c) for count, c in telling if count == safest)
    return won


def test_without_solving_the_cell_is_one_that_plain_play_wins_with(plain: Kernels) -> None:
    played = 0
    for board, known, truths in late_boards("plainly"):
        guesses = told(position_of(board, known), Settings(work=0), plain)
        assert guesses
        if guesses[0].safe < 1.0 and (score := guesses[0].figures.get("least")) is not None:
            assert score <= wins_by(board, truths, guesses[0].cell) / len(truths) + 1e-9, str(board)
            assert score <= plain_play(board, truths, guesses[0].cell) / len(truths) + 1e-9, str(board)
            assert score > 0.0
            assert "at least" in guesses[0].reason
            played += 1
    assert played > 10


def test_with_too_little_work_allowed_it_answers_all_the_same(plain: Kernels) -> None:
    board = Board.parse("mines 3\n1....\n.....")
    guesses = told(position_of(board, knowledge_of(board)), Settings(work=1, played=1), plain)
    assert guesses
    assert "win" not in guesses[0].figures
    assert {"score", "second", "certain"} <= guesses[0].figures.keys()


def test_a_guess_tells_its_figures(plain: Kernels) -> None:
    board = Board.parse("mines 5\n1....\n.....\n.....")
    guesses = told(position_of(board, knowledge_of(board)), Settings(layouts=0), plain)
    assert guesses
    assert "% to survive the next move as well" in guesses[0].reason
    assert "certain cells expected" in guesses[0].reason


# --- the second look ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("gain", [0.0, 0.1])
def test_to_end_the_second_look_early_changes_no_choice(gain: float, plain: Kernels) -> None:
    looked = 0
    for board in small_boards("deeper", 120, 8):
        known = knowledge_of(board)
        position = position_of(board, known)
        situation = Situation.of(known, (1 << len(board)) - 1, position.openable, position.counts)
        settings = Settings(layouts=0, deep=3, gain=gain, closed=0, candidates=6, replies=3).floats
        first, deep = (np.zeros((len(situation.cells), FIGURES)) for _ in range(2))
        field, marks, choose = situation.field, np.arange(1, 3), plain.plain["choose"]
        choose(field, settings._replace(deep=0), marks, plain.tables, first)
        way, chosen = choose(field, settings, marks, plain.tables, deep)
        if way != WEIGHED:
            continue
        found = survey(field, plain.tables)
        best = max(
            first[k, IS_SAFE] * value_opened(field, found, int(k), -1.0, settings, plain.tables)
            for k in np.argsort(-first[:, SCORE], kind="stable")[:3]
            if first[k, SCORE] >= 0.0
        )
        assert deep[chosen, SCORE] == pytest.approx(best, abs=1e-9), str(board)
        looked += 1
    assert looked > 10


# --- closed groups: a component that is a game of its own -----------------------------------------------


@pytest.mark.parametrize(
    ("text", "clear"),
    [
        # r0c0 and r0c1: nothing will ever tell which is the mine, though others are safer now
        ("mines 7\n...202..\n13.203..\n011102..", Fraction(1, 2)),
        # six cells in the corner below on the left, beside others with fewer mines
        ("mines 8\n.2..20\n1...41\n.2....\n.1..31", Fraction(5, 7)),
    ],
)
def test_a_closed_group_is_played_first_and_loses_nothing(text: str, clear: Fraction, plain: Kernels) -> None:
    board = Board.parse(text)
    rules = Reasoner(load_strategies(["single-cell", "set-rules", "backtracking"]))
    known = rules.deduce(knowledge_of(board)).knowledge
    settings = Settings(layouts=0)  # nothing else is solved
    guesses = told(position_of(board, known), settings, plain)
    assert guesses
    assert guesses[0].figures["clear"] == pytest.approx(float(clear))
    assert "to clear this group" in guesses[0].reason
    assert "a game of its own" in instead(guesses[0], guesses[1])
    truths = tuple(layouts(known))
    assert wins_by(board, truths, guesses[0].cell) == wins(board, truths)
    without = told(position_of(board, known), settings._replace(closed=0), plain)
    assert without
    assert "clear" not in without[0].figures


def test_a_group_next_to_an_undecided_cell_is_not_closed(plain: Kernels) -> None:
    """The same pair, but r2c0, next to no clue, may tell which of the two is the mine."""
    board = Board.parse("mines 7\n...202..\n.3.203..\n.11102..")
    rules = Reasoner(load_strategies(["single-cell", "set-rules", "backtracking"]))
    known = rules.deduce(knowledge_of(board)).knowledge
    guesses = told(position_of(board, known), Settings(layouts=0), plain)
    assert guesses
    assert "clear" not in guesses[0].figures


# --- always an answer ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["best", "quick", "lowest-risk-progress"])
@pytest.mark.parametrize(
    "text",
    [
        "....\n....",
        "mines 2\n....\n....",
        "1...............................................................................\n" + "." * 80,
    ],
)
def test_every_strategy_answers(name: str, text: str) -> None:
    board = Board.parse(text)
    guesses = Reasoner(load_strategies([name])).guess(position_of(board, knowledge_of(board)))
    assert (
        len({guess.cell for guess in guesses}) == len(guesses) == min(board.closed.bit_count(), MOST_GUESSES)
    )


def test_a_contradiction_and_a_single_variable_get_an_answer() -> None:
    board = Board.parse("mines 1\n3...\n....")
    known = knowledge_of(board)
    assert Reasoner(load_strategies(["best"])).guess(position_of(board, known))
    nothing = Position(Knowledge.of(1, ()), 1, 1, 1, (0,))
    assert Reasoner(load_strategies(["best"])).guess(nothing)[0].cell == 0


def test_a_possible_mine_never_counts_as_impossible(plain: Kernels) -> None:
    """One layout in a binomial of 300 cells over 150: far below what a double tells from 1."""
    tables = make_tables()
    two, one, empty = np.array([1, 1]), np.array([1]), np.zeros(0, np.int64)

    def survey(total: int) -> Survey:
        openable = np.ones(902, np.int64)
        rule = np.array([0, 2]), np.array([0, 1]), one * 0, one * 2
        field = Field(2, two, openable, *rule, np.zeros(903, np.int64), empty, total, total, 0.25)
        found: Survey = plain["survey"](field, tables)
        assert found.worked
        return found

    full = survey(902)
    assert (full.risks.tolist(), full.rest_risk) == ([1.0, 1.0], 1.0)
    assert 0.0 < survey(1).risks[0] < 1.0
    assert 0.0 < survey(901).risks[0] < 1.0
    assert survey(0).rest_risk == 0.0


# --- compiled in the background ------------------------------------------------------------------------


def test_nothing_is_compiled_or_imported_before_it_is_needed() -> None:
    code = "import sys, bot.cli.main, strategies.builtin.guesses.best; sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def answers_plainly(loops: Kernels) -> bool:
    board = Board.parse("mines 5\n1....\n.....\n.....")
    guesses = told(position_of(board, knowledge_of(board)), Settings(), loops)
    return bool(guesses and guesses[0].figures["plain"])


def test_without_numba_plain_code_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    loops = Kernels()
    assert answers_plainly(loops)
    assert not loops.wait()
    assert loops.error == "numba is not installed"


def test_with_no_place_to_keep_compiled_code_plain_code_answers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda _: str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path / "file"))
    loops = Kernels()
    assert answers_plainly(loops)
    assert "no directory" in loops.error


def test_where_the_cache_cannot_be_written_a_private_temporary_directory_is_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda _: str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    private = tmp_path / f"sapper-{getpass.getuser()}"
    assert find_directory("digest") == private / "digest"
    assert private.stat().st_mode & 0o777 == 0o700
    private.chmod(0o777)  # somebody else could have put code there
    assert find_directory("digest") is None


def test_what_nobody_asked_for_in_a_while_goes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda _: str(tmp_path))
    old, newer = (find_directory(name) for name in ("old", "newer"))
    assert old is not None
    assert newer is not None
    long_ago = time.time() - 2 * UNUSED
    os.utime(old / LOCK, (long_ago, long_ago))
    asked = find_directory("asked")
    assert [each for each in (old, newer, asked) if each and each.exists()] == [newer, asked]


def test_what_cannot_be_compiled_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fails(_: Path) -> None:
        raise RuntimeError("no such processor")

    module = sys.modules[Kernels.__module__]
    monkeypatch.setattr(module, "find_directory", lambda _: tmp_path)
    monkeypatch.setattr("strategies.compiled.keeping._place_of_lock", lambda: None)  # others may compile now
    monkeypatch.setattr("strategies.compiled.__main__.compiled", fails)
    assert compile_into(tmp_path) == 1
    nothing = [sys.executable, "-c", ""]
    monkeypatch.setattr(module, "begin_compiling", lambda _: subprocess.Popen(nothing))
    loops = Kernels()
    assert not loops.wait()
    assert loops.error == "RuntimeError: no such processor"
    assert answers_plainly(loops)


def test_a_second_process_does_not_compile_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / COMPLETE).touch()
    monkeypatch.setattr("strategies.compiled.__main__.compiled", None)
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    assert compile_into(tmp_path) == 0


def test_one_process_of_a_user_compiles_at_a_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    assert not is_under_way()
    begun: list[Path] = []
    monkeypatch.setattr("strategies.compiled.__main__.compiled", begun.append)
    with alone() as is_alone:
        assert is_alone
        assert is_under_way()
        assert compile_into(tmp_path) == BUSY
        module = sys.modules[Kernels.__module__]
        monkeypatch.setattr(module, "find_directory", lambda _: tmp_path)
        monkeypatch.setattr(module, "begin_compiling", lambda _: pytest.fail("a second one was started"))
        loops = Kernels()
        assert answers_plainly(loops)
        assert (loops.error, loops.share) == ("", 0.0)
    assert begun == []
    assert compile_into(tmp_path) == 0
    assert begun == [tmp_path]
    assert share_done(tmp_path) == 1.0


COMPILES = """
import sys, time
from pathlib import Path
from strategies.compiled.keeping import begin_compiling

compiling = begin_compiling(Path(sys.argv[1]))
print(compiling.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_compiling_ends_with_the_program_that_wanted_it(tmp_path: Path, number: int) -> None:
    words = [sys.executable, "-c", COMPILES, str(tmp_path)]
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as player:
        assert player.stdout is not None
        compiler = Path(f"/proc/{int(player.stdout.readline())}")
        deadline = time.monotonic() + 30
        while not list(tmp_path.glob("sapper-*/compiling")) and time.monotonic() < deadline:
            time.sleep(0.02)  # until it is at it
        assert "strategies.compiled" in (compiler / "cmdline").read_text()
        player.send_signal(number)
    deadline = time.monotonic() + 10
    while compiler.exists() and "Z" not in (compiler / "stat").read_text() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not compiler.exists() or ") Z " in (compiler / "stat").read_text()


def test_how_far_it_is_is_reported_in_steps(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module = sys.modules[Kernels.__module__]
    monkeypatch.setattr(module, "find_directory", lambda _: tmp_path)
    monkeypatch.setattr(module, "begin_compiling", lambda _: subprocess.Popen([sys.executable, "-c", ""]))
    monkeypatch.setattr(module, "is_under_way", lambda: False)
    shares = iter([0.0, 0.05, 0.1, 0.45, 0.46, 0.9])
    monkeypatch.setattr(module, "share_done", lambda _: next(shares, 0.99))
    told: list[float] = []
    loops = Kernels()
    assert not loops.wait(told.append)  # nothing was compiled in the end, and nobody says why
    assert told == sorted(told)
    assert loops.error == "compiling was stopped"
