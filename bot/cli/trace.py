"""`sapper strategies --trace`: the calls of one decision, answers and times; `--pdb` stops in a strategy."""

from __future__ import annotations

import ast
import pdb  # noqa: T100 - the debugger is what was asked for
import sys
from bdb import BdbQuit
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import click

from bot.cli.common_options import print_json, print_status
from bot.cli.inputs import read_board
from bot.game.plan import Planner
from bot.game.types import GameRules
from bot.recording.recording import META, Recording
from games.errors import InvalidFile, UsageError
from games.logic import Deduction
from games.minesweeper import Board, Guess
from strategies import Fault, Reasoner, Strategy
from strategies.strategy import HookCall, with_tracing
from strategies.testing import minimize_fault

MOST_SHOWN = 6  # answers in one line


@dataclass(frozen=True, slots=True)
class TracedDecision:
    """A board to decide on. `recorded` is what was decided when it was played, None for a board alone."""

    board: Board
    rules: GameRules
    look: int = 0
    recorded: dict[str, Any] | None = None


def load_decision(place: str, look: int | None) -> TracedDecision:
    """What to trace: a board's text, a screenshot, or one observation of a recording, the last by default.

    Raises InvalidFile for a board on which nothing is left to ask, Usage for an observation that is not
    there.
    """
    if not (Path(place) / META).exists():
        if look is not None:
            raise UsageError(f"--look names an observation of a recording, and {place} is none: leave it out")
        board = read_board(place)
        found = TracedDecision(board, GameRules(board.mines, variant=board.variant))
    else:
        recording = Recording(Path(place))
        turns = recording.turns()
        decided = [number for number, turn in enumerate(turns, 1) if _plan_of(turn)]
        number = look or (decided[-1] if decided else len(turns))
        if number > len(turns):
            raise UsageError(f"{place} has {len(turns)} observations: there is no number {number}")
        board = None
        for event, *_ in turns[:number]:
            board = recording.board(board, event)
        assert board is not None
        rules = recording.meta.rules
        board = board.with_variant(rules.variant).with_mines(rules.mines)
        found = TracedDecision(board, rules, number, _plan_of(turns[number - 1]) or {})
    if not found.board.not_open:
        raise InvalidFile(f"{place}: every cell is open: give a board in the middle of a game")
    return found


def _plan_of(turn: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    return next((event for event in turn if event["event"] == "plan"), None)


def trace(
    decision: TracedDecision, strategies: Sequence[Strategy], as_json: bool, shrinks: bool = True
) -> dict[str, str]:
    """Decide on a board as a player does, and print each question, each fault, and the moves.

    What is certain, and the guess, by the names of the cells; for comparing.

    `shrinks`: the strategies are asked again for a smaller board on which they go wrong alike.
    Raises Contradiction, after what was asked until then.
    """
    board, seen = decision.board, list[HookCall]()

    def print_question(asked: HookCall) -> None:
        seen.append(asked)
        answers = [format_answer(each, board) for each in asked.answers]
        if as_json:
            print_json(
                {
                    "strategy": asked.strategy,
                    "hook": asked.hook,
                    "answers": answers,
                    "raised": asked.raised,
                    "ms": round(1000 * asked.seconds, 3),
                }
            )
        else:
            said = [f"raised {asked.raised}"] if asked.raised else answers or ["nothing new"]
            more = f"; and {len(said) - MOST_SHOWN} more" if len(said) > MOST_SHOWN else ""
            click.echo(
                f"{len(seen):3}  {asked.strategy:14} {asked.hook:6} {1000 * asked.seconds:9.2f} ms  "
                f"{'; '.join(said[:MOST_SHOWN])}{more}"
            )

    reasoner = Reasoner([with_tracing(strategy, print_question) for strategy in strategies])
    planner = Planner(reasoner, decision.rules)
    plan = planner.plan(board)
    moves = [move.text(board) for move in plan.moves]
    decided = {board.name(c.cell): f"{'mine' if c.is_mine else 'safe'} ({c.rule})" for c in plan.certain}
    decided |= {move: f"guessed, {plan.guess.safe:.1%} safe" for move in moves if plan.guess}
    if as_json:
        for fault in reasoner.faults:
            print_json({"fault": fault.as_json() | (_smaller_json(fault, strategies) if shrinks else {})})
        was = decision.recorded
        played = {"look": decision.look, "recorded": was.get("moves")} if was is not None else {}
        shown = {"board": str(board).splitlines()}
        print_json({"moves": moves, "guess": plan.guess is not None} | shown | played)
        return decided
    known = planner.knowledge
    safe = board.closed & known.false
    click.echo(
        f"{len(seen)} questions, {1000 * sum(asked.seconds for asked in seen):.2f} ms; certain: "
        f"{safe.bit_count()} safe, {known.true.bit_count()} mines; "
        f"not certain: {(known.undecided & board.not_open).bit_count()}"
    )
    click.echo(f"{'guess' if plan.guess else 'moves'}: {', '.join(moves) or 'none'}")
    if decision.recorded is not None:
        recorded = list(decision.recorded.get("moves", ()))
        same = "the same" if recorded == moves else ", ".join(recorded) or "nothing was decided"
        click.echo(f"look {decision.look}, recorded: {same}")
    for fault in reasoner.faults:
        print_status(str(fault))
        _show(minimize_fault(fault, strategies) if shrinks else None, fault)
    return decided


def _show(smaller: Fault | None, fault: Fault) -> None:
    """The board of a fault, and the layout that refutes it: of the smallest board that has one like it."""
    like = smaller or fault
    if like.board is None:
        return
    if like is not fault and like.objection:
        click.echo(f"the smallest board like it: {like.objection.what}", err=True)
    boards = [str(like.board).splitlines()]
    if like.counterexample:
        boards.append(["" for _ in boards[0][: -like.board.rows]] + list(like.counterexample.grid))
    width = max(map(len, boards[0]))
    for rows in zip(*boards, strict=True):
        click.echo("    " + "    ".join(f"{row:{width}}" for row in rows).rstrip(), err=True)


def _smaller_json(fault: Fault, strategies: Sequence[Strategy]) -> dict[str, Any]:
    like = minimize_fault(fault, strategies)
    return {"smallest": like.as_json()} if like else {}


def format_answer(answer: object, board: Board) -> str:
    """`r0c1 safe (a rule: r1c1, mines)`, `1..2 of r0c0 r0c1 (a rule)`, `guess r3c4, 81.2 % safe`.

    Clues are named as far as it follows from them; the rest is what was found before.
    """
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
    """Do this under the debugger, which stops where a hook of these strategies begins.

    They have to run in this process. Ends quietly when the person quits. Raises Usage without a terminal, or
    where all of the strategies are built in.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("--pdb is a talk between you and Python's debugger: run it in a terminal")
    debugger = _StrategyDebugger()
    for strategy in strategies:
        if strategy.origin != "built-in":
            for hook in HOOKS:
                place = first_line(strategy, hook)
                if place:
                    debugger.stop_at(*place)
    if not debugger.get_all_breaks():
        raise UsageError("--pdb stops in a strategy of your own: name its file with --strategy ./mine.py")
    try:
        debugger.begin(sys._getframe())  # noqa: SLF001 - where the debugger lets go on
        call()
    except KeyboardInterrupt:
        if not debugger.quitting:
            raise
    finally:
        sys.settrace(None)


def first_line(strategy: Strategy, hook: str) -> tuple[str, int] | None:
    """File and first line of what a hook does, behind its description; None where it has none."""
    place = strategy.places.get(hook)
    if not place:
        return None
    file = strategy.file(hook)
    begin = int(place.rpartition(" ")[2])  # of the function, or of what it is decorated with
    for node in ast.walk(ast.parse(Path(file).read_bytes())):
        if isinstance(node, ast.FunctionDef) and _begin(node) == begin:
            is_reported = ast.get_docstring(node) is not None and len(node.body) > 1
            return file, node.body[1 if is_reported else 0].lineno
    return None


def _begin(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


class _StrategyDebugger(pdb.Pdb):
    """Quitting ends the command: for whoever asks strategies, any other error would be theirs."""

    def __init__(self) -> None:
        super().__init__(nosigint=True)
        self._begins: set[tuple[str, int]] = set()
        self._met: list[FrameType] = []  # calls in which it has stopped where they begin

    def stop_at(self, file: str, line: int) -> None:
        """Stop here once in each call; the line may well begin a loop."""
        self.set_break(file, line)
        self._begins.add((self.canonic(file), line))

    def break_here(self, frame: FrameType) -> bool:
        """Whether a breakpoint is met."""
        if not super().break_here(frame):
            return False
        if (self.canonic(frame.f_code.co_filename), frame.f_lineno) in self._begins:
            if any(frame is met for met in self._met):
                return False
            self._met.append(frame)
        return True

    def begin(self, frame: FrameType) -> None:
        """Watch from now on, and stop at the first breakpoint."""
        self.reset()
        self.botframe = frame
        self.set_continue()
        sys.settrace(self.trace_dispatch)

    def trace_dispatch(self, frame: FrameType, event: str, arg: Any) -> Any:
        """What the debugger does at each line. Raises KeyboardInterrupt when the person quits."""
        try:
            return super().trace_dispatch(frame, event, arg)
        except BdbQuit:
            raise KeyboardInterrupt from None
