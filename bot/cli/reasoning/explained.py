"""How `sapper explain` says what it found: in words for people, or as JSON for machines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import click
from rich.console import Console
from rich.text import Text

from bot.advice import Explainer, Lesson, Mark, ProvenCell, Verdict
from bot.cli.options import print_json
from bot.terminal import drawn
from games.logic import bits, cell_set
from games.logic.writing import joined
from games.minesweeper import MINE, SAFE, Board, Guess
from strategies.guessing import instead

COMPARED = 4  # guesses that the best one is compared with


class AsJson:
    """One object a line: certain cells, ideas, the contradiction (none), risks."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def board(self, marked: Board) -> None:
        """Nothing: the cells are printed one by one."""

    def certain(self, explainer: Explainer) -> None:
        """One object for each cell."""
        for proven in explainer.explained(explainer.certain):
            print_json(self._object(proven))

    def lesson(self, steps: Sequence[Lesson], with_accounts: bool = True) -> None:
        """One object for each step; `cells` is empty for one that only narrows what others rest on."""
        for number, step in enumerate(steps, 1):
            cells = [self._board.name(k) for k in bits(step.cells)]
            kind = ("mine" if step.is_mine else "safe") if cells else None
            shown = {"step": number, "cells": cells, "is": kind, "rule": step.rule, "pattern": step.pattern}
            print_json(shown | {"text": step.sentence, "account": step.account if with_accounts else ""})

    def nothing(self, undecided: int, is_known: bool) -> None:
        """Nothing: there are no objects."""

    def cell(self, verdict: Verdict) -> None:
        """The cell as if it stood among all the others; one that is not certain says so."""
        if verdict.proven:
            print_json(self._object(verdict.proven))
        else:
            name = self._board.name(verdict.cell)
            print_json({"cell": name, "is": verdict.judgement, "layouts": self._layouts(verdict)})

    def step(self, proven: ProvenCell | None) -> None:
        """The easiest cell, if there is one."""
        if proven:
            print_json(self._object(proven))

    def idea(self, verdict: Verdict) -> None:
        """What an idea is worth."""
        idea = f"{'mine' if verdict.is_mine else 'safe'}:{self._board.name(verdict.cell)}"
        said: dict[str, object] = {"hint": idea, "verdict": verdict.judgement}
        if verdict.proven:
            found = self._object(verdict.proven)
            said |= {name: found[name] for name in ("rule", "because", "text")}
        if verdict.layouts:
            said["layouts"] = self._layouts(verdict)
        print_json(said)

    def flags(self, verdicts: Sequence[Verdict]) -> None:
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
            why = "" if guess is guesses[0] else instead(guesses[0], guess)
            print_json(said | {"figures": figures, "text": guess.reason, "why": why, "needed": not safe})

    def _object(self, proven: ProvenCell) -> dict[str, object]:
        return {
            "cell": self._board.name(proven.cell),
            "is": "mine" if proven.is_mine else "safe",
            "rule": proven.rule,
            "because": list(proven.because),
            "text": " ".join(proven.sentences),
        }

    def _layouts(self, verdict: Verdict) -> list[list[str]]:
        return [list(board.grid) for board in verdict.layouts or ()]


class InWords:
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
        marks: dict[int, Mark] = dict.fromkeys(bits(news & marked.having(SAFE)), "safe")
        marks |= dict.fromkeys(bits(news & marked.having(MINE)), "mine")
        self._console.print(drawn(self._board, marks, width=self._console.width))

    def certain(self, explainer: Explainer) -> None:
        """As a lesson: people follow what rests on what was just shown."""
        self.lesson(explainer.lesson())

    def lesson(self, steps: Sequence[Lesson], with_accounts: bool = False) -> None:
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

    def cell(self, verdict: Verdict) -> None:
        """The cell with its reason, or that it is open."""
        if verdict.proven:
            self._say(verdict.proven)
        else:
            self.idea(verdict)

    def step(self, proven: ProvenCell | None) -> None:
        """The easiest move."""
        if proven is None:
            self._print("no move is certain")
        else:
            self._say(proven)

    def idea(self, verdict: Verdict) -> None:
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

    def flags(self, verdicts: Sequence[Verdict]) -> None:
        """Which are proved and which refuted (the proofs are above), and both layouts of those open."""
        for judgement in ("proved", "refuted"):
            cells = cell_set(verdict.cell for verdict in verdicts if verdict.judgement == judgement)
            if cells:
                count = "flag" if cells.bit_count() == 1 else "flags"
                self._print(f"{count} {judgement}: {joined(self._board.names(cells))}", "bold")
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
            names = joined(few) if not more else f"{', '.join(few)} and {more} more"
            self._print(
                f"no guess is needed: {names} {'is' if safe.bit_count() == 1 else 'are'} safe", "bold green"
            )
        if not guesses:
            return
        best = guesses[0]
        name = self._board.name(best.cell)
        self._print(f"best guess: {name}, {best.reason}", "bold yellow")
        for other in guesses[1 : 1 + COMPARED]:
            self._print(f"    and not {self._board.name(other.cell)}: {instead(best, other)}")
        left = len(guesses) - 1 - COMPARED
        if left > 0:
            self._print(f"    nor the other {left}, which rank behind these")

    def _say(self, proven: ProvenCell) -> None:
        state, style = ("is a mine", "bold red") if proven.is_mine else ("is safe", "bold green")
        self._print(f"{self._board.name(proven.cell)} {state} ({', '.join(proven.because)})", style)
        for sentence in proven.sentences:
            self._print(f"    {sentence}")

    def _print(self, line: str, style: str = "") -> None:
        if self._console.is_terminal:
            self._console.print(Text(line, style), soft_wrap=False)
        else:
            click.echo(line)
