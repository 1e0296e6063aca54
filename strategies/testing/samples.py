"""Sample positions for tests, and brute-force ground truth for small ones.

`samples` yields small boards in mid-game, which `SampleBoard.smaller` shrinks; `mid_game` yields boards of
the usual levels; `small_knowledge` yields constraints with bounds. `certain_variables` and `all_models` try
all layouts. Samples of variants are not uniform.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from games.errors import UsageError
from games.logic import Constraint, Knowledge, bits, cell_set
from games.minesweeper import (
    DIGITS,
    HIDDEN,
    LEVELS,
    Board,
    Deal,
    FirstClick,
    Minefield,
    Move,
    board_knowledge,
)
from games.minesweeper.variants import BUILT_IN, PLAIN, get_variant
from strategies.position import Position

MOST_MENDED = 300  # repair steps before giving up


def keeps_rules(variant: str, rows: int, columns: int, mines: int, total: int | None) -> bool:
    """Whether this set of mines satisfies a variant; `total` is None if the board does not state it."""
    try:
        stated = get_variant(variant).states(rows, columns, total)
    except UsageError:  # the variant has no such board
        return False
    return all(constraint.holds(mines) for constraint in stated)


def small_layout(variant: str, rows: int, columns: int, rng: random.Random) -> int | None:
    """A set of mines for a variant: random, then repaired; None if that fails."""
    cells = rows * columns
    most = max(1, cells // 3)
    wanted = rng.randint(1, most)
    mines = cell_set(rng.sample(range(cells), wanted))
    try:
        stated = get_variant(variant).states(rows, columns, wanted)
    except UsageError:  # no board of the variant has this number of mines
        return None
    for _ in range(MOST_MENDED):
        broken = [constraint for constraint in stated if not constraint.holds(mines)]
        if not broken:
            is_kept = mines and keeps_rules(variant, rows, columns, mines, mines.bit_count())
            return mines if is_kept else None
        constraint = rng.choice(broken)
        is_short = (constraint.cells & mines).bit_count() < constraint.low
        mines ^= 1 << rng.choice(list(bits(constraint.cells & (~mines if is_short else mines))))
    return None


VARIANTS = tuple(name for name in BUILT_IN if name != PLAIN)
TIED = 10  # maximum hidden cells on boards of variants, which have many layouts


@dataclass(frozen=True, slots=True)
class SampleBoard:
    """A small board with its true mines, which strategies do not see.

    `mines` and `open` are cell sets; `has_total` is whether the board states the mine total.
    """

    rows: int
    columns: int
    mines: int
    open: int
    has_total: bool
    variant: str = PLAIN

    @property
    def board(self) -> Board:
        """The displayed board."""
        around = get_variant(self.variant).around(self.rows, self.columns)
        cells = (
            DIGITS[(around[k] & self.mines).bit_count()] if self.open >> k & 1 else HIDDEN
            for k in range(self.rows * self.columns)
        )
        return Board(self.rows, self.columns, "".join(cells), self.total, self.variant)

    @property
    def total(self) -> int | None:
        """The mine total, None if the board does not state it."""
        return self.mines.bit_count() if self.has_total else None

    @property
    def knowledge(self) -> Knowledge:
        """The knowledge of the board."""
        return board_knowledge(self.board)

    def smaller(self) -> Iterator[SampleBoard]:
        """All samples that are one step simpler, the largest steps first.

        Steps: standard rules; one row, column, mine or clue less; unknown total.
        """
        return (sample for sample in self._simpler() if sample.is_possible)

    @property
    def is_possible(self) -> bool:
        """Whether the mines satisfy the variant."""
        return keeps_rules(self.variant, self.rows, self.columns, self.mines, self.total)

    def _simpler(self) -> Iterator[SampleBoard]:
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

    def keeping(self, rows: list[int], columns: list[int]) -> SampleBoard:
        """The part with these rows and columns."""
        kept = [r * self.columns + c for r in rows for c in columns]
        mines, opened = (
            cell_set(place for place, k in enumerate(kept) if cells >> k & 1)
            for cells in (self.mines, self.open)
        )
        return SampleBoard(len(rows), len(columns), mines, opened, self.has_total, self.variant)


def samples(
    seed: int | str, count: int, most_hidden: int = 16, variants: Sequence[str] = VARIANTS
) -> Iterator[SampleBoard]:
    """Boards in mid-game, with and without a known total, determined by the seed.

    The first two thirds follow the standard rules, the others these variants in turn.
    """
    others = count // 3 if variants else 0
    yield from plain_samples(seed, count - others, most_hidden)
    yield from variant_samples(seed, others, min(most_hidden, TIED), variants)


def variant_samples(
    seed: int | str, count: int, most_hidden: int, variants: Sequence[str]
) -> Iterator[SampleBoard]:
    """Boards of these variants in turn, with random open cells."""
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
            sample = SampleBoard(rows, columns, mines, opened, rng.random() < 0.5, variant)
            if not sample.is_possible:  # some variants require the total
                sample = replace(sample, has_total=True)
        yield sample


def plain_samples(seed: int | str, count: int, most_hidden: int) -> Iterator[SampleBoard]:
    """Boards with the standard rules."""
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
            yield SampleBoard(rows, columns, field.truth or 0, board.open, has_total)


def small_boards(seed: int | str, count: int, most_hidden: int = 16) -> Iterator[Board]:
    """The boards of `samples`."""
    return (sample.board for sample in samples(seed, count, most_hidden))


def small_knowledge(seed: int | str, count: int, variables: int = 10) -> Iterator[Knowledge]:
    """Random satisfiable constraints with bounds, some with a total; not derived from a board."""
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


def position_of(
    board: Board | str, knowledge: Knowledge | None = None, first_click: FirstClick | None = None
) -> Position:
    """The position of a board or its text, for a guess; by default, nothing is deduced yet."""
    board = Board.parse(board) if isinstance(board, str) else board
    knowledge = board_knowledge(board) if knowledge is None else knowledge
    openable = board.closed & ~knowledge.true
    counts = tuple(around & board.not_open for around in board.around)
    return Position(knowledge, board.rows, board.columns, openable, counts, first_click)


MOST_HIDDEN = 22  # variables; four million layouts


def mid_game(
    seed: int | str, count: int, level: str, least: float = 0.3, most: float = 0.8
) -> Iterator[Board]:
    """Boards of a level with a fraction of the safe cells open, between `least` and `most`; known total.

    The first click opens a zero; then random safe cells are opened, mostly next to open ones, as players do.
    Determined by the seed. Boards with more than `most` open are skipped.
    """
    rows, columns, mines = LEVELS[level]
    rng = random.Random(f"{seed}/{level}")  # noqa: S311 - test boards are no secrets
    safe = rows * columns - mines
    while count:
        field = Minefield(Deal.random(rows, columns, mines, rng.random().hex()), "zero")
        board = field.play([Move("open", rng.randrange(rows * columns))])
        wanted = rng.uniform(least, most) * safe
        while board.open.bit_count() < wanted:
            cells = board.not_open & ~(field.truth or 0)
            beside = cell_set(k for k in bits(cells) if board.around[k] & board.open)
            rng_cells = list(bits(beside if beside and rng.random() < 0.9 else cells))
            board = field.play([Move("open", rng.choice(rng_cells))])
        if board.open.bit_count() <= most * safe:
            count -= 1
            yield board


def certain_variables(knowledge: Knowledge) -> tuple[int, int]:
    """The sets of variables that are true, and false, in all layouts, by trying all 2^n assignments.

    Raises UsageError above `MOST_HIDDEN` variables.
    """
    import numpy as np

    names = list(bits(knowledge.universe))
    if len(names) > MOST_HIDDEN:
        raise UsageError(f"{len(names)} variables are too many to try: take {MOST_HIDDEN}")
    place = {k: 1 << at for at, k in enumerate(names)}
    layouts = np.arange(1 << len(names), dtype=np.uint32)
    for constraint in knowledge.given:
        mines = np.bitwise_count(layouts & np.uint32(sum(place[k] for k in bits(constraint.cells))))
        layouts = layouts[(mines >= max(constraint.low, 0)) & (mines <= constraint.high)]
    always, ever = int(np.bitwise_and.reduce(layouts)), int(np.bitwise_or.reduce(layouts))
    true = cell_set(k for k in names if always & place[k])
    return true, cell_set(k for k in names if not ever & place[k])


MOST_CELLS = 24  # variables, for `all_models`


def all_models(knowledge: Knowledge) -> list[int]:
    """All models of the given constraints, as sets of true variables, by brute force.

    Raises UsageError above `MOST_CELLS` variables.
    """
    if knowledge.universe.bit_count() > MOST_CELLS:
        raise UsageError(f"{knowledge.universe.bit_count()} variables are too many to try: take {MOST_CELLS}")
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
