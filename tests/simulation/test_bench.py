"""`sapper bench`: figures, tables, comparisons and refused options."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from authored import hook, written
from said import Sapper, refused
from waiting import PATIENCE, wait_for

from bot.simulation.tournament import PairedComparison, win_rate

BOARDS = "# tiny 4 3 2 seed=1\n" + "".join(
    f"{game} " + " ".join(str((5 * k + 7 * game) % 12) for k in range(11)) + "\n" for game in range(12)
)


@pytest.fixture
def boards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A boards file of twelve games in the current folder."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "tiny.txt"
    file.write_text(BOARDS, encoding="utf-8")
    return file


def bench(sapper: Sapper, *words: str | Path) -> dict[str, Any]:
    said = sapper("bench", "--json", *words)
    assert (said.code, said.err) == (0, "")
    (answer,) = said.objects
    return answer


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [  # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3 (the score interval)
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_win_rate_interval(won: int, games: int, low: float, high: float) -> None:
    rate = win_rate(won, games)
    assert (round(rate.low, 4), round(rate.high, 4)) == (low, high)
    assert rate.rate == won / games


def test_paired_difference_interval() -> None:
    """By hand, from the formula of the common boards: (x - y)/n ± 1.96 sqrt(x + y - (x - y)²/n)/n."""
    ours = dict.fromkeys(range(100), False) | dict.fromkeys(range(30), True) | {200: True}
    theirs = dict.fromkeys(range(100), False) | dict.fromkeys(range(10, 30), True) | {50: True, 51: True}
    paired = PairedComparison.of(ours, theirs)
    assert paired == PairedComparison(100, 10, 2)
    half = 1.96 * sqrt(12 - 64 / 100) / 100
    assert paired.difference.rate == pytest.approx(0.08)
    assert paired.difference.high - paired.difference.low == pytest.approx(2 * half)
    assert PairedComparison.of(ours, ours).difference.high == 0


def test_bench_json_fields(boards: Path, sapper: Sapper) -> None:
    answer = bench(sapper, "--boards", boards, "--start", "r0c0")
    assert (answer["games"], answer["rate"]) == (12, answer["won"] / 12)
    assert 0 <= answer["low"] < answer["rate"] <= answer["high"] <= 1
    assert 0 < answer["slowest_move_ms"] <= answer["ms_per_game"] * 12


def test_bench_table_of_games(boards: Path, sapper: Sapper) -> None:
    answer = bench(sapper, "--boards", boards, "--out", "games.csv")
    head, *rows = (line.split(",") for line in Path("games.csv").read_text(encoding="utf-8").splitlines())
    assert head == ["game", "won", "guesses", "decisions", "seconds"]
    assert [game for game, *_ in rows] == [str(game) for game in range(12)]
    assert sum(int(won) for _, won, *_ in rows) == answer["won"]
    again = bench(sapper, "--boards", boards, "--out", "games.csv")
    assert again == answer  # no game is repeated, so even the times are the same


def test_bench_text(boards: Path, sapper: Sapper) -> None:
    said = sapper("bench", "--boards", boards, "--games", "3", "--against", "lowest-risk")
    assert (said.code, said.err) == (0, "")
    for text in ("4x3/2 of tiny.txt, first click safe", "of 3 games won", "ms CPU a game"):
        assert text in said.out
    assert re.search("against lowest-risk: .*\\d won only by the first, ", said.out)


def test_bench_levels_sizes_and_seeds(sapper: Sapper) -> None:
    level, size, other = (
        bench(sapper, *words.split(), "--games", "5")["decisions_per_game"]
        for words in ("--level beginner", "--size 9x9 --mines 10", "--level beginner --seed 2")
    )
    assert level == size != other


def test_bench_start_cell_is_no_decision(boards: Path, sapper: Sapper) -> None:
    """The strategies choose the first click unless --start names it; only their own choice counts."""
    words = ("--boards", boards, "--first-click", "zero")
    own = bench(sapper, *words)["decisions_per_game"]
    starts = ("r0c0", "r1c1", "r2c3")
    fixed = {bench(sapper, *words, "--start", start)["decisions_per_game"] for start in starts}
    assert min(fixed) < own
    assert len(fixed) > 1


def test_bench_against_table_or_strategies(boards: Path, sapper: Sapper) -> None:
    last = "[Guess((position.openable & ~position.knowledge.true).bit_length() - 1, 0.5)]"
    worse = written(boards.parent, hook("guess", f"return {last}"))
    words = ("--boards", boards, "--start", "r0c0")
    bench(sapper, *words, "--strategy", worse, "--out", "worse.csv")
    table = bench(sapper, *words, "--against", "worse.csv")
    played = bench(sapper, *words, "--against", worse)
    for name in ("paired", "only_here", "only_there", "difference", "difference_low", "difference_high"):
        assert table[name] == played[name]
    assert table["paired"] == played["against"]["games"] == 12
    assert table["only_here"] - table["only_there"] == round(12 * table["difference"]) > 0
    assert "against" not in table


def test_bench_both_sides_write_tables(boards: Path, sapper: Sapper) -> None:
    words = ("--boards", boards, "--against", "lowest-risk", "--out", "run.csv")
    first = bench(sapper, *words)
    assert Path("run.against.csv").read_text(encoding="utf-8").count("\n") == 13
    assert bench(sapper, *words) == first


def test_bench_against_partial_foreign_table(boards: Path, sapper: Sapper) -> None:
    Path("foreign.csv").write_text("game,won\n3,1\n5,0\n99,1\n", encoding="utf-8")
    assert bench(sapper, "--boards", boards, "--against", "foreign.csv")["paired"] == 2


def test_bench_exact_value(sapper: Sapper) -> None:
    answer = bench(sapper, "--exact", "3x2/2", "--start", "r0c0")
    assert Fraction(answer["value"]) == Fraction(answer["won"], answer["layouts"])
    assert (answer["layouts"], answer["rate"]) == (10, answer["won"] / 10)
    printed = sapper("bench", "--exact", "3x2/2").printed
    assert f"{answer['won']} of 10 layouts won" in printed
    assert "positions decided in" in printed


INTERRUPTIBLE = """
import signal, sys
from bot.cli.main import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for background jobs
sys.exit(main())
"""


def test_bench_control_c_keeps_played_games(boards: Path) -> None:
    words = ["bench", "--level", "beginner", "--games", "90000", "--jobs", "2", "--out", "run.csv"]
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    table = Path("run.csv")
    wait_for(lambda: table.exists() and table.read_bytes().count(b"\n") > 1)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers as well
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (5, "")
    assert err.strip() == "sapper: stopped by the keyboard"
    assert table.read_bytes().count(b"\n") > 1


@pytest.mark.parametrize(
    ("code", "words", "message"),
    [
        (2, "--level beginner --boards tiny.txt", "use one of --level, --size with --mines, and --boards"),
        (2, "--mines 10", "--size and --mines require each other"),
        (2, "--size 9x9 --mines 81", "81 mines are not possible on 9x9: use 1 to 80"),
        (2, "--size 9999x9999 --mines 5", "9999x9999 is too large to simulate"),
        (2, "--level beginner --start r9c0", "'r9c0' is not a cell of 9x9: use r0c0 to r8c8"),
        (2, "--size 3x3 --mines 3 --first-click zero --start r1c1", "3 mines leave no room for a zero first"),
        (2, "--size 3x3 --mines 6 --first-click zero", "6 mines leave no room for a zero first click on 3x3"),
        (2, "--level beginner --jobs 2 --dask tcp://127.0.0.1:9", "leave one of them out"),
        (2, "--level beginner --dask nowhere", "'nowhere' is not a Dask address"),
        (2, "--exact 5x5", "invalid board '5x5': expected COLUMNSxROWS/MINES"),
        (2, "--exact 2x2/4", "4 mines are not possible on 2x2: use 1 to 3"),
        (2, "--exact 9x9/10", "layouts are too many to play"),
        (2, "--exact 3x3/2 --start r3c0", "'r3c0' is not a cell of 3x3"),
        (2, "--exact 3x3/2 --games 5", "too many options for --exact"),
        (2, "--boards tiny.txt --against nobody", "'nobody' is not a known strategy"),
        (2, "--boards tiny.txt --against wins.csv --against lowest-risk", "several values for --against"),
        (7, "--boards none.txt", "none.txt: cannot read the boards file"),
        (7, "--boards short.txt", "short.txt, line 3: 5 cells, but 11 are required"),
        (7, "--boards tiny.txt --against none.csv", "none.csv: unreadable"),
        (7, "--boards tiny.txt --against wins.csv", "no game in common with this run"),
        (7, "--boards tiny.txt --out wins.csv", "wins.csv belongs to another run (its run file is missing)"),
    ],
)
def test_bench_wrong_options_refused_in_one_line(
    boards: Path, sapper: Sapper, code: int, words: str, message: str
) -> None:
    Path("short.txt").write_text("\n".join([*BOARDS.splitlines()[:2], "1 1 2 3 4 5"]))
    Path("wins.csv").write_text("game,won\n77,1\n")
    refused(sapper("bench", *words.split()), code, message)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--size 4x3 --mines 2 --out run.csv", "run.csv belongs to another run (boards: boards file"),
        ("--size 4x3 --mines 2 --against run.csv", "run.csv: other boards (boards file"),
        ("--boards tiny.txt --first-click zero --against run.csv", "first click safe"),
    ],
)
def test_bench_table_of_other_run_refused(boards: Path, sapper: Sapper, words: str, message: str) -> None:
    bench(sapper, "--boards", boards, "--games", "4", "--out", "run.csv")
    refused(sapper("bench", *words.split()), 7, message)


def test_bench_no_dask_scheduler_refused(monkeypatch: pytest.MonkeyPatch, sapper: Sapper) -> None:
    words = ("bench", "--level", "beginner", "--dask", "tcp://127.0.0.1:9")
    monkeypatch.setattr("bot.simulation.workers.ANSWER_WITHIN", 0.2)
    refused(sapper(*words), 8, "sapper: no Dask scheduler answers at tcp://127.0.0.1:9: ")
    monkeypatch.setitem(sys.modules, "distributed", None)
    refused(sapper(*words), 8, "pip install distributed")
