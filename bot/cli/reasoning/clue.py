"""`sapper clue`: the deduction sheet of a game of Clue."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.helping import TakesStrategies
from bot.cli.options import as_json, print_json, say, strategy
from games.errors import InvalidFile, Usage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.clue import Answer, Deduced, Paint, Request
    from strategies import Strategy

NOT_VALID = 7  # the exit code for a log with something wrong in it


@click.command("clue", cls=TakesStrategies, epilog="Example: sapper clue game.clue --why plum,envelope")
@click.argument("log")
@click.option(
    "--why", "marks", multiple=True, metavar="CARD,HOLDER", help="Why a mark stands there, such as plum,bob."
)
@click.option("--odds", is_flag=True, help="How likely each open mark is.")
@click.option("--suggest", is_flag=True, help="The suggestions from which you are expected to learn most.")
@click.option(
    "--only", metavar="CARDS", help="With --suggest: of their kinds only these, such as the rooms in reach."
)
@click.option("--view", metavar="PLAYER", help="What this player certainly knows.")
@click.option("--watch", is_flag=True, help="Read the log again whenever it is saved, until Ctrl+C.")
@click.option(
    "--html", type=click.Path(path_type=Path), metavar="FILE", help="Write the sheet as one page, too."
)
@strategy
@as_json
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
    """Fill in the deduction sheet of a game of Clue from its log, and say why.

    LOG is a text file, one line for each thing that happened, or JSON; - is standard input.
    """
    from bot.clue import ORDER, PROVING, Request, saves
    from strategies import load_strategies

    if only and not suggest:
        raise Usage("--only goes with --suggest: say both")
    if watch and log == "-":
        raise Usage("--watch needs a file: name the log")
    chosen = [each for each in load_strategies(strategies or ORDER, trust) if each.has_deduce]
    proving = [each for each in load_strategies(strategies or PROVING, trust) if each.has_deduce]
    request = Request(marks, view, odds, suggest, only)
    if not watch:
        return _answer(log, request, chosen, proving, html, as_json)
    for number in saves(Path(log)):
        if not as_json:
            click.clear() if sys.stdout.isatty() else click.echo("" if number == 1 else "---")
        try:
            _answer(log, request, chosen, proving, html, as_json)
        except InvalidFile as error:
            if number == 1:
                raise
            say(str(error))
    return 0


def _answer(
    log: str,
    request: Request,
    strategies: Sequence[Strategy],
    proving: Sequence[Strategy],
    html: Path | None,
    as_json: bool,
) -> int:
    """Read the log, answer and say it; the exit code. Raises InvalidFile and Usage."""
    from bot.clue import answer, read_log

    found = answer(read_log(log), request, strategies, proving)
    print_objects(found) if as_json else print_words(found)
    if html:
        write_page(html, log, found, strategies, proving)
    say_problems("standard input" if log == "-" else log, found)
    return 0 if found.is_valid else NOT_VALID


def write_page(
    path: Path, log: str, found: Answer, strategies: Sequence[Strategy], proving: Sequence[Strategy]
) -> None:
    """Write the page. Raises Usage when it cannot be written, or would go over somebody else's file."""
    from bot.clue import MARK, page, steps

    text = page(log, found, list(steps(found.deduced.log, strategies, proving)))
    try:
        if path.exists() and MARK not in path.read_text(encoding="utf-8", errors="replace")[:300]:
            raise Usage(f"{path} is there already and is not Sapper's: name another file with --html")
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Usage(f"{path}: {error.strerror}: name a file that can be written to with --html") from error


def print_objects(found: Answer) -> None:
    """One JSON object a line; problems, then the contradiction (none), come last."""
    from bot.clue import objects

    seating = found.deduced.log.seating
    for proof in found.proofs:
        print_json(objects.proof(proof, seating))
    if found.shows_sheet:
        for said in (*objects.marks(found.deduced), *objects.hands(found.deduced)):
            print_json(said)
    for said in objects.odds(found.odds, seating) if found.odds else ():
        print_json(said)
    for said in objects.suggestions(found.suggestions, seating):
        print_json(said)
    for problem in found.reading.problems:
        print_json({"line": problem.line, "problem": problem.what})
    print_json(objects.conflict(found.deduced))


def print_words(found: Answer) -> None:
    """Proofs, the sheet, odds, suggestions: what was asked."""
    from bot.clue import Signs, grid, news, solution, suggestions

    for proof in found.proofs:
        click.secho(proof.said, bold=True)
        for sentence in proof.sentences:
            click.echo(f"    {sentence}")
    if found.shows_sheet:
        paint = painted(found.deduced) if sys.stdout.isatty() and "NO_COLOR" not in os.environ else None
        for line in grid(found.deduced.sheet, Signs.for_encoding(sys.stdout.encoding), found.odds, paint):
            click.echo(line)
        click.echo(f"\n{solution(found.deduced.sheet)}\n{news(found.deduced)}")
    if found.odds:
        click.echo(str(found.odds))
    for line in suggestions(found.suggestions, found.deduced.log.seating):
        click.echo(line)


def painted(deduced: Deduced) -> Paint:
    """What is had in green, what is not in plain, what is open in yellow; what is new stands out."""
    sheet, new = deduced.sheet, deduced.news

    def paint(cell: int, mark: str) -> str:
        colour = "green" if sheet.true >> cell & 1 else None if sheet.false >> cell & 1 else "yellow"
        is_new = bool(new >> cell & 1)
        return click.style(mark, fg=colour, bold=bool(sheet.true >> cell & 1), reverse=is_new)

    return paint


def say_problems(source: str, found: Answer) -> None:
    """Every line that is wrong, every strategy that was at fault, a line each on stderr."""
    for fault in found.deduced.faults:
        say(fault)
    for problem in found.reading.problems:
        say(f"{source}, {found.reading.log.seating.word} {problem.line}: {problem.what}")
    if found.deduced.conflict:
        say(f"{source}: {found.deduced.conflict.what}")
