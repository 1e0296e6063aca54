"""Replays repeat the same game and report every difference."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from drawing import SKIN, record_game, skin_of
from editing import edited_events

from bot.game.types import GameRules
from bot.recording.recording import META, Recording
from bot.recording.replay import ReplayResult, replay
from games.errors import InvalidFile
from strategies import Reasoner, load_strategies
from vision.skins import Skin, Tile


def again(folder: Path, *strategies: str, skin: Skin | None = None) -> ReplayResult:
    return replay(Recording(folder), Reasoner(load_strategies(strategies)), skin)


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    folder = tmp_path / "game-001"
    record_game(folder, seed=4)
    return folder


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
        look = [event for event in events if event["event"] == "look"][-1]
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


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("moves", ["open r0c0", "open r0c1"]),
        ("certain", [{"cell": "r0c0", "is": "mine", "rule": "luck", "because": []}]),
        ("guess", {"cell": "r0c0", "safe": 0.5, "reason": "", "figures": {}}),
        ("wrong_flags", ["r0c0"]),
    ],
)
def test_replay_other_plan_reported(part: str, value: object, recorded: Path) -> None:
    with edited_events(recorded) as events:
        [event for event in events if event["event"] == "plan"][1][part] = value
    assert f", {part}: recorded" in again(recorded).differences[0]


def test_replay_other_proof_no_difference(recorded: Path) -> None:
    with edited_events(recorded) as events:
        plan = next(event for event in events if event["event"] == "plan" and event["certain"])
        plan["certain"][0]["rule"] = "luck"
    replayed = again(recorded)
    assert (replayed.differences, replayed.proved_otherwise) == ((), 1)


def test_replay_other_act_reported(recorded: Path) -> None:
    with edited_events(recorded) as events:
        next(event for event in events if event["event"] == "act")["moves"] = ["flag r7c7"]
    assert again(recorded).differences[0].startswith("act 1: recorded ['flag r7c7'], now ['open ")


def test_replay_missing_act_reported(recorded: Path) -> None:
    with edited_events(recorded) as events:
        events.remove(next(event for event in events if event["event"] == "act"))
    assert "a look was recorded, the replay does a act" in again(recorded).differences[0]


def test_replay_surplus_events_reported(recorded: Path) -> None:
    with edited_events(recorded) as events:
        events.insert(-1, {"event": "look", "t": 99.0, "read": {}})
    assert again(recorded).differences == ("the replay ends before the recording does",)


@pytest.mark.parametrize("ended", ["won", "lost", "stopped"])
def test_replay_other_end_reported(ended: str, recorded: Path) -> None:
    now = Recording(recorded).events[-1]["result"]["result"]
    with edited_events(recorded) as events:
        events[-1]["result"]["result"] = ended
    assert again(recorded).differences == (() if ended == now else (f"it was {ended}, now it is {now}",))


def test_replay_won_game_continues_reported(recorded: Path) -> None:
    with edited_events(recorded) as events:
        act = max(k for k, event in enumerate(events) if event["event"] == "act")
        del events[act:-1]
        events[-1]["result"]["result"] = "won"
    assert again(recorded).differences == ("it was won, now it is stopped",)


def test_replay_other_strategies_other_plan(recorded: Path) -> None:
    assert again(recorded, "single-cell").differences


def test_replay_other_total_noticed(recorded: Path) -> None:
    meta = json.loads((recorded / META).read_text())
    meta["rules"]["mines"] = 1
    (recorded / META).write_text(json.dumps(meta))
    assert again(recorded).differences


@pytest.mark.parametrize(("kind", "part"), [("plan", "t"), ("act", "moves")])
def test_replay_incomplete_event_invalid(kind: str, part: str, recorded: Path) -> None:
    with edited_events(recorded) as events:
        next(e for e in events if e["event"] == kind).pop(part)
    with pytest.raises(InvalidFile, match=f"lacks .{part}."):
        again(recorded)


def test_replay_differences_short_single_lines(recorded: Path) -> None:
    with edited_events(recorded) as events:
        next(event for event in events if event["event"] == "act")["moves"] = ["open r0c0\n"] * 500
    (difference,) = again(recorded).differences
    assert len(difference) < 500
    assert "\n" not in difference
