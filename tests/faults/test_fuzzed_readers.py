"""The fuzzer of every kind of external file (`fuzz_readers`), and a campaign with it."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

import fuzz_readers
import pytest
from external_readers import READERS, Read, Reader
from fuzz_readers import fuzz

from games.errors import InvalidFile

CAMPAIGN = 20.0  # seconds for each reader


def findings(reader: Reader, first: int, inputs: int, seconds: float) -> Sequence[str]:
    """Problems with some inputs of a reader."""
    done, found = fuzz(reader, first, inputs, seconds, lambda _: None)
    assert done > 0
    return [str(each[0]) for each in found.values()]


@pytest.mark.slow
@pytest.mark.campaign
@pytest.mark.parametrize("name", READERS)
def test_readers_damaged_files_refused(name: str) -> None:
    """New inputs each time; the environment variable FUZZ_FIRST chooses the number of the first one."""
    first = int(os.environ.get("FUZZ_FIRST", time.time()))
    assert findings(READERS[name], first, 1_000_000, CAMPAIGN) == []


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
    found = findings(reader, 0, 2, 120)
    assert bool(found) == bool(place)
    assert not place or place in found[0]
