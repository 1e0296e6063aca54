"""Judge how well a recorded game was read, from the game itself.

No skin, person or second reader is involved. A finished game shows its mines: after a win, all cells that
were never opened; after a loss, the mines that the program reveals (all or some). The mines determine the
number of each open cell, so every number in every observation is right or wrong. An open cell stays open, and
cells with identical pixels show the same state, so a cell read as hidden is wrong if the same picture is a
known number, and vice versa. The recording contains our flags; the program adds its own only at the end, and
only on mines.

Some readings cannot be judged: a cell that stays hidden in a lost game, a mine that the program does not
reveal, and numbers next to such mines, unless all numbers together are inconsistent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bot.recording.recording import Recording
from games.errors import Contradiction
from games.logic import bits, cell_set
from games.minesweeper import (
    DIGITS,
    EXPLODED,
    FLAG,
    HIDDEN,
    MINE,
    QUESTION,
    UNKNOWN,
    WRONG_FLAG,
    Board,
    Move,
    board_knowledge,
)
from strategies import Reasoner, load_strategies
from strategies.probability.board_prior import UniformMinePrior

SHOWN = MINE + EXPLODED
MARKS = FLAG + QUESTION + WRONG_FLAG


@dataclass(frozen=True)
class GameObservation:
    """One observation: the board as read, a picture number for each cell, and our flags (cell set).

    Cells with identical pixels have the same picture number throughout the game. `is_last`: no act followed.
    """

    board: Board
    pictures: tuple[int, ...]
    flags: int
    is_last: bool


@dataclass(frozen=True)
class ClickedMoves:
    """Moves that were clicked, and their recorded plan. A repeated click belongs to the same plan."""

    plan: dict[str, Any]
    moves: tuple[Move, ...]

    @property
    def is_guess(self) -> bool:
        """Whether the plan is a guess."""
        return "guess" in self.plan

    @property
    def clicked(self) -> int:
        """The cell set that was clicked with the left button."""
        return cell_set(move.cell for move in self.moves if move.kind == "open")


class GameLog:
    """The observations and moves of a recorded game. Raises InvalidFile if the recording is damaged."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self.turns = recording.turns()
        self.mines = recording.meta.rules.mines
        self.observations = tuple(self._read_observations())
        ends = (event["result"]["result"] for event in recording.events if event["event"] == "end")
        self.result = str(next(ends, "stopped"))

    @cached_property
    def acts(self) -> tuple[ClickedMoves, ...]:
        """All clicked moves, in order."""
        found = []
        plan: dict[str, Any] = {}
        for event in (event for turn in self.turns for event in turn):
            if event["event"] == "plan":
                plan = event
            if event["event"] == "act":
                found.append(ClickedMoves(plan, self._moves(event)))
        return tuple(found)

    def opened(self, act: ClickedMoves) -> int:
        """The cell set that moves open: clicked cells, and the neighbours that a chord opens."""
        cells, board = act.clicked, self.observations[0].board
        for move in act.moves:
            if move.kind == "chord":
                cells |= board.around[move.cell] & ~self.observations[-1].flags
        return cells

    def _moves(self, event: dict[str, Any]) -> tuple[Move, ...]:
        board = self.observations[0].board
        return tuple(Move.parse(text, board) for text in event["moves"])

    def _read_observations(self) -> Iterator[GameObservation]:
        numbers: dict[object, int] = {}
        pictures: list[int] = []
        flags = 0
        lattice = self._recording.meta.lattice
        acted = [any(event["event"] == "act" for event in turn) for turn in self.turns]
        last = max((i for i, has_act in enumerate(acted) if has_act), default=-1)
        for i, (turn, (frame, board)) in enumerate(zip(self.turns, self._recording.looks(), strict=True)):
            changed = turn[0].get("cells", ()) if i else board.names(board.everything)
            pictures = pictures or [0] * len(board)
            for k in map(board.cell, changed):
                left, top, right, bottom = lattice.rectangle(k)
                cell = frame.pixels[top:bottom, left:right]
                pictures[k] = numbers.setdefault((cell.shape, cell.tobytes()), len(numbers))
            yield GameObservation(board, tuple(pictures), flags, i > last)
            for event in (event for event in turn if event["event"] == "act"):
                for move in (Move.parse(text, board) for text in event["moves"]):
                    if move.kind in {"flag", "unflag"}:
                        flags = flags | 1 << move.cell if move.kind == "flag" else flags & ~(1 << move.cell)


@dataclass(frozen=True)
class GameVerdict:
    """The quality of all readings of one game; `wrong` contains a sentence for each misread cell.

    `result` is the result that Sapper reported; `proved` says whether numbers and mines confirm it. `unread`
    counts cells that were `~`, and `unjudged` counts readings that cannot be judged. `mines_known` of `mines`
    are known at the end (None: the total is unknown). `avoidable_guesses` counts guesses that were
    unnecessary if all visible numbers had been read. `wrong_certain` counts certain moves that opened a mine.
    """

    result: str
    proved: bool
    observations: int
    cells: int
    unread: int
    unjudged: int
    wrong: tuple[str, ...]
    mines_known: int
    mines: int | None
    guesses: int
    avoidable_guesses: int
    wrong_certain: int


def judge(recording: Recording) -> GameVerdict:
    """Judge the readings of a recorded game. Raises InvalidFile if the recording is damaged."""
    return _GameJudge(GameLog(recording)).verdict()


class _GameJudge:
    """A recorded game, and the facts that follow from its end."""

    def __init__(self, log: GameLog) -> None:
        self.log = log
        self.mines, self.result, self.observations = log.mines, log.result, log.observations
        self.board = self.observations[-1].board

    @cached_property
    def finals(self) -> tuple[str, ...]:
        """The last reading of each cell; UNKNOWN if it was never read."""
        found = list(self.observations[0].board.cells)
        for seen in self.observations[1:]:
            for k in bits(seen.board.everything & ~seen.board.unread):
                found[k] = seen.board[k]
        return tuple(found)

    @cached_property
    def may_be_won(self) -> bool:
        """Whether the game was won, or is said to be lost although no mine is shown."""
        return self.result == "won" or (self.result == "lost" and not set(SHOWN) & {*self.finals})

    @cached_property
    def numbers(self) -> int:
        """The cell set that was last read as a number."""
        return cell_set(k for k, state in enumerate(self.finals) if state in DIGITS)

    @cached_property
    def known(self) -> tuple[int, int]:
        """The cell sets that are known to be mines and known to be safe at the end."""
        everything = self.board.everything
        clicked = last = 0
        for act in self.log.acts:
            last = self.log.opened(act)
            clicked |= act.clicked
        if self.result == "won":
            safe = self.numbers | clicked
            never = cell_set(k for k, state in enumerate(self.finals) if state == UNKNOWN)
            mines = everything & ~safe
            if self.mines is not None and mines.bit_count() != self.mines:
                mines &= ~never  # the program opened these cells, and they were never read
            if self.mines is not None and mines.bit_count() > self.mines:
                return 0, safe  # the result of the last move was never observed
            return mines, everything & ~mines
        shown = cell_set(k for k, state in enumerate(self.finals) if state in SHOWN)
        flags = cell_set(k for k, state in enumerate(self.finals) if state == FLAG)
        for mines in (shown, shown | flags):
            if shown and mines.bit_count() == self.mines:
                return mines, everything & ~mines
        return shown, (self.numbers | clicked & ~last) & ~shown

    def number(self, cell: int) -> str | None:
        """The number of a cell; None unless all its neighbours are known."""
        mines, safe = self.known
        around = self.board.around[cell]
        return None if around & ~(mines | safe) else str((around & mines).bit_count())

    @cached_property
    def opened_at(self) -> dict[int, int]:
        """The first observation in which a cell shows its number (any number if it is unknown), by cell."""
        found: dict[int, int] = {}
        for i, seen in enumerate(self.observations):
            for k in bits(seen.board.open & self.known[1]):
                if self.number(k) in {seen.board[k], None}:
                    found.setdefault(k, i)
        return found

    @cached_property
    def picture_states(self) -> dict[int, set[str]]:
        """The states that each cell picture is known to show: correct numbers, and hidden mines."""
        found: dict[int, set[str]] = defaultdict(set)
        mines, safe = self.known
        for seen in self.observations:
            for k in bits(seen.board.open & safe):
                if seen.board[k] == self.number(k):
                    found[seen.pictures[k]].add(seen.board[k])
            if not seen.is_last:
                for k in bits(seen.board.cells_showing(HIDDEN) & mines):
                    found[seen.pictures[k]].add(HIDDEN)
        return found

    def fault(self, i: int, k: int) -> str | None:
        """The true state of cell k that observation i misread; "" if unknown, None if right."""
        seen = self.observations[i]
        fault = self._fault_by_counts(i, k)
        known = self.picture_states.get(seen.pictures[k], set())
        if not fault and len(known) == 1 and seen.board[k] not in known:
            return next(iter(known))
        return None if not fault and seen.board[k] in known else fault

    def _fault_by_counts(self, i: int, k: int) -> str | None:
        seen, (mines, safe) = self.observations[i], self.known
        state, is_mine, is_safe = seen.board[k], mines >> k & 1, safe >> k & 1
        number, is_open = self.number(k), i >= self.opened_at.get(k, len(self.observations))
        truth = (number or "a number") if is_open else "a mine" if is_mine else "hidden"
        if state in DIGITS:
            shown = "a mine" if is_mine else number if is_safe else ""
            return None if shown == state else shown or ""
        if is_open:
            return truth
        if state in MARKS:
            return self._fault_of_mark(seen, k, truth)
        if state in SHOWN:
            return None if is_mine else truth if is_safe else ""
        return None if is_mine or is_safe else ""

    def _fault_of_mark(self, seen: GameObservation, k: int, truth: str) -> str | None:
        """The same for a flag, a question mark or a wrong flag on a hidden cell."""
        is_mine, is_safe = (cells >> k & 1 for cells in self.known)
        if not seen.flags >> k & 1:
            may_be_theirs = seen.board[k] == FLAG and seen.is_last and self.may_be_won
            return truth if is_safe or not may_be_theirs else None if is_mine else ""
        if seen.board[k] == WRONG_FLAG:
            return None if seen.is_last and is_safe else truth if is_mine or is_safe else ""
        return None if seen.board[k] == FLAG else ""

    def verdict(self) -> GameVerdict:
        """The complete verdict."""
        wrong, unread, unjudged = [], 0, 0
        for i, seen in enumerate(self.observations):
            unread += seen.board.unread.bit_count()
            for k in bits(seen.board.everything & ~seen.board.unread):
                fault = self.fault(i, k)
                unjudged += fault == ""
                if fault:
                    wrong.append(f"observation {i + 1} {seen.board.name(k)} {fault}, read as {seen.board[k]}")
        if self.result != "stopped" and not wrong and UniformMinePrior().log_likelihood(self.end) is None:
            wrong.append("the numbers at the end are inconsistent")
        mines, acts = self.known[0], self.log.acts
        return GameVerdict(
            result=self.result,
            proved=self.is_proved,
            observations=len(self.observations),
            cells=len(self.observations) * len(self.board),
            unread=unread,
            unjudged=unjudged,
            wrong=tuple(wrong),
            mines_known=mines.bit_count(),
            mines=self.mines,
            guesses=len({id(act.plan) for act in acts if act.is_guess}),
            avoidable_guesses=self.count_avoidable_guesses(),
            wrong_certain=self.count_wrong_certain(),
        )

    def count_wrong_certain(self) -> int:
        """Mines that certain moves opened.

        If a lost game shows no mine that was opened, a certain last move counts; the result may be misread.
        """
        if self.result == "won":
            return 0
        acts = [act for act in self.log.acts if self.log.opened(act)]
        opened = [(act.is_guess, (self.log.opened(act) & self.known[0]).bit_count()) for act in acts]
        is_hidden = EXPLODED not in self.finals and not any(mines for _, mines in opened)
        if self.result == "lost" and is_hidden and opened:
            return int(not opened[-1][0])
        return sum(mines for is_guess, mines in opened if not is_guess)

    @property
    def end(self) -> Board:
        """The board at the end, with all numbers and known mines."""
        mines = self.known[0]
        cells = [MINE if mines >> k & 1 else s if s in DIGITS else HIDDEN for k, s in enumerate(self.finals)]
        return Board(self.board.rows, self.board.columns, "".join(cells), self.mines)

    @property
    def is_proved(self) -> bool:
        """Whether the end confirms the reported result.

        After a win, the cells left are exactly the mines. After a loss, the last move opened a mine. In both
        cases, the numbers at the end are consistent.
        """
        mines = self.known[0]
        last = self.log.opened(self.log.acts[-1]) if self.log.acts else 0
        is_right = mines.bit_count() == self.mines if self.result == "won" else bool(last & mines)
        holds = all(self.number(k) in {self.finals[k], None} for k in bits(self.numbers))
        return (
            self.result != "stopped"
            and is_right
            and holds
            and UniformMinePrior().log_likelihood(self.end) is not None
        )

    def count_avoidable_guesses(self) -> int:
        """Guesses that were made although the open numbers proved a cell safe."""
        count, place = 0, -1
        for turn in self.log.turns:
            place += 1
            if not any(event["event"] == "plan" and "guess" in event for event in turn):
                continue
            shown = {
                k: str(self.number(k))
                for k in bits(self.observations[place].board.unread & self.known[1])
                if self.number(k) in self.picture_states.get(self.observations[place].pictures[k], set())
            }
            if shown:
                board = self.observations[place].board.with_states(shown).with_mines(self.mines)
                count += _has_safe_cell(board)
        return count


def _has_safe_cell(board: Board) -> bool:
    try:
        return bool(Reasoner(load_strategies()).deduce(board_knowledge(board)).knowledge.false & board.closed)
    except Contradiction:
        return False
