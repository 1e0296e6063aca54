"""`sapper clue`: read the log of a game of Clue and print its deduction sheet.

With --watch, the log is polled and read again after every change.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click

from bot.cli import common_options as shared
from bot.cli.common_options import echo, print_json, print_status
from bot.clue import output
from bot.clue.analysis import ORDER, PROVING, ClueAnswer, ClueDeduction, ClueQuery, LogStep, answer, steps
from bot.clue.output import MARK, MarkSymbols, Paint, grid, new_marks, page, solution, suggestion_lines
from games.clue.cards import CardSet
from games.clue.parser import ParsedLog, builtin_card_set, parse_json, parse_log
from games.errors import InvalidFile, UsageError
from games.external import LARGEST_FILE, file_errors, printable, read_external
from strategies import load_strategies

INVALID = 7  # exit code for a log with problems


@click.command(
    "clue", cls=shared.StrategyCommand, epilog="Example: sapper clue game.clue --why plum,envelope"
)
@click.argument("log")
@click.option(
    "--why", "marks", multiple=True, metavar="CARD,HOLDER", help="Explain a mark, such as plum,bob."
)
@click.option("--odds", is_flag=True, help="Show the probability of each open mark.")
@click.option("--suggest", is_flag=True, help="List the most informative suggestions.")
@click.option(
    "--only",
    metavar="CARDS",
    help="With --suggest: restrict these kinds of cards, such as the rooms in reach.",
)
@click.option("--view", metavar="PLAYER", help="Show what this player certainly knows.")
@click.option("--watch", is_flag=True, help="Read the log again whenever it changes, until Ctrl+C.")
@click.option("--html", type=shared.PATH, metavar="FILE", help="Also write the sheet as an HTML page.")
@shared.strategy
@shared.as_json
def command(  # noqa: PLR0913, PLR0917 - one argument for each option
    log: str,
    marks: tuple[str, ...],
    odds: bool,
    suggest: bool,
    only: str | None,
    view: str | None,
    watch: bool,
    html: Path | None,
    strategies: tuple[str, ...],
    trust: bool,
    as_json: bool,
) -> int:
    """Fill in the deduction sheet of a game of Clue from its log, and explain it.

    LOG is a text file with one event per line, or a JSON file; - is standard input.
    """
    if only and not suggest:
        raise UsageError("--only requires --suggest: add it")
    if watch and log == "-":
        raise UsageError("--watch needs a file: name the log")
    chosen = [each for each in load_strategies(strategies or ORDER, trust) if each.has_deduce]
    proving = [each for each in load_strategies(strategies or PROVING, trust) if each.has_deduce]
    query = ClueQuery(marks, view, odds, suggest, only)

    def print_sheet() -> int:
        found = answer(read_log(log), query, chosen, proving)
        print_objects(found) if as_json else print_text(found)
        if html:
            write_page(html, log, found, list(steps(found.deduced.log, chosen, proving)))
        print_problems("standard input" if log == "-" else log, found)
        return 0 if found.is_valid else INVALID

    if not watch:
        return print_sheet()
    for number in file_versions(Path(log)):
        if not as_json:
            click.clear() if sys.stdout.isatty() else click.echo("" if number == 1 else "---")
        try:
            print_sheet()
        except InvalidFile as error:
            if number == 1:
                raise
            print_status(str(error))
    return 0


def write_page(path: Path, log: str, found: ClueAnswer, steps: Sequence[LogStep]) -> None:
    """Write the page. Raises UsageError if it cannot be written or the file is not Sapper's."""
    text = page(log, found, steps)
    with file_errors(path, "name a writable file with --html", UsageError):
        if path.exists() and MARK not in read_external(path, LARGEST_FILE)[:300].decode(errors="replace"):
            raise UsageError(f"{path} exists and was not written by Sapper: name another file with --html")
        path.write_text(text, encoding="utf-8")


def print_objects(found: ClueAnswer) -> None:
    """Print one JSON object per line; problems, then the contradiction, come last."""
    seating = found.deduced.log.seating
    objects = [output.proof(proof, seating) for proof in found.proofs]
    if found.shows_sheet:
        objects += (*output.marks(found.deduced), *output.json_hands(found.deduced))
    if found.odds:
        objects += output.odds(found.odds, seating)
    objects += output.json_suggestions(found.suggestions, seating)
    objects += ({"line": problem.line, "problem": problem.what} for problem in found.reading.problems)
    for data in objects:
        print_json(data)
    conflict = found.deduced.conflict
    print_json({"contradiction": list(conflict.lines) if conflict else []})


def print_text(found: ClueAnswer) -> None:
    """Print the requested parts: proofs, sheet, odds, suggestions."""
    for proof in found.proofs:
        click.secho(printable(proof.said), bold=True)
        for sentence in proof.sentences:
            echo(f"    {sentence}")
    if found.shows_sheet:
        sheet = found.deduced.sheet
        has_colours = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        paint = coloured_marks(found.deduced) if has_colours else None
        for line in grid(sheet, MarkSymbols.for_encoding(sys.stdout.encoding), found.odds, paint):
            click.echo(line)
        echo(f"\n{solution(sheet)}\n{new_marks(found.deduced)}")
    if found.odds:
        echo(str(found.odds))
    for line in suggestion_lines(found.suggestions, found.deduced.sheet):
        echo(line)


def coloured_marks(deduced: ClueDeduction) -> Paint:
    """Colour marks: held green, not held plain, open yellow; new marks in reverse video."""
    sheet, new = deduced.sheet, deduced.news

    def paint(cell: int, mark: str) -> str:
        is_held = bool(sheet.true >> cell & 1)
        colour = "green" if is_held else None if sheet.false >> cell & 1 else "yellow"
        return click.style(mark, fg=colour, bold=is_held, reverse=bool(new >> cell & 1))

    return paint


def print_problems(source: str, found: ClueAnswer) -> None:
    """Print log problems and strategy faults on stderr, one per line."""
    for fault in found.deduced.faults:
        print_status(fault)
    for problem in found.reading.problems:
        print_status(f"{source}, {found.reading.log.seating.word} {problem.line}: {problem.what}")
    if found.deduced.conflict:
        print_status(f"{source}: {found.deduced.conflict.what}")


LARGEST = 1_000_000  # bytes; largest log or card set


def read_log(name: str) -> ParsedLog:
    """Read a log as text or JSON; `-` is standard input. Raises InvalidFile."""
    text = _decoded(name, sys.stdin.buffer.read(LARGEST + 1)) if name == "-" else _text(Path(name))
    folder = Path() if name == "-" else Path(name).parent
    source = "standard input" if name == "-" else name

    def find(cards: str) -> CardSet:
        if not cards.endswith(".toml"):
            return builtin_card_set(cards)
        path = folder / cards
        return CardSet.parse(_text(path, "correct the name of the card set in the log"), str(path))

    parse = parse_json if text.lstrip().startswith(("{", "[")) else parse_log
    return parse(text, source, find)


def _text(path: Path, remedy: str = "name a log, or - for standard input") -> str:
    with file_errors(path, remedy):
        return _decoded(str(path), read_external(path, LARGEST_FILE))


def _decoded(name: str, data: bytes) -> str:
    if len(data) > LARGEST:
        raise InvalidFile(f"{name}: more than {LARGEST:,} bytes: name the log of a game")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidFile(f"{name}: not a text file: name a log in text or JSON format") from error


PAUSE = 0.3  # seconds between polls


def file_versions(path: Path, sleep: Callable[[float], None] = time.sleep) -> Iterator[int]:
    """Yield 1 at once, then 2, 3, … after each change of the file's content, endlessly.

    The file may be missing for a moment, as when an editor replaces it.
    """
    number, seen = 1, _content(path)
    yield number
    while True:
        sleep(PAUSE)
        content = _content(path)
        if content is not None and content != seen:
            number, seen = number + 1, content
            yield number


def _content(path: Path) -> bytes | None:
    try:
        return read_external(path, LARGEST + 1)
    except OSError:
        return None
