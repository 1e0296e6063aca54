"""`sapper review`: pages, totals, JSON, invalid input."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from browsing import data_of
from game_files import write_video
from places import FIXTURES
from said import Sapper, refused

from bot.recording.recording import EVENTS, Recording

RECORDINGS = FIXTURES / "recordings"


def run(sapper: Sapper, *words: object) -> tuple[int, list[dict[str, Any]], str]:
    said = sapper("review", *words, "--json")
    return said.code, said.objects, said.err


def test_review_recording_page_and_line(tmp_path: Path, sapper: Sapper) -> None:
    code, (game,), err = run(sapper, RECORDINGS / "kmines-001", "--out", tmp_path)
    assert (code, err) == (0, "")
    assert (game["program"], game["size"], game["mines"], game["result"]) == ("kmines", "16x16", 40, "won")
    assert (game["bv3"], game["solved"], game["openings"], game["hits"]) == (62, 62, 8, 0)
    assert game["counts"]["certain"] == 54
    assert game["counts"]["guess"] == 1
    assert game["expected_hits"] == pytest.approx(1 - game["survival"], abs=1e-4)
    (guess,) = [move for move in game["moves"] if move["verdict"] == "guess"]
    assert guess["move"] == "open r0c5"
    assert guess["risk"] == pytest.approx(0.1165, abs=1e-3)
    certain = [move for move in game["moves"] if move["verdict"] == "certain"]
    assert all(move["because"] and move["rule"] for move in certain)
    page = Path(game["page"])
    assert page == tmp_path / "kmines-001.html"
    data = data_of(page.read_text(encoding="utf-8"))
    judged = [one for step in data["steps"] for one in step["judged"]]
    assert [one["kind"] for one in judged] == [move["verdict"] for move in game["moves"]]
    assert not (RECORDINGS / "kmines-001" / "report.html").exists()


def test_review_folder_overview_page(tmp_path: Path, sapper: Sapper) -> None:
    played = tmp_path / "played"
    for name in ("ace-minesweeper-001", "ace-minesweeper-002", "sgt-mines-001"):
        shutil.copytree(RECORDINGS / name, played / name)
    shutil.copy(FIXTURES / "replays" / "test_subject.avf", played)
    code, (*games, last), err = run(sapper, played, "--out", tmp_path / "out")
    assert (code, err) == (0, "")
    assert [Path(game["page"]).stem for game in games] == [
        "ace-minesweeper-001", "ace-minesweeper-002", "sgt-mines-001", "test_subject-001",
    ]  # fmt: skip
    totals = {(each["program"], each["board"]): each for each in last["totals"]}
    ace = totals["ace-minesweeper", "11x11/20"]
    assert (ace["games"], ace["won"], ace["rate"], ace["hits"]) == (2, 2, 1.0, 0)
    assert ace["expected_hits"] == pytest.approx(sum(game["expected_hits"] for game in games[:2]), abs=1e-3)
    assert totals["all", ""]["games"] == 4
    index = Path(last["page"]).read_text(encoding="utf-8")
    for game in games:
        assert f'href="{Path(game["page"]).name}"' in index
    assert "4 games, 4 of 4 finished ones won." in index


def test_review_video_total_counted_at_end(tmp_path: Path, sapper: Sapper) -> None:
    write_video(Recording(RECORDINGS / "ace-minesweeper-001"), tmp_path / "mine.mp4")
    code, (game,), _ = run(sapper, tmp_path / "mine.mp4", "--program", "ace-minesweeper", "--out", tmp_path)
    assert code == 0
    assert (game["program"], game["result"], game["mines"]) == ("ace-minesweeper", "won", 20)
    assert Recording(Path(game["recording"])).meta.rules.mines == 20
    assert game["exact"] is False


def test_review_text(tmp_path: Path, sapper: Sapper) -> None:
    headline, guess, _, figures, page = sapper(
        "review", FIXTURES / "replays" / "test_subject_2.rmv", "--out", tmp_path
    ).printed.splitlines()
    assert headline.startswith(
        "test_subject_2-001: Won in 6.3 s: 1 first click, 20 certain moves, 2 unnecessary"
    )
    assert guess.startswith(
        "     0.66 s  An unnecessary guess: open r0c3, risk 33.3 %. r6c2 was certainly safe:"
    )
    assert "efficiency (3BV per click) 103.2 %" in figures
    assert page == f"  {tmp_path / 'test_subject_2-001.html'}"


@pytest.mark.parametrize(
    ("words", "code", "complaint"),
    [
        (["nowhere"], 7, "nowhere: no such file"),
        (["x.doc"], 7, "x.doc: neither a recording, a video"),
        (["x.txt"], 7, "x.txt, line 1: write '# name WIDTH HEIGHT MINES'"),
        (["empty"], 7, "empty: no recording, video, screenshot or replay file inside"),
        (["x.mp4"], 7, "x.mp4: unreadable video"),
        (["x.rmv"], 7, "x.rmv: ms_toollib cannot read this RMV file"),
        (["shots"], 7, "shots: no game found"),
        (["x.mp4", "--program", "kmine"], 2, "did you mean 'kmines'"),
        (["x.mp4", "--size", "9"], 2, "invalid board size '9'"),
    ],
)
def test_review_invalid_input_refused(words: list[str], code: int, complaint: str, sapper: Sapper) -> None:
    for name in ("x.doc", "x.txt", "x.mp4", "x.rmv"):
        Path(name).write_text("nothing of the kind", encoding="utf-8")
    Path("empty").mkdir()
    Path("shots").mkdir()
    Path("shots/one.png").write_bytes(b"no picture")
    refused(sapper("review", *words), code, complaint)


def test_review_unreadable_file_others_go_on(tmp_path: Path, sapper: Sapper) -> None:
    shutil.copytree(RECORDINGS / "sgt-mines-001", tmp_path / "a")
    shutil.copytree(RECORDINGS / "sgt-mines-001", tmp_path / "b")
    (tmp_path / "a" / EVENTS).write_text("{")
    code, games, err = run(sapper, tmp_path, "--out", tmp_path / "out")
    assert code == 7
    assert "line 1: damaged" in err
    assert [game["result"] for game in games] == ["won"]


def test_review_without_ms_toollib_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sapper: Sapper
) -> None:
    monkeypatch.setitem(sys.modules, "ms_toollib", None)
    replay = FIXTURES / "replays" / "test_subject.avf"
    refused(sapper("review", replay, "--out", tmp_path), 8, "pip install ms-toollib")
