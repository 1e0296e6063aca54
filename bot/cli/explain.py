"""`sapper explain`: the certain cells of a board, in sentences, with the clues that each move follows from.

`TextWriter` prints for readers, `JsonWriter` for scripts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from bot.cli.common_options import StrategyCommand, as_json, print_json, print_status, strategy
from bot.cli.inputs import read_board
from bot.show.advice import Mark
from bot.show.board_text import render_board
from bot.show.explainer import ClaimResult, Explainer, LessonStep
from games.errors import Contradiction, InvalidFile, UsageError
from games.external import LARGEST_FILE, read_external
from games.logic import bits, cell_set
from games.logic.sentences import join_names
from games.minesweeper import MINE, SAFE, Board, Guess
from strategies import CertainCell
from strategies.guesser import compare_guesses

MARK = "written by 'sapper explain'"  # in the files of a proof: only such files are written over


@click.command("explain", cls=StrategyCommand, epilog="Example: sapper explain board.txt --hint mine:r3c5")
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
    from bot.show.explainer import Explainer
    from strategies import load_strategies

    chosen = load_strategies(strategies or None, trust)
    seen = with_options(read_board(board, skin), mines, variant)
    asked = [parse_cell(name, seen) for name in cells]
    ideas = [parse_claim(text, seen) for text in hints]
    report = JsonWriter(seen) if as_json else TextWriter(seen)
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
        explain_all(explainer, report)
    for cell in asked:
        report.cell(explainer.check_claim(cell, True))
    if step:
        report.step(explainer.easiest())
    for cell, is_mine in ideas:
        report.idea(explainer.check_claim(cell, is_mine))
    report.consistent()
    if risks:
        report.risks(explainer.risks())
    if guess:
        safe = explainer.knowledge.false & explainer.certain & seen.closed
        report.guesses(explainer.guesses(), safe)
    for remark in explainer.remarks:
        print_status(remark)
    return 0


def explain_all(explainer: Explainer, report: JsonWriter | TextWriter) -> None:
    """The board with all that is certain, why it is, and what becomes of the flags on it."""
    report.board(explainer.annotated_board())
    report.certain(explainer)
    if not explainer.certain:
        report.nothing(explainer.undecided, explainer.is_complete)
    report.flags([explainer.check_claim(k, True) for k in bits(explainer.board.flagged)])


def with_options(board: Board, mines: int | None, variant: str | None) -> Board:
    """The board with the total and the rules that were named. Raises InvalidFile, and Usage for the rules."""
    from games.minesweeper import Board
    from games.minesweeper.variants import get_variant

    total = board.mines if mines is None else mines
    room = board.not_open.bit_count()
    if total is not None and total > room:
        raise InvalidFile(f"'mines {total}', but only {room} cells are not open: correct --mines or the rows")
    rules = variant or board.variant
    get_variant(rules)
    return Board(board.rows, board.columns, board.cells, total, rules)


def parse_cell(name: str, board: Board) -> int:
    """A cell that is not open. Raises Usage."""
    try:
        cell = board.cell(name)
    except InvalidFile as error:
        raise UsageError(str(error)) from error
    if board.open >> cell & 1:
        raise UsageError(f"{name} is open and shows {board[cell]}: name a cell that is not open")
    return cell


def parse_claim(text: str, board: Board) -> tuple[int, bool]:
    """`mine:r3c5` or `safe:r3c5` as a cell and whether it is to be a mine. Raises Usage."""
    match = re.fullmatch(r"(mine|safe):(\w+)", text)
    if not match:
        raise UsageError(f"'{text}' is no idea: write mine:r3c5 or safe:r3c5")
    return parse_cell(match[2], board), match[1] == "mine"


def write_proof(folder: Path, explainer: Explainer) -> None:
    """Write board.opb and board.pbp. Raises Usage when they would go over somebody else's files."""
    from games.logic.veripb import export_veripb

    written = export_veripb(explainer.knowledge, explainer.certain, explainer.board.name, MARK)
    paths = {folder / "board.opb": written.problem, folder / "board.pbp": written.proof}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in paths:
            if path.exists() and MARK not in read_external(path, LARGEST_FILE)[:200].decode(errors="replace"):
                raise UsageError(
                    f"{path} is there already and is not Sapper's: name another folder with --proof"
                )
        for path, text in paths.items():
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"{folder}: {error.strerror}: name a folder that can be written to with --proof"
        ) from error
    names = " and ".join(map(str, paths))
    print_status(f"{names} written: {written.lines} lines prove {explainer.certain.bit_count()} cells")


COMPARED = 4  # guesses that the best one is compared with


class JsonWriter:
    """One object a line: certain cells, ideas, the contradiction (none), risks."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def board(self, marked: Board) -> None:
        """Nothing: the cells are printed one by one."""

    def certain(self, explainer: Explainer) -> None:
        """One object for each cell."""
        for proven in explainer.explained(explainer.certain):
            print_json(self._object(proven))

    def lesson(self, steps: Sequence[LessonStep], with_accounts: bool = True) -> None:
        """One object for each step; `cells` is empty for one that only narrows what others rest on."""
        for number, step in enumerate(steps, 1):
            cells = [self._board.name(k) for k in bits(step.cells)]
            kind = ("mine" if step.is_mine else "safe") if cells else None
            shown = {"step": number, "cells": cells, "is": kind, "rule": step.rule, "pattern": step.pattern}
            print_json(shown | {"text": step.sentence, "account": step.account if with_accounts else ""})

    def nothing(self, undecided: int, is_known: bool) -> None:
        """Nothing: there are no objects."""

    def cell(self, verdict: ClaimResult) -> None:
        """The cell as if it stood among all the others; one that is not certain says so."""
        if verdict.proven:
            print_json(self._object(verdict.proven))
        else:
            name = self._board.name(verdict.cell)
            print_json({"cell": name, "is": verdict.judgement, "layouts": self._layouts(verdict)})

    def step(self, proven: CertainCell | None) -> None:
        """The easiest cell, if there is one."""
        if proven:
            print_json(self._object(proven))

    def idea(self, verdict: ClaimResult) -> None:
        """What an idea is worth."""
        idea = f"{'mine' if verdict.is_mine else 'safe'}:{self._board.name(verdict.cell)}"
        said: dict[str, object] = {"hint": idea, "verdict": verdict.judgement}
        if verdict.proven:
            found = self._object(verdict.proven)
            said |= {name: found[name] for name in ("rule", "because", "text")}
        if verdict.layouts:
            said["layouts"] = self._layouts(verdict)
        print_json(said)

    def flags(self, verdicts: Sequence[ClaimResult]) -> None:
        """Flags are ideas like others."""
        for verdict in verdicts:
            self.idea(verdict)

    def consistent(self) -> None:
        """That no contradiction was found."""
        print_json({"contradiction": []})

    def risks(self, risks: Sequence[tuple[int, float]]) -> None:
        """One object for each cell."""
        for cell, risk in risks:
            print_json({"cell": self._board.name(cell), "risk": round(risk, 6)})

    def guesses(self, guesses: Sequence[Guess], safe: int) -> None:
        """One object for each cell, the best first; `why` says why the first is put before it.

        `needed`: no cell is certain to be safe.
        """
        for guess in guesses:
            said = {"guess": self._board.name(guess.cell), "safe": round(guess.safe, 6)}
            figures = {name: round(figure, 6) for name, figure in guess.figures.items()}
            why = "" if guess is guesses[0] else compare_guesses(guesses[0], guess)
            print_json(said | {"figures": figures, "text": guess.reason, "why": why, "needed": not safe})

    def _object(self, proven: CertainCell) -> dict[str, object]:
        return {
            "cell": self._board.name(proven.cell),
            "is": "mine" if proven.is_mine else "safe",
            "rule": proven.rule,
            "because": list(proven.because),
            "text": " ".join(proven.sentences),
        }

    def _layouts(self, verdict: ClaimResult) -> list[list[str]]:
        return [list(board.grid) for board in verdict.layouts or ()]


class TextWriter:
    """The board with its certain cells marked, then sentences. Colours on a terminal only."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._console = Console(highlight=False)

    def board(self, marked: Board) -> None:
        """The board; what was not marked on it before stands out."""
        if not self._console.is_terminal:
            click.echo(f"{marked}\n")
            return
        news = marked.everything & ~cell_set(k for k in range(len(marked)) if marked[k] == self._board[k])
        marks: dict[int, Mark] = dict.fromkeys(bits(news & marked.cells_showing(SAFE)), "safe")
        marks |= dict.fromkeys(bits(news & marked.cells_showing(MINE)), "mine")
        self._console.print(render_board(self._board, marks, width=self._console.width))

    def certain(self, explainer: Explainer) -> None:
        """As a lesson: people follow what rests on what was just shown."""
        self.lesson(explainer.lesson())

    def lesson(self, steps: Sequence[LessonStep], with_accounts: bool = False) -> None:
        """The steps, numbered; those that take several clues with the name of the pattern and the rule."""
        for number, step in enumerate(steps, 1):
            names = [name for name in (step.pattern, step.rule) if name]
            behind = f" ({': '.join(names)})" if step.clues > 1 and names else ""
            style = "" if not step.cells else "red" if step.is_mine else "green"
            self._print(f"{number:3}. {step.sentence}{behind}", style)
            for line in step.account.splitlines() if with_accounts else ():
                self._print(f"       {line}")

    def nothing(self, undecided: int, is_known: bool) -> None:
        """That there is nothing to say."""
        if not undecided:
            self._print("nothing is left to decide")
        elif is_known:
            self._print("nothing is certain: each hidden cell can be a mine and can be safe")
        else:
            self._print("nothing certain was found; not every cell could be decided within the caps")

    def cell(self, verdict: ClaimResult) -> None:
        """The cell with its reason, or that it is open."""
        if verdict.proven:
            self._say(verdict.proven)
        else:
            self.idea(verdict)

    def step(self, proven: CertainCell | None) -> None:
        """The easiest move."""
        if proven is None:
            self._print("no move is certain")
        else:
            self._say(proven)

    def idea(self, verdict: ClaimResult) -> None:
        """What an idea is worth."""
        name = self._board.name(verdict.cell)
        idea = f"{name} {'a mine' if verdict.is_mine else 'safe'}"
        if verdict.proven:
            self._print(f"{idea}: {verdict.judgement}", "bold")
            self._say(verdict.proven)
        elif verdict.layouts:
            self._print(f"{name} is open: it can be a mine, and it can be safe", "bold")
            for heading, layout in zip(("a mine:", "safe:"), verdict.layouts, strict=True):
                self._print(f"  {heading}")
                for row in layout.grid:
                    self._print(f"    {row}")
        else:
            self._print(f"{name} is undecided: there are too many layouts to decide within the caps", "bold")

    def flags(self, verdicts: Sequence[ClaimResult]) -> None:
        """Which are proved and which refuted (the proofs are above), and both layouts of those open."""
        for judgement in ("proved", "refuted"):
            cells = cell_set(verdict.cell for verdict in verdicts if verdict.judgement == judgement)
            if cells:
                count = "flag" if cells.bit_count() == 1 else "flags"
                self._print(f"{count} {judgement}: {join_names(self._board.names(cells))}", "bold")
        for verdict in verdicts:
            if verdict.judgement not in ("proved", "refuted"):
                self._print(f"flag {verdict.judgement}: {self._board.name(verdict.cell)}", "bold")
                self.idea(verdict)

    def consistent(self) -> None:
        """Nothing: a contradiction would have been an error."""

    def risks(self, risks: Sequence[tuple[int, float]]) -> None:
        """A line for each cell, the safest first; cells of the same risk in one line."""
        ranked = sorted(risks, key=lambda pair: (round(pair[1], 6), pair[0]))
        for risk, group in groupby(ranked, key=lambda pair: round(pair[1], 6)):
            names = " ".join(self._board.name(cell) for cell, _ in group)
            self._print(f"{100 * risk:5.1f} %  {names}")

    def guesses(self, guesses: Sequence[Guess], safe: int) -> None:
        """The best, then some that come next with why they do; the rest in a word.

        Before them, that none is needed where cells (a set) are certain to be `safe`.
        """
        if safe:
            few = self._board.names(safe)[:COMPARED]
            more = safe.bit_count() - len(few)
            names = join_names(few) if not more else f"{', '.join(few)} and {more} more"
            self._print(
                f"no guess is needed: {names} {'is' if safe.bit_count() == 1 else 'are'} safe", "bold green"
            )
        if not guesses:
            return
        best = guesses[0]
        name = self._board.name(best.cell)
        self._print(f"best guess: {name}, {best.reason}", "bold yellow")
        for other in guesses[1 : 1 + COMPARED]:
            self._print(f"    and not {self._board.name(other.cell)}: {compare_guesses(best, other)}")
        left = len(guesses) - 1 - COMPARED
        if left > 0:
            self._print(f"    nor the other {left}, which rank behind these")

    def _say(self, proven: CertainCell) -> None:
        state, style = ("is a mine", "bold red") if proven.is_mine else ("is safe", "bold green")
        self._print(f"{self._board.name(proven.cell)} {state} ({', '.join(proven.because)})", style)
        for sentence in proven.sentences:
            self._print(f"    {sentence}")

    def _print(self, line: str, style: str = "") -> None:
        if self._console.is_terminal:
            self._console.print(Text(line, style), soft_wrap=False)
        else:
            click.echo(line)
