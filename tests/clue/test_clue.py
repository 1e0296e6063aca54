"""`sapper clue`: sheet, proofs, views, JSON, invalid logs."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from click import unstyle
from clue_game import GAME, STRATEGIES
from said import Sapper, refused

from benchmarks.clue_deals import random_log
from bot.cli.clue import coloured_marks
from bot.clue.analysis import ClueDeduction, MarkProver, deduce, is_consistent
from bot.clue.output import MarkSymbols, grid, new_marks, solution
from games.clue.cards import CARD_SETS
from games.clue.log import ClueLog
from games.clue.parser import parse_log
from games.clue.sheet import log_seen_by
from games.errors import InvalidFile
from games.logic import bits


def rows(printed: str) -> dict[str, list[str]]:
    """The marks of each card on a printed sheet of three players."""
    return {" ".join(line.split()[:-4]): line.split()[-4:] for line in printed.splitlines()}


def deduced(text: str) -> ClueDeduction:
    return deduce(parse_log(text).log, STRATEGIES)


def test_clue_sheet(clue: Sapper) -> None:
    said = clue(GAME)
    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    assert lines[0].split() == ["Ann", "Bob", "Cat", "envelope"]
    new = "Cat has Plum; Bob has no Plum, Candlestick or Lounge and the envelope holds no Plum"
    assert [line for line in lines if line and not line.startswith(" ")] == [
        "suspects",
        "weapons",
        "rooms",
        "known            6/6  1/6  1/6    0/3",
        "envelope: Mustard, Peacock or Scarlett; Candlestick, Revolver or Wrench; one of 7 rooms",
        f"new with line 8: {new}",
    ]
    marks = rows(said.out)
    assert marks["Plum"] == ["✗", "✗", "✓", "✗"]
    assert marks["Lead Pipe"] == ["✗", "✓", "✗", "✗"]
    assert marks["Library"] == ["✗", "·", "✗", "·"]


def test_clue_shown_card_numbered_by_line() -> None:
    lines = grid(deduced("\n".join(GAME.splitlines()[:5])).sheet, MarkSymbols("+", "-", "."))
    shown = [card for card, marks in rows("\n".join(lines)).items() if marks == ["-", ".", "4", "."]]
    assert shown == ["Plum", "Wrench", "Kitchen"]
    assert deduced(GAME).sheet.maybes() == {}  # line 4 is settled: Cat has Plum


def test_clue_signs_fit_terminal() -> None:
    assert MarkSymbols.for_encoding("ascii") == MarkSymbols("+", "-", ".")
    assert MarkSymbols.for_encoding("utf-8") == MarkSymbols.for_encoding(None) == MarkSymbols()


def test_clue_why_cites_log_lines(clue: Sapper) -> None:
    said = clue(GAME, "--why", "plum,envelope", "--why", "kitchen,bob", "--why", "hall,me")
    assert said.code == 0
    places = "in the envelope, with Ann or with Bob"
    assert said.out.splitlines()[:3] == [
        "the envelope holds no Plum",
        "    Line 8 (Cat shows Plum): so Cat has Plum.",
        f"    Cat has Plum, so Plum is not {places}.",
    ]
    assert "Kitchen with Bob is open: it can be so, and it can be otherwise" in said.out
    assert "Ann has Hall" in said.out


def test_clue_proof_sentences(clue: Sapper) -> None:
    log = """players Scarlett 6, Bob 6, Cat 6
me Scarlett: Green, Rope, Hall, Study, Dagger, White
Bob asks scarlett, wrench, library: Cat passes, Scarlett passes
Scarlett asks scarlett, wrench, library: Bob shows scarlett
Cat asks scarlett, wrench, kitchen: Scarlett passes, Bob shows
Cat asks plum, wrench, kitchen: Scarlett passes, Bob passes
"""
    said = clue(log, "--why", "scarlett,cat", "--why", "peacock,scarlett")
    assert said.code == 0
    passes = "Line 3 (Cat passes on Scarlett (the card), Wrench, Library)"
    assert said.out.splitlines()[:2] == [
        "Cat has no Scarlett (the card)",
        f"    {passes}: so Cat has no Scarlett (the card), Wrench or Library.",
    ]
    assert said.out.splitlines()[-1] == (
        "    All of Scarlett's hand of 6 cards are known, "
        "so Scarlett has no Peacock, Mustard, Plum, Scarlett (the card) or 11 other cards."
    )


@pytest.mark.parametrize(
    ("cards", "written", "meant"),
    [("classic", "knife", "Dagger"), ("classic", "Spanner", "Wrench"), ("cluedo", "wrench", "Spanner"),
     ("cluedo", "lead pipe", "Lead Piping"), ("orchid", "miss scarlet", "Scarlett"),
     ("orchid", "dr. orchid", "Orchid")],
)  # fmt: skip
def test_clue_card_names_of_other_editions(cards: str, written: str, meant: str) -> None:
    names = CARD_SETS[cards].names
    assert names.names[names.number(written)] == meant


def test_clue_marks_coloured_on_terminal_only(clue: Sapper) -> None:
    plain = clue(GAME).out
    assert "\x1b" not in plain
    game = deduced(GAME)
    lines = grid(game.sheet, MarkSymbols(), paint=coloured_marks(game))
    assert [unstyle(line).rstrip() for line in lines] == plain.splitlines()[: len(lines)]
    assert any("\x1b[32m" in line for line in lines)


def test_clue_marks_have_minimal_proofs() -> None:
    game = deduced(GAME)
    proofs = MarkProver(game, STRATEGIES)
    for cell in bits(game.sheet.known):
        proof = proofs.of(cell)
        assert proof.is_true is bool(game.sheet.true >> cell & 1)
        assert proof.because
        assert proof.sentences


def test_clue_view_of_player(clue: Sapper) -> None:
    """Bob saw that Ann showed a card to Cat, but not which; he has the Lead Pipe."""
    marks = rows(clue(GAME, "--view", "bob").out)
    assert marks["Hall"] == ["5", "✗", "·", "·"]
    assert marks["Lead Pipe"] == ["✗", "✓", "✗", "✗"]
    assert marks["Plum"] == ["·", "✗", "4,8", "·"]
    assert clue(GAME, "--view", "ann").out.splitlines()[:25] == clue(GAME).out.splitlines()[:25]


def test_clue_view_claims_only_known_facts() -> None:
    """All claims about Bob's knowledge follow from his own log, which has his hand and the cards he saw."""
    head = "players Ann 6, Bob 6, Cat 6\nme Bob: Lead Pipe, Mustard, Ballroom, Library, Kitchen, Peacock\n"
    seen = GAME.replace("Ann shows hall", "Ann shows").replace("shows plum", "shows").splitlines()[3:]
    own = deduced(head + "\n".join(seen)).sheet
    claimed = deduce(log_seen_by(deduced(GAME).sheet, 1), STRATEGIES).sheet
    assert not claimed.true & ~own.true
    assert not claimed.false & ~own.false


def test_clue_json(clue: Sapper) -> None:
    said = clue(GAME, "--json")
    objects = said.objects
    assert {"card": "Plum", "holder": "Cat", "is": "has", "new": True} in objects
    assert {"card": "Hall", "holder": "Bob", "is": "lacks", "new": False} in objects
    assert {"player": "Bob", "hand": ["Lead Pipe"], "least": 6, "most": 6} in objects
    assert objects[-2]["envelope"]["suspects"] == ["Mustard", "Peacock", "Scarlett"]
    assert objects[-1] == {"contradiction": []}
    (mark, last) = clue(GAME, "--json", "--why", "plum,envelope").objects
    assert (mark["is"], mark["because"][-1]) == ("lacks", "line 8 (Cat shows Plum)")
    assert last == {"contradiction": []}


WRENCH_SHOWN = "Ann asks mustard, wrench, lounge: Bob passes, Cat shows wrench"


@pytest.mark.parametrize(
    ("lines", "blamed", "what"),
    [
        # a card that its holder passed on
        (f"{WRENCH_SHOWN}\nBob has wrench", [9, 10], "Bob passes"),
        # a pass that an earlier line contradicts
        ("Cat asks plum, pipe, lounge: Ann passes, Bob passes", [6, 9], "Bob shows Lead Pipe"),
        # one's own hand
        ("Bob has rope", [3, 9], "Ann has Green"),
        # a hand that would hold too many
        ("Cat has mustard, peacock, scarlett, white, pipe, wrench", [3, 9], "Cat has"),
        # one line alone
        ("envelope has plum, mustard", [9], "line 9 (envelope has Plum and Mustard): correct it"),
    ],
)
def test_clue_contradictory_lines(clue: Sapper, lines: str, blamed: list[int], what: str) -> None:
    said = clue(GAME + lines)
    claim = "these cannot all be true" if len(blamed) > 1 else "this cannot be true"
    assert said.code == 7
    assert said.err.startswith(f"sapper: game.clue: {claim}: ")
    assert said.err.count("\n") == 1
    assert what in said.err
    assert "envelope: " in said.out  # the sheet up to there
    assert clue(GAME + lines, "--json").objects[-1] == {"contradiction": blamed}


def test_clue_unknown_line_reported_sheet_printed(clue: Sapper) -> None:
    said = clue(GAME + "Bob asks plam, rope, hall: nobody")
    assert said.code == 7
    assert said.err == "sapper: game.clue, line 9: no card is called 'plam': did you mean Plum?\n"
    assert said.out == clue(GAME).out
    assert clue(GAME + "Bob sings", "--json").objects[-2]["line"] == 9


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["--why", "plum"], "write a card and a holder"),
        (["--why", "plam,bob"], "did you mean Plum?"),
        (["--view", "bop"], "did you mean Bob?"),
        (["--view", "envelope"], "name a player"),
        (["--suggest", "--only", "hal, stuudy"], "stuudy"),
        (["--only", "hall"], "--only requires --suggest"),
    ],
)
def test_clue_wrong_question_refused(clue: Sapper, words: list[str], what: str) -> None:
    refused(clue(GAME, *words), 2, what)


def test_clue_invalid_files_refused(clue: Sapper, tmp_path: Path, sapper: Sapper) -> None:
    refused(sapper("clue", "nowhere.clue"), 7, "nowhere.clue: No such file or directory")
    (tmp_path / "bad.clue").write_bytes(b"\xff\xfe\x00")
    assert sapper("clue", "bad.clue").code == 7
    said = clue("cards missing.toml\nplayers Ann, Bob, Cat\n")
    refused(said, 7, "missing.toml: No such file or directory: correct the name of the card set")


def test_clue_reads_card_set_and_json(clue: Sapper, tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text('[kinds]\nwho = ["A", "B"]\nwhat = ["C", "D"]', encoding="utf-8")
    said = clue("cards small.toml\nplayers Ann 1, Bob 1\nAnn has a")
    assert "envelope: B; C or D" in said.out
    assert clue('{"players": ["Ann", "Bob"], "log": [{"has": "Ann", "cards": ["plum"]}]}').code == 0


def test_clue_empty_log_no_news() -> None:
    game = deduced("players Ann, Bob, Cat")
    assert new_marks(game) == "nothing has happened yet"
    assert solution(game.sheet) == "envelope: one of 6 suspects; one of 6 weapons; one of 9 rooms"


def test_clue_damaged_logs_read_or_reported() -> None:
    """Words copied between lines cause only InvalidFile or a minimal conflict."""
    conflicts = 0
    for seed in range(60):
        rng = Random(seed)
        _, log = random_log(3 + seed % 4, 20, rng)
        lines = [line.split(" ") for line in str(log).splitlines()]
        for _ in range(3):
            source, goal = rng.choice(lines[2:]), rng.choice(lines[2:])
            goal[rng.randrange(len(goal))] = rng.choice(source)
        try:
            reading = parse_log("\n".join(map(" ".join, lines)))
        except InvalidFile:
            continue
        if conflict := deduce(reading.log, STRATEGIES).conflict:
            blamed = [entry for entry in reading.log.entries if entry.line in conflict.lines]
            assert not is_consistent(ClueLog(log.seating, tuple(blamed)))
            for line in conflict.lines:
                fewer = tuple(entry for entry in blamed if entry.line != line)
                assert is_consistent(ClueLog(log.seating, fewer))
            conflicts += 1
    assert conflicts > 1


def test_clue_conflict_names_its_entries_only(clue: Sapper) -> None:
    said = clue(
        "players Ann 6, Bob 6, Cat 6\n"
        "Ann asks mustard, pipe, lounge: Bob passes, Cat shows pipe\n"
        "Cat asks mustard, pipe, lounge: Ann passes, Bob shows pipe\n"
    ).err
    assert said.count("line 2 (") == said.count("line 3 (") == 1
    assert "Ann passes" not in said
