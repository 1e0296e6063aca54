"""Differences between a recording and the current reading: as a table, as pictures, accepted."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from drawing import SKIN, SKINS, readers, record_game, skin_of
from editing import edited_events
from places import FIXTURES
from said import Sapper, refused

from bot.recording.compare import RecordedChange, compare, compare_image, update
from bot.recording.recording import EVENTS, META, Recording
from bot.recording.replay import replay
from bot.show.pictures import side_by_side
from games.errors import InvalidFile, ReplayMismatch
from strategies import Reasoner, load_strategies
from vision.frame import Frame
from vision.skins import Skin

SHOT = FIXTURES / "screens" / "sgt-mines" / "won.png"
LONG = 3  # plans that decide more than one cell


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with enough plans and proofs; the seed is searched because guesses change."""
    folder = tmp_path_factory.mktemp("recordings") / "game-001"
    for seed in itertools.count():
        shutil.rmtree(folder, ignore_errors=True)
        record_game(folder, seed, remembers=True)
        plans = [event for event in Recording(folder).events if event["event"] == "plan"]
        if sum(len(plan["certain"]) > 1 for plan in plans) > LONG and is_hard(plans):
            return folder
    raise AssertionError


@pytest.fixture
def game(original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return Path(shutil.copytree(original, tmp_path / "game-001"))


def is_hard(plans: Sequence[dict[str, Any]]) -> bool:
    """Whether some proof needs several clues."""
    rules = {reason["rule"] for plan in plans for reason in plan["certain"]}
    return "one clue's cells lie inside another's" in rules or "two clues share cells" in rules


def exchange_ones_and_twos(folder: Path) -> None:
    """Exchange all recorded ones and twos."""
    swap = {"1": "2", "2": "1"}
    with edited_events(folder) as events:
        for event in events:
            if "read" in event:
                event["read"] = {cell: swap.get(state, state) for cell, state in event["read"].items()}


def misread_last_look(folder: Path) -> None:
    with edited_events(folder) as events:
        last = [event for event in events if event["event"] == "look" and event.get("read")][-1]
        last["read"][next(iter(last["read"]))] = "7"


def changes(folder: Path, *names: str, skin: Skin | None = None) -> list[RecordedChange]:
    looks = compare(Recording(folder), load_strategies(names), skin or skin_of(SKIN))
    return [change for look in looks for change in look.changes]


def test_compare_nothing_changed(game: Path) -> None:
    assert changes(game) == []


def test_compare_weaker_strategy_finds_less(game: Path, sapper: Sapper) -> None:
    found = changes(game, "single-cell")
    lost = [change for change in found if change.what == "certain"]
    assert lost
    assert {change.now for change in lost} == {"-"}
    assert {change.recorded for change in lost} <= {"mine", "safe"}
    guesses = [change for change in found if change.what == "guess"]
    assert all(change.now.endswith(" % safe") for change in guesses)
    said = sapper("replay", "--json", "--strategy", "single-cell", "game-001")
    (printed,) = said.objects
    assert (said.code, printed["recording"], printed["updated"]) == (1, "game-001", False)
    assert {"look", "what", "cell", "recorded", "now"} == set(printed["changes"][0])


def test_compare_delayed_certain_cell_temporary(game: Path) -> None:
    """It is reported once if it is missing, not again when it appears."""
    with edited_events(game) as events:
        plans = [event for event in events if event["event"] == "plan" and len(event["certain"]) > 1]
        moved = plans[0]["certain"].pop()
        plans[1]["certain"].append(moved)
    certain = [change for change in changes(game) if change.what == "certain"]
    assert [(c.cell, c.recorded, c.now) for c in certain] == [(moved["cell"], "-", moved["is"])]


def test_compare_reading_lists_cells(game: Path) -> None:
    exchange_ones_and_twos(game)
    found = changes(game)
    readings = [change for change in found if change.what == "reading"]
    assert all(change.recorded != change.now for change in readings)
    assert {change.recorded for change in readings} >= {"1", "2"}
    assert len({(change.look, change.cell) for change in readings}) == len(readings) > 5


def test_compare_picture_has_both_sides(game: Path) -> None:
    exchange_ones_and_twos(game)
    look = next(look for look in compare(Recording(game), load_strategies(), skin_of(SKIN)) if look.changes)
    lattice = Recording(game).meta.lattice
    pixels = side_by_side(lattice, look.frame, look.changes, look.now)
    half = (pixels.shape[1] - 16) // 2
    left, right = pixels[28:, :half], pixels[28:, -half:]
    assert left.shape == right.shape
    assert (left != right).any()
    nothing = side_by_side(lattice, look.frame, [], look.now)
    assert (nothing[28:, :half] == nothing[28:, -half:]).all()


def test_accept_proofs_and_strategies(game: Path) -> None:
    chosen = load_strategies(["backtracking", *(each.name for each in load_strategies() if each.has_guess)])
    assert replay(Recording(game), Reasoner(chosen)).proved_otherwise
    update(Recording(game), chosen, skin_of(SKIN))
    again = Recording(game)
    assert [name for name, _ in again.meta.strategies] == [each.name for each in chosen]
    replayed = replay(again, Reasoner(chosen))
    assert (replayed.differences, replayed.proved_otherwise) == ((), 0)


def test_accept_reading_without_effect(game: Path) -> None:
    misread_last_look(game)
    assert [change.recorded for change in changes(game)] == ["7"]
    update(Recording(game), load_strategies(), skin_of(SKIN))
    assert changes(game) == []


def test_accept_different_play_refused(game: Path) -> None:
    before = {name: (game / name).read_bytes() for name in (EVENTS, META)}
    with pytest.raises(ReplayMismatch, match=r"would be played differently now .* record it again"):
        update(Recording(game), load_strategies(["single-cell"]), skin_of(SKIN))
    assert {name: (game / name).read_bytes() for name in before} == before


def test_compare_without_skin_accepted(tmp_path: Path, sapper: Sapper) -> None:
    game = tmp_path / "game-001"
    record_game(game, 3)
    misread_last_look(game)
    said = sapper("replay", "game-001")
    assert said.code == 1
    assert " reading " in said.out
    assert sapper("replay", "game-001", "--update").code == 0
    assert sapper("replay", "game-001").printed.endswith(": the same\n")
    assert not (game / "look.skin").exists()


@pytest.fixture
def shot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for suffix in (".png", ".txt"):
        shutil.copy(SHOT.with_suffix(suffix), tmp_path)
    return tmp_path / SHOT.name


def misread(shot: Path) -> None:
    """Annotate the first 1 as 7."""
    text = shot.with_suffix(".txt")
    rows = (
        line for line in text.read_text().splitlines() if set(line) <= set(".012345678F*-~") and "1" in line
    )
    row = next(rows)
    text.write_text(text.read_text().replace(row, row.replace("1", "7", 1), 1))


def test_compare_picture_with_its_text(shot: Path) -> None:
    assert compare_image(shot, load_strategies(), readers()).changes == ()
    misread(shot)
    found = compare_image(shot, load_strategies(), readers()).changes
    assert [(change.recorded, change.now) for change in found if change.what == "reading"] == [("7", "1")]


def test_compare_picture_without_text(shot: Path, sapper: Sapper) -> None:
    shot.with_suffix(".txt").unlink()
    with pytest.raises(InvalidFile):
        compare_image(shot, load_strategies(), readers())
    refused(sapper("replay", shot), 7, "use --update to accept the reading")
    skin = str(SKINS / "sgt-mines.skin")
    assert sapper("replay", shot, "--update", "--skin", skin).code == 0
    assert sapper("replay", shot, "--skin", skin).printed.endswith("won.png: the same\n")


def test_compare_folder_of_both(game: Path, shot: Path, sapper: Sapper) -> None:
    misread(shot)
    said = sapper("replay", ".", "--picture", "pictures")
    assert said.code == 1
    *lines, total = said.out.splitlines()
    assert total == "2 replayed, 1 differ"
    assert lines[0].startswith("game-001: ")
    assert "won.png: differences: 1" in lines[1]
    assert lines[3].split() == ["look", "what", "cell", "recorded", "now"]
    assert lines[4].split()[1] == "reading"
    (picture,) = Path("pictures").iterdir()
    assert picture.name == "won-look-001.png"
    assert Frame.load(picture).width > 1000
    assert "won.png: differences: 1; accepted" in sapper("replay", ".", "--update").printed
    assert sapper("replay", ".").code == 0


def test_update_refused_others_continue(game: Path, sapper: Sapper) -> None:
    shutil.copytree(game, game.parent / "game-002")
    (game / EVENTS).write_text("")
    captured = sapper("replay", ".", "--update")
    assert captured.code == 7
    assert captured.err.count("\n") == 1
    assert "game-002: " in captured.out
