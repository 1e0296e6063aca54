"""Strategies that do all that none may do: each is quarantined, named, and costs the game nothing."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest
from authored import HEAD, hook, hostile

from bot.simulation.simulated_game import GameStart, play_game
from games.errors import InvalidFile
from games.logic import Knowledge
from games.minesweeper import Deal
from strategies import Strategy, load_strategies
from strategies.isolation.protocol import ResourceLimits
from strategies.isolation.proxy import PluginError
from strategies.isolation.sandbox import denials

QUICK = ResourceLimits(call=0.8, waiting=1.6, loading=1.0, memory=96 << 20, reply=1_500_000)
GAMES = [Deal.random(9, 9, 10, f"isolated {number}") for number in range(4)]
# name: the lines of its hook (`guess` if the name has "guess" or "position", else `deduce`), the complaint
HOSTILE = {
    "raises": ("raise ValueError('no idea')", "line 7: it raised ValueError: no idea"),
    "yields garbage": ("yield 'r0c0 is safe'", "line 7: it yielded a str, not a Deduction"),
    "yields a hollow deduction": ("yield Deduction(None, None)", "an invalid Deduction"),
    "is not iterable": ("return 5", "TypeError: 'int' object is not iterable"),
    "claims what is wrong": (
        "yield Deduction.false(knowledge.undecided, because=knowledge.constraints[:1], rule='hope')",
        "line 7: 'hope' concludes from",
    ),
    "uses an unknown premise": ("yield Deduction.false(1, because=(Constraint(1, 0, 0),))", "is not known"),
    "speaks of other cells": ("yield Deduction.false(1 << 9999, because=())", "not in play"),
    "recurses without end": (
        "def down(n):\n        return down(n + 1)\n    return down(0)", "it raised RecursionError",
    ),
    "recurses until it crashes": (
        ("class Deep:\n        def __repr__(self):\n            return repr(self)\n"
        "    sys.setrecursionlimit(10**9)\n    repr(Deep())"),
        "its process ended (signal",
    ),
    "wants all memory": ("return bytearray(1 << 40)", "line 7: it raised MemoryError"),
    "wants it bit by bit": (
        "kept = []\n    while True:\n        kept.append(bytearray(1 << 24))", "it raised MemoryError",
    ),
    "exits": ("sys.exit(0)", "line 7: it raised SystemExit: 0"),
    "exits at once": ("os._exit(3)", "its process ended (exit code 3)"),
    "ends itself": ("os.kill(os.getpid(), signal.SIGKILL)", "its process ended (signal 9)"),
    "closes a generator": ("raise GeneratorExit", "line 7: it raised GeneratorExit"),
    "raises Ctrl+C": ("raise KeyboardInterrupt", "line 7: it raised KeyboardInterrupt"),
    "raises its own": (
        "class Mine(BaseException):\n        pass\n    raise Mine('so there')",
        "line 9: it raised Mine: so there",
    ),
    "loops without end": ("while True:\n        pass", "no answer after 0.8 s of processor time"),
    "loops in C": ("return 3 ** 10 ** 9", "line 7: no answer after 0.8 s of processor time"),
    "sleeps": ("time.sleep(3600)", "line 7: no answer after 1.6 s"),
    "yields without end": (
        "while True:\n        yield Deduction.bounds(3, 0, 2, knowledge.constraints[:1])", "more than 10",
    ),
    "changes what it is given": ("knowledge.false = knowledge.universe", "FrozenInstanceError"),
    "changes it behind its back": (
        "object.__setattr__(knowledge, 'false', knowledge.universe)\n    return []",
        "line 5: it changed what it was given",
    ),
    "changes a constraint": (
        "object.__setattr__(knowledge.constraints[0], 'high', 0)\n    return []", "can't set attribute",
    ),
    "closes its files": ("os.closerange(0, 256)\n    return []", "its process ended ("),
    "answers for Sapper": (
        ("import socket\n    for fd in range(3, 64):\n"
        "        try:\n            os.write(fd, b'\\x05\\0\\0\\0[[[[[')\n"
        "        except OSError:\n            pass\n"
        "    return []"),
        "no answer",
    ),
    "answers more than it may": (
        "yield Deduction.bounds(3, 0, 2, knowledge.constraints[:1] * 600_000)",
        "line 5: its answer of 1800 kB is too long",
    ),
    "forks": ("os.fork()\n    return []", "its process sent something that is no answer"),
    "ends its parent": (
        "os.kill(os.getppid(), 9)\n    time.sleep(9)",
        "PermissionError" if denials()["signals to them"] else "its process ended",
    ),
    "starts threads that never end": (
        ("if threading.active_count() == 1:\n"
        "        threading.Thread(target=time.sleep, args=(3600,)).start()\n    return []"),
        "",
    ),
    "prints": ("print('{\"result\": \"won\"}', flush=True)\n    return []", ""),
    "guesses what is open": ("return [Guess(-1, 0.5)]", "it guessed cell -1, which is not on"),
    "guesses a word": ("return ['r0c0']", "line 5: its guess is a str, not a Guess"),
    "guesses too surely": ("return [Guess(position.openable.bit_length() - 1, 7)]", "the probability 7.0"),
    "guesses for ever": ("while True:\n        pass", "no answer after 0.8 s of processor time"),
    "guesses without end": (  # only the first is asked for
        "while True:\n        yield Guess(position.openable.bit_length() - 1, 0.5)", "",
    ),
    "changes the position": (
        "object.__setattr__(position, 'openable', 1)\n    return []", "it changed what it was given",
    ),
}  # fmt: skip


def wins(strategies: tuple[Strategy, ...]) -> tuple[list[bool], set[str]]:
    scores = [play_game(strategies, number, deal, GameStart("zero")) for number, deal in enumerate(GAMES)]
    return [score.won for score in scores], {fault for score in scores for fault in score.faults}


CHAIN = ["single-cell", "set-rules", "lowest-risk"]


@pytest.fixture(scope="module")
def as_without() -> list[bool]:
    return wins(load_strategies(CHAIN))[0]


LONG = ("guesses for ever", "loops without end")  # other endless loops run in every case


@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=[pytest.mark.campaign] * (what in LONG)) for what in HOSTILE]
)
def test_isolated_fault_does_not_change_game(what: str, as_without: list[bool], tmp_path: Path) -> None:
    lines, complaint = HOSTILE[what]
    file = hostile(tmp_path, "guess" if "guess" in what or "position" in what else "deduce", lines)
    won, faults = wins(load_strategies([file, *CHAIN], limits=QUICK))
    assert won == as_without
    said = [fault for fault in faults if not fault.endswith("stays off")]
    assert bool(said) == bool(complaint), faults
    assert all(complaint in fault for fault in said), faults
    assert all(f"strategy hostile is quarantined for this game: {file}" in fault for fault in faults)
    assert all("\n" not in fault for fault in faults)


@pytest.mark.parametrize(
    "what",
    [
        *("raises", "exits", "raises its own", "closes a generator", "yields garbage"),
        *("changes what it is given", "changes it behind its back", "changes the position"),
    ],
)
def test_in_process_fault_is_quarantined(what: str, as_without: list[bool], tmp_path: Path) -> None:
    lines, complaint = HOSTILE[what]
    file = hostile(tmp_path, "guess" if "position" in what else "deduce", lines)
    won, faults = wins(load_strategies([file, *CHAIN], trust=True))
    assert won == as_without
    assert [complaint in fault for fault in faults] == [True]


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ("while True: pass", r"line 7: no answer after 1 s of processor time"),
        ("os._exit(0)", r"its process ended \(exit code 0\)"),
    ],
)
def test_isolated_file_never_loads_is_quarantined(
    lines: str, complaint: str, as_without: list[bool], tmp_path: Path
) -> None:
    file = tmp_path / "hostile.py"
    file.write_text(f"{HEAD}\n\n{lines}\n", encoding="utf-8")
    won, faults = wins(load_strategies([str(file), *CHAIN], limits=QUICK))
    assert won == as_without
    (fault,) = faults
    assert re.search(complaint, fault), fault


RAISING = ["raise ValueError('x')", "sys.exit(0)", "raise GeneratorExit"]


@pytest.mark.parametrize(
    ("lines", "trust"),
    [*product(RAISING, (True, False)), ("x = bytearray(1 << 40)", False)],  # trust: no limit of the memory
)
def test_isolated_file_raises_before_game(lines: str, trust: bool, tmp_path: Path) -> None:
    file = tmp_path / "hostile.py"
    file.write_text(f"{HEAD}{lines}\n", encoding="utf-8")
    with pytest.raises(InvalidFile, match=r"hostile.py, line 5: \w+.*: correct the file"):
        load_strategies([str(file)], trust=trust, limits=QUICK)


def test_isolated_process_restarted_three_times(tmp_path: Path) -> None:
    strategies = load_strategies([hostile(tmp_path, "deduce", "os._exit(1)"), *CHAIN], limits=QUICK)
    said = [play_game(strategies, 0, GAMES[0], GameStart("zero")).faults[0] for _ in range(5)]
    assert ["exit code 1" in fault for fault in said] == [True, True, True, False, False]
    assert "had to be ended 3 times and stays off" in said[-1]


def test_isolated_output_prefixed_and_limited(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    body = (
        "for k in range(300):\n    print('clue', k, '\\x1b[2J' * (k == 1))\nprint('open', end='')\nreturn []"
    )
    file = tmp_path / "talk.py"
    file.write_text(HEAD + hook("deduce", body))
    talking = load_strategies([str(file)])[0]
    assert list(talking.deduce(Knowledge.of(1, ()), 1)) == []
    talking.close()
    lines = capfd.readouterr().err.splitlines()
    assert lines[:3] == ["talk: clue 0 ", r"talk: clue 1 \x1b[2J", "talk: clue 2 "]
    assert len(lines) == 200
    assert lines[-1] == "talk: further output is not shown: --trust shows all of it"


def test_isolated_hang_names_line_of_relative_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    body = "spins = 0\nwhile True:\n    spins += 1"
    Path("mine.py").write_text(HEAD + hook("deduce", body), encoding="utf-8")
    hanging = load_strategies(["./mine.py"], limits=QUICK)[0]
    with pytest.raises(PluginError, match=r"^mine\.py, line [89]: no answer"):
        list(hanging.deduce(Knowledge.of(1, ()), 1))
