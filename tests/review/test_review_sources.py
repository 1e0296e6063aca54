"""Games from videos, screenshots and replay files: boards, moves and verdicts as in the recording."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import cv2
import ms_toollib
import pytest
from drawing import draw, readers, record_game, skin_of
from game_files import SIZE, mvf, write_video
from places import FIXTURES
from waiting import wait_for

from bot.game.types import GameRules
from bot.recording.recording import Recording
from bot.recording.replay import replay
from bot.review.images import import_video
from bot.review.pages import Review, review
from bot.review.sources import SourceOptions, sources_in
from games.errors import BoardNotFound, InvalidFile
from games.logic import bits
from games.minesweeper import Board, Deal, Minefield, Move
from strategies import Reasoner, load_strategies
from vision.frame import Frame, Pixels
from vision.lattice import Lattice
from vision.locate.locate import BoardCandidate, locate

RECORDINGS = FIXTURES / "recordings"
FIVE = ("ace-minesweeper-001", "gnome-mines-001", "kmines-001", "sgt-mines-001", "xdemineur-002")
MADE_FROM = {".avf": "AvfVideo", ".evf": "EvfVideo", ".mvf": "MvfVideo", ".rmv": "RmvVideo"}


def options(folder: Path, rules: GameRules | None = None, said: list[str] | None = None) -> SourceOptions:
    rules = rules or GameRules(None, "unknown", "unknown", can_chord=True)
    troubles: list[str] = said if said is not None else []
    return SourceOptions(
        folder, readers, rules, None, None, "under test", troubles.append, lambda done, total: None
    )


def reviewed(path: Path, folder: Path, rules: GameRules | None = None) -> list[Review]:
    """Every game that a source holds."""
    (source,) = sources_in(path)
    return [review(Recording(each), load_strategies()) for each in source.recordings(options(folder, rules))]


def replays_same(judged: Review) -> bool:
    """Whether the pictures of an imported game are read again in the same way."""
    replayed = replay(judged.recording, Reasoner(load_strategies()))
    return replayed.looks > 1 and not replayed.differences


def verdicts(judged: Review) -> dict[str, str]:
    """For each cell that a move opened what that move was."""
    name = judged.game.last.name
    return {name(k): each.kind for each in judged.verdicts for k in bits(each.made.opened)}


def agrees(one: Board, other: Board) -> bool:
    """Whether two boards say nothing against each other: a cell that could not be read may be anything."""
    return all(a == b or "~" in (a, b) for a, b in zip(one.cells, other.cells, strict=True))


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.campaign] * (name == "xdemineur-002")) for name in FIVE],
)
def test_review_video_equals_recording(name: str, tmp_path: Path) -> None:
    recording = Recording(RECORDINGS / name)
    write_video(recording, tmp_path / "game.mp4")
    told = recording.meta.rules
    rules = GameRules(None, told.first_click, "unknown", can_chord=True)
    (seen,) = reviewed(tmp_path / "game.mp4", tmp_path / "out", rules)
    known = review(recording, load_strategies())
    recorded = [board for _, board in recording.looks()]
    read = [board for _, board in seen.recording.looks()]
    place = 0
    for board in read:  # in the same order
        place = next(k for k in range(place, len(recorded)) if agrees(board, recorded[k]))
    assert all(any(agrees(board, other) for other in read) for board in recorded)
    assert verdicts(seen) == verdicts(known)
    assert (seen.game.ended, seen.game.mines) == (known.game.ended, told.mines)
    assert seen.game.truth == known.game.truth
    assert seen.figures.board == known.figures.board
    assert seen.figures.solved == known.figures.solved
    assert seen.figures.survival == pytest.approx(known.figures.survival)


@pytest.mark.parametrize("code", ["VP80", "MJPG"])
def test_review_other_codecs(code: str, tmp_path: Path) -> None:
    recording = Recording(RECORDINGS / "sgt-mines-002")
    path = tmp_path / ("game.webm" if code == "VP80" else "game.avi")
    write_video(recording, path, code)
    (seen,) = reviewed(path, tmp_path / "out", GameRules(None, "zero", "unknown", can_chord=True))
    assert verdicts(seen) == verdicts(review(recording, load_strategies()))
    assert replays_same(seen)


@pytest.mark.parametrize("lacking", [(BoardNotFound("no board found"),) * 2, ("a column",)])
def test_review_video_hidden_lines_at_first(
    lacking: Sequence[BoardNotFound | str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compression can hide the lines of a fresh board, or one of them, from the search."""
    recording = Recording(RECORDINGS / "sgt-mines-002")
    write_video(recording, tmp_path / "game.mp4")
    answers = iter(lacking)

    def search(frame: Frame) -> BoardCandidate:
        found = locate(frame)
        for answer in answers:
            if isinstance(answer, BoardNotFound):
                raise answer
            return replace(found, lattice=Lattice(found.lattice.xs[:-1], found.lattice.ys))
        return found

    monkeypatch.setattr("bot.review.images.locate", search)
    (seen,) = reviewed(tmp_path / "game.mp4", tmp_path / "out", recording.meta.rules)
    assert verdicts(seen) == verdicts(review(recording, load_strategies()))


def test_review_video_lasting_half_drawn_board_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture that stays is not half drawn; here, every first reading of a picture seems so."""
    asked: list[bool | None] = []

    class Onlooker:
        is_half_drawn = False

        def __init__(self, *_: object) -> None:
            pass

        def read(self, frame: Frame, has_stayed: bool | None) -> None:
            asked.append(has_stayed)
            self.is_half_drawn = not has_stayed

    class Film:
        number = count = 0

        def frames(self) -> Iterator[tuple[float, Pixels]]:
            pixels = draw(Board.fresh(9, 9), skin_of("kmines")).pixels
            yield from ((number / 15, pixels) for number in range(20))

    monkeypatch.setattr("bot.review.images.SpectatorReader", Onlooker)
    keeper: Any = SimpleNamespace(close=lambda: None)
    assert import_video(cast("Any", Film()), keeper, readers(), None, lambda done, total: None) == ""
    assert asked == [None, True]


def test_review_video_with_two_games(tmp_path: Path) -> None:
    recording = Recording(RECORDINGS / "ace-minesweeper-002")
    write_video(recording, tmp_path / "games.mp4", repeats=2)
    one, two = reviewed(tmp_path / "games.mp4", tmp_path / "out")
    assert verdicts(one) == verdicts(two) == verdicts(review(recording, load_strategies()))
    assert replays_same(two)


def test_review_folder_of_screenshots(tmp_path: Path) -> None:
    record_game(tmp_path / "played", 4)
    recording = Recording(tmp_path / "played")
    shots = tmp_path / "shots"
    shots.mkdir()
    for number, (frame, _) in enumerate(recording.looks()):
        picture = cv2.copyMakeBorder(frame.pixels, 40, 40, 30, 30, cv2.BORDER_CONSTANT, value=(90, 90, 90))
        path = shots / f"{number:03d}.png"
        cv2.imwrite(str(path), picture)
        os.utime(path, (1e9 + 2 * number, 1e9 + 2 * number))
    (shots / "zz.png").write_bytes(b"no picture")
    said: list[str] = []
    (source,) = sources_in(shots)
    (folder,) = source.recordings(options(tmp_path / "out", GameRules(9, "safe", "open"), said))
    seen, known = review(Recording(folder), load_strategies()), review(recording, load_strategies())
    assert verdicts(seen) == verdicts(known)
    assert seen.game.truth == known.game.truth
    assert seen.game.seconds == pytest.approx(2 * (len(seen.game.moments) - 1))
    assert replays_same(seen)
    assert said == [f"{shots / 'zz.png'}: this is no picture: give a PNG, JPEG or BMP screenshot"]


def theirs(path: Path) -> Any:
    """The same file as ms_toollib plays it, at its end."""
    video = getattr(ms_toollib, MADE_FROM[path.suffix])(str(path))
    video.parse()
    video.analyse()
    video.current_time = video.video_end_time + 1
    return video


def same_as_theirs(path: Path, folder: Path) -> Review:
    """The one game of a replay file, with the figures and the last board that ms_toollib gives."""
    video = theirs(path)
    (seen,) = reviewed(path, folder)
    figures, board = seen.figures, seen.figures.board
    assert board is not None
    assert (figures.clicks, figures.solved) == (video.cl, video.bbbv_solved)
    assert (board.openings, board.zini, board.human_zini) == (video.op, video.zini, video.hzini)
    assert figures.efficiency == pytest.approx(video.ioe)
    assert figures.seconds == pytest.approx(video.rtime)
    assert figures.bv3_per_second == pytest.approx(video.bbbv_solved / video.rtime)
    numbers = [each for row in video.game_board for each in row]
    shown = "".join("F" if n == 11 else "." if n >= 10 else str(n) for n in numbers)
    assert seen.game.last.cells.translate(str.maketrans("*!x", "..F")) == shown
    assert seen.game.mines == video.mine_num
    return seen


@pytest.mark.parametrize(
    "path",
    sorted((FIXTURES / "replays").glob("*.*vf")) + sorted((FIXTURES / "replays").glob("*.rmv")),
    ids=lambda path: path.name,
)
def test_review_community_replay_files(path: Path, tmp_path: Path) -> None:
    seen = same_as_theirs(path, tmp_path)
    assert seen.game.ended == "won"
    assert seen.count("first click") == 1
    assert replays_same(seen)


def test_review_clone_097_replay(tmp_path: Path) -> None:
    """MVF: every safe cell opened in order, a flag in between, and a chord with both buttons."""
    deal = Deal.random(8, 8, 10, 5)
    mines = deal.lay(0, "zero")
    events = [(0.5, "", 0, 0)]
    seconds = 1.0
    for k in range(64):
        x, y = k % 8 * SIZE + 8, k // 8 * SIZE + 8
        button = "r" if mines >> k & 1 else "l"
        events += [(seconds, "", x, y), (seconds + 0.05, button, x, y), (seconds + 0.1, "", x, y)]
        seconds += 0.2
    (tmp_path / "clone.mvf").write_bytes(mvf(8, 8, mines, events))
    seen = same_as_theirs(tmp_path / "clone.mvf", tmp_path / "out")
    assert (seen.program, seen.game.ended, seen.game.truth) == ("0.97 beta", "won", mines)


@pytest.mark.parametrize("seed", [4, 1], ids=["won", "lost"])
def test_review_replay_file_equals_recording(seed: int, tmp_path: Path) -> None:
    """The same moves on the same mines, as mouse events."""
    record_game(tmp_path / "played", seed)
    known = review(Recording(tmp_path / "played"), load_strategies())
    assert known.game.truth is not None
    events = [(0.5, "", 0, 0)]
    for moment in known.game.moments:
        for move in (one.move for one in moment.made):
            buttons = {"open": "l", "chord": "lr"}.get(move.kind, "r")
            x, y = (part * SIZE + 8 for part in reversed(divmod(move.cell, 8)))
            seconds = events[-1][0] + 0.1
            events += [(seconds, "", x, y), (seconds + 0.05, buttons, x, y), (seconds + 0.1, "", x, y)]
    (tmp_path / "game.mvf").write_bytes(mvf(8, 8, known.game.truth, events))
    (seen,) = reviewed(tmp_path / "game.mvf", tmp_path / "out")
    assert verdicts(seen) == verdicts(known)
    assert (seen.game.ended, seen.game.mines, seen.game.truth) == (
        known.game.ended, known.game.mines, known.game.truth,
    )  # fmt: skip
    assert seen.figures.board == known.figures.board
    for name in ("solved", "clicks", "hits", "survival", "expected_hits", "given_away"):
        assert getattr(seen.figures, name) == pytest.approx(getattr(known.figures, name)), name


def test_review_evf_replay_of_ms_toollib(tmp_path: Path) -> None:
    """EVF: a game played on its own board, lost by the last click."""
    deal = Deal.random(16, 16, 40, 7)
    mines = deal.lay(0, "zero")
    field = Minefield(Deal.of(16, 16, mines), "none")
    around = field.board.around
    board = [
        [-1 if mines >> (16 * r + c) & 1 else (around[16 * r + c] & mines).bit_count() for c in range(16)]
        for r in range(16)
    ]
    video = ms_toollib.BaseVideo(board, 16)
    safe = [k for k in range(256) if not mines >> k & 1]
    for k in (0, *safe[3::5], (mines & -mines).bit_length() - 1):
        place = (k // 16 * 16 + 5, k % 16 * 16 + 5)
        video.step("lc", place)
        video.step("lr", place)
        field.play([Move("open", k)])
    video.software, video.player_identifier = "tests", "nobody"
    video.race_identifier = video.unique_identifier = video.country = ""
    video.generate_evf_v4_raw_data()
    video.checksum = bytes(32)  # type: ignore[assignment] # the stub is wrong
    video.save_to_evf_file(str(tmp_path / "game"))
    path = tmp_path / "game.evf"
    wait_for(lambda: path.exists() and path.stat().st_size > 0)  # a thread writes it
    (seen,) = reviewed(path, tmp_path / "out")
    assert seen.game.ended == "lost"
    assert seen.game.last.cells == field.board.cells
    assert seen.verdicts[-1].hit


@pytest.mark.parametrize("kind", sorted(MADE_FROM))
def test_review_damaged_replay_refused(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path(f"broken{kind}")
    for data in (b"", b"nothing of the kind", b"\x11\x4d" + bytes(25) + b"5" + bytes(80)):
        path.write_bytes(data)
        with pytest.raises(InvalidFile, match=r"broken"):
            reviewed(path, tmp_path / "out")
    assert not (tmp_path / "crash.log").exists()
