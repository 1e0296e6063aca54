"""The fuzzer of every kind of external file (`tools.fuzz_readers`), and a campaign with it."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from said import run_process

from games.errors import InvalidFile
from tools import fuzz_readers
from tools.external_readers import FIXTURES, READERS, Read, Reader
from tools.fuzz_readers import Progress, fuzz, fuzz_all

CAMPAIGN = 600  # seconds
RECORDING = FIXTURES / "recordings/kmines-001"


def findings(reader: Reader, inputs: int) -> Sequence[str]:
    """Problems with the first inputs of a reader."""
    done, found = fuzz(reader, 0, inputs, 120.0, lambda _: None)
    assert done == inputs
    return [str(each[0]) for each in found.values()]


@pytest.mark.slow
@pytest.mark.campaign
def test_readers_ten_minutes_no_finding(capsys: pytest.CaptureFixture[str]) -> None:
    first = int(time.time())
    words = ("-m", "tools.fuzz_readers", "--first", str(first), "--seconds", str(CAMPAIGN))
    done = run_process(sys.executable, *words, cwd=FIXTURES.parent, timeout=2 * CAMPAIGN)
    with capsys.disabled():
        print(f"\nfirst input {first}:\n{done.out}")  # noqa: T201 - to repeat it
    for name in READERS:
        assert re.search(rf"\| {re.escape(name)} \| [1-9]\d* \| 0 \| 0 \|", done.printed), name


def raise_key_error(folder: Path) -> None:
    raise KeyError(folder.name)


def write_outside(folder: Path) -> None:
    (folder.parent.parent / "outside").write_text("x")


def follow_link(folder: Path) -> None:
    (folder / "link").symlink_to(folder.parent.parent / "victim")
    (folder / "link").write_text("x")


def fill_memory(_: Path) -> None:
    bytearray(b"x") * (400 << 20)


def refuse(_: Path) -> None:
    raise InvalidFile("damaged: delete it")


@pytest.mark.parametrize(
    ("read", "place"),
    [
        (raise_key_error, "KeyError"),
        (write_outside, "a change outside"),
        (follow_link, "a change outside"),
        (fill_memory, "MB of memory"),
        (lambda _: os._exit(3), "ended with code 3"),
        (refuse, None),
    ],
)
def test_fuzzer_problem_is_found(read: Read, place: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_readers, "MOST_MEMORY", 400 << 20)
    reader = Reader("test", lambda: [{"a.txt": b"text"}], read)
    monkeypatch.setattr(fuzz_readers, "READERS", {"test": reader})
    found = findings(reader, 2)
    assert bool(found) == bool(place)
    assert not place or place in found[0]


def test_fuzzer_interrupted_run_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader("test", lambda: [{"a.txt": b"text"}], raise_key_error)
    monkeypatch.setattr(fuzz_readers, "READERS", {"test": reader})
    file = tmp_path / "progress.jsonl"
    said: list[str] = []
    fuzz_all([reader], 2, 60, said.append, Progress(5, file))
    with file.open("a") as lines:
        lines.write('\n{"first": 5, "rea')
    progress = Progress(5, file)
    fuzz_all([reader], 3, 60, said.append, progress)
    assert [each.partition(":")[0] for each in said] == ["test 5"]
    assert Progress(5, file).row("test") == progress.row("test") == ("test", 3, 3, 1)
    assert Progress(6, file).row("test") == ("test", 0, 0, 0)
