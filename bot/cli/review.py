"""`sapper review`: judge every move of a played game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.common_options import (
    StrategyCommand,
    as_json,
    first_click,
    parse_size,
    print_json,
    print_status,
    skin,
    strategy,
)
from games.errors import InvalidFile, SapperError

if TYPE_CHECKING:
    from bot.review.pages import Review
    from bot.review.sources import GameSource, SourceOptions
    from bot.show.board_text import ProgressBar
    from strategies import Strategy


INDEX = "index.html"
BOARDS = (".boards", ".mbf", ".txt")  # files of boards that nobody played
MOST_LISTED = 12  # moves that are printed on a terminal; the page has all


@click.command("review", cls=StrategyCommand, epilog="Example: sapper review game.mp4 --mines 99")
@click.argument("places", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH...")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("reviews"),
    metavar="DIR",
    help="Where the pages go, and recordings of what was none; 'reviews' by default.",
)
@click.option("--mines", type=click.IntRange(min=1), help="The mine total of games in videos and pictures.")
@click.option("--size", metavar="WxH", help="Columns x rows of their boards.")
@click.option("--program", metavar="NAME", help="The program that they show: its rules hold.")
@first_click
@skin
@strategy
@as_json
def command(  # noqa: PLR0913, PLR0917 - one argument for each option
    places: tuple[Path, ...],
    out: Path,
    mines: int | None,
    size: str | None,
    program: str | None,
    first_click: str | None,
    skin: str | None,
    strategies: tuple[str, ...],
    trust: bool,
    as_json: bool,
) -> int:
    """Judge every move of a game: certain, an unnecessary guess, or a guess and what it gave away.

    PATH is a recording, a video of a screen (MP4, WebM, AVI, GIF), a folder of screenshots, a replay file
    (AVF, EVF, MVF, RMV), or a folder of these; of a boards file, MBF file or whole boards as text the figures
    are printed. Each game gets a page, and several a page over all with
    totals. A source that cannot be read is named on stderr, the others are reviewed all the same; the exit
    code is that of the first that failed.
    """
    from bot.cli.inputs import skin_library
    from bot.cli.main import sapper_version
    from bot.game.types import GameRules
    from bot.programs.program import Program
    from bot.readers import ReaderFactory
    from bot.review.pages import index_page
    from bot.review.sources import SourceOptions, sources_in
    from bot.show.board_text import ProgressBar
    from strategies import load_strategies

    known = Program.load(program) if program else None
    promise = first_click or (known.first_click if known else "unknown")
    rules = GameRules(mines, promise, "unknown", can_chord=True)  # type: ignore[arg-type] # click has checked it
    used = load_strategies(strategies or None, trust)
    reviews: list[tuple[Review, str]] = []
    failed = 0
    for place in places:
        if place.suffix.lower() in BOARDS:
            _say_boards(place, as_json)
    played = [place for place in places if place.suffix.lower() not in BOARDS]
    for source in (source for place in played for source in sources_in(place)):
        with ProgressBar(source.path.name, as_json) as progress:
            options = SourceOptions(
                out, lambda: ReaderFactory.load(skin_library(skin, None).skins, bool(skin)), rules,
                known.name if known else None, parse_size(size), sapper_version(), print_status, progress.at,
            )  # fmt: skip
            try:
                found = list(_reviewed(source, options, used, progress))
            except SapperError as error:
                print_status(str(error))
                failed = failed or error.exit_code
                continue
        for review in found:
            page = _page(review, used, out)
            reviews.append((review, page.name))
            _print_review(review, page, as_json)
    if len(reviews) > 1:
        _write(out / INDEX, index_page(reviews))
        _say_totals([review for review, _ in reviews], out / INDEX, as_json)
    return failed


def _say_boards(path: Path, as_json: bool) -> None:
    """The figures of boards that nobody played: a boards file, whole boards as text, an MBF file."""
    from dataclasses import asdict

    from bot.review.metrics import BoardMetrics
    from games.minesweeper import read_deals

    for game, deal in read_deals(path).items():
        figures = BoardMetrics.of(deal.rows, deal.columns, deal.lay(0, "none"))
        if as_json:
            about = {"source": str(path), "game": game, "size": f"{deal.columns}x{deal.rows}"}
            print_json(about | {"mines": deal.mines} | asdict(figures))
        else:
            click.echo(
                f"{path.name} {game}: 3BV {figures.bv3}, openings {figures.openings}, "
                f"ZiNi {figures.zini}, human ZiNi {figures.human_zini}"
            )


def _reviewed(
    source: GameSource, options: SourceOptions, strategies: tuple[Strategy, ...], progress: ProgressBar
) -> Iterator[Review]:
    """The games of a source, each reviewed."""
    from bot.recording.recording import Recording
    from bot.review.importer import write_mine_total
    from bot.review.pages import review

    folders = source.recordings(options)
    for number, folder in enumerate(folders):
        progress.at(number, len(folders), "games reviewed")
        recording = Recording(folder)
        judged = review(recording, strategies, str(source.path))
        if recording.meta.rules.mines is None and judged.game.mines is not None and folder != source.path:
            write_mine_total(folder, judged.game.mines)
            judged = review(Recording(folder), strategies, str(source.path))
        yield judged


def _page(review: Review, strategies: tuple[Strategy, ...], out: Path) -> Path:
    """Write the page of a game; where it is."""
    from bot.review.pages import review_page

    page = out / f"{review.recording.folder.resolve().name}.html"
    _write(page, review_page(review, strategies))
    return page


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InvalidFile(
            f"{path}: {error.strerror}: name a folder that can be written to with --out"
        ) from error


def _print_review(review: Review, page: Path, as_json: bool) -> None:
    """What the game came to: one object, or the moves that could have been better."""
    from bot.review.assessment import describe
    from bot.review.pages import metrics_table

    if as_json:
        print_json(review.as_json() | {"recording": str(review.recording.folder), "page": str(page)})
        return
    click.echo(f"{review.recording.folder.name}: {review.headline}")
    worth_saying = [
        each
        for each in review.verdicts
        if each.kind in ("guess", "unnecessary guess", "mistake", "wrong flag")
    ]
    for verdict in worth_saying[:MOST_LISTED]:
        click.echo(f"  {verdict.seconds:7.2f} s  {describe(verdict)}")
    if len(worth_saying) > MOST_LISTED:
        click.echo(f"  … and {len(worth_saying) - MOST_LISTED} more on the page")
    click.echo("  " + ", ".join(f"{name} {value}" for name, value in metrics_table(review.figures)))
    click.echo(f"  {page}")


def _say_totals(reviews: list[Review], page: Path, as_json: bool) -> None:
    from bot.review.pages import luck_sentence, totals_of

    totals = totals_of(reviews)
    if as_json:
        print_json({"totals": [each.as_json() for each in totals], "page": str(page)})
        return
    for each in totals:
        rate = f", {each.rate}" if each.rate else ""
        click.echo(
            f"{each.program} {each.board}: {each.won} of {each.finished} won{rate}. {luck_sentence(each)}"
        )
    click.echo(str(page))
