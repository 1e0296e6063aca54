"""`sapper clue`: the deduction sheet of a game of Clue."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from bot.cli.options import as_json, print_json, strategy, tell
from games.errors import Usage

if TYPE_CHECKING:
    from bot.clue.answering import Answer

NOT_VALID = 7  # the exit code for a log with something wrong in it


@click.command("clue", epilog="Example: sapper clue game.clue --why plum,envelope")
@click.argument("log")
@click.option(
    "--why", "marks", multiple=True, metavar="CARD,HOLDER", help="Why a mark stands there, such as plum,bob."
)
@click.option("--odds", is_flag=True, help="How likely each open mark is.")
@click.option("--suggest", is_flag=True, help="The suggestions that are expected to tell you most.")
@click.option(
    "--only", metavar="CARDS", help="With --suggest: of their kinds only these, such as the rooms in reach."
)
@click.option("--view", metavar="PLAYER", help="What this player certainly knows.")
@strategy
@as_json
def command(
    log: str,
    marks: tuple[str, ...],
    odds: bool,
    suggest: bool,
    only: str | None,
    view: str | None,
    strategies: tuple[str, ...],
    as_json: bool,
) -> int:
    """Fill in the deduction sheet of a game of Clue from its log, and say why.

    LOG is a text file, one line for each thing that happened, or JSON; - is standard input.
    """
    from bot.clue.answering import Wishes, answer
    from bot.clue.deducing import ORDER
    from bot.clue.files import read_log
    from strategies import load_strategies

    if only and not suggest:
        raise Usage("--only goes with --suggest: say both")
    chosen = [each for each in load_strategies(strategies or ORDER) if each.has_deduce]
    found = answer(read_log(log), Wishes(marks, view, odds, suggest, only), chosen)
    print_objects(found) if as_json else print_words(found)
    tell_problems("standard input" if log == "-" else log, found)
    return 0 if found.is_valid else NOT_VALID


def print_objects(found: Answer) -> None:
    """One JSON object a line; problems, then the contradiction (none), come last."""
    from bot.clue import objects

    table = found.deduced.log.table
    for proof in found.proofs:
        print_json(objects.proof(proof, table))
    if found.shows_sheet:
        for said in (*objects.marks(found.deduced), *objects.hands(found.deduced)):
            print_json(said)
    for said in objects.odds(found.odds, table) if found.odds else ():
        print_json(said)
    for said in objects.suggestions(found.suggestions, table):
        print_json(said)
    for problem in found.reading.problems:
        print_json({"line": problem.line, "problem": problem.what})
    print_json(objects.conflict(found.deduced))


def print_words(found: Answer) -> None:
    """Proofs, the sheet, odds, suggestions: what was asked."""
    from bot.clue.text import Signs, grid, news, solution, suggestions

    for proof in found.proofs:
        click.secho(proof.said, bold=True)
        for sentence in proof.sentences:
            click.echo(f"    {sentence}")
    if found.shows_sheet:
        for line in grid(found.deduced.sheet, Signs.for_encoding(sys.stdout.encoding), found.odds):
            click.echo(line)
        click.echo(f"\n{solution(found.deduced.sheet)}\n{news(found.deduced)}")
    if found.odds:
        click.echo(str(found.odds))
    for line in suggestions(found.suggestions, found.deduced.log.table):
        click.echo(line)


def tell_problems(source: str, found: Answer) -> None:
    """Every line that is wrong, every strategy that was at fault, a line each on stderr."""
    for fault in found.deduced.faults:
        tell(fault)
    for problem in found.reading.problems:
        tell(f"{source}, {found.reading.log.table.word} {problem.line}: {problem.what}")
    if found.deduced.conflict:
        tell(f"{source}: {found.deduced.conflict.what}")
