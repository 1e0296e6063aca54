"""`sapper review`: judge every move of a played game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import click

from bot.cli import common_options as shared
from bot.cli.common_options import chosen_coordinates, echo, parse_size, print_json, print_status
from bot.cli.inputs import board_reader
from bot.cli.main import sapper_version
from bot.game.types import GameRules
from bot.programs.program import Program
from bot.recording.recording import Recording
from bot.review import pages
from bot.review.assessment import describe
from bot.review.importer import write_mine_total
from bot.review.metrics import BoardMetrics
from bot.review.sources import GameSource, SourceOptions, sources_in
from bot.show.board_text import ProgressBar
from games.errors import SapperError
from games.external import file_errors
from games.minesweeper import FirstClick, read_deals
from strategies import Strategy, load_strategies

INDEX = "index.html"
BOARDS = (".boards", ".mbf", ".txt")  # files of boards without moves
MOST_MOVES = 12  # printed moves; the page has all


@click.command("review", cls=shared.StrategyCommand, epilog="Example: sapper review game.mp4 --mines 99")
@click.argument("places", nargs=-1, required=True, type=shared.PATH, metavar="PATH...")
@click.option(
    "--out",
    type=shared.FOLDER,
    default=Path("reviews"),
    metavar="DIR",
    help="Folder for pages and imported recordings; default 'reviews'.",
)
@click.option("--mines", type=shared.POSITIVE, help="Mine total of games in videos and screenshots.")
@shared.size
@click.option(
    "--program",
    metavar="NAME",
    help="Known program of the games, for its rules.",
    shell_complete=shared.complete_program,
)
@shared.first_click
@shared.skin
@shared.strategy
@shared.as_json
def command(  # noqa: PLR0913, PLR0917 - one argument for each option
    places: tuple[Path, ...],
    out: Path,
    mines: int | None,
    size: str | None,
    program: str | None,
    first_click: FirstClick | None,
    skin: str | None,
    strategies: tuple[str, ...],
    trust: bool,
    as_json: bool,
) -> int:
    """Judge every move of a game: certain, an unnecessary guess, or a guess and its cost.

    PATH is a recording, a screen video (MP4, WebM, AVI, GIF), a folder of screenshots, a replay file (AVF,
    EVF, MVF, RMV), or a folder of these. Each game gets a page, and several games an index page with totals.
    For a boards file, an MBF file or whole boards as text, only figures are printed. Unreadable sources are
    reported on stderr and skipped; the exit code is that of the first failure.
    """
    known = Program.load(program) if program else None
    rules = GameRules(
        mines, first_click or (known.first_click if known else "unknown"), "unknown", can_chord=True
    )
    used = load_strategies(strategies or None, trust)
    reviews: list[tuple[pages.Review, str]] = []
    failed = 0
    for place in places:
        if place.suffix.lower() in BOARDS:
            _print_boards(place, as_json)
    played = [place for place in places if place.suffix.lower() not in BOARDS]
    for source in (source for place in played for source in sources_in(place)):
        with ProgressBar(source.path.name, as_json) as progress:
            options = SourceOptions(
                out, lambda: board_reader(skin), rules,
                known.name if known else None, parse_size(size), sapper_version(), print_status, progress.at,
            )  # fmt: skip
            try:
                found = list(_reviewed(source, options, used, progress))
            except SapperError as error:
                print_status(str(error))
                failed = failed or error.exit_code
                continue
        for review in found:
            page = _write_page(review, used, out)
            reviews.append((review, page.name))
            _print_review(review, page, as_json)
    if len(reviews) > 1:
        _write(out / INDEX, pages.index_page(reviews))
        _print_totals([review for review, _ in reviews], out / INDEX, as_json)
    return failed


def _print_boards(path: Path, as_json: bool) -> None:
    """Print the figures of boards without moves."""
    for game, deal in read_deals(path).items():
        metrics = BoardMetrics.of(deal.rows, deal.columns, deal.lay(0, "none"))
        if as_json:
            about = {"source": str(path), "game": game, "size": f"{deal.columns}x{deal.rows}"}
            print_json(about | {"mines": deal.mines} | asdict(metrics))
        else:
            echo(
                f"{path.name} {game}: 3BV {metrics.bv3}, openings {metrics.openings}, "
                f"ZiNi {metrics.zini}, human ZiNi {metrics.human_zini}"
            )


def _reviewed(
    source: GameSource, options: SourceOptions, strategies: tuple[Strategy, ...], progress: ProgressBar
) -> Iterator[pages.Review]:
    """Import and review the games of a source."""
    folders = source.recordings(options)
    for number, folder in enumerate(folders):
        progress.at(number, len(folders), "games reviewed")
        recording = Recording(folder)
        judged = pages.review(recording, strategies, str(source.path))
        is_counted = judged.game.mines is not None and not judged.game.is_assumed
        if recording.meta.rules.mines is None and is_counted and folder != source.path:
            write_mine_total(folder, judged.game.mines)
            judged = replace(judged, recording=Recording(folder))
        yield judged


def _write_page(review: pages.Review, strategies: tuple[Strategy, ...], out: Path) -> Path:

    page = out / f"{review.recording.folder.resolve().name}.html"
    _write(page, pages.review_page(review, strategies, chosen_coordinates()))
    return page


def _write(path: Path, text: str) -> None:
    with file_errors(path, "name a writable folder with --out"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _print_review(review: pages.Review, page: Path, as_json: bool) -> None:
    """Print one object, or the moves with a better alternative."""
    if as_json:
        print_json(review.as_json() | {"recording": str(review.recording.folder), "page": str(page)})
        return
    echo(f"{review.recording.folder.name}: {review.headline}")
    for fact in review.unknown:
        echo(f"  {fact}")
    printed = ("guess", "unnecessary guess", "mistake", "wrong flag")
    moves = [move for move in review.verdicts if move.kind in printed]
    for move in moves[:MOST_MOVES]:
        echo(f"  {move.seconds:7.2f} s  {describe(move)}")
    if len(moves) > MOST_MOVES:
        echo(f"  … and {len(moves) - MOST_MOVES} more on the page")
    echo("  " + ", ".join(f"{name} {value}" for name, value in pages.metrics_table(review.figures)))
    echo(f"  {page}")


def _print_totals(reviews: list[pages.Review], page: Path, as_json: bool) -> None:

    totals = pages.totals_of(reviews)
    if as_json:
        print_json({"totals": [each.as_json() for each in totals], "page": str(page)})
        return
    for each in totals:
        rate = f", {each.rate}" if each.rate else ""
        luck = pages.luck_sentence(each)
        echo(f"{each.program} {each.board}: {each.won} of {each.finished} won{rate}. {luck}")
    echo(str(page))
