"""`sapper report`: a recorded game as a page or a picture to look at."""

from __future__ import annotations

from pathlib import Path

import click

from bot.cli.options import as_json, print_json
from games.errors import InvalidFile, Usage

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
def command(
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
    from bot.cli.places import recordings_in
    from bot.recording import Recording
    from bot.report import page_of, story_of, write_gif, write_png, write_video
    from strategies import load_strategies

    if look is not None and png is None:
        raise Usage("--look says which observation a picture shows: name the picture with --png")
    folders = recordings_in(folder)
    if len(folders) > 1 and (out or gif or video or png):
        raise Usage(f"{folder} holds {len(folders)} recordings: name one of them for a file")
    strategies = load_strategies()
    for each in folders:
        story = story_of(Recording(each), strategies)
        number = look or len(story.steps)
        if number > len(story.steps):
            raise Usage(f"{each} has {len(story.steps)} observations: there is no number {number}")
        if gif:
            write_gif(story, gif)
        if video:
            write_video(story, video)
        if png:
            write_png(story, png, number - 1)
        page = out or each / PAGE
        try:
            page.write_text(page_of(story), encoding="utf-8")
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
