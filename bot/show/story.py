"""The story of a recording: for each observation the board, the certain cells with reasons, the moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from bot.recording.recording import Recording
from bot.show.board_text import pluralize
from bot.show.coordinates import Coordinates
from games.errors import Contradiction
from games.logic import Knowledge, bits
from games.logic.derivation import DerivationGraph
from games.logic.sentences import proof_sentences
from games.minesweeper import Board, board_knowledge, board_vocabulary
from strategies import CertainCell, Reasoner, Strategy
from strategies.probability.counts import count_components
from strategies.probability.risks import exact_probabilities
from vision.frame import Frame

MOST_SENTENCES = 12  # per proof; the last ones are shown


@dataclass(frozen=True, slots=True)
class MoveCaption:
    """Caption of an assessed move: its cell, its kind, one or two sentences, its risk.

    `is_inferred`: the move may have been on another cell.
    """

    cell: int
    kind: str
    text: str
    risk: float | None = None
    is_inferred: bool = False


@dataclass(frozen=True, slots=True)
class StoryStep:
    """One observation and its consequences.

    `seconds` is the time of the observation; `reason_s`, `act_s` and `wait_s` are the durations until the
    plan, the act and the next observation. `before` counts the moves before this observation. `true` and
    `false` are the known cells (cell sets), `risks` are the probabilities of the undecided ones. `judged`
    contains a caption for each move of a reviewed game.
    """

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
    """A whole recording. `result` is the recorded one, empty if the recording is incomplete.

    For a reviewed game, `judgement` is its headline, `figures` are (name, value) pairs, and `unknown` are
    sentences about facts that its source does not show. `coordinates` is the style of cell names.
    """

    recording: Recording
    steps: tuple[StoryStep, ...]
    result: dict[str, Any]
    stopped: str
    judgement: str = ""
    figures: tuple[tuple[str, str], ...] = ()
    unknown: tuple[str, ...] = ()
    coordinates: Coordinates = "r0c0"

    def frames(self) -> Iterator[Frame]:
        """The board area of each step, one at a time: all frames of a long game may exceed the memory."""
        return (frame for frame, _ in self.recording.looks())

    @property
    def headline(self) -> str:
        """The outcome in one sentence; for a reviewed game, its summary."""
        return self.judgement or self._ended()

    def _ended(self) -> str:
        guesses = [step.guess["safe"] for step in self.steps if step.guess]
        how, result = self.result.get("result", ""), self.result
        moves = pluralize(sum(len(step.moves) for step in self.steps), "move")
        doubt = " This is inferred: the board did not show it." if result.get("known") == "inferred" else ""
        if how == "won":
            risk = f", the riskiest {format_percent(min(guesses))} safe" if guesses else ""
            seconds = result.get("seconds", 0.0)
            return f"Won in {seconds:.1f} s: {moves}, {pluralize(len(guesses), 'guess')}{risk}.{doubt}"
        if how == "lost":
            last = next((step for step in reversed(self.steps) if step.moves), None)
            if last and last.guess:
                safe = format_percent(last.guess["safe"])
                return f"Lost at move {last.before + 1}, a guess that was {safe} safe.{doubt}"
            if not result.get("wrong_certain", 1):
                return f"Lost to a mine that no move of Sapper opened.{doubt}"
            return "Lost by a move that was certain. This must never be: please report the recording."
        if how == "stopped":
            return f"Stopped after {moves}{': ' + self.stopped if self.stopped else ''}."
        return f"The recording breaks off after {moves}."


def format_percent(share: float) -> str:
    """Format a share, such as `63.0 %`; only exact shares are shown as 0 % or 100 %."""
    shown = f"{100 * share:.1f}"
    if (shown == "100.0" and share < 1) or (shown == "0.0" and share > 0):
        shown = "over 99.9" if share > 0.5 else "under 0.1"
    return f"{shown} %"


def shorten_proof(sentences: Sequence[str], most: int) -> list[str]:
    """The last sentences of a proof, after a remark about those omitted."""
    left = len(sentences) - most
    return [f"({left} earlier steps are left out.)", *sentences[-most:]] if left > 0 else list(sentences)


def tell_story(recording: Recording, strategies: Sequence[Strategy]) -> GameStory:
    """Derive the proofs and risks of a recording again. Raises InvalidFile if it is damaged."""
    steps: list[StoryStep] = []
    moves = 0
    end: dict[str, Any] = {}
    rules = recording.meta.rules
    with recording.naming_damage():
        ends = [turn[0]["t"] for turn in recording.turns()[1:]]
        for seen, until in zip_longest(recording.observations(), ends):
            plan = next((event for event in seen.events if event["event"] == "plan"), None)
            acts = [event for event in seen.events if event["event"] == "act"]
            end = next((event for event in seen.events if event["event"] == "end"), end)
            done = tuple(move for act in acts for move in act["moves"])
            looked = float(seen.look["t"])
            planned = float((plan or seen.look)["t"])
            acted = float(acts[-1]["t"]) if acts else planned
            reason_s, act_s = planned - looked, acted - planned
            steps.append(
                StoryStep(
                    seen.board,
                    looked,
                    moves,
                    done,
                    guess=plan.get("guess") if plan else None,
                    guess_by=str(plan.get("guess_by", "")) if plan else "",
                    notes=tuple(text for event in seen.events if (text := _note(event))),
                    reason_s=reason_s,
                    act_s=act_s,
                    wait_s=0.0 if until is None else max(0.0, until - looked - reason_s - act_s),
                    **_reasoned(
                        seen.board.with_variant(rules.variant).with_mines(rules.mines), plan, strategies
                    ),
                )
            )
            moves += len(done)
    return GameStory(recording, tuple(steps), end.get("result") or {}, str(end.get("stopped") or ""))


def _note(event: dict[str, Any]) -> str:
    """An event as a note; empty for most."""
    if event["event"] == "corrected":
        cells = (f"{name} was read as {was}, and is {now}" for name, (was, now) in event["cells"].items())
        return f"Misread before: {'; '.join(cells)}."
    return str(event["text"]) if event["event"] == "note" else ""


def _reasoned(board: Board, plan: dict[str, Any] | None, strategies: Sequence[Strategy]) -> dict[str, Any]:
    """The fields of a `StoryStep` that depend on the strategies."""
    recorded = plan["certain"] if plan else []
    lineage: DerivationGraph | None = None
    try:
        known = Reasoner(strategies).deduce(board_knowledge(board)).knowledge
        if recorded:
            lineage = DerivationGraph(known)
        found = exact_probabilities(count_components(known, board.everything))
        chances = {k: found.of(k) for k in bits(known.undecided & board.not_open)}
    except (Contradiction, ValueError):  # a misread board is shown without them
        known, chances = Knowledge.of(0, ()), {}
    certain = tuple(_certain(each, board, lineage) for each in recorded)
    return {"certain": certain, "true": known.true, "false": known.false, "risks": chances}


def _certain(recorded: dict[str, Any], board: Board, lineage: DerivationGraph | None) -> CertainCell:
    cell = board.cell(recorded["cell"])
    sentences: list[str] = []
    if lineage is not None and cell in lineage.shown:
        proof = proof_sentences(lineage, 1 << cell, board_vocabulary(board))
        sentences = shorten_proof(proof, MOST_SENTENCES)
    return CertainCell(
        cell,
        recorded["is"] == "mine",
        str(recorded["rule"] or "it follows"),
        tuple(str(clue) for clue in recorded["because"]),
        str(recorded.get("by", "")),
        tuple(sentences),
    )
