"""Small positions to try a strategy on: boards in the middle of a game, and each of them made smaller."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from games.logic import Constraint, Knowledge, bits, cell_set
from games.minesweeper import DIGITS, HIDDEN, Board, Deal, FirstClick, Minefield, Move, Position, knowledge_of
from games.minesweeper.variants import BUILT_IN, PLAIN, variant_of
from strategies.testing.variants import keeps_rules, small_layout

VARIANTS = tuple(name for name in BUILT_IN if name != PLAIN)
TIED = 10  # cells that are hidden at most where a rule ties them: such boards have very many layouts


@dataclass(frozen=True, slots=True)
class Sample:
    """A small board together with where its mines really are, which no strategy is shown.

    `mines` and `open` are sets of cells; `has_total` says whether the board says how many mines there are;
    the mines keep the rules of the `variant`.
    """

    rows: int
    columns: int
    mines: int
    open: int
    has_total: bool
    variant: str = PLAIN

    @property
    def board(self) -> Board:
        """What a player sees."""
        around = variant_of(self.variant).counted(self.rows, self.columns)
        cells = (
            DIGITS[(around[k] & self.mines).bit_count()] if self.open >> k & 1 else HIDDEN
            for k in range(self.rows * self.columns)
        )
        return Board(self.rows, self.columns, "".join(cells), self.total, self.variant)

    @property
    def total(self) -> int | None:
        """How many mines there are, None when the board does not say."""
        return self.mines.bit_count() if self.has_total else None

    @property
    def knowledge(self) -> Knowledge:
        """What the board states."""
        return knowledge_of(self.board)

    def smaller(self) -> Iterator[Sample]:
        """Every sample that is one step simpler, the largest steps first.

        The common rules, a row or a column less, an unknown total, a mine less, a clue less.
        """
        return (sample for sample in self._simpler() if sample.is_possible)

    @property
    def is_possible(self) -> bool:
        """Whether the mines keep the rules of the variant, as far as the board says what these need."""
        return keeps_rules(self.variant, self.rows, self.columns, self.mines, self.total)

    def _simpler(self) -> Iterator[Sample]:
        if self.variant != PLAIN:
            yield replace(self, variant=PLAIN)
        for row in range(self.rows if self.rows > 1 else 0):
            yield self.keeping([r for r in range(self.rows) if r != row], list(range(self.columns)))
        for column in range(self.columns if self.columns > 1 else 0):
            yield self.keeping(list(range(self.rows)), [c for c in range(self.columns) if c != column])
        if self.has_total:
            yield replace(self, has_total=False)
        for k in bits(self.mines):
            yield replace(self, mines=self.mines ^ 1 << k)
        for k in bits(self.open):
            yield replace(self, open=self.open ^ 1 << k)

    def keeping(self, rows: list[int], columns: list[int]) -> Sample:
        """Only these rows and columns of it."""
        kept = [r * self.columns + c for r in rows for c in columns]
        mines, opened = (
            cell_set(place for place, k in enumerate(kept) if cells >> k & 1)
            for cells in (self.mines, self.open)
        )
        return Sample(len(rows), len(columns), mines, opened, self.has_total, self.variant)


def samples(
    seed: int | str, count: int, most_hidden: int = 16, variants: Sequence[str] = VARIANTS
) -> Iterator[Sample]:
    """Boards in the middle of a game, with and without a known total, always the same for a seed.

    Two of three are by the common rules; these come first, they are simpler. The others are by the rules of
    these variants in turn.
    """
    others = count // 3 if variants else 0
    yield from plain_samples(seed, count - others, most_hidden)
    yield from variant_samples(seed, others, min(most_hidden, TIED), variants)


def variant_samples(
    seed: int | str, count: int, most_hidden: int, variants: Sequence[str]
) -> Iterator[Sample]:
    """Boards by the rules of these variants in turn; numbers here and there stand open on them."""
    rng = random.Random(f"{seed} variants")  # noqa: S311 - test boards are no secrets
    for number in range(count):
        sample = None
        while sample is None or not sample.is_possible:
            rows, columns = rng.randint(2, 6), rng.randint(2, 6)
            variant = variants[number % len(variants)]
            mines = small_layout(variant, rows, columns, rng)
            if not mines or mines.bit_count() > most_hidden:
                continue
            safe = rng.sample(
                [k for k in range(rows * columns) if not mines >> k & 1], k=rows * columns - mines.bit_count()
            )
            least = max(rows * columns - most_hidden, 1)
            opened = cell_set(safe[: rng.randint(min(least, len(safe)), len(safe))])
            sample = Sample(rows, columns, mines, opened, rng.random() < 0.5, variant)
            if not sample.is_possible:  # some rules take the total
                sample = replace(sample, has_total=True)
        yield sample


def plain_samples(seed: int | str, count: int, most_hidden: int) -> Iterator[Sample]:
    """Boards by the common rules."""
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
            has_total = rng.random() < 0.5
            yield Sample(rows, columns, field.truth or 0, board.open, has_total)


def small_boards(seed: int | str, count: int, most_hidden: int = 16) -> Iterator[Board]:
    """The boards of `samples`."""
    return (sample.board for sample in samples(seed, count, most_hidden))


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
