"""Games on an unknown program that ends them in many ways: reported results are true."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from live import play_on, played, program_on, replays, session_on

from bot.desktop.backends import Desktop
from bot.play.next_game_actions import FILE

pytestmark = pytest.mark.live

PROGRAM = Path(__file__).with_name("program.py")
TITLE = "A test of endings"


@dataclass(frozen=True)
class PlayedEnding:
    """The output of Sapper, and the log of the program."""

    code: int
    games: list[dict[str, Any]]
    said: str
    truth: list[dict[str, Any]]
    skins: Path

    @property
    def told(self) -> list[str]:
        return [game["result"] for game in self.games]

    @property
    def ended(self) -> list[str]:
        return [each["event"] for each in self.truth if each["event"] in ("won", "lost")]

    def count(self, event: str) -> int:
        return sum(each["event"] == event for each in self.truth)


def play(desktop: Desktop, folder: Path, options: str, games: int) -> PlayedEnding:
    """Play games on the program with `sapper play`."""
    done, truth = play_on(desktop, folder, PROGRAM, TITLE, *options.split(), games=games)
    return PlayedEnding(done.code, done.objects, done.err, truth, folder / "skins")


def is_true(outcome: PlayedEnding) -> None:
    """Every result agrees with the log, is known, and replays the same."""
    assert outcome.code == 0, outcome.said
    assert outcome.told == outcome.ended
    assert {game["known"] for game in outcome.games} <= {"seen", "inferred"}
    assert [game["wrong_certain"] for game in outcome.games] == [0] * len(outcome.games)
    assert outcome.count("quit") == outcome.count("right") == 0
    for game in outcome.games:
        replays(game["recording"])


RARE = [  # the same ends with other ways to the next game: `make faults`
    "--win dim --loss dim --again row --doomed 1",
    "--win info --loss everything --again smiley --doomed 1",  # options come first
    "--win plain --loss mines --again window --doomed 1",  # each game has its own window
    "--win plain --loss mines --again beside --doomed 1",  # the old window stays open without a board
    "--win info --loss mines --again menu --doomed 1",  # Game > New; never Options, never Quit
    "--win plain --loss mines --again panel --doomed 1",  # the same, drawn over the board
    "--win plain --loss mines --again field --doomed 1",  # a list of levels, which stays unchanged
    "--win plain --loss mines --again levels --doomed 1",  # a page of levels: choose the same size
    "--win plain --loss mines --again size --doomed 1",  # the button asks for a size
    "--win message --loss message --again r --doomed 1",
    "--win message --loss message --again message --doomed 1",  # in the window, with a button
    "--win plain --loss strange --again f2 --doomed 1",  # only the exploded mine, in an unusual style
    "--win blank --loss strange --again button --mines 18 --seed 9",  # nothing but a text
    "--win info --loss mines --again f2 --grow 1 --room 80 --doomed 1",  # columns grow with numbers
    "--win info --loss info --again f2 --late 2600 --doomed 1",  # the dialog opens in the next game
]


@pytest.mark.parametrize(
    "options",
    [
        "--win dialog --loss dialog --again dialog --doomed 2",  # "do you want to play another game?"
        "--win info --loss everything --again face --doomed 1",
        "--win plain --loss mines --again f2 --right menu --doomed 2",  # the right button must not be used
        "--win fresh --loss fresh --again none --doomed 1",  # a new game at once
        "--win late --loss late --again none --doomed 1",  # a moment later
        "--win alert --loss alert --again button --doomed 2",  # hides the clicked cell
        "--win plain --loss red --again f2 --doomed 1",  # mines without a drawing
        "--win plain --loss tiles --again f2 --doomed 1",  # one by one, in many colours
        "--win info --loss deal --again f2 --unlucky 2",  # a first click on a mine, dealt again
        "--win plain --loss mines --again f2 --right open --doomed 2",  # any button opens, a mine as well
        "--win info --loss mines --again f2 --grow 5 --doomed 1",  # and the window with them
        *(pytest.param(options, marks=pytest.mark.campaign) for options in RARE),
    ],
    ids=lambda options: options.split(" --doomed")[0].replace("--", "").replace(" ", "-"),
)
def test_play_undescribed_program_true_results(options: str, desktop: Desktop, tmp_path: Path) -> None:
    """Two games, of which one is always lost."""
    outcome = play(desktop, tmp_path, options, games=2)
    is_true(outcome)
    assert "lost" in outcome.ended or "--doomed" not in options


def test_play_new_game_way_is_remembered(desktop: Desktop, tmp_path: Path) -> None:
    options = "--again button --doomed 1"
    first = play(desktop, tmp_path, options, games=2)
    is_true(first)
    ((way,),) = json.loads((first.skins / FILE).read_text()).values()
    assert (way["kind"], way["side"]) == ("place", "below")
    (tmp_path / "log").unlink()
    again = play(desktop, tmp_path, options, games=2)
    is_true(again)
    assert again.count("stray") == 0


def test_play_button_row_skips_options_and_quit(desktop: Desktop, tmp_path: Path) -> None:
    outcome = play(desktop, tmp_path, "--again row --mines 14", games=2)
    is_true(outcome)
    assert outcome.count("options") == 0


def test_play_user_hits_mine_no_wrong_certain(desktop: Desktop, tmp_path: Path) -> None:
    outcome = play(desktop, tmp_path, "--then person --after 30 --mines 14", games=1)
    assert outcome.count("person") == 1
    assert outcome.told == outcome.ended == ["lost"]
    assert outcome.games[0]["wrong_certain"] == 0


def test_play_passing_message_continues(desktop: Desktop, tmp_path: Path) -> None:
    is_true(play(desktop, tmp_path, "--then toast --mines 14 --seed 3", games=1))


def test_play_withdrawn_window_stops(desktop: Desktop, tmp_path: Path) -> None:
    outcome = play(desktop, tmp_path, "--then hide --mines 14 --seed 3", games=1)
    assert outcome.code == 4
    assert outcome.ended == []
    assert [(game["result"], game["known"]) for game in outcome.games] == [("stopped", "unknown")]


def test_play_program_without_new_game_reported(desktop: Desktop, tmp_path: Path) -> None:
    outcome = play(desktop, tmp_path, "--again none --mines 14", games=2)
    assert (outcome.code, outcome.told) == (4, outcome.ended)
    assert "neither the keys f2, n, r, f5, space, enter, ctrl+n nor any button starts a game" in outcome.said


def test_play_program_ends_itself_won(desktop: Desktop, tmp_path: Path) -> None:
    """The message asks for a look at the window, which is gone by then."""
    outcome = play(desktop, tmp_path, "--win message --quits 2500 --mines 6", games=2)
    assert (outcome.code, outcome.told, outcome.ended) == (6, ["won"], ["won"]), outcome.said


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("name", "layout"),
    [("sgt-mines", "9x9/20"), ("xdemineur", "16x16/40"), ("kmines", "9x9/10"), ("gnome-mines", "8x8/10")],
)
def test_session_undescribed_programs_five_games(
    name: str, layout: str, desktop: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Known programs without their descriptions."""
    with program_on(desktop, name, layout) as running:
        monkeypatch.setattr("bot.programs.program.Program.of_window", lambda title, command: None)
        with session_on(desktop, None, window=running.window.title, record=tmp_path) as session:
            results = list(session.games(5))
    assert [result.program for result in results] == [None] * 5
    assert {result.known for result in results} <= {"seen", "inferred"}
    played(*results)
    for result in results:
        replays(result.recording)
