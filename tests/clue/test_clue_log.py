"""Clue logs as text and JSON: valid lines, and messages for invalid ones."""

from __future__ import annotations

import re
from random import Random

import pytest

from benchmarks.clue_deals import random_log
from games.clue.cards import CLASSIC, CardSet
from games.clue.log import Accusation, Entry, Fact, OpenCards, Suggestion, format_entry
from games.clue.parser import parse_json, parse_log
from games.errors import InvalidFile

HEAD = "players Ann 6, Bob 6, Cat 6\nme Ann: Green, Rope, Hall, Study, Dagger, White\n"


def cards(*names: str) -> tuple[int, ...]:
    return tuple(CLASSIC.cards.index(name) for name in names)


ASKED = cards("Plum", "Rope", "Hall")


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("Ann asks plum, rope, hall: Bob passes, Cat shows plum", Suggestion(3, 0, ASKED, (1,), 2, ASKED[0])),
        ("Bob asks plum, rope, hall: Cat shows", Suggestion(3, 1, ASKED, (), 2)),
        ("Bob asks plum, rope, hall: nobody shows", Suggestion(3, 1, ASKED, (2, 0))),
        ("Bob asks plum, rope, hall: none", Suggestion(3, 1, ASKED, (2, 0))),
        ("Ann asks plum, rope, hall: Cat shows", Suggestion(3, 0, ASKED, (1,), 2)),  # so Bob passed
        ("Bob asks plum, rope, hall: Cat passes", Suggestion(3, 1, ASKED, (2,))),  # others unknown
        ("Bob asks plum, rope, hall", Suggestion(3, 1, ASKED)),
        ("bob ASKS Prof. Plum, rope, hal", Suggestion(3, 1, ASKED)),
        ("I ask hall, plum, rope: Bob shows  hall  # in any order", Suggestion(3, 0, ASKED, (), 1, ASKED[2])),
        ("Bob accuses plum, rope, hall: wrong", Accusation(3, 1, ASKED, False)),
        ("Cat accuses plum, rope, hall: right", Accusation(3, 2, ASKED, True)),
        ("Bob has plum, billiard", Fact(3, 1, cards("Plum", "Billiard Room"))),
        ("envelope lacks plum", Fact(3, 3, cards("Plum"), has=False)),
        ("me has rope", Fact(3, 0, cards("Rope"))),
    ],
)
def test_clue_log_line(line: str, entry: Entry) -> None:
    reading = parse_log(HEAD + line)
    assert reading.problems == ()
    assert reading.log.entries[1:] == (entry,)
    again = parse_log(HEAD + format_entry(entry, reading.log.seating))
    assert again.log.entries[1:] == (entry,)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("Bob asks plam, rope, hall: Cat passes", "no card is called 'plam': did you mean Plum?"),
        ("Bop asks plum, rope, hall: Cat passes", "no player is called 'Bop': did you mean Bob?"),
        ("Bob asks p, rope, hall", "'p' can be Peacock or Plum or Lead Pipe: write more of it"),
        ("Bob asks plum, rope, xyz", "no card is called 'xyz': known are Green, Mustard"),
        ("Bob asks plum, rope, hall: Cat shows, Ann passes", "'Ann passes' comes after Cat has shown a card"),
        ("Bob asks plum, rope, hall: Ann passes, Cat passes", "'Cat passes' is out of turn"),
        ("Bob asks plum, rope, hall: Bob passes", "Bob asks, and so does not answer"),
        ("Bob asks plum, rope, hall: Cat smiles", "'Cat smiles' is no answer"),
        ("Bob asks plum, rope, hall: envelope shows", "the envelope neither asks nor answers"),
        ("Bob asks plum, rope, hall: Cat shows green", "Green was not asked for: name one of Plum, Rope"),
        ("Bob asks plum, rope", "2 cards: name one of each kind"),
        ("Bob asks plum, rope, pipe", "3 cards: name one of each kind"),
        ("Bob has plum, plum", "Plum is named twice"),
        ("Bob has ,", "no card is named"),
        ("Bob accuses plum, rope, hall", "say how the accusation ended"),
        ("Bob whistles", "'Bob whistles' is not understood: write 'NAME asks"),
        ("table plum", "come before the players"),
    ],
)
def test_clue_log_bad_line_numbered_others_read(line: str, what: str) -> None:
    reading = parse_log(HEAD + f"\n# a remark\n{line}\nBob has plum")
    (problem,) = reading.problems
    assert problem.line == 5
    assert what in problem.what
    assert reading.log.entries[1:] == (Fact(6, 1, cards("Plum")),)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "no players: begin with a line such as 'players Ann 6, Bob 6, Cat 6'"),
        ("Ann asks plum, rope, hall", "line 1: the players come first"),
        ("players Ann", "line 1: 1 players: name 2 to 12"),
        ("players Ann 6, Bob 6, Cat 7", "line 1: the hands hold 19 cards, but 18 are dealt"),
        ("players Ann, ann", "line 1: 'Ann' is named twice"),
        ("players Ann, envelope", "line 1: 'envelope' is no name for a player"),
        ("players Ann 9, Bob 9\nme Ann: plum", "line 2: 1 cards, but the hand of Ann holds 9"),
        ("players Ann, Bob, Cat, Dan\nme Ann: plum", "line 2: 1 cards, but the hand of Ann holds 4 or 5"),
        ("players Ann, Bob\nme Al", "line 2: no player is called 'Al'"),
        ("players Ann, Bob\nme Ann\nme Bob", "line 3: it is said already who you are"),
        ("players Ann, Bob\nplayers Cat, Dan", "line 2: the players are named already"),
        ("cards mine", "line 1: no card set is called 'mine': use classic, orchid, cluedo or a TOML file"),
        ("players Ann, Bob\ncards classic", "line 2: the cards come before the players"),
        ("players Ann, Bob\n" + "\n" * 2_000, "2001 lines are no log"),
    ],
)
def test_clue_log_without_players_refused(text: str, what: str) -> None:
    with pytest.raises(InvalidFile, match=f"^game.clue.*{re.escape(what)}"):
        parse_log(text, "game.clue")


def test_clue_log_uneven_hands_and_open_cards() -> None:
    uneven = parse_log("players Ann, Bob, Cat, Dan").log.seating.players
    assert {(player.least, player.most) for player in uneven} == {(4, 5)}
    lying = parse_log("table plum, rope\nplayers Ann, Bob, Cat, Dan").log
    assert {(player.least, player.most) for player in lying.seating.players} == {(4, 4)}
    assert lying.entries == (OpenCards(1, cards("Plum", "Rope")),)
    given = parse_log("players Ann 4-5, Bob 4, Cat, Dan").log.seating.players
    assert [(player.least, player.most) for player in given] == [(4, 5), (4, 4), (4, 5), (4, 5)]


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_clue_log_round_trip(players: int) -> None:
    for seed in range(5):
        _, log = random_log(players, 20, Random(seed))
        reading = parse_log(str(log))
        assert reading.problems == ()
        assert str(reading.log) == str(log)


def test_clue_log_json_same() -> None:
    text = (
        "cards classic\ntable plum\nplayers Ann 6, Bob 6, Cat 5\n"
        "me Ann: Green, Rope, Hall, Study, Dagger, White\n"
        "Ann asks scarlett, pipe, hall: Bob passes, Cat shows pipe\nBob asks plum, wrench, hall: nobody\n"
        "Bob asks plum, rope, hall: Cat shows\nBob accuses green, rope, hall: wrong\n"
        "Cat has wrench\nCat lacks study"
    )
    as_json = """{
        "cards": "classic", "table": ["plum"], "me": "Ann",
        "players": [{"name": "Ann", "cards": 6}, {"name": "Bob", "cards": 6}, {"name": "Cat", "cards": "5"}],
        "hand": ["Green", "Rope", "Hall", "Study", "Dagger", "White"],
        "log": [
            {"asks": "Ann", "cards": ["scarlett", "pipe", "hall"],
             "passes": ["Bob"], "shows": "Cat", "card": "pipe"},
            {"asks": "Bob", "cards": ["plum", "wrench", "hall"], "nobody": true},
            {"asks": "Bob", "cards": ["plum", "rope", "hall"], "shows": "Cat"},
            {"accuses": "Bob", "cards": ["green", "rope", "hall"], "right": false},
            {"has": "Cat", "cards": ["wrench"]},
            {"lacks": "Cat", "cards": ["study"]}
        ]
    }"""
    reading = parse_json(as_json)
    assert reading.problems == ()
    assert str(reading.log) == str(parse_log(text).log)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{", "correct the JSON"),
        ("[]", "this is no log"),
        ('{"players": 3}', "'players' must be a list"),
        ('{"players": ["Ann", "Bob"], "turns": []}', "'turns' is not known here"),
        ('{"players": ["Ann", "Bob"], "log": [3]}', "entry 1 of 'log': must be an object"),
        ('{"players": ["Ann", "Bob"], "log": [{"asks": "Ann", "who": 3}]}', "1 of 'log': 'who' is not known"),
        ('{"players": ["Ann", "B,ob"]}', "must be a name"),
        ('{"players": [{"name": "Ann", "cards": true}]}', "a player is a name"),
    ],
)
def test_clue_log_invalid_json_refused(text: str, what: str) -> None:
    with pytest.raises(InvalidFile, match=what):
        parse_json(text, "game.json")


def test_clue_log_own_card_sets() -> None:
    mine = CardSet.parse('name = "mine"\n[kinds]\nwho = ["A1", "B2"]\nwhat = ["C3", "D4", "E5"]', "mine.toml")
    assert (mine.dealt, mine.cards) == (3, ("A1", "B2", "C3", "D4", "E5"))
    reading = parse_log(
        "cards mine\nplayers Ann 2, Bob 1\nAnn asks a1, d4: Bob shows", find=lambda name: mine
    )
    assert reading.log.entries == (Suggestion(3, 0, (0, 3), (), 1),)


KINDS = ("\nwho = ['A']", "\nwho = ['A', 'a']", "\nwho = ['A,', 'B']")


@pytest.mark.parametrize("text", ["kinds = 3", *(f"[kinds]{kind}" for kind in KINDS), "x = 1", "="])
def test_clue_log_invalid_card_sets_refused(text: str) -> None:
    with pytest.raises(InvalidFile, match=r"^mine\.toml: "):
        CardSet.parse(text, "mine.toml")
