"""Analysis of a board as JSON data for the analysis page.

Certain cells, risks and guesses are fast and come first. Proofs and the lesson take longer, so they are
derived when the page asks for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import islice
from operator import or_
from typing import Any

from bot.show.explainer import Explainer
from bot.simulation.boards import BoardRequest, generate
from games.errors import Contradiction, InvalidFile
from games.logic import bits
from games.minesweeper import FLAG, Board, Minefield, Move, board_knowledge
from strategies import CertainCell, Reasoner, Strategy
from strategies.guesser import compare_guesses, describe_guess

COMPARED = 5  # guesses on the page, after the best
MOST_QUESTIONS = 12  # of a quiz


class BoardAnalyser:
    """Analyses boards with these strategies; keeps the last analysis for questions about its cells."""

    def __init__(self, strategies: Sequence[Strategy]) -> None:
        self.strategies = strategies
        self._explainer: Explainer | None = None

    def analysis(self, board: Board) -> dict[str, Any]:
        """Certain cells, risks and guesses; of a contradictory board, the contradiction and its `clues`."""
        answer: dict[str, Any] = {
            "text": str(board),
            "rows": board.rows,
            "columns": board.columns,
            "cells": board.cells,
            "mines": board.mines,
            "variant": board.variant,
        }
        try:
            explainer = self._about(board)
        except Contradiction as error:
            return answer | {"contradiction": str(error), "clues": list(_cells(board, error.sources))}
        true, false, certain = explainer.knowledge.true, explainer.knowledge.false, explainer.certain
        guesses = explainer.guesses(with_wins=True)
        counted = reduce(or_, (board.around[k] for k in bits(board.open)), 0)  # by a number; not `apart`
        return answer | {
            "safe": list(bits(false & certain)),
            "mine": list(bits(true & certain)),
            "wrong": [k for k in bits(false & certain) if board[k] == FLAG],
            "risks": [(k, round(risk, 4)) for k, risk in explainer.risks()],
            "apart": list(bits(board.not_open & ~counted)),
            "guesses": [
                {
                    "cell": guess.cell,
                    "safe": round(guess.safe, 4),
                    "text": describe_guess(guess, guesses[1:]) if guess is guesses[0] else "",
                    "why": compare_guesses(guesses[0], guess) if guess is not guesses[0] else "",
                }
                for guess in guesses[: 1 + COMPARED]
            ],
            "remarks": list(explainer.remarks),
        }

    def reason(self, board: Board, cell: int) -> dict[str, Any]:
        """Why a cell is certain, or two layouts if it is open. Raises Contradiction, InvalidFile."""
        if not 0 <= cell < len(board):
            raise InvalidFile(f"cell {cell} is not on this board: use 0 to {len(board) - 1}")
        if board.open >> cell & 1:
            return {"cell": cell, "status": "number"}
        result = self._about(board).check_claim(cell, True)
        answer: dict[str, Any] = {"cell": cell, "status": result.judgement}
        if result.proven:
            answer |= _proof(board, result.proven)
        if result.layouts:
            answer["layouts"] = [layout.cells for layout in result.layouts]
        return answer

    def lesson(self, board: Board) -> list[dict[str, Any]]:
        """The steps that derive all certain cells, in the order of a person. Raises Contradiction."""
        return [
            {
                "cells": list(bits(step.cells)),
                "clues": list(_cells(board, step.because)),
                "mine": step.is_mine,
                "rule": step.pattern or step.rule,
                "text": step.sentence,
            }
            for step in self._about(board).lesson()
        ]

    def quiz(self, needs: str, size: tuple[int, int, int], count: int, seed: str) -> list[dict[str, Any]]:
        """Positions in which the strategy `needs` is required to find a safe cell, with one answer each.

        `size` is columns, rows, mines. Raises UsageError.
        """
        columns, rows, mines = size
        request = BoardRequest(rows, columns, mines, rows * columns // 2, needs=needs, tries=2_000)
        names = [strategy.name for strategy in self.strategies]
        cheaper = self.strategies[: names.index(needs)] if needs in names else ()
        questions = []
        for made in islice(generate(request, self.strategies, seed), min(count, MOST_QUESTIONS)):
            board = _stuck(Minefield(made.deal, "zero"), request.start, cheaper)
            proven = Explainer(board, self.strategies).easiest()
            assert proven is not None
            questions.append({"text": str(board), "columns": columns} | _proof(board, proven))
        return questions

    def _about(self, board: Board) -> Explainer:
        if self._explainer is None or self._explainer.board != board:
            self._explainer = Explainer(board, self.strategies)
        return self._explainer


def _stuck(field: Minefield, start: int, strategies: Sequence[Strategy]) -> Board:
    """The board after the first click and all safe cells that these strategies find."""
    reasoner = Reasoner(strategies)
    board = field.play([Move("open", start)])
    while safe := reasoner.deduce(board_knowledge(board)).knowledge.false & board.closed:
        board = field.play([Move("open", k) for k in bits(safe)])
    return board


def _proof(board: Board, proven: CertainCell) -> dict[str, Any]:
    return {
        "answer": board.name(proven.cell),
        "cell": proven.cell,
        "mine": proven.is_mine,
        "rule": proven.rule,
        "clues": list(_cells(board, proven.because)),
        "because": list(proven.because),
        "sentences": list(proven.sentences),
    }


def _cells(board: Board, sources: Sequence[object]) -> Iterator[int]:
    """The cells among the sources of constraints; others are rules such as the mine total."""
    for source in sources:
        try:
            yield board.cell(str(source))
        except InvalidFile:
            continue
