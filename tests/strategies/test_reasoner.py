"""The reasoner: order, fixpoint, checking, faulty strategies."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace

import pytest
from authored import hook, written
from stated import stated

from games.errors import Contradiction
from games.logic import Deduction, Knowledge
from games.minesweeper import Guess
from strategies import Reasoner, Strategy, hookimpl, load_strategies, load_strategy
from strategies.position import Position
from strategies.registry import register_plugin
from strategies.testing import position_of

EVERYTHING = (1 << 12) - 1


def deducing(answer: Callable[[Knowledge, int], Iterable[Deduction]], name: str = "own") -> Strategy:
    """A strategy made of one function."""
    return register_plugin(name, SimpleNamespace(deduce=hookimpl(answer)), "a test", "1")


def guessing(answer: object, name: str = "own") -> Strategy:
    """A strategy that always guesses this."""

    @hookimpl
    def guess(position: Position) -> object:
        return answer

    return register_plugin(name, SimpleNamespace(guess=guess), "a test", "1")


def test_reasoner_new_fact_restarts_at_cheapest() -> None:
    asked: list[str] = []

    def telling(inner: Strategy) -> Strategy:
        def answer(knowledge: Knowledge, changed: int) -> Iterable[Deduction]:
            asked.append(inner.name)
            return inner.deduce(knowledge, changed)

        return deducing(answer, inner.name)

    cheap, dear, _ = load_strategies(["single-cell", "set-rules"])
    outcome = Reasoner([telling(cheap), telling(dear)]).deduce(stated("1:0,1", "1:0,1,2", "1:2,3"))
    # the pair shows that 2 is safe, then single-cell shows 3
    assert (outcome.knowledge.true, outcome.knowledge.false) == (8, 4)
    assert asked == ["single-cell", "set-rules", "single-cell", "single-cell", "set-rules"]


def test_reasoner_changed_since_last_call() -> None:
    seen: list[int] = []

    def watch(knowledge: Knowledge, changed: int) -> Iterable[Deduction]:
        seen.append(changed)
        return []

    cheap = load_strategies(["single-cell"])[0]
    Reasoner([cheap, deducing(watch)]).deduce(stated("0:0", "1:0,1,2", "1:4,5"))
    assert seen == [EVERYTHING]
    seen.clear()
    # asked first, so it sees what single-cell finds afterwards: 1:0,1,2 became 1:1,2; nothing about 4 and 5
    Reasoner([deducing(watch), cheap]).deduce(stated("0:0", "1:0,1,2", "1:4,5"))
    assert seen == [EVERYTHING, 0b110]


def test_reasoner_limit_skips_expensive() -> None:
    def never(knowledge: Knowledge, changed: int) -> Iterable[Deduction]:
        raise AssertionError("asked")

    reasoner = Reasoner([load_strategies(["single-cell"])[0], deducing(never)])
    outcome = reasoner.deduce(stated("0:0,1", "1:0,2"), enough=0b1)
    assert (outcome.knowledge.true, outcome.knowledge.false, outcome.faults) == (4, 3, ())
    assert reasoner.deduce(stated("0:0,1"), enough=0b1000).faults != ()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("yield Deduction.true(1, knowledge.constraints[:1], 'hope')", "line 5: 'hope' concludes from 1:0,1"),
        ("yield Deduction.false(1, (Constraint(1, 0, 0),))", "its premise '0 is safe' is not known"),
        ("yield 1 / 0", "mine.py, line 5: it raised ZeroDivisionError: division by zero"),
        ("yield 'nonsense'", "mine.py, line 5: it yielded a str, not a Deduction"),
        ("while True: yield Deduction.bounds(3, 1, 1, knowledge.constraints)", "more than 10048 deductions"),
        ("return 5", "raised TypeError"),
    ],
)
def test_reasoner_wrong_strategy_named_and_off(tmp_path: Path, text: str, complaint: str) -> None:
    file = written(tmp_path, "from games.logic import Constraint\n" + hook("deduce", text))
    reasoner = Reasoner(load_strategies([str(file), "single-cell"]))
    outcome = reasoner.deduce(stated("1:0,1", "0:2"))
    assert [fault.strategy for fault in outcome.faults] == ["mine"]
    assert complaint in str(outcome.faults[0])
    assert (outcome.knowledge.true, outcome.knowledge.false) == (0, 4)
    again = reasoner.deduce(stated("1:0,1", "0:2"))
    assert again.faults == ()
    assert reasoner.faults == outcome.faults
    assert Reasoner(reasoner.strategies).deduce(stated("1:0,1")).faults != ()


def test_reasoner_earlier_answers_of_faulty_count() -> None:
    def half(knowledge: Knowledge, changed: int) -> Iterable[Deduction]:
        yield Deduction.false(4, knowledge.constraints[1:])
        raise RuntimeError("then this\nhappened")

    outcome = Reasoner([deducing(half)]).deduce(stated("1:0,1", "0:2"))
    assert outcome.knowledge.false == 4
    (fault,) = map(str, outcome.faults)
    assert fault.startswith("strategy own is quarantined for this game: ")
    line = half.__code__.co_firstlineno + 2
    assert f"{Path(__file__).name}, line {line}: it raised RuntimeError: then this happened" in fault
    assert fault.endswith("; the built-in strategies deduce instead")


def test_reasoner_user_stop_is_no_fault() -> None:
    def interrupted(knowledge: Knowledge, changed: int) -> Iterable[Deduction]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Reasoner([deducing(interrupted)]).deduce(stated("1:0,1"))


@pytest.mark.parametrize(
    ("texts", "sources"),
    [
        (("1:0,1", "0:0,1"), "AB"),
        (("1:0,1", "2:0,1,2", "0:2", "1:5,6"), "ABC"),
        # an odd cycle: no two of the constraints contradict each other
        (("1:0,1", "1:1,2", "1:0,2", "1:5,6"), "ABC"),
    ],
)
def test_reasoner_contradiction_names_sources(texts: tuple[str, ...], sources: str) -> None:
    with pytest.raises(Contradiction) as caught:
        Reasoner(load_strategies()).deduce(stated(*texts))
    assert "".join(sorted(map(str, caught.value.sources))) == sources


@pytest.mark.parametrize(
    ("guesses", "complaint"),
    [
        ([Guess(0, 0.5)], "guessed r0c0, which may not be opened"),
        ([Guess(-1, 0.5)], "guessed cell -1"),
        ([Guess(99, 0.5)], "guessed cell 99"),
        ([Guess(1, 0.5), Guess(2, 1.5)], "the probability 1.5"),
        ([Guess(1, float("nan"))], "the probability nan"),
        (["r0c1"], "is a str, not a Guess"),
        (3, "raised TypeError"),
        ([Guess(1, 0.5)] * 4, "it guessed r0c1 twice: name each cell once"),
    ],
)
def test_reasoner_wrong_guess_asks_next(guesses: object, complaint: str) -> None:
    reasoner = Reasoner([guessing(guesses), load_strategy("lowest-risk")])
    found = reasoner.guess(position_of("1.."))
    assert found[0].cell in (1, 2)
    assert complaint in reasoner.faults[0].what
    assert reasoner.guess(position_of("1.."))
    assert len(reasoner.faults) == 1


def test_reasoner_known_mine_never_guessed() -> None:
    position = position_of("1.*")
    mine = position.knowledge.learn([Deduction.true(2, position.knowledge.constraints[:1])])
    reasoner = Reasoner([guessing([Guess(1, 0.5)])])
    reasoner.guess(Position(mine, 1, 3, 0b110, (0, 0, 0)))
    assert "known to be a mine" in reasoner.faults[0].what


def test_reasoner_only_guesser_fails_built_in_guesses() -> None:
    reasoner = Reasoner([guessing([Guess(0, 0.5)])])
    assert {guess.cell for guess in reasoner.guess(position_of("1.."))} == {1, 2}
    assert str(reasoner.faults[0]).endswith("; lowest-risk guesses instead")
    assert {guess.cell for guess in reasoner.guess(position_of("1.."))} == {1, 2}
    assert Reasoner([guessing([])]).guess(position_of("1..")) == ()  # no guess is not a fault


def test_reasoner_first_answer_is_used() -> None:
    speaking = guessing([Guess(2, 0.5), Guess(1, 0.5)])
    reasoner = Reasoner([guessing([], "silent"), speaking, load_strategy("lowest-risk")])
    assert [guess.cell for guess in reasoner.guess(position_of("1.."))] == [2, 1]
    assert reasoner.faults == ()
