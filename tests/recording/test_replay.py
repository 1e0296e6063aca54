"""Replays repeat the same game and report every difference."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from drawing import SKIN, record_game, skin_of
from editing import edited_events

from bot.game.types import GameRules
from bot.recording.recording import META, Recording
from bot.recording.replay import ReplayResult, replay
from strategies import Reasoner, load_strategies
from vision.skins import Skin, Tile


def again(folder: Path, *strategies: str, skin: Skin | None = None) -> ReplayResult:
    return replay(Recording(folder), Reasoner(load_strategies(strategies)), skin)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recordings") / "game-001"
    record_game(folder, seed=4)
    return folder


@pytest.fixture
def recorded(original: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(original, tmp_path / "game-001"))


@pytest.mark.parametrize("seed", range(8))
def test_replay_game_same(seed: int, tmp_path: Path) -> None:
    record_game(tmp_path / "r", seed)
    replayed = again(tmp_path / "r")
    kinds = [event["event"] for event in Recording(tmp_path / "r").events]
    assert replayed == ReplayResult(kinds.count("look"), kinds.count("act"), ())


@pytest.mark.parametrize("seed", range(4))
def test_replay_flags_and_chords_same(seed: int, tmp_path: Path) -> None:
    rules = GameRules(9, "safe", "flags", can_chord=True, flags="all")
    assert record_game(tmp_path / "r", seed, rules=rules).result in ("won", "lost")
    moves = [move for event in Recording(tmp_path / "r").events for move in event.get("moves", ())]
    assert any(move.startswith("flag") for move in moves)
    assert again(tmp_path / "r").differences == ()


def test_replay_stopped_game_same(recorded: Path) -> None:
    with edited_events(recorded) as events:
        act = max(k for k, event in enumerate(events) if event["event"] == "act")
        del events[act:]
        events.append({"event": "end", "t": 9.0, "result": {"result": "stopped"}, "stopped": "moved"})
    assert again(recorded).differences == ()


def test_replay_other_reading_names_cells(recorded: Path) -> None:
    with edited_events(recorded) as events:
        look = all_of(events, "look")[-1]
        name = next(iter(look["read"]))
        look["read"][name] = "8"
    assert any("cells read differently" in text and "8 ->" in text for text in again(recorded).differences)


def test_replay_other_skin_reported(recorded: Path) -> None:
    skin = skin_of(SKIN)
    swap = {"1": "2", "2": "1"}
    tiles = tuple(Tile(swap.get(tile.state, tile.state), tile.pixels) for tile in skin.tiles)
    other = Skin(SKIN, tiles)
    assert again(recorded, skin=skin).differences == ()
    assert "read differently" in again(recorded, skin=other).differences[0]


Events = list[dict[str, Any]]


def all_of(events: Events, kind: str) -> Events:
    return [event for event in events if event["event"] == kind]


def change_plan(part: str, value: object) -> tuple[Callable[[Events], object], str]:
    return (lambda events: all_of(events, "plan")[1].update({part: value})), f", {part}: recorded"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        change_plan("moves", ["open r0c0", "open r0c1"]),
        change_plan("certain", [{"cell": "r0c0", "is": "mine", "rule": "luck", "because": []}]),
        change_plan("guess", {"cell": "r0c0", "safe": 0.5, "reason": "", "figures": {}}),
        change_plan("wrong_flags", ["r0c0"]),
        (
            lambda events: all_of(events, "act")[0].update(moves=["flag r7c7"]),
            "act 1: recorded ['flag r7c7'], now ['open ",
        ),
        (
            lambda events: events.remove(all_of(events, "act")[0]),
            "a look was recorded, the replay does a act",
        ),
        (
            lambda events: events.insert(-1, {"event": "look", "t": 99.0, "read": {}}),
            "the replay ends before the recording does",
        ),
    ],
)
def test_replay_other_events_reported(change: Callable[[Events], object], said: str, recorded: Path) -> None:
    with edited_events(recorded) as events:
        change(events)
    assert said in again(recorded).differences[0]


def test_replay_other_proof_no_difference(recorded: Path) -> None:
    with edited_events(recorded) as events:
        plan = next(event for event in events if event["event"] == "plan" and event["certain"])
        plan["certain"][0]["rule"] = "luck"
    replayed = again(recorded)
    assert (replayed.differences, replayed.proved_otherwise) == ((), 1)


def test_replay_other_end_reported(recorded: Path) -> None:
    now = Recording(recorded).events[-1]["result"]["result"]
    for ended in {"won", "lost", "stopped"} - {now}:
        with edited_events(recorded) as events:
            events[-1]["result"]["result"] = ended
        assert again(recorded).differences == (f"it was {ended}, now it is {now}",)
    with edited_events(recorded) as events:
        act = max(k for k, event in enumerate(events) if event["event"] == "act")
        del events[act:-1]
        events[-1]["result"]["result"] = "won"
    assert again(recorded).differences == ("it was won, now it is stopped",)


def test_replay_other_total_noticed(recorded: Path) -> None:
    meta = json.loads((recorded / META).read_text())
    meta["rules"]["mines"] = 1
    (recorded / META).write_text(json.dumps(meta))
    assert again(recorded).differences


def test_replay_differences_short_single_lines(recorded: Path) -> None:
    with edited_events(recorded) as events:
        next(event for event in events if event["event"] == "act")["moves"] = ["open r0c0\n"] * 500
    (difference,) = again(recorded).differences
    assert len(difference) < 500
    assert "\n" not in difference
