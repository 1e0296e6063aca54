"""What a strategy's author tests with: small boards, the truth about them, and one check of everything.

from strategies import load_strategies
from strategies.testing import check_strategy

def test_mine() -> None:
    check_strategy(load_strategies(["./mine.py"])[0])
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from games.errors import Usage
from games.logic import Constraint, Deduction, Knowledge, bits, cell_set, check
from games.minesweeper import Board, Deal, FirstClick, Guess, Minefield, Move, Position, knowledge_of
from strategies.registry import Strategy

MOST_CELLS = 24  # for trying everything


def layouts(knowledge: Knowledge) -> list[int]:
    """Every set of true variables that the given constraints allow, found by trying them all.

    Raises Usage when there are too many variables for that.
    """
    if knowledge.universe.bit_count() > MOST_CELLS:
        raise Usage(f"{knowledge.universe.bit_count()} variables are too many to try: take {MOST_CELLS}")
    found, seen = [0], 0
    for k in bits(knowledge.universe):
        seen |= 1 << k
        about = [(c.cells, c.low - (c.cells & ~seen).bit_count(), c.high) for c in knowledge.given]
        found = [
            layout
            for earlier in found
            for layout in (earlier, earlier | 1 << k)
            if all(low <= (layout & cells).bit_count() <= high for cells, low, high in about)
        ]
    return found


def certain(knowledge: Knowledge) -> tuple[int, int]:
    """The variables (sets) that are true, and those that are false, in every layout."""
    always, ever = knowledge.universe, 0
    for layout in layouts(knowledge):
        always &= layout
        ever |= layout
    return always, knowledge.universe & ~ever


def small_boards(seed: int | str, count: int, most_hidden: int = 16) -> Iterator[Board]:
    """Boards in the middle of a game, with and without a known total, always the same for a seed."""
    rng = random.Random(seed)  # noqa: S311 - test boards are no secrets
    while count:
        rows, columns = rng.randint(2, 6), rng.randint(2, 6)
        mines = rng.randint(1, max(1, rows * columns // 3))
        field = Minefield(Deal.random(rows, columns, mines, rng.random().hex()))
        board = field.board
        while not field.is_won and (board.not_open.bit_count() > most_hidden or rng.random() < 0.5):
            safe = board.not_open & ~(field.truth or 0)
            board = field.play([Move("open", rng.choice(list(bits(safe))))])
        if not field.is_won and board.not_open.bit_count() <= most_hidden:
            count -= 1
            yield board.knowing(mines if rng.random() < 0.5 else None)


def small_knowledge(seed: int | str, count: int, variables: int = 10) -> Iterator[Knowledge]:
    """Constraints with bounds on some of the variables, some with a total; each has at least one layout.

    Not from any board: cells may be anywhere, and some variables are in no total.
    """
    rng = random.Random(seed)  # noqa: S311 - test boards are no secrets
    for _ in range(count):
        universe = cell_set(rng.sample(range(2 * variables), variables))
        names = list(bits(universe))
        truth = cell_set(k for k in names if rng.random() < 0.35)
        given = []
        for place in range(rng.randint(2, 7)):
            cells = cell_set(rng.sample(names, rng.randint(1, 5)))
            mines = (cells & truth).bit_count()
            low, high = mines - rng.choice((0, 0, 0, 1)), mines + rng.choice((0, 0, 0, 1))
            given.append(Constraint(cells, low, high, f"c{place}"))
        if rng.random() < 0.6:
            cells = cell_set(names[: rng.randint(variables // 2, variables)])
            mines = (cells & truth).bit_count()
            given.append(Constraint(cells, mines, mines + rng.choice((0, 0, 1)), "total", is_global=True))
        yield Knowledge.of(universe, given)


def position_of(board: Board, knowledge: Knowledge, first_click: FirstClick | None = None) -> Position:
    """The position of a board at which a guess is asked for."""
    openable = board.closed & ~knowledge.true
    counts = tuple(around & board.not_open for around in board.around)
    return Position(knowledge, board.rows, board.columns, openable, counts, first_click)


def check_strategy(strategy: Strategy, boards: int = 60, seed: int | str = "sapper") -> None:
    """Everything that is asked of a strategy, tried on small boards. Raises AssertionError: what failed.

    Its deductions are true in every layout and their steps show them; asked twice it answers the same; it
    changes nothing; its guesses are cells that may be opened, each with a probability.
    """
    assert strategy.has_deduce or strategy.has_guess, f"{strategy.name} has no hook"
    for board in small_boards(seed, boards):
        knowledge = knowledge_of(board)
        position = position_of(board, knowledge)
        before = repr((knowledge, position))
        deductions = list(strategy.deduce(knowledge, knowledge.universe))
        guesses = list(strategy.guess(position))
        _check_deductions(strategy, board, knowledge, deductions)
        _check_guesses(strategy, board, position, guesses)
        again = list(strategy.deduce(knowledge, knowledge.universe)), list(strategy.guess(position))
        assert again == (deductions, guesses), (
            f"{strategy.name} answers differently when asked again:\n{board}"
        )
        assert repr((knowledge, position)) == before, f"{strategy.name} changed what it was handed:\n{board}"


def _check_deductions(
    strategy: Strategy, board: Board, knowledge: Knowledge, deductions: list[Deduction]
) -> None:
    truth = layouts(knowledge)
    derived: set[Constraint] = set()
    for deduction in deductions:
        claim = deduction.constraint
        assert not claim.cells & ~board.not_open, f"{strategy.name} speaks of open cells ({claim}):\n{board}"
        wrong = any(not claim.low <= (layout & claim.cells).bit_count() <= claim.high for layout in truth)
        assert not wrong, f"{strategy.name} concluded {claim}, which a layout contradicts:\n{board}"
        check(deduction, knowledge, derived)
        derived.add(claim)


def _check_guesses(strategy: Strategy, board: Board, position: Position, guesses: list[Guess]) -> None:
    for guess in guesses:
        may_open = guess.cell >= 0 and position.openable >> guess.cell & 1
        assert may_open, f"{strategy.name} guessed cell {guess.cell}, which may not be opened:\n{board}"
        assert 0 <= guess.safe <= 1, f"{strategy.name} gave cell {guess.cell} {guess.safe}:\n{board}"
    assert len({guess.cell for guess in guesses}) == len(guesses), f"{strategy.name} repeats a cell:\n{board}"
