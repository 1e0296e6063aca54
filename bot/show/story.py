"""The story of a recording: for each observation the board, the certain cells with reasons, the moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bot.recording.recording import Recording
from games.errors import Contradiction
from games.logic import Knowledge, bits
from games.logic.derivation import DerivationGraph
from games.logic.sentences import proof_sentences
from games.minesweeper import Board, board_knowledge, board_vocabulary
from strategies import CertainCell, Reasoner, Strategy
from strategies.probability.counts import count_components
from strategies.probability.risks import exact_probabilities
from vision.frame import Frame

MOST_SENTENCES = 12  # of one proof; the last ones are shown


@dataclass(frozen=True, slots=True)
class MoveCaption:
    """What is said of a move that was made: its cell, what kind it was, a sentence or two, and its risk."""

    cell: int
    kind: str
    text: str
    risk: float | None = None


@dataclass(frozen=True, slots=True)
class StoryStep:
    """One observation and what it led to.

    `seconds` is when it was taken; `reason_s`, `act_s` and `wait_s` are those from the observation to the
    plan, to the act, to the next observation. `risks` gives a probability for each cell (set in
    `knowledge.undecided`); `before` counts the moves that were made before this observation. `judged` says of
    a game that was reviewed what its moves were worth.
    """

    frame: Frame
    board: Board
    seconds: float
    before: int
    moves: tuple[str, ...] = ()
    certain: tuple[CertainCell, ...] = ()
    guess: dict[str, Any] | None = None
    guess_by: str = ""
    notes: tuple[str, ...] = ()
    true: int = 0
    false: int = 0
    risks: dict[int, float] = field(default_factory=dict)
    reason_s: float = 0.0
    act_s: float = 0.0
    wait_s: float = 0.0
    judged: tuple[MoveCaption, ...] = ()


@dataclass(frozen=True, slots=True)
class GameStory:
    """A whole recording. `result` is the recorded one, empty when the recording broke off.

    Of a game that was reviewed, `judgement` is its headline, and `figures` are (name, value) for people.
    """

    recording: Recording
    steps: tuple[StoryStep, ...]
    result: dict[str, Any]
    stopped: str
    judgement: str = ""
    figures: tuple[tuple[str, str], ...] = ()

    @property
    def headline(self) -> str:
        """How it ended, in one sentence; of a reviewed game what it came to."""
        return self.judgement or self._ended()

    def _ended(self) -> str:
        guesses = [step for step in self.steps if step.guess]
        how = self.result.get("result", "")
        moves = pluralize(sum(len(step.moves) for step in self.steps), "move")
        doubt = (
            " This is inferred: the board did not show it." if self.result.get("known") == "inferred" else ""
        )
        if how == "won":
            riskiest = min((step.guess["safe"] for step in guesses if step.guess), default=1.0)
            risk = f", the riskiest {format_percent(riskiest)} safe" if guesses else ""
            seconds = self.result.get("seconds", 0.0)
            return f"Won in {seconds:.1f} s: {moves}, {pluralize(len(guesses), 'guess')}{risk}.{doubt}"
        if how == "lost":
            last = next((step for step in reversed(self.steps) if step.moves), None)
            if last and last.guess:
                safe = format_percent(last.guess["safe"])
                return f"Lost at move {last.before + 1}, a guess that was {safe} safe.{doubt}"
            if not self.result.get("wrong_certain", 1):
                return f"Lost to a mine that no move of Sapper opened.{doubt}"
            return "Lost by a move that was certain. This must never be: please report the recording."
        if how == "stopped":
            return f"Stopped after {moves}{': ' + self.stopped if self.stopped else ''}."
        return f"The recording breaks off after {moves}."


def pluralize(number: int, what: str) -> str:
    """`1 move`, `2 guesses`."""
    return f"{number} {what}{'' if number == 1 else 'es' if what.endswith('s') else 's'}"


def format_percent(share: float) -> str:
    """`63.0 %`; never 100 % or 0 % of what is not quite that."""
    shown = f"{100 * share:.1f}"
    if (shown == "100.0" and share < 1) or (shown == "0.0" and share > 0):
        shown = "over 99.9" if share > 0.5 else "under 0.1"
    return f"{shown} %"


def tell_story(recording: Recording, strategies: Sequence[Strategy]) -> GameStory:
    """The recording retold; the strategies work out the proofs and risks. Raises InvalidFile when damaged."""
    with recording.naming_damage():
        return _story_of(recording, strategies)


def _story_of(recording: Recording, strategies: Sequence[Strategy]) -> GameStory:
    steps: list[StoryStep] = []
    frame: Frame | None = None
    board: Board | None = None
    moves = 0
    end: dict[str, Any] = {}
    for look, *events in recording.turns():
        frame = recording.first() if frame is None else recording.after(frame, look)
        board = recording.board(board, look)
        plan = next((event for event in events if event["event"] == "plan"), None)
        acts = [event for event in events if event["event"] == "act"]
        end = next((event for event in events if event["event"] == "end"), end)
        done = tuple(move for act in acts for move in act["moves"])
        times = [look["t"], (plan or look)["t"], (acts or [plan or look])[-1]["t"]]
        steps.append(
            StoryStep(
                recording.as_first(frame, look),
                board,
                float(look["t"]),
                moves,
                done,
                guess=plan.get("guess") if plan else None,
                guess_by=str(plan.get("guess_by", "")) if plan else "",
                notes=tuple(text for event in events if (text := _note(event))),
                reason_s=times[1] - times[0],
                act_s=times[2] - times[1],
                **_reasoned(
                    board.with_variant(recording.meta.rules.variant).with_mines(recording.meta.rules.mines),
                    plan,
                    strategies,
                ),
            )
        )
        moves += len(done)
    return GameStory(recording, _with_waits(steps), end.get("result") or {}, end.get("stopped") or "")


def _note(event: dict[str, Any]) -> str:
    """What an event is worth in words, "" for nothing."""
    if event["event"] == "corrected":
        cells = (f"{name} was read as {was}, and is {now}" for name, (was, now) in event["cells"].items())
        return f"Misread before: {'; '.join(cells)}."
    return str(event["text"]) if event["event"] == "note" else ""


def _with_waits(steps: list[StoryStep]) -> tuple[StoryStep, ...]:
    ends = [step.seconds for step in steps[1:]]
    waits = [
        max(0.0, end - step.seconds - step.reason_s - step.act_s)
        for step, end in zip(steps, ends, strict=False)
    ]
    return tuple(replace(step, wait_s=wait) for step, wait in zip(steps, [*waits, 0.0], strict=True))


def _reasoned(board: Board, plan: dict[str, Any] | None, strategies: Sequence[Strategy]) -> dict[str, Any]:
    """What is known on this board, the risks of the other cells, and what the plan says is certain."""
    recorded = plan["certain"] if plan else []
    lineage: DerivationGraph | None = None
    try:
        known = Reasoner(strategies).deduce(board_knowledge(board)).knowledge
        if recorded:
            lineage = DerivationGraph(known)
        found = exact_probabilities(count_components(known, board.everything))
        chances = {k: found.of(k) for k in bits(known.undecided & board.not_open)}
    except (Contradiction, ValueError):  # a misread board: show it without
        known, chances = Knowledge.of(0, ()), {}
    certain = tuple(_certain(each, board, lineage) for each in recorded)
    return {"certain": certain, "true": known.true, "false": known.false, "risks": chances}


def _certain(recorded: dict[str, Any], board: Board, lineage: DerivationGraph | None) -> CertainCell:
    cell = board.cell(recorded["cell"])
    sentences: list[str] = []
    if lineage is not None and cell in lineage.shown:
        sentences = proof_sentences(lineage, 1 << cell, board_vocabulary(board))
        if len(sentences) > MOST_SENTENCES:
            left = len(sentences) - MOST_SENTENCES
            sentences = [f"({left} earlier steps are left out.)", *sentences[-MOST_SENTENCES:]]
    return CertainCell(
        cell,
        recorded["is"] == "mine",
        str(recorded["rule"] or "it follows"),
        tuple(str(clue) for clue in recorded["because"]),
        str(recorded.get("by", "")),
        tuple(sentences),
    )
