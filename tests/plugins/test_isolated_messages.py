"""What goes between Sapper and a strategy's process: knowledge, deductions, guesses, and garbage."""

from __future__ import annotations

import json

import pytest

from games.logic import Constraint, Deduction, Knowledge, Linear, Split
from games.logic.sync import KnowledgeReplica, KnowledgeSender
from games.minesweeper import Board, board_knowledge
from strategies import Reasoner, load_strategies
from strategies.isolation.protocol import AnswerEncoder, InvalidAnswer, decode_deductions, decode_guesses


def test_mirror_shows_same_knowledge() -> None:
    knowledge = board_knowledge(Board.parse("mines 2\n.....\n11211\n00000"))
    sender, mirror = KnowledgeSender(), KnowledgeReplica()
    for strategies in (["single-cell"], ["single-cell", "set-rules"], ["backtracking"]):
        copy = mirror.receive(sender.message(knowledge))
        assert copy == knowledge
        assert copy.stated == knowledge.stated
        for cell in range(15):
            assert copy.because(cell) == knowledge.because(cell)
            assert copy.why(cell) == knowledge.why(cell)
        sent = tuple(sender.constraints[mirror.number(c) or 0] for c in copy.constraints)
        assert sent == knowledge.constraints
        knowledge = Reasoner(load_strategies(strategies)).deduce(knowledge).knowledge
    other = board_knowledge(Board.parse("..\n1."))
    assert mirror.receive(sender.message(other)) == other


def test_deduction_message_round_trip() -> None:
    clue, split = Constraint(0b1011, 1, 2, "r0c0"), Split(1, None, Split(2))
    wide = Constraint(1 << 79, 0, 1)
    for deduction in (
        Deduction.true(1, (clue,), "one"),
        Deduction.false(1 << 79 | 1, (clue, wide), "", Linear((1, -2), 3)),
        Deduction.bounds(0b11, 0, 1, (), "cases", split),
    ):
        for number in (0, None):  # of the clue, if the receiver has it
            encoder = AnswerEncoder({clue: number}.get)
            message = json.loads(json.dumps([encoder.deduction(deduction)]))
            (read,) = decode_deductions(message, [clue], (1 << 80) - 1)
            for name in ("method", "account"):
                assert getattr(read.step, name) == getattr(deduction.step, name)
            assert read.constraint == deduction.constraint
            assert [c[:3] for c in read.step.premises] == [c[:3] for c in deduction.step.premises]


@pytest.mark.parametrize(
    "told",
    [
        None, {}, [None], [[]], [["1.0", 0, 0, "", [], None, 1]], [["1.0", 0, 0, "", [], None, "", ""]],
        [["1.0", 0, 0, 5, [], None, ""]], [["1.0", 0, 0, "x" * 501, [], None, ""]],
        [["1.0", "0", 0, "", [], None, ""]], [["1.0", 0.5, 1, "", [], None, ""]],
        [["1.0", True, 1, "", [], None, ""]], [["zz.0", 0, 0, "", [], None, ""]],
        [["1", 0, 0, "", [], None, ""]], [["1.99999999", 0, 0, "", [], None, ""]],
        [["1.80", 0, 0, "", [], None, ""]], [["-1.0", 0, 0, "", [], None, ""]],
        [["1.0", 0, 0, "", [7], None, ""]], [["1.0", 0, 0, "", [-1], None, ""]],
        [["1.0", 0, 0, "", "0", None, ""]], [["1.0", 0, 0, "", [], "sum", ""]],
        [["1.0", 0, 0, "", [], ["sum", [1.5], 1], ""]], [["1.0", 0, 0, "", [], [-1, None, None], ""]],
        [["1.0", 0, 0, "", [], [1, None], ""]], [["1.0", 0, 0, "", [0] * 1_000_001, None, ""]],
    ],
)  # fmt: skip
def test_deduction_garbage_refused(told: object) -> None:
    with pytest.raises(InvalidAnswer):
        list(decode_deductions(told, [Constraint(1, 0, 1)], (1 << 80) - 1))


@pytest.mark.parametrize(
    "told",
    [None, [[]], [["1", 0.5, "", {}]], [[1, "0.5", "", {}]], [[1, 0.5, None, {}]], [[1, 0.5, "", {"a": "b"}]],
     [[1, 0.5, "", [1]]], [[True, 0.5, "", {}]]],
)  # fmt: skip
def test_guess_garbage_refused(told: object) -> None:
    with pytest.raises(InvalidAnswer):
        list(decode_guesses(told))


def test_knowledge_detects_changes() -> None:
    mirror = KnowledgeReplica()
    knowledge = mirror.receive(KnowledgeSender().message(Knowledge.of(3, [Constraint(3, 1, 1, "A")])))
    assert mirror.is_intact(knowledge)
    object.__setattr__(knowledge, "true", 1)
    assert not mirror.is_intact(knowledge)
