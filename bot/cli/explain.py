"""`sapper explain`: the certain cells of a board, the clues that prove them, and sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from bot.cli import common_options as shared
from bot.cli.common_options import chosen_coordinates, echo, print_json, print_status
from bot.cli.inputs import read_board
from bot.cli.status import announce_if_slow
from bot.show.advice import Mark
from bot.show.board_text import render_board
from bot.show.coordinates import rename_cells, standard_name
from bot.show.explainer import ClaimResult, Explainer, LessonStep
from games.errors import Contradiction, InvalidFile, UsageError
from games.external import LARGEST_FILE, file_errors, printable, read_external
from games.logic import bits, cell_set
from games.logic.sentences import join_names
from games.logic.veripb import export_veripb
from games.minesweeper import MINE, SAFE, Board, Guess
from games.minesweeper.variants import get_variant
from strategies import CertainCell, Strategy, load_strategies
from strategies.guesser import compare_guesses, describe_guess

MARK = "written by 'sapper explain'"  # in proof files; only such files are overwritten


@click.command(
    "explain", cls=shared.StrategyCommand, epilog="Example: sapper explain board.txt --hint mine:r3c5"
)
@click.argument("board")
@click.option(
    "--mines", type=click.IntRange(min=0), metavar="N", help="Mine total, if the board does not state it."
)
@click.option("--variant", metavar="NAME", help="The rules of the game.")
@click.option(
    "--cell",
    "cells",
    multiple=True,
    type=shared.CELL,
    metavar="CELL",
    help="Explain only this cell, such as r3c5.",
)
@click.option(
    "--hint",
    "hints",
    multiple=True,
    metavar="IDEA",
    help="Check your own claim: mine:r3c5 or safe:r3c5 is proved, refuted or open.",
)
@click.option("--step", is_flag=True, help="Explain only the easiest next move.")
@click.option("--lesson", is_flag=True, help="Explain all certain cells step by step, with all details.")
@click.option("--risks", is_flag=True, help="Print the mine probability of each uncertain cell.")
@click.option("--guess", is_flag=True, help="Print the best guess and compare it with others.")
@click.option(
    "--proof", type=shared.PATH, metavar="DIR", help="Write the proof files board.opb and board.pbp."
)
@shared.strategy
@shared.skin
@shared.as_json
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
    """Explain which cells of a board are certain, and why.

    BOARD is a text file, a screenshot, or - for text on standard input. Flags on the board are claims: each
    is proved, refuted or open.

    A text file has one line per row: . hidden, 0 to 8 open, F flag, ? question mark,
    - known to be safe, ~ unknown, * mine, ! exploded mine, x wrong flag.
    Before the rows: # comment, mines 99, variant quad.
    """
    chosen = load_strategies(strategies or None, trust)
    if variant:
        get_variant(variant)
    shown = with_options(read_board(board, skin, variant or "plain"), mines, variant)
    asked = [parse_cell(name, shown) for name in cells]
    claims = [parse_claim(text, shown) for text in hints]
    writer = _JsonWriter(shown) if as_json else _TextWriter(shown)
    with announce_if_slow(f"reasoning on {len(shown)} cells"):
        explainer = _explainer(shown, chosen, as_json)
    if proof:
        write_proof(proof, explainer)
    if lesson:
        with announce_if_slow(f"ordering the steps for {explainer.certain.bit_count()} certain cells"):
            steps = explainer.lesson()
        writer.lesson(steps, with_accounts=True)
    if not (asked or claims or step or lesson):
        writer.everything(explainer)
    for cell in asked:
        writer.cell(explainer.check_claim(cell, True))
    if step:
        writer.step(explainer.easiest())
    for cell, is_mine in claims:
        writer.claim(explainer.check_claim(cell, is_mine))
    if as_json:
        print_json({"contradiction": []})
    if risks:
        writer.risks(explainer.risks())
    if guess:
        safe = explainer.knowledge.false & explainer.certain & shown.closed
        writer.guesses(explainer.guesses(with_wins=True), safe)
    for remark in explainer.remarks:
        print_status(remark)
    return 0


def _explainer(board: Board, strategies: Sequence[Strategy], as_json: bool) -> Explainer:
    try:
        return Explainer(board, strategies)
    except Contradiction as error:
        if as_json:
            print_json({"contradiction": [str(source) for source in error.sources]})
        raise


def with_options(board: Board, mines: int | None, variant: str | None) -> Board:
    """The board with this mine total and variant. Raises InvalidFile; UsageError for an unknown variant."""
    total = board.mines if mines is None else mines
    room = board.not_open.bit_count()
    if total is not None and total > room:
        raise InvalidFile(f"'mines {total}', but only {room} cells are not open: correct --mines or the rows")
    rules = variant or board.variant
    get_variant(rules)
    return Board(board.rows, board.columns, board.cells, total, rules)


def parse_cell(name: str, board: Board) -> int:
    """Parse the name of a cell that is not open. Raises UsageError."""
    try:
        cell = board.cell(name)
    except InvalidFile as error:
        raise UsageError(str(error)) from error
    if board.open >> cell & 1:
        raise UsageError(f"{name} is open and shows {board[cell]}: name a cell that is not open")
    return cell


def parse_claim(text: str, board: Board) -> tuple[int, bool]:
    """Parse `mine:r3c5` or `safe:r3c5` as a cell and whether it is a mine. Raises UsageError."""
    match = re.fullmatch(r"(mine|safe):(\w+)", text)
    if not match:
        raise UsageError(f"invalid --hint '{text}': expected mine:r3c5 or safe:r3c5")
    return parse_cell(standard_name(match[2]), board), match[1] == "mine"


def write_proof(folder: Path, explainer: Explainer) -> None:
    """Write board.opb and board.pbp. Raises UsageError if other files have these names."""
    written = export_veripb(explainer.knowledge, explainer.certain, explainer.board.name, MARK)
    paths = {folder / "board.opb": written.problem, folder / "board.pbp": written.proof}
    with file_errors(folder, "name a writable folder with --proof", UsageError):
        folder.mkdir(parents=True, exist_ok=True)
        for path in paths:
            if path.exists() and MARK not in read_external(path, LARGEST_FILE)[:200].decode(errors="replace"):
                raise UsageError(
                    f"{path} exists and was not written by Sapper: name another folder with --proof"
                )
        for path, text in paths.items():
            path.write_text(text, encoding="utf-8")
    names = " and ".join(map(str, paths))
    print_status(f"wrote {names}: {written.lines} lines prove {explainer.certain.bit_count()} cells")


COMPARED = 4  # guesses compared with the best one


class _JsonWriter:
    """Prints one object per line, and the mine layouts of open claims."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def everything(self, explainer: Explainer) -> None:
        for certain in explainer.explained(explainer.certain):
            print_json(self._certain_cell(certain))
        for k in bits(explainer.board.flagged):
            self.claim(explainer.check_claim(k, True))

    def lesson(self, steps: Sequence[LessonStep], with_accounts: bool) -> None:
        """Print one object for each step; `cells` is empty for a step that only narrows a constraint."""
        for number, step in enumerate(steps, 1):
            cells = [self._board.name(k) for k in bits(step.cells)]
            kind = ("mine" if step.is_mine else "safe") if cells else None
            shown = {"step": number, "cells": cells, "is": kind, "rule": step.rule, "pattern": step.pattern}
            print_json(shown | {"text": step.sentence, "account": step.account if with_accounts else ""})

    def cell(self, result: ClaimResult) -> None:
        if result.proven:
            print_json(self._certain_cell(result.proven))
        else:
            name = self._board.name(result.cell)
            print_json({"cell": name, "is": result.judgement, "layouts": self._layouts(result)})

    def step(self, certain: CertainCell | None) -> None:
        if certain:
            print_json(self._certain_cell(certain))

    def claim(self, result: ClaimResult) -> None:
        claim = f"{'mine' if result.is_mine else 'safe'}:{self._board.name(result.cell)}"
        data: dict[str, object] = {"hint": claim, "verdict": result.judgement}
        if result.proven:
            found = self._certain_cell(result.proven)
            data |= {name: found[name] for name in ("rule", "because", "text")}
        if result.layouts:
            data["layouts"] = self._layouts(result)
        print_json(data)

    def risks(self, risks: Sequence[tuple[int, float]]) -> None:
        for cell, risk in risks:
            print_json({"cell": self._board.name(cell), "risk": round(risk, 6)})

    def guesses(self, guesses: Sequence[Guess], safe: int) -> None:
        """Print one object for each cell, the best first; `why` compares it with the best.

        `needed`: no cell is certainly safe.
        """
        for guess in guesses:
            cell = {"guess": self._board.name(guess.cell), "safe": round(guess.safe, 6)}
            figures = {name: round(figure, 6) for name, figure in guess.figures.items()}
            why = "" if guess is guesses[0] else compare_guesses(guesses[0], guess)
            print_json(cell | {"figures": figures, "text": guess.reason, "why": why, "needed": not safe})

    def _certain_cell(self, certain: CertainCell) -> dict[str, object]:
        return certain.as_json(self._board) | {"text": " ".join(certain.sentences)}

    def _layouts(self, result: ClaimResult) -> list[list[str]]:
        return [list(board.grid) for board in result.layouts or ()]


class _TextWriter:
    """Prints the board with its certain cells, then sentences; with colours on a terminal."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._console = Console(highlight=False)

    def everything(self, explainer: Explainer) -> None:
        self._print_board(explainer.annotated_board())
        with announce_if_slow(f"ordering the steps for {explainer.certain.bit_count()} certain cells"):
            steps = explainer.lesson()
        self.lesson(steps)
        if not explainer.certain:
            if not explainer.undecided:
                self._print("nothing is left to decide")
            elif explainer.is_complete:
                self._print("nothing is certain: each hidden cell can be a mine and can be safe")
            else:
                self._print("nothing certain was found; not every cell could be decided within the limits")
        flags = [explainer.check_claim(k, True) for k in bits(explainer.board.flagged)]
        for judgement in ("proved", "refuted"):
            cells = cell_set(flag.cell for flag in flags if flag.judgement == judgement)
            if cells:
                count = "flag" if cells.bit_count() == 1 else "flags"
                self._print(f"{count} {judgement}: {join_names(self._board.names(cells))}", "bold")
        for flag in flags:
            if flag.judgement not in ("proved", "refuted"):
                self._print(f"flag {flag.judgement}: {self._board.name(flag.cell)}", "bold")
                self.claim(flag)

    def lesson(self, steps: Sequence[LessonStep], with_accounts: bool = False) -> None:
        for number, step in enumerate(steps, 1):
            names = [name for name in (step.pattern, step.rule) if name]
            source = f" ({': '.join(names)})" if step.clues > 1 and names else ""
            style = "" if not step.cells else "red" if step.is_mine else "green"
            self._print(f"{number:3}. {step.sentence}{source}", style)
            for line in step.account.splitlines() if with_accounts else ():
                self._print(f"       {line}")

    def cell(self, result: ClaimResult) -> None:
        if result.proven:
            self.step(result.proven)
        else:
            self.claim(result)

    def step(self, certain: CertainCell | None) -> None:
        if certain is None:
            self._print("no move is certain")
            return
        state, style = ("is a mine", "bold red") if certain.is_mine else ("is safe", "bold green")
        self._print(f"{self._board.name(certain.cell)} {state} ({', '.join(certain.because)})", style)
        for sentence in certain.sentences:
            self._print(f"    {sentence}")

    def claim(self, result: ClaimResult) -> None:
        name = self._board.name(result.cell)
        if result.proven:
            claim = f"{name} {'a mine' if result.is_mine else 'safe'}"
            self._print(f"{claim}: {result.judgement}", "bold")
            self.step(result.proven)
        elif result.layouts:
            self._print(f"{name} is open: it can be a mine, and it can be safe", "bold")
            for heading, layout in zip(("a mine:", "safe:"), result.layouts, strict=True):
                self._print(f"  {heading}")
                for row in layout.grid:
                    self._print(f"    {row}")
        else:
            self._print(f"{name} is undecided: too many layouts to decide it within the limits", "bold")

    def risks(self, risks: Sequence[tuple[int, float]]) -> None:
        ranked = sorted(risks, key=lambda pair: (round(pair[1], 6), pair[0]))
        for risk, group in groupby(ranked, key=lambda pair: round(pair[1], 6)):
            names = " ".join(self._board.name(cell) for cell, _ in group)
            self._print(f"{100 * risk:5.1f} %  {names}")

    def guesses(self, guesses: Sequence[Guess], safe: int) -> None:
        """Print the best guess and compare the next ones with it; first the certainly safe cells, if any."""
        if safe:
            few = self._board.names(safe)[:COMPARED]
            more = safe.bit_count() - len(few)
            names = join_names(few) if not more else f"{', '.join(few)} and {more} more"
            verb = "is" if safe.bit_count() == 1 else "are"
            self._print(f"no guess is needed: {names} {verb} safe", "bold green")
        if not guesses:
            return
        best = guesses[0]
        said = describe_guess(best, guesses[1:])
        self._print(f"best guess: {self._board.name(best.cell)}, {said}", "bold yellow")
        for other in guesses[1 : 1 + COMPARED]:
            self._print(f"    and not {self._board.name(other.cell)}: {compare_guesses(best, other)}")
        left = len(guesses) - 1 - COMPARED
        if left > 0:
            self._print(f"    nor the other {left}, which rank lower")

    def _print_board(self, annotated: Board) -> None:
        if not self._console.is_terminal:
            echo(f"{annotated}\n")
            return
        new = cell_set(k for k in range(len(annotated)) if annotated[k] != self._board[k])
        marks: dict[int, Mark] = dict.fromkeys(bits(new & annotated.cells_showing(SAFE)), "safe")
        marks |= dict.fromkeys(bits(new & annotated.cells_showing(MINE)), "mine")
        coordinates = chosen_coordinates()
        picture = render_board(self._board, marks, width=self._console.width, coordinates=coordinates)
        self._console.print(picture)

    def _print(self, line: str, style: str = "") -> None:
        if self._console.is_terminal:
            text = printable(rename_cells(line, chosen_coordinates()))
            self._console.print(Text(text, style), soft_wrap=False)
        else:
            echo(line)
