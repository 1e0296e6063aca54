"""`sapper replay` repeats recorded readings and plans; `sapper report` makes a page or picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.common_options import StrategyCommand, as_json, print_json, print_status, strategy
from games.errors import InvalidFile, SapperError, UsageError
from games.external import replace_file

if TYPE_CHECKING:
    from bot.recording.compare import ComparedObservation, RecordedChange
    from bot.recording.recording import Recording
    from strategies import Strategy
    from vision.lattice import Lattice
    from vision.skins import Skin


MOST_ROWS = 40  # of one table
MOST_PICTURES = 20  # of one recording


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """What was asked for on the command line."""

    strategies: tuple[str, ...]
    trust: bool
    skin: Skin | None
    update: bool
    picture: Path | None


@dataclass(slots=True)
class ReplayedItem:
    """What one recording or picture came to."""

    what: str
    differences: list[str] = field(default_factory=list)
    changes: list[RecordedChange] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    note: str = ""
    is_updated: bool = False
    is_recording: bool = True


@click.command("replay", cls=StrategyCommand, epilog="Example: sapper replay recordings/xdemineur-001")
@click.argument("places", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="DIR_OR_IMAGE...")
@strategy
@click.option("--skin", metavar="NAME_OR_FILE", help="Read with this look instead of the recorded one.")
@click.option(
    "--picture",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write pictures of the differences there.",
)
@click.option("--update", is_flag=True, help="Accept what is read and concluded now.")
@as_json
def replay(
    places: tuple[Path, ...],
    strategies: tuple[str, ...],
    trust: bool,
    skin: str | None,
    picture: Path | None,
    update: bool,
    as_json: bool,
) -> int:
    """Read and reason on recorded games again, and print every difference from what was recorded.

    A place is a recording, a screenshot with its text beside it, or a folder of both. The recorded strategies
    are used unless others are named. Exit code 1 when anything differs and is not accepted with --update.
    """
    from bot.cli.inputs import find_recordings_and_images
    from vision.skins import load_skin

    options = ReplayOptions(strategies, trust, load_skin(skin) if skin else None, update, picture)
    differs = failed = 0
    gone_over = list(find_recordings_and_images(places))
    for place in gone_over:
        try:
            found = _recording(place, options) if place.is_dir() else _picture(place, options)
        except SapperError as error:
            if len(gone_over) == 1:
                raise
            print_status(str(error) if str(place) in str(error) else f"{place}: {error}")
            failed = failed or error.exit_code
            continue
        differs += bool(found.differences) and not found.is_updated
        _print(found, as_json)
    if len(gone_over) > 1 and not as_json:
        click.echo(f"{len(gone_over)} gone over, {differs} differ")
    return failed or (1 if differs else 0)


def _recording(folder: Path, options: ReplayOptions) -> ReplayedItem:
    from bot.recording.compare import compare, update
    from bot.recording.recording import Recording
    from bot.recording.replay import replay
    from strategies import Reasoner

    recording = Recording(folder)
    chosen = _chosen(recording, options)
    reasoner = Reasoner(chosen)
    replayed = replay(recording, reasoner, options.skin)
    for fault in reasoner.faults:
        print_status(str(fault))
    counts = {
        "looks": replayed.looks,
        "acts": replayed.acts,
        "proved_otherwise": replayed.proved_otherwise,
    }
    found = ReplayedItem(str(folder), list(replayed.differences), counts=counts)
    if replayed.proved_otherwise:
        found.note = f" ({replayed.proved_otherwise} certain cells are proved otherwise now)"
    skin = options.skin or recording.skin
    if found.differences or options.update:
        looks = [look for look in compare(recording, chosen, skin) if look.changes]
        found.changes = [change for look in looks for change in look.changes]
        _draw(folder.name, recording.meta.lattice, looks, options.picture)
        if options.update:
            update(recording, chosen, skin)
            found.is_updated = True
    return found


def _picture(picture: Path, options: ReplayOptions) -> ReplayedItem:
    from bot.readers import ReaderFactory
    from bot.recording.compare import compare_image, update_picture
    from strategies import load_strategies
    from vision.annotations import load_annotated
    from vision.skins import load_known_skins

    if not picture.exists():
        raise InvalidFile(
            f"{picture}: No such file or directory: name the folder of a recording, or a picture"
        )
    _write_new_annotation(picture, options)
    sight = ReaderFactory.load([options.skin] if options.skin else load_known_skins(), bool(options.skin))
    compared = compare_image(picture, load_strategies(options.strategies, options.trust), sight)
    found = ReplayedItem(str(picture), changes=list(compared.changes), is_recording=False)
    read = sum(change.what == "reading" for change in found.changes)
    found.differences = [f"{read} cells read otherwise"] if read else []
    if found.changes:
        _draw(picture.stem, load_annotated(picture).lattice, [compared], options.picture)
        if options.update:
            update_picture(picture, compared)
            found.is_updated = True
    return found


def _write_new_annotation(picture: Path, options: ReplayOptions) -> None:
    """A picture without a text gets what is read in it, when that is to be accepted. Raises InvalidFile."""
    from bot.cli.inputs import read_image
    from vision.annotations import format_labels
    from vision.skins import load_known_skins

    text = picture.with_suffix(".txt")
    if text.exists():
        return
    if not options.update:
        raise InvalidFile(
            f"{picture}: no {text.name} beside it says what it shows: --update writes what is read"
        )
    fit = read_image(picture, [options.skin] if options.skin else load_known_skins(), bool(options.skin))
    replace_file(text, format_labels(fit.lattice, fit.reading.board).encode())


def _draw(name: str, lattice: Lattice, looks: Sequence[ComparedObservation], folder: Path | None) -> None:
    if folder is None:
        return
    import cv2

    from bot.show.pictures import side_by_side

    try:
        folder.mkdir(parents=True, exist_ok=True)
        for look in looks[:MOST_PICTURES]:
            pixels = side_by_side(lattice, look.frame, look.changes, look.now)
            (folder / f"{name}-look-{look.look:03}.png").write_bytes(bytes(cv2.imencode(".png", pixels)[1]))
    except OSError as error:
        raise UsageError(
            f"{folder}: {error.strerror}: name a folder that can be written to, --picture"
        ) from error


def _print(found: ReplayedItem, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "recording" if found.is_recording else "image": found.what,
                **found.counts,
                "differences": found.differences,
                "changes": [asdict(change) for change in found.changes],
                "updated": found.is_updated,
            }
        )
        return
    seen = f"{found.counts['looks']} looks, {found.counts['acts']} acts: " if found.counts else ""
    verdict = f"differences: {len(found.differences)}" if found.differences else "the same"
    accepted = "; accepted" if found.is_updated else ""
    click.echo(f"{found.what}: {seen}{verdict}{found.note}{accepted}")
    for difference in found.differences:
        click.echo(f"  {difference}")
    if found.changes:
        click.echo(f"  {'look':>6}  {'what':8} {'cell':8} {'recorded':34} now")
    for change in found.changes[:MOST_ROWS]:
        was, now = (text if len(text) <= 34 else text[:33] + "…" for text in (change.recorded, change.now))
        click.echo(f"  {change.look:6}  {change.what:8} {change.cell:8} {was:34} {now}".rstrip())
    if len(found.changes) > MOST_ROWS:
        click.echo(f"  … and {len(found.changes) - MOST_ROWS} more")


def _chosen(recording: Recording, options: ReplayOptions) -> tuple[Strategy, ...]:
    """The strategies named on the command line, or the built-in ones among those that played the game.

    A recording may come from a stranger, so it never chooses code outside Sapper. Raises InvalidFile if it
    contains an invalid option.
    """
    from strategies import load_strategies
    from strategies.registry import is_built_in

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
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Where the page goes; DIR/report.html by default.",
)
@click.option(
    "--gif", type=click.Path(path_type=Path), metavar="FILE", help="The whole game as a moving picture, too."
)
@click.option(
    "--video", type=click.Path(path_type=Path), metavar="FILE", help="The same as an .mp4 or a .webm, too."
)
@click.option(
    "--png", type=click.Path(path_type=Path), metavar="FILE", help="One observation as a picture, too."
)
@click.option(
    "--look",
    type=click.IntRange(min=1),
    metavar="N",
    help="Which observation --png shows; the last by default.",
)
@as_json
def report(
    folder: Path,
    out: Path | None,
    gif: Path | None,
    video: Path | None,
    png: Path | None,
    look: int | None,
    as_json: bool,
) -> int:
    """Make one HTML page of a recording: every observation with what was read, certain and risky, and why.

    The page is one file that needs no network. DIR may also hold recordings: then each gets its page.
    """
    from bot.cli.inputs import recordings_in
    from bot.recording.recording import Recording
    from bot.show.page import report_page
    from bot.show.pictures import write_gif, write_png, write_video
    from bot.show.story import tell_story
    from strategies import load_strategies

    if look is not None and png is None:
        raise UsageError("--look says which observation a picture shows: name the picture with --png")
    folders = recordings_in(folder)
    if len(folders) > 1 and (out or gif or video or png):
        raise UsageError(f"{folder} holds {len(folders)} recordings: name one of them for a file")
    strategies = load_strategies()
    for each in folders:
        story = tell_story(Recording(each), strategies)
        number = look or len(story.steps)
        if number > len(story.steps):
            raise UsageError(f"{each} has {len(story.steps)} observations: there is no number {number}")
        if gif:
            write_gif(story, gif)
        if video:
            write_video(story, video)
        if png:
            write_png(story, png, number - 1)
        page = out or each / PAGE
        try:
            replace_file(page, report_page(story).encode())
        except OSError as error:
            raise InvalidFile(
                f"{page}: {error.strerror}: name a file that can be written to with --out"
            ) from error
        files = {"page": page, "gif": gif, "video": video, "png": png}
        named = {kind: str(path) for kind, path in files.items() if path}
        if as_json:
            about = {"recording": str(each), "headline": story.headline, "looks": len(story.steps)}
            print_json(about | named)
        else:
            click.echo("\n".join([story.headline, *named.values()]))
    return 0
