"""What `sapper strategies --trace` prints: who was asked, what they answered, how long it took."""

from __future__ import annotations

from collections.abc import Sequence

import click

from bot.cli.options import print_json, tell
from games.errors import InvalidFile
from games.logic import Deduction
from games.minesweeper import Board, Guess, Position, knowledge_of
from strategies import Reasoner, Strategy
from strategies.tracing import Asked, traced

MOST_SHOWN = 6  # answers in one line


def trace(board: Board, strategies: Sequence[Strategy], as_json: bool) -> None:
    """Reason on a board, then ask for a guess where nothing can be opened, and tell of each question.

    Raises Contradiction, after what was asked until then.
    """
    seen: list[Asked] = []

    def tell_of(asked: Asked) -> None:
        seen.append(asked)
        answers = [answer_of(each, board) for each in asked.answers]
        if as_json:
            print_json(
                {
                    "strategy": asked.strategy,
                    "hook": asked.hook,
                    "answers": answers,
                    "raised": asked.raised,
                    "ms": round(1000 * asked.seconds, 3),
                }
            )
        else:
            said = [f"raised {asked.raised}"] if asked.raised else answers or ["nothing new"]
            more = f"; and {len(said) - MOST_SHOWN} more" if len(said) > MOST_SHOWN else ""
            click.echo(
                f"{len(seen):3}  {asked.strategy:14} {asked.hook:6} {1000 * asked.seconds:9.2f} ms  "
                f"{'; '.join(said[:MOST_SHOWN])}{more}"
            )

    reasoner = Reasoner([traced(strategy, tell_of) for strategy in strategies])
    known = reasoner.deduce(knowledge_of(board)).knowledge
    safe = board.closed & known.false
    if not safe:
        openable = board.closed & ~known.true
        reasoner.guess(Position(known, board.rows, board.columns, openable, board.around))
    if not as_json:
        click.echo(
            f"{len(seen)} questions, {1000 * sum(asked.seconds for asked in seen):.2f} ms; certain: "
            f"{safe.bit_count()} safe, {known.true.bit_count()} mines; "
            f"not certain: {(known.undecided & board.not_open).bit_count()}"
        )
    for fault in reasoner.faults:
        tell(str(fault))


def answer_of(answer: object, board: Board) -> str:
    """`r0c1 safe (a rule)`, `1..2 of r0c0 r0c1 (a rule)`, `guess r3c4, 81.2 % safe`."""
    if isinstance(answer, Guess):
        cell = board.name(answer.cell) if 0 <= answer.cell < len(board) else str(answer.cell)
        return f"guess {cell}, {answer.safe:.1%} safe".replace("%", " %")
    if not isinstance(answer, Deduction):
        return f"a {type(answer).__name__}"
    claim = answer.constraint
    cells = " ".join(board.names(claim.cells & board.everything))
    rule = f" ({answer.step.rule})" if answer.step.rule else ""
    if claim.all_false:
        return f"{cells} safe{rule}"
    if claim.all_true:
        return f"{cells} mine{'s' if claim.size > 1 else ''}{rule}"
    count = str(claim.low) if claim.is_exact else f"{claim.low}..{claim.high}"
    return f"{count} of {cells}{rule}"


def need_reasoning(board: Board, name: str) -> Board:
    """The board, when there is anything to ask about. Raises InvalidFile."""
    if not board.not_open:
        raise InvalidFile(f"{name}: every cell is open: give a board in the middle of a game")
    return board
