"""Proofs as sentences: boards are text, so are the sentences."""

from __future__ import annotations

import pytest
from stated import stated
from tables import known as solved

from games.logic import Constraint, Deduction, Linear, Method, Propagation, Split, cell_set
from games.logic.derivation import DerivationGraph
from games.logic.sentences import Vocabulary, format_range, join_names, proof_sentences
from games.logic.sentences import step_sentence as one
from games.minesweeper import Board, board_vocabulary
from strategies import Reasoner, load_strategies
from strategies.explanation import ExplanationFinder

WORDS = Vocabulary(lambda k: "abcdefghijklmnopqrstuvwxyz"[k], lambda c: str(c.source))


def told(text: str, cell: str) -> list[str]:
    board = Board.parse(text)
    reason = ExplanationFinder(solved(board), load_strategies()).of(board.cell(cell))
    assert reason is not None
    return proof_sentences(reason.lineage, 1 << reason.cell, board_vocabulary(board))


BOARDS = (
    ("1.\n11", "r0c1", ["r0c0 = 1 needs 1 and has only r0c1 left, so r0c1 is a mine."]),
    ("0.", "r0c1", ["r0c0 = 0: so r0c1 is safe."]),
    (
        ".1\n11\n..",
        "r2c1",
        [
            "r0c1 = 1 needs 1 and has only r0c0 left, so r0c0 is a mine.",
            "r1c0 = 1 is met by r0c0, so r2c0 and r2c1 are safe.",
        ],
    ),
    (
        "...\n11.\n00.",
        "r0c2",
        [("r1c0 = 1 counts only r0c0 and r0c1, which r1c1 = 1 counts too; "
         "that leaves none for the others: r0c2, r1c2 and r2c2 are safe.")],
    ),
    (
        "mines 1\n.1..",
        "r0c3",
        [("r0c1 = 1 counts only r0c0 and r0c2, which the total of 1 mine counts too; "
         "that leaves none for the others: r0c3 is safe.")],
    ),
    ("-1.", "r0c0", ["The mark '-' on r0c0: so r0c0 is safe."]),
)  # fmt: skip


@pytest.mark.parametrize(("text", "cell", "sentences"), BOARDS)
def test_sentences_boards(text: str, cell: str, sentences: list[str]) -> None:
    assert told(text, cell) == sentences


STEPS: tuple[tuple[str, str, Method, str], ...] = (
    # Inference Rules, 5.3
    ("2:2,3", "1:0,1 3:1,2,3", Linear((-1, 1)),
     ("A and B share b, with at most 1 mine by the first, so the second needs 2 elsewhere: "
     "c and d are mines.")),
    # MySweeper rules, rule 4, its second half
    ("0:0", "1:0,1 3:1,2,3", Linear((1, -1)),
     "B and A share b, with at least 1 mine by the first, so the second has none elsewhere: a is safe."),
    # MySweeper rules, rule 5
    ("0:4,5", "1:0,1 2:0,1,2,3 1:2,3,4,5", Linear((1, -1, 1)),
     "Adding up A and C, and taking away B, we get e + f = 0: e and f are safe."),
    ("0..1:0,1,2", "0..1:0,1 0..1:1,2 0..1:0,2", Linear((1, 1, 1), 2),
     ("Adding up A, B and C, we get 2 x a + 2 x b + 2 x c between 0 and 3, "
     "which is divided by 2 and rounded: at most 1 of a, b and c is a mine.")),
    ("0:4,5", "3:0,1,2,3,4,5 1:0,1 2:2,3", Linear((1, -1, -1)),
     "Of A, B and C, which share no cell, take exactly 3; that leaves none: e and f are safe."),
    ("1:1", "1:0,1 1:1,2 1:0,2,3", Propagation(),
     "If b were safe, by A a is a mine, by B c is a mine, and C is exceeded. So b is a mine."),
    ("0:4", "1:0,1 1:0,2 1:1,3 1:2,3,4 1:0,3,4", Split(0),
     "If e were a mine, by D c and d are safe, by E a is safe, and B cannot be reached. So e is safe."),
    ("0..1:0,1", "1:0,1,2", Propagation(), "A: so at most 1 of a and b is a mine."),
)  # fmt: skip


@pytest.mark.parametrize(("text", "premises", "method", "sentence"), STEPS)
def test_sentences_each_kind_of_step(text: str, premises: str, method: Method, sentence: str) -> None:
    known = stated(*premises.split(), cells=20)
    claim = Constraint.parse(text)
    deduction = Deduction.bounds(claim.cells, claim.low, claim.high, known.given, "rule", method)
    lineage = DerivationGraph(known.learn([deduction]))
    assert one(lineage.links[0], WORDS) == sentence


def test_sentences_cases_listed_or_summarised() -> None:
    known = stated("1:0,1", "1:0,2", "1:1,2")
    claim = Deduction.bounds(1 << 5, 1, 1, known.given, "rule", Split(0))
    told = one(DerivationGraph(known.learn([claim])).links[0], WORDS)
    assert told == (
        "If f were safe, then either a is a mine, and by A b is safe, by B c is safe, "
        "and C cannot be reached; or a is safe, and by A b is a mine, by B c is a mine, "
        "and C is exceeded. So f is a mine."
    )


def test_sentences_derived_before_use() -> None:
    """A chain of three clues: the second sentence leans on the first."""
    known = stated("1:0,1", "2:0,1,2,3", "1:2,3,4,5")
    strategies = load_strategies(["single-cell", "set-rules"])
    lineage = DerivationGraph(Reasoner(strategies).deduce(known).knowledge)
    assert proof_sentences(lineage, 1 << 4, WORDS) == [
        "A counts only a and b, which B counts too; that leaves 1 for the others: 1 of c and d is a mine.",
        "[1 of c and d] are among the cells of C; that leaves none for the others: e and f are safe.",
    ]


def test_sentences_numbers_and_lists() -> None:
    ranges = [(2, 2, 3), (1, 3, 3), (0, 2, 3), (1, 2, 3)]
    assert [format_range(*each) for each in ranges] == ["2", "at least 1", "at most 2", "1 to 2"]
    assert [join_names(list(names)) for names in ("", "a", "ab")] == ["", "a", "a and b"]
    assert join_names(["a", "b", "c"], "or") == "a, b or c"
    assert WORDS.listing(cell_set(range(20))) == "a, b, c and 17 other cells"
