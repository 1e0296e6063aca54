"""Recordings in which anything may be anything: one line says what is wrong, and never a traceback."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.recording import EVENTS, META, Recording, compare, replay
from bot.recording.events import wrong_with
from games.errors import SapperError
from strategies import Reasoner, load_strategies

FIXTURE = Path(__file__).resolve().parents[2] / "fixtures" / "recordings" / "ace-minesweeper-001"
STRANGE: tuple[Any, ...] = (
    None,
    [],
    {},
    "x",
    5,
    -1,
    10**6,
    0.5,
    True,
    [[]],
    [None],
    {"a": None},
    "r999c999",
    "open r0c0",
)
MOST_EVENTS = 14  # enough for every kind; the rest of the game is more of the same


def places(thing: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where every value in a JSON value is."""
    yield path
    for key, value in (
        thing.items() if isinstance(thing, dict) else enumerate(thing) if isinstance(thing, list) else ()
    ):
        yield from places(value, (*path, key))


def damaged(thing: Any, path: tuple[Any, ...], strange: object) -> Any:
    copy = json.loads(json.dumps(thing))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    if path:
        inner[path[-1]] = strange
    return copy if path else strange


def short(folder: Path) -> list[str]:
    shutil.copytree(FIXTURE, folder)
    lines = (folder / EVENTS).read_text().splitlines()
    return [*lines[:MOST_EVENTS], lines[-1]]


def test_what_was_recorded_is_right() -> None:
    for line in (FIXTURE / EVENTS).read_text().splitlines():
        assert wrong_with(json.loads(line)) == ""


@pytest.mark.parametrize("seed", range(40))
def test_an_event_with_something_strange_in_it(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    lines = short(tmp_path / "recording")
    number = dice.randrange(len(lines))
    event = json.loads(lines[number])
    path = dice.choice(list(places(event)))
    lines[number] = json.dumps(damaged(event, path, dice.choice(STRANGE)))
    (tmp_path / "recording" / EVENTS).write_text("\n".join(lines) + "\n")
    go_over(tmp_path / "recording")


@pytest.mark.parametrize("seed", range(40))
def test_facts_with_something_strange_in_them(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    lines = short(tmp_path / "recording")
    (tmp_path / "recording" / EVENTS).write_text("\n".join(lines) + "\n")
    facts = json.loads((tmp_path / "recording" / META).read_text())
    path = dice.choice([path for path in places(facts) if path[:1] != ("lattice",) or dice.random() < 0.1])
    (tmp_path / "recording" / META).write_text(json.dumps(damaged(facts, path, dice.choice(STRANGE))))
    go_over(tmp_path / "recording")


def go_over(folder: Path) -> None:
    """Read it, play it again, compare it; whatever is wrong is an error of ours, in one line."""
    try:
        recording = Recording(folder)
        replay(recording, Reasoner(load_strategies(["single-cell"])))
        list(compare(recording, load_strategies(["single-cell"]), recording.skin))
    except SapperError as error:
        said = str(error)
    else:
        said = "it can be gone over all the same"
    assert said
    assert "\n" not in said
