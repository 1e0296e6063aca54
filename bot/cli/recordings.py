"""`sapper replay`: repeat recorded readings and plans; `sapper report`: create a page, image or video."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import click
import cv2

from bot.cli import common_options as shared
from bot.cli.common_options import chosen_coordinates, echo, print_json, print_status
from bot.cli.inputs import find_recordings_and_images, read_image, recordings_in
from bot.readers import ReaderFactory
from bot.recording.compare import (
    ComparedObservation,
    RecordedChange,
    compare,
    compare_image,
    update,
    update_picture,
)
from bot.recording.recording import Recording
from bot.review.pages import review, story_of_review
from bot.show.page import report_page
from bot.show.pictures import side_by_side, write_gif, write_png, write_video
from bot.show.story import tell_story
from games.errors import InvalidFile, SapperError, UsageError
from games.external import file_errors, replace_file
from strategies import Reasoner, Strategy, load_strategies
from strategies.registry import is_built_in
from vision.annotations import format_labels, load_annotated
from vision.lattice import Lattice
from vision.skins import Skin, load_known_skins, load_skin

MOST_ROWS = 40  # per table
MOST_PICTURES = 20  # per recording


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """Options of `sapper replay`; `skin` is None for the recorded or known skins."""

    strategies: tuple[str, ...]
    trust: bool
    skin: Skin | None
    update: bool
    picture: Path | None

    @property
    def skins(self) -> Sequence[Skin]:
        """The skins for screenshots."""
        return [self.skin] if self.skin else load_known_skins()


@dataclass(frozen=True, slots=True)
class ReplayedItem:
    """Result of replaying one recording or screenshot, which has no `counts`."""

    place: Path
    differences: Sequence[str]
    changes: Sequence[RecordedChange]
    is_updated: bool
    counts: Mapping[str, int] = field(default_factory=dict)


@click.command("replay", cls=shared.StrategyCommand, epilog="Example: sapper replay recordings/xdemineur-001")
@click.argument("places", nargs=-1, required=True, type=shared.PATH, metavar="DIR_OR_IMAGE...")
@shared.strategy
@shared.skin
@click.option(
    "--picture", type=shared.PATH, metavar="DIR", help="Write images of the differences to this folder."
)
@click.option("--update", is_flag=True, help="Accept the new readings and plans.")
@shared.as_json
def replay(
    places: tuple[Path, ...],
    strategies: tuple[str, ...],
    trust: bool,
    skin: str | None,
    picture: Path | None,
    update: bool,
    as_json: bool,
) -> int:
    """Read and plan recorded games again, and print every difference from the recording.

    A place is a recording, an annotated screenshot, or a folder of both. The default strategies are the
    recorded ones. The exit code is 1 if there are differences and --update does not accept them.
    """
    options = ReplayOptions(strategies, trust, load_skin(skin) if skin else None, update, picture)
    differing = failed = 0
    items = list(find_recordings_and_images(places))
    for place in items:
        try:
            found = _recording(place, options) if place.is_dir() else _screenshot(place, options)
        except SapperError as error:
            if len(items) == 1:
                raise
            print_status(str(error) if str(place) in str(error) else f"{place}: {error}")
            failed = failed or error.exit_code
            continue
        differing += bool(found.differences) and not found.is_updated
        _print(found, as_json)
    if len(items) > 1 and not as_json:
        echo(f"{len(items)} replayed, {differing} differ")
    return failed or (1 if differing else 0)


def _recording(folder: Path, options: ReplayOptions) -> ReplayedItem:
    from bot.recording.replay import replay

    recording = Recording(folder)
    chosen = _strategies(recording, options)
    reasoner = Reasoner(chosen)
    replayed = replay(recording, reasoner, options.skin)
    for fault in reasoner.faults:
        print_status(str(fault))
    counts = {"looks": replayed.looks, "acts": replayed.acts, "proved_otherwise": replayed.proved_otherwise}
    looks: list[ComparedObservation] = []
    skin = options.skin or recording.skin
    if replayed.differences or options.update:
        looks = [look for look in compare(recording, chosen, skin) if look.changes]
        _draw(folder.name, recording.meta.lattice, looks, options.picture)
    if options.update:
        update(recording, chosen, skin)
    changes = [change for look in looks for change in look.changes]
    return ReplayedItem(folder, replayed.differences, changes, options.update, counts)


def _screenshot(image: Path, options: ReplayOptions) -> ReplayedItem:
    if not image.exists():
        raise InvalidFile(f"{image}: No such file or directory: name the folder of a recording, or an image")
    if not image.with_suffix(".txt").exists():
        text = image.with_suffix(".txt")
        if not options.update:
            raise InvalidFile(
                f"{image}: not annotated: write {text.name}, or use --update to accept the reading"
            )
        seen = read_image(image, options.skins, bool(options.skin))
        replace_file(text, format_labels(seen.lattice, seen.reading.board).encode())
    reader = ReaderFactory.load(options.skins, bool(options.skin))
    compared = compare_image(image, load_strategies(options.strategies, options.trust), reader)
    read = sum(change.what == "reading" for change in compared.changes)
    is_updated = bool(compared.changes) and options.update
    if compared.changes:
        _draw(image.stem, load_annotated(image).lattice, [compared], options.picture)
    if is_updated:
        update_picture(image, compared)
    differences = [f"{read} cells read otherwise"] if read else []
    return ReplayedItem(image, differences, compared.changes, is_updated)


def _draw(name: str, lattice: Lattice, looks: Sequence[ComparedObservation], folder: Path | None) -> None:
    if folder is None:
        return
    with file_errors(folder, "name a writable folder with --picture", UsageError):
        folder.mkdir(parents=True, exist_ok=True)
        for look in looks[:MOST_PICTURES]:
            pixels = side_by_side(lattice, look.frame, look.changes, look.now)
            (folder / f"{name}-look-{look.look:03}.png").write_bytes(bytes(cv2.imencode(".png", pixels)[1]))


def _print(found: ReplayedItem, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "recording" if found.counts else "image": str(found.place),
                **found.counts,
                "differences": found.differences,
                "changes": [asdict(change) for change in found.changes],
                "updated": found.is_updated,
            }
        )
        return
    counts = f"{found.counts['looks']} observations, {found.counts['acts']} actions: " if found.counts else ""
    result = f"differences: {len(found.differences)}" if found.differences else "the same"
    other = found.counts.get("proved_otherwise", 0)
    note = f" ({other} certain cells have another proof now)" if other else ""
    echo(f"{found.place}: {counts}{result}{note}{'; accepted' if found.is_updated else ''}")
    for difference in found.differences:
        echo(f"  {difference}")
    if found.changes:
        echo(f"  {'look':>6}  {'what':8} {'cell':8} {'recorded':34} now")
    for change in found.changes[:MOST_ROWS]:
        was, now = (text if len(text) <= 34 else text[:33] + "…" for text in (change.recorded, change.now))
        echo(f"  {change.look:6}  {change.what:8} {change.cell:8} {was:34} {now}".rstrip())
    if len(found.changes) > MOST_ROWS:
        echo(f"  … and {len(found.changes) - MOST_ROWS} more")


def _strategies(recording: Recording, options: ReplayOptions) -> tuple[Strategy, ...]:
    """The strategies named on the command line, or the recorded ones that are built in.

    A recording may come from a stranger, so it never chooses code outside Sapper. Raises InvalidFile if it
    contains an invalid option.
    """
    if options.strategies:
        return load_strategies(options.strategies, options.trust)
    names = [name for name, _ in recording.meta.strategies]
    if missing := [name for name in names if not is_built_in(name)]:
        print_status(f"{recording.folder}: replaying without {', '.join(missing)}: name them with --strategy")
    try:
        return load_strategies([name for name in names if is_built_in(name)])
    except (InvalidFile, UsageError) as error:
        raise InvalidFile(f"{recording.folder}: {error}: name its strategies with --strategy") from error


PAGE = "report.html"  # in the folder of its recording


@click.command("report", epilog="Example: sapper report recordings/xdemineur-001 --gif game.gif")
@click.argument("folder", type=shared.PATH, metavar="DIR")
@click.option("--out", type=shared.PATH, metavar="FILE", help="File of the page; default DIR/report.html.")
@click.option("--gif", type=shared.PATH, metavar="FILE", help="Also write the game as an animation.")
@click.option(
    "--video", type=shared.PATH, metavar="FILE", help="Also write the game as an .mp4 or .webm video."
)
@click.option("--png", type=shared.PATH, metavar="FILE", help="Also write one observation as an image.")
@click.option("--look", type=shared.POSITIVE, metavar="N", help="Observation for --png; default the last.")
@shared.as_json
def report(
    folder: Path,
    out: Path | None,
    gif: Path | None,
    video: Path | None,
    png: Path | None,
    look: int | None,
    as_json: bool,
) -> int:
    """Create an HTML page of a recording, with the reading, certain cells, risks and reasons of each board.

    The page is one file and works offline. If DIR contains several recordings, each gets a page.
    """
    if look is not None and png is None:
        raise UsageError("--look requires --png: name the image")
    folders = recordings_in(folder)
    if len(folders) > 1 and (out or gif or video or png):
        raise UsageError(f"{folder} contains {len(folders)} recordings: name one of them to write a file")
    strategies = load_strategies()
    for each in folders:
        recording = Recording(each)
        is_watched = not recording.meta.strategies  # another player's game, which has no plans
        story = (
            story_of_review(review(recording, strategies), strategies)
            if is_watched
            else tell_story(recording, strategies)
        )
        story = replace(story, coordinates=chosen_coordinates())
        number = look or len(story.steps)
        if number > len(story.steps):
            raise UsageError(f"{each} has no observation {number}: use --look 1 to {len(story.steps)}")
        if gif:
            write_gif(story, gif)
        if video:
            write_video(story, video)
        if png:
            write_png(story, png, number - 1)
        page = out or each / PAGE
        with file_errors(page, "name a writable file with --out"):
            text = report_page(story).encode()
            if out:
                out.write_bytes(text)
            else:  # the folder may come from a stranger: replace a link instead of following it
                replace_file(page, text)
        files = {"page": page, "gif": gif, "video": video, "png": png}
        named = {kind: str(path) for kind, path in files.items() if path}
        if as_json:
            about = {"recording": str(each), "headline": story.headline, "looks": len(story.steps)}
            print_json(about | named)
        else:
            echo("\n".join([story.headline, *named.values()]))
    return 0
