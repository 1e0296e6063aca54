"""`sapper strategies --trace`: hook calls, answers and times of one decision; --pdb: debug a strategy."""

from __future__ import annotations

import inspect
import pdb  # noqa: T100 - for --pdb
import sys
from bdb import BdbQuit
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from bot.cli.common_options import echo, print_json, print_status
from bot.cli.inputs import read_board
from bot.game.plan import Planner
from bot.game.types import GameRules
from bot.recording.recording import META, Recording
from bot.show.board_text import pluralize
from games.errors import InvalidFile, UsageError
from games.logic import Deduction
from games.minesweeper import Board, Guess
from strategies import Fault, Reasoner, Strategy
from strategies.provers import collect_notes
from strategies.strategy import HookCall, TracedStrategy
from strategies.testing import minimize_fault

MOST_ANSWERS = 6  # per line


@dataclass(frozen=True, slots=True)
class TracedDecision:
    """A board to decide on; for a board of a recording, the number of its look and the recorded plan."""

    board: Board
    rules: GameRules
    look: int = 0
    recorded: dict[str, Any] | None = None


def load_decision(place: str, look: int | None) -> TracedDecision:
    """Load a text board, a screenshot, or an observation of a recording (None: its last decision).

    Raises InvalidFile if every cell is open, UsageError if there is no such observation.
    """
    if not (Path(place) / META).exists():
        if look is not None:
            raise UsageError(f"--look requires a recording, and {place} is none: leave it out")
        board = read_board(place)
        found = TracedDecision(board, GameRules(board.mines, variant=board.variant))
    else:
        recording = Recording(Path(place))
        turns = recording.turns()
        decided = [number for number, turn in enumerate(turns, 1) if _plan_of(turn)]
        number = look or (decided[-1] if decided else len(turns))
        if number > len(turns):
            raise UsageError(f"{place} has no observation {number}: use --look 1 to {len(turns)}")
        recorded = None
        for event, *_ in turns[:number]:
            recorded = recording.board(recorded, event)
        assert recorded is not None
        rules = recording.meta.rules
        board = recorded.with_variant(rules.variant).with_mines(rules.mines)
        found = TracedDecision(board, rules, number, _plan_of(turns[number - 1]) or {})
    if not board.not_open:
        raise InvalidFile(f"{place}: every cell is open: name a board in the middle of a game")
    return found


def _plan_of(turn: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    return next((event for event in turn if event["event"] == "plan"), None)


def trace(
    decision: TracedDecision, strategies: Sequence[Strategy], as_json: bool, shrinks: bool = True
) -> dict[str, str]:
    """Decide on a board as in a game, and print each hook call, the moves and each fault.

    Returns the certain cells and the guess by name. `shrinks`: search a smaller board for each fault. Raises
    Contradiction after the calls that precede it.
    """
    board, calls = decision.board, list[HookCall]()

    def print_call(call: HookCall) -> None:
        calls.append(call)
        answers = [format_answer(each, board) for each in call.answers]
        if as_json:
            print_json(
                {
                    "strategy": call.strategy,
                    "hook": call.hook,
                    "answers": answers,
                    "raised": call.raised,
                    "ms": round(1000 * call.seconds, 3),
                    "notes": list(notes),
                }
            )
        else:
            shown = [f"raised {call.raised}"] if call.raised else answers or ["nothing new"]
            more = f"; and {len(shown) - MOST_ANSWERS} more" if len(shown) > MOST_ANSWERS else ""
            echo(
                f"{len(calls):3}  {call.strategy:14} {call.hook:6} {1000 * call.seconds:9.2f} ms  "
                f"{'; '.join(shown[:MOST_ANSWERS])}{more}"
            )
            for note in notes:
                echo(f"{'':37}{note}")
        notes.clear()

    reasoner = Reasoner([TracedStrategy.of(strategy, print_call) for strategy in strategies])
    planner = Planner(reasoner, decision.rules)
    with collect_notes() as notes:
        plan = planner.plan(board)
    moves = [move.text(board) for move in plan.moves]
    decided = {board.name(c.cell): f"{'mine' if c.is_mine else 'safe'} ({c.rule})" for c in plan.certain}
    decided |= {move: f"guessed, {plan.guess.safe:.1%} safe" for move in moves if plan.guess}
    recorded = decision.recorded
    if as_json:
        for fault in reasoner.faults:
            smaller = minimize_fault(fault, strategies) if shrinks else None
            print_json({"fault": fault.as_json() | ({"smallest": smaller.as_json()} if smaller else {})})
        data = {"moves": moves, "guess": plan.guess is not None, "board": str(board).splitlines()}
        known = {"look": decision.look, "recorded": recorded.get("moves")} if recorded is not None else {}
        print_json(data | known)
        return decided
    knowledge = planner.knowledge
    echo(
        f"{pluralize(len(calls), 'call')}, {1000 * sum(call.seconds for call in calls):.2f} ms; certain: "
        f"{(board.closed & knowledge.false).bit_count()} safe, "
        f"{pluralize(knowledge.true.bit_count(), 'mine')}; "
        f"not certain: {(knowledge.undecided & board.not_open).bit_count()}"
    )
    echo(f"{'guess' if plan.guess else 'moves'}: {', '.join(moves) or 'none'}")
    if recorded is not None:
        before = list(recorded.get("moves", ()))
        same = "the same" if before == moves else ", ".join(before) or "no decision"
        echo(f"look {decision.look}, recorded: {same}")
    for fault in reasoner.faults:
        print_status(str(fault))
        _print_fault_board(minimize_fault(fault, strategies) if shrinks else None, fault)
    return decided


def _print_fault_board(smaller: Fault | None, fault: Fault) -> None:
    """Print the board of a fault, or the smaller one, and the layout that refutes the strategy."""
    shown = smaller or fault
    if shown.board is None:
        return
    if smaller and smaller.objection:
        echo(f"smallest board with this fault: {smaller.objection.what}", err=True)
    boards = [str(shown.board).splitlines()]
    if shown.counterexample:
        boards.append(["" for _ in boards[0][: -shown.board.rows]] + list(shown.counterexample.grid))
    width = max(map(len, boards[0]))
    for rows in zip(*boards, strict=True):
        echo("    " + "    ".join(f"{row:{width}}" for row in rows).rstrip(), err=True)


def format_answer(answer: object, board: Board) -> str:
    """Format as `r0c1 safe (rule: r1c1, mines)`, `1..2 of r0c0 r0c1 (rule)` or `guess r3c4, 81.2 % safe`."""
    if isinstance(answer, Guess):
        cell = board.name(answer.cell) if 0 <= answer.cell < len(board) else str(answer.cell)
        return f"guess {cell}, {answer.safe:.1%} safe".replace("%", " %")
    if not isinstance(answer, Deduction):
        return f"a {type(answer).__name__}"
    claim = answer.constraint
    cells = " ".join(board.names(claim.cells & board.everything))
    sources = dict.fromkeys(premise.source for premise in answer.step.premises)
    clues = ", ".join(_named(source, board) for source in sources if source is not None)
    why = ": ".join(filter(None, (answer.step.rule, clues)))
    rule = f" ({why})" if why else ""
    if claim.all_false:
        return f"{cells} safe{rule}"
    if claim.all_true:
        return f"{cells} mine{'s' if claim.size > 1 else ''}{rule}"
    count = str(claim.low) if claim.is_exact else f"{claim.low}..{claim.high}"
    return f"{count} of {cells}{rule}"


def _named(source: object, board: Board) -> str:
    return board.name(source) if isinstance(source, int) and 0 <= source < len(board) else str(source)


HOOKS = ("deduce", "guess")


def debug(strategies: Sequence[Strategy], call: Callable[[], object]) -> None:
    """Call under Python's debugger, which stops at the beginning of each hook of these strategies.

    The strategies must run in this process. Returns when the user quits. Raises UsageError without a
    terminal, or if all strategies are built in.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("--pdb is interactive: run it in a terminal")
    debugger = _StrategyDebugger()
    for strategy in strategies:
        if strategy.origin != "built-in":
            for place in filter(None, (first_line(strategy, hook) for hook in HOOKS)):
                debugger.stop_at(*place)
    if not debugger.get_all_breaks():
        raise UsageError("--pdb stops in your own strategies: name a file with --strategy ./mine.py")
    try:
        debugger.begin(sys._getframe())  # noqa: SLF001 - the frame in which the debugger continues
        call()
    except KeyboardInterrupt:
        if not debugger.quitting:
            raise
    finally:
        sys.settrace(None)


def first_line(strategy: Strategy, hook: str) -> tuple[str, int] | None:
    """File and first line of a hook, after its docstring; None if the strategy has no such hook."""
    if hook not in strategy.places:
        return None
    code = inspect.unwrap(getattr(strategy.plugin, hook)).__code__
    lines = (line for _, _, line in code.co_lines() if line and line > code.co_firstlineno)
    return code.co_filename, min(lines, default=code.co_firstlineno)


class _StrategyDebugger(pdb.Pdb):
    """Debugger that ends the command on quit; any other error would count as a fault of the strategy."""

    def __init__(self) -> None:
        super().__init__(nosigint=True)
        self._starts: set[tuple[str, int]] = set()
        self._stopped: list[FrameType] = []  # calls that were stopped at their start

    def stop_at(self, file: str, line: int) -> None:
        """Stop at this line once per call, because a loop may begin there."""
        self.set_break(file, line)
        self._starts.add((self.canonic(file), line))

    def break_here(self, frame: FrameType) -> bool:
        if not super().break_here(frame):
            return False
        if (self.canonic(frame.f_code.co_filename), frame.f_lineno) in self._starts:
            if any(frame is stopped for stopped in self._stopped):
                return False
            self._stopped.append(frame)
        return True

    def begin(self, frame: FrameType) -> None:
        self.reset()
        self.botframe = frame
        self.set_continue()
        sys.settrace(self.trace_dispatch)

    def trace_dispatch(self, frame: FrameType, event: str, arg: Any) -> Any:
        try:
            return super().trace_dispatch(frame, event, arg)
        except BdbQuit:
            raise KeyboardInterrupt from None
