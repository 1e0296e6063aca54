"""Sources of games for review: recordings, videos, folders of screenshots, replay files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from bot.game.types import GameRules
from bot.image_files import PICTURES, expand_image_paths
from bot.readers import ReaderFactory
from bot.recording.recording import META
from bot.review.importer import ImportRecorder
from games.errors import InvalidFile

VIDEOS = (".mp4", ".webm", ".mkv", ".avi", ".mov", ".gif")
REPLAYS = (".avf", ".evf", ".mvf", ".rmv")
Say = Callable[[str], object]
Progress = Callable[[int, int], object]


@dataclass(frozen=True)
class SourceOptions:
    """Options for reading sources.

    New recordings go into `folder`. `rules`, `program` and `size` (columns, rows) describe the games in
    videos and images. `say` receives problems with parts of a source.
    """

    folder: Path
    sight: Callable[[], ReaderFactory]
    rules: GameRules
    program: str | None
    size: tuple[int, int] | None
    version: str
    say: Say
    progress: Progress

    def keeper(
        self, name: str, kept: list[Path], rules: GameRules | None = None, program: str | None = None
    ) -> ImportRecorder:
        """Create the recorder of a source; it appends the folders of the games to `kept`."""
        return ImportRecorder(
            self.folder, name, rules or self.rules, self.version, program or self.program, kept.append
        )


class GameSource(Protocol):
    """A file or folder with games."""

    @property
    def path(self) -> Path:
        """The file or folder."""

    def recordings(self, options: SourceOptions) -> list[Path]:
        """Return the recordings of its games; create them if necessary.

        Raises InvalidFile, BoardNotFound or MissingRequirement if it is unreadable.
        """


@dataclass(frozen=True)
class RecordingSource:
    """A recording."""

    path: Path

    def recordings(self, options: SourceOptions) -> list[Path]:
        """Return its folder."""
        return [self.path]


@dataclass(frozen=True)
class VideoSource:
    """A video of a screen."""

    path: Path

    def recordings(self, options: SourceOptions) -> list[Path]:
        """Record its games. Raises InvalidFile if it is unreadable or shows no board."""
        from bot.review.images import VideoFrames, import_video

        kept: list[Path] = []
        video = VideoFrames(self.path)
        trouble = import_video(
            video, options.keeper(self.path.stem, kept), options.sight(), options.size, options.progress
        )
        return _some(kept, self.path, trouble)


@dataclass(frozen=True)
class ImageFolderSource:
    """A folder of screenshots."""

    path: Path

    def recordings(self, options: SourceOptions) -> list[Path]:
        """Record their games. Raises InvalidFile if there is none."""
        from bot.review.images import import_images

        kept: list[Path] = []
        pictures = [Path(name) for name in expand_image_paths([str(self.path)])]
        keeper = options.keeper(self.path.resolve().name, kept)
        troubles = import_images(pictures, keeper, options.sight(), options.progress)
        for trouble in troubles if kept else troubles[1:]:
            options.say(trouble)
        return _some(kept, self.path, troubles[0] if troubles else "")


@dataclass(frozen=True)
class ReplayFileSource:
    """A replay file of the Minesweeper community."""

    path: Path

    def recordings(self, options: SourceOptions) -> list[Path]:
        """Record its game. Raises MissingRequirement without ms_toollib, InvalidFile if it is damaged."""
        from bot.review.replay_files import RULES, import_replay, read_replay

        kept: list[Path] = []
        replay = read_replay(self.path)
        rules = replace(RULES, mines=replay.deal.mines)
        import_replay(replay, options.keeper(self.path.stem, kept, rules, replay.program))
        return _some(kept, self.path, "nothing was opened")


def sources_in(path: Path) -> Iterator[GameSource]:
    """Yield the sources in a file or folder, ordered by name. Raises InvalidFile if there is none."""
    if not path.is_dir():
        yield _file(path)
    elif (path / META).exists():
        yield RecordingSource(path)
    else:
        found = sorted(path.iterdir())
        below = [each for each in found if each.is_dir() or each.suffix.lower() in (*VIDEOS, *REPLAYS)]
        inside = [source for each in below for source in _those_in(each)]
        if any(each.suffix.lower() in PICTURES for each in found):
            inside.append(ImageFolderSource(path))
        if not inside:
            raise InvalidFile(
                f"{path}: no recording, video, screenshot or replay file inside: name another folder"
            )
        yield from inside


def _those_in(path: Path) -> list[GameSource]:
    try:
        return list(sources_in(path))
    except InvalidFile:
        if path.is_dir():
            return []  # a folder of something else
        raise


def _file(path: Path) -> GameSource:
    if not path.exists():
        raise InvalidFile(f"{path}: no such file: name a recording, a video or a replay file")
    kind = path.suffix.lower()
    if kind in VIDEOS:
        return VideoSource(path)
    if kind in REPLAYS:
        return ReplayFileSource(path)
    raise InvalidFile(
        f"{path}: neither a recording, a video ({', '.join(VIDEOS)}) nor a replay file ({', '.join(REPLAYS)})"
    )


def _some(kept: list[Path], path: Path, trouble: str) -> list[Path]:
    if not kept:
        raise InvalidFile(f"{path}: no game found{': ' + trouble if trouble else ''}")
    return kept
