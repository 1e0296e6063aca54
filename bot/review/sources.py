"""Sources of games for review: recordings, videos, folders of screenshots, replay files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from bot.game.types import GameRules
from bot.image_files import PICTURES, expand_image_paths
from bot.readers import ReaderFactory
from bot.recording.embedded import extract_recording
from bot.recording.recorder import free_folder
from bot.recording.recording import META
from bot.review.images import VideoFrames, import_images, import_video
from bot.review.importer import ImportRecorder
from bot.review.replay_files import RULES, import_replay, read_replay
from games.errors import InvalidFile
from vision.counter import CounterReader

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
    readers: Callable[[], ReaderFactory]
    rules: GameRules
    program: str | None
    size: tuple[int, int] | None
    version: str
    say: Say
    progress: Progress

    def keeper(
        self,
        name: str,
        kept: list[Path],
        rules: GameRules | None = None,
        program: str | None = None,
        counters: CounterReader | None = None,
    ) -> ImportRecorder:
        """Create the recorder of a source; it appends the folders of the games to `kept`."""
        rules, program = rules or self.rules, program or self.program
        return ImportRecorder(self.folder, name, rules, self.version, program, kept.append, counters)


@dataclass(frozen=True)
class GameSource:
    """A file or folder with games, and the function that records them in the given folder list."""

    path: Path
    record: Callable[[Path, SourceOptions, list[Path]], str] | None = None

    def recordings(self, options: SourceOptions) -> list[Path]:
        """Return the recordings of its games; create them unless it is a recording.

        Raises InvalidFile, BoardNotFound or MissingRequirement if it is unreadable.
        """
        if self.record is None:
            return [self.path]
        kept: list[Path] = []
        problem = self.record(self.path, options, kept)
        if not kept:
            raise InvalidFile(f"{self.path}: no game found{': ' + problem if problem else ''}")
        return kept


def _record_video(path: Path, options: SourceOptions, kept: list[Path]) -> str:
    folder = free_folder(options.folder, path.stem)
    if extract_recording(path, folder):
        kept.append(folder)
        return ""
    recorder = options.keeper(path.stem, kept, counters=CounterReader.load())
    return import_video(VideoFrames(path), recorder, options.readers(), options.size, options.progress)


def _record_images(path: Path, options: SourceOptions, kept: list[Path]) -> str:
    images = [Path(name) for name in expand_image_paths([str(path)])]
    recorder = options.keeper(path.resolve().name, kept, counters=CounterReader.load())
    problems = import_images(images, recorder, options.readers(), options.progress)
    for problem in problems if kept else problems[1:]:
        options.say(problem)
    return problems[0] if problems else ""


def _record_replay_file(path: Path, options: SourceOptions, kept: list[Path]) -> str:
    replay = read_replay(path)
    rules = replace(RULES, mines=replay.deal.mines)
    import_replay(replay, options.keeper(path.stem, kept, rules, replay.program))
    return "nothing was opened"


def sources_in(path: Path) -> Iterator[GameSource]:
    """Yield the sources in a file or folder, ordered by name. Raises InvalidFile if there is none."""
    if not path.is_dir():
        yield _file(path)
    elif (path / META).exists():
        yield GameSource(path)
    else:
        found = sorted(path.iterdir())
        below = [each for each in found if each.is_dir() or each.suffix.lower() in (*VIDEOS, *REPLAYS)]
        inside = [source for each in below for source in _those_in(each)]
        if any(each.suffix.lower() in PICTURES for each in found):
            inside.append(GameSource(path, _record_images))
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
        return GameSource(path, _record_video)
    if kind in REPLAYS:
        return GameSource(path, _record_replay_file)
    raise InvalidFile(
        f"{path}: neither a recording, a video ({', '.join(VIDEOS)}) nor a replay file ({', '.join(REPLAYS)})"
    )
