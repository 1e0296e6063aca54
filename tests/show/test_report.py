"""`sapper report`: the story of a recording, the page, the pictures."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from browsing import data_of, recorded_story
from drawing import record_game
from places import FIXTURES
from said import Sapper, refused

from bot.game.types import GameRules
from bot.recording.recording import EVENTS
from bot.show.page import build_atlas, report_page
from bot.show.pictures import annotated_picture, caption, picture_with_caption, write_png, write_video
from bot.show.story import GameStory, format_percent
from games.errors import InvalidFile
from vision.frame import Frame, add_png_text, read_png_text

RECORDINGS = FIXTURES / "recordings"
RULES = GameRules(99, "zero", "open", can_chord=False, flags="all")


def test_report_has_one_step_per_observation(kmines: GameStory) -> None:
    events = kmines.recording.events
    assert len(kmines.steps) == sum(event["event"] == "look" for event in events)
    acts = [tuple(event["moves"]) for event in events if event["event"] == "act"]
    assert [step.moves for step in kmines.steps if step.moves] == acts
    assert [step.before for step in kmines.steps][:4] == [0, 1, 4, 5]
    last = kmines.steps[-1]
    assert last.before == sum(map(len, acts))
    for step in kmines.steps[1:]:
        for certain in step.certain:
            assert certain.because
            assert certain.sentences[-1].endswith(".")
            assert step.board.name(certain.cell) in certain.sentences[-1]


def test_risks_cover_undecided_cells_only(kmines: GameStory) -> None:
    (guessed,) = [step for step in kmines.steps if step.guess]
    assert guessed.guess
    cell = guessed.board.cell(guessed.guess["cell"])
    assert guessed.risks[cell] == pytest.approx(1 - guessed.guess["safe"], abs=1e-6)
    for step in kmines.steps:
        assert not any((step.true | step.false) >> k & 1 for k in step.risks)
        assert all(0 <= risk <= 1 for risk in step.risks.values())


def test_story_times_add_up(kmines: GameStory) -> None:
    for step, after in zip(kmines.steps, kmines.steps[1:], strict=False):
        took = step.reason_s + step.act_s + step.wait_s
        assert step.seconds + took == pytest.approx(after.seconds, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "headline"),
    [
        ("kmines-001", r"Won in 2\.4 s: 68 moves, 1 guess, the riskiest 88\.3 % safe\."),
        ("gnome-mines-001", r"Won in .* s: \d+ moves, 0 guesses\."),
    ],
)
def test_headline_of_won_game(name: str, headline: str) -> None:
    assert re.fullmatch(headline, recorded_story(RECORDINGS / name).headline)


def test_report_headline_lost_or_interrupted(tmp_path: Path) -> None:
    lost = record_game(tmp_path / "lost", 7, (30, 16), 99, rules=RULES)
    assert lost.result == "lost"
    headline = recorded_story(tmp_path / "lost").headline
    assert re.fullmatch(rf"Lost at move {lost.clicks}, a guess that was 79\.8 % safe\.", headline)
    text = (tmp_path / "lost" / EVENTS).read_text()
    (tmp_path / "lost" / EVENTS).write_text(text.replace('"known": "seen"', '"known": "inferred"'))
    assert (
        recorded_story(tmp_path / "lost").headline
        == f"{headline} This is inferred: the board did not show it."
    )
    events = text.splitlines(keepends=True)
    (tmp_path / "lost" / EVENTS).write_text("".join(events[:3]))
    assert recorded_story(tmp_path / "lost").headline == "The recording breaks off after 1 move."


def test_percent() -> None:
    shown = {0.5: "50.0 %", 1.0: "100.0 %", 0.9999: "over 99.9 %", 0.0001: "under 0.1 %", 0.0: "0.0 %"}
    assert {share: format_percent(share) for share in shown} == shown


def test_report_damaged_recording_refused(tmp_path: Path) -> None:
    shutil.copytree(RECORDINGS / "kmines-001", tmp_path / "game")
    events = (tmp_path / "game" / EVENTS).read_text()
    (tmp_path / "game" / EVENTS).write_text(events.replace('"rule"', '"ruler"'))
    with pytest.raises(InvalidFile, match=r"line 2: damaged .'certain' lacks 'rule'"):
        recorded_story(tmp_path / "game")


def test_report_page_is_self_contained(kmines: GameStory) -> None:
    page = report_page(kmines)
    assert re.findall(r'(?:src|href)\s*=\s*"(?!data:)[^"]*"|@import|url\(', page) == []
    assert set(re.findall(r"https?://[^\"'\s]+", page)) <= {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in page


def test_report_page_shows_recorded_images(kmines: GameStory) -> None:
    """Pasting the changed cells over the first image gives each frame exactly."""
    lattice = kmines.recording.meta.lattice
    frames = list(kmines.frames())
    atlas = build_atlas(lattice, frames)
    pixels = frames[0].pixels.copy()
    for frame, changes in zip(frames, atlas.changes, strict=True):
        for cell, number in changes:
            left, top, right, bottom = lattice.rectangle(cell)
            x, y, w, h = atlas.places[number]
            pixels[top:bottom, left:right] = atlas.pixels[y : y + h, x : x + w]
        assert np.array_equal(pixels, frame.pixels)
    assert len(atlas.places) < sum(map(len, atlas.changes))


def test_report_long_expert_game_is_small(expert: GameStory) -> None:
    assert sum(len(step.moves) for step in expert.steps) > 280
    assert len(report_page(expert).encode()) < 1_000_000


def test_report_recording_text_is_escaped(tmp_path: Path) -> None:
    shutil.copytree(RECORDINGS / "kmines-001", tmp_path / "game")
    note = '{"event": "note", "t": 0.32, "text": "</script><script>alert(1)</script>"}\n'
    lines = (tmp_path / "game" / EVENTS).read_text().splitlines(keepends=True)
    (tmp_path / "game" / EVENTS).write_text("".join([*lines[:3], note, *lines[3:]]))
    page = report_page(recorded_story(tmp_path / "game"))
    assert "alert(1)</script>" not in page
    assert data_of(page)["steps"][0]["notes"] == ["</script><script>alert(1)</script>"]


def test_report_page_and_pictures(tmp_path: Path, sapper: Sapper) -> None:
    shutil.copytree(RECORDINGS / "sgt-mines-001", tmp_path / "game")
    gif, picture = tmp_path / "game.gif", tmp_path / "look.png"
    words = ["report", str(tmp_path / "game"), "--gif", str(gif), "--png", str(picture), "--look", "3"]
    said = json.loads(sapper(*words, "--json").printed)
    assert said["page"] == str(tmp_path / "game" / "report.html")
    assert Path(said["page"]).read_text(encoding="utf-8").startswith("<!doctype html>")
    _, animation = cv2.imreadanimation(str(gif))
    assert len(animation.frames) == said["looks"]
    shown = Frame.load(picture)
    assert (shown.width, shown.height) == animation.frames[0].shape[1::-1]
    headline, page = sapper("report", tmp_path / "game", "--out", tmp_path / "own.html").printed.splitlines()
    assert headline.startswith("Won in ")
    assert page == str(tmp_path / "own.html")


def test_report_pictures_have_caption(kmines: GameStory) -> None:
    captions = [caption(kmines, look) for look in range(len(kmines.steps))]
    assert re.fullmatch(r"move 1   0\.\d s   open r2c2", captions[0])
    assert re.fullmatch(r"move 2 to 4   0\.\d s   open r\d+c\d+ and 2 more", captions[1])
    assert captions[3] == "move 6   0.5 s   open r0c5   risk 11.7 %"
    assert captions[-1].endswith("   won")
    frame = list(kmines.frames())[3]
    plain = annotated_picture(kmines.recording.meta.lattice, kmines.steps[3], frame)
    shown = picture_with_caption(kmines, 3, frame)
    assert np.array_equal(shown[: len(plain)], plain)
    assert len(shown) == len(plain) + 26
    assert np.ptp(shown[len(plain) :]) > 150  # light letters on a dark bar


@pytest.mark.parametrize("kind", ["mp4", "webm"])
def test_report_video_shows_every_look(
    kind: str, kmines: GameStory, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_video(kmines, tmp_path / f"game.{kind}")
    assert capfd.readouterr() == ("", "")
    capture = cv2.VideoCapture(str(tmp_path / f"game.{kind}"))
    frames = []
    while (read := capture.read())[0]:
        frames.append(read[1])
    assert len(frames) == 2 * (len(kmines.steps) - 1) + 24  # eight a second; the last look stays three
    for look, (frame, area) in enumerate(zip(frames[::2], kmines.frames(), strict=False)):
        shown = picture_with_caption(kmines, look, area)
        assert np.abs(frame[: len(shown), : shown.shape[1]].astype(int) - shown).mean() < 6


@pytest.mark.parametrize("name", ["ace-minesweeper-001", "sgt-mines-001", "xdemineur-001"])
def test_report_pictures_can_be_read(name: str, tmp_path: Path, sapper: Sapper) -> None:
    story = recorded_story(RECORDINGS / name)
    look = len(story.steps) // 2
    write_png(story, tmp_path / "look.png", look)
    read = json.loads(sapper("read", tmp_path / "look.png", "--json").printed)
    assert read["rows"] == list(story.steps[look].board.grid)
    frame = Frame.load(tmp_path / "look.png")
    assert read["x"][-1] <= frame.width
    assert read["y"][-1] <= frame.height - 26
    assert sapper("explain", tmp_path / "look.png", "--json").objects[-1]["contradiction"] == []


def test_report_damaged_note_ignored() -> None:
    _, data = cv2.imencode(".png", np.zeros((4, 4, 3), np.uint8))
    noted = add_png_text(bytes(data), "1.")
    assert read_png_text(noted) == "1."
    assert read_png_text(noted.replace(b"1.", b"2.")) is None
    assert read_png_text(bytes(data)) is None
    assert read_png_text(noted[:40]) is None
    assert cv2.imdecode(np.frombuffer(noted, np.uint8), cv2.IMREAD_COLOR) is not None


def test_report_folder_page_per_recording(tmp_path: Path, sapper: Sapper) -> None:
    for name in ("a", "b"):
        shutil.copytree(RECORDINGS / "ace-minesweeper-001", tmp_path / name)
    pages = [each["page"] for each in sapper("report", tmp_path, "--json").objects]
    assert pages == [str(tmp_path / name / "report.html") for name in ("a", "b")]
    refused(sapper("report", tmp_path, "--png", "x.png"), 2, "contains 2 recordings: name one of them")


@pytest.mark.parametrize(
    ("words", "code", "complaint"),
    [
        (["nowhere"], 7, "name the folder of a recording"),
        ([str(RECORDINGS / "sgt-mines-001"), "--video", "x.mov"], 2, "x.mov: unknown video format"),
        ([str(RECORDINGS / "sgt-mines-001"), "--look", "3"], 2, "--look requires --png"),
        ([str(RECORDINGS / "sgt-mines-001"), "--png", "x.png", "--look", "999"], 2, "has no observation 999"),
        ([str(RECORDINGS / "sgt-mines-001"), "--out", "nowhere/x.html"], 7, "nowhere/x.html: No such file"),
    ],
)
def test_report_invalid_input_refused(words: list[str], code: int, complaint: str, sapper: Sapper) -> None:
    refused(sapper("report", *words), code, complaint)
