"""`sapper explain`: what is certain on a board, in sentences, with the clues that each move follows from."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.boards import read_board
from bot.cli.helping import TakesStrategies
from bot.cli.options import as_json, print_json, say, strategy
from games.errors import Contradiction, InvalidFile, Usage
from games.logic import bits

if TYPE_CHECKING:
    from bot.advice import Explainer
    from bot.cli.reasoning.explained import AsJson, InWords
    from games.minesweeper import Board

MARK = "written by 'sapper explain'"  # in the files of a proof: only such files are written over


@click.command("explain", cls=TakesStrategies, epilog="Example: sapper explain board.txt --hint mine:r3c5")
@click.argument("board")
@click.option(
    "--mines",
    type=click.IntRange(min=0),
    metavar="N",
    help="The mine total, where the board does not say it.",
)
@click.option("--variant", metavar="NAME", help="The rules of the game.")
@click.option("--cell", "cells", multiple=True, metavar="CELL", help="Only this cell, such as r3c5.")
@click.option(
    "--hint",
    "hints",
    multiple=True,
    metavar="IDEA",
    help="Prove, refute or leave open an idea of yours: mine:r3c5 or safe:r3c5.",
)
@click.option("--step", is_flag=True, help="The easiest next move only.")
@click.option("--lesson", is_flag=True, help="All that is certain, step by step, as the strategies put it.")
@click.option("--risks", is_flag=True, help="For each cell that is not certain how likely it is a mine.")
@click.option("--guess", is_flag=True, help="Which cell to open when nothing is certain, and why not others.")
@click.option(
    "--proof", type=click.Path(path_type=Path), metavar="DIR", help="Write board.opb and board.pbp."
)
@strategy
@click.option("--skin", metavar="NAME_OR_FILE", help="Read a screenshot with this skin.")
@as_json
def command(  # noqa: PLR0913, PLR0917 - one argument for each option
    board: str,
    mines: int | None,
    variant: str | None,
    cells: tuple[str, ...],
    hints: tuple[str, ...],
    step: bool,
    lesson: bool,
    risks: bool,
    guess: bool,
    proof: Path | None,
    strategies: tuple[str, ...],
    trust: bool,
    skin: str | None,
    as_json: bool,
) -> int:
    """Say what is certain on a board, and why, in sentences.

    BOARD is a text file, a screenshot, or - for text on standard input. Flags on it are taken as ideas: they
    are proved, refuted or left open.
    """
    from bot.advice import Explainer
    from bot.cli.reasoning.explained import AsJson, InWords
    from strategies import load_strategies

    chosen = load_strategies(strategies or None, trust)
    seen = with_options(read_board(board, skin), mines, variant)
    asked = [cell_of(name, seen) for name in cells]
    ideas = [idea_of(text, seen) for text in hints]
    report = AsJson(seen) if as_json else InWords(seen)
    try:
        explainer = Explainer(seen, chosen)
    except Contradiction as error:
        if as_json:
            print_json({"contradiction": [str(source) for source in error.sources]})
        raise
    if proof:
        write_proof(proof, explainer)
    if lesson:
        report.lesson(explainer.lesson(), with_accounts=True)
    if not (asked or ideas or step or lesson):
        everything(explainer, report)
    for cell in asked:
        report.cell(explainer.judge(cell, True))
    if step:
        report.step(explainer.easiest())
    for cell, is_mine in ideas:
        report.idea(explainer.judge(cell, is_mine))
    report.consistent()
    if risks:
        report.risks(explainer.risks())
    if guess:
        safe = explainer.knowledge.false & explainer.certain & seen.closed
        report.guesses(explainer.guesses(), safe)
    for remark in explainer.remarks:
        say(remark)
    return 0


def everything(explainer: Explainer, report: AsJson | InWords) -> None:
    """The board with all that is certain, why it is, and what becomes of the flags on it."""
    report.board(explainer.marked())
    report.certain(explainer)
    if not explainer.certain:
        report.nothing(explainer.undecided, explainer.is_complete)
    report.flags([explainer.judge(k, True) for k in bits(explainer.board.flagged)])


def with_options(board: Board, mines: int | None, variant: str | None) -> Board:
    """The board with the total and the rules that were named. Raises InvalidFile, and Usage for the rules."""
    from games.minesweeper import Board
    from games.minesweeper.variants import variant_of

    total = board.mines if mines is None else mines
    room = board.not_open.bit_count()
    if total is not None and total > room:
        raise InvalidFile(f"'mines {total}', but only {room} cells are not open: correct --mines or the rows")
    rules = variant or board.variant
    variant_of(rules)
    return Board(board.rows, board.columns, board.cells, total, rules)


def cell_of(name: str, board: Board) -> int:
    """A cell that is not open. Raises Usage."""
    try:
        cell = board.cell(name)
    except InvalidFile as error:
        raise Usage(str(error)) from error
    if board.open >> cell & 1:
        raise Usage(f"{name} is open and shows {board[cell]}: name a cell that is not open")
    return cell


def idea_of(text: str, board: Board) -> tuple[int, bool]:
    """`mine:r3c5` or `safe:r3c5` as a cell and whether it is to be a mine. Raises Usage."""
    match = re.fullmatch(r"(mine|safe):(\w+)", text)
    if not match:
        raise Usage(f"'{text}' is no idea: write mine:r3c5 or safe:r3c5")
    return cell_of(match[2], board), match[1] == "mine"


def write_proof(folder: Path, explainer: Explainer) -> None:
    """Write board.opb and board.pbp. Raises Usage when they would go over somebody else's files."""
    from games.logic.writing import export

    written = export(explainer.knowledge, explainer.certain, explainer.board.name, MARK)
    paths = {folder / "board.opb": written.problem, folder / "board.pbp": written.proof}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in paths:
            if path.exists() and MARK not in path.read_text(encoding="utf-8", errors="replace")[:200]:
                raise Usage(f"{path} is there already and is not Sapper's: name another folder with --proof")
        for path, text in paths.items():
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Usage(
            f"{folder}: {error.strerror}: name a folder that can be written to with --proof"
        ) from error
    names = " and ".join(map(str, paths))
    say(f"{names} written: {written.lines} lines prove {explainer.certain.bit_count()} cells")
