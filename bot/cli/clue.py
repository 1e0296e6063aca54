"""`sapper clue`: the deduction sheet of a game of Clue."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from bot.cli.options import as_json, print_json, strategy, tell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.clue.deducing import Deduced
    from bot.clue.odds import Odds
    from bot.clue.proofs import Proof
    from games.clue import Reading
    from strategies import Strategy

NOT_VALID = 7  # the exit code for a log with something wrong in it


@click.command("clue", epilog="Example: sapper clue game.clue --why plum,envelope")
@click.argument("log")
@click.option(
    "--why", "marks", multiple=True, metavar="CARD,HOLDER", help="Why a mark stands there, such as plum,bob."
)
@click.option("--view", metavar="PLAYER", help="What this player certainly knows.")
@click.option("--odds", "with_odds", is_flag=True, help="How likely each open mark is.")
@strategy
@as_json
def command(
    log: str,
    marks: tuple[str, ...],
    view: str | None,
    with_odds: bool,
    strategies: tuple[str, ...],
    as_json: bool,
) -> int:
    """Fill in the deduction sheet of a game of Clue from its log, and say why.

    LOG is a text file, one line for each thing that happened, or JSON; - is standard input.
    """
    from bot.clue.deducing import ORDER
    from bot.clue.files import read_log
    from bot.clue.odds import odds
    from strategies import load_strategies

    chosen = [each for each in load_strategies(strategies or ORDER) if each.has_deduce]
    reading = read_log(log)
    deduced = deduced_for(reading, view, chosen)
    found = odds(deduced.knowledge) if with_odds else None
    (_as_objects if as_json else _in_words)(deduced, proofs_of(deduced, marks, chosen), found)
    for fault in deduced.faults:
        tell(fault)
    return tell_problems(log, reading, deduced, as_json)


def deduced_for(reading: Reading, view: str | None, strategies: Sequence[Strategy]) -> Deduced:
    """The sheet, ours or what another player certainly knows. Raises Usage, Contradiction."""
    from bot.clue.deducing import deduce
    from bot.clue.proofs import player_called
    from games.clue import seen_by

    deduced = deduce(reading.log, strategies)
    if view is None:
        return deduced
    return deduce(seen_by(deduced.sheet, player_called(view, reading.log.table)), strategies)


def proofs_of(deduced: Deduced, marks: Sequence[str], strategies: Sequence[Strategy]) -> list[Proof]:
    """The proofs that are asked for. Raises Usage."""
    from bot.clue.proofs import Proofs, asked_for

    cells = [asked_for(text, deduced.log.table) for text in marks]
    proofs = Proofs(deduced, strategies) if cells else None
    return [proofs.of(cell) for cell in cells] if proofs else []


def tell_problems(log: str, reading: Reading, deduced: Deduced, as_json: bool) -> int:
    """Tell of every line that is wrong; the exit code."""
    source = "standard input" if log == "-" else log
    for problem in reading.problems:
        tell(f"{source}, {reading.log.table.word} {problem.line}: {problem.what}")
        if as_json:
            print_json({"line": problem.line, "problem": problem.what})
    if as_json:
        from bot.clue.objects import conflict

        print_json(conflict(deduced))
    if deduced.conflict:
        tell(f"{source}: {deduced.conflict.what}")
    return NOT_VALID if reading.problems or deduced.conflict else 0


def _as_objects(deduced: Deduced, proofs: Sequence[Proof], odds: Odds | None) -> None:
    from bot.clue import objects

    table = deduced.log.table
    for found in proofs:
        print_json(objects.proof(found, table))
    if not proofs:
        for said in (*objects.marks(deduced), *objects.hands(deduced)):
            print_json(said)
    if odds:
        for said in objects.odds(odds, table):
            print_json(said)


def _in_words(deduced: Deduced, proofs: Sequence[Proof], odds: Odds | None) -> None:
    from bot.clue.text import Signs, grid, news, solution

    for found in proofs:
        click.secho(found.said, bold=True)
        for sentence in found.sentences:
            click.echo(f"    {sentence}")
    if odds or not proofs:
        for line in grid(deduced.sheet, Signs.for_encoding(sys.stdout.encoding), odds):
            click.echo(line)
        click.echo(f"\n{solution(deduced.sheet)}\n{news(deduced)}")
    if odds:
        click.echo(str(odds))
