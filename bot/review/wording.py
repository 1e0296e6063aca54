"""Verdicts in plain words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from bot.report import percent
from bot.review.judging import Kind, Verdict

MOST_SENTENCES = 6  # of one proof
# kind -> one of it, and several
JUDGED: Mapping[Kind, tuple[str, str]] = MappingProxyType(
    {
        "first click": ("first click", "first clicks"),
        "certain": ("certain move", "certain moves"),
        "guess": ("guess", "guesses"),
        "unnecessary guess": ("unnecessary guess", "unnecessary guesses"),
        "mistake": ("certain mine opened", "certain mines opened"),
        "flag": ("flag", "flags"),
        "wrong flag": ("wrong flag", "wrong flags"),
        "no effect": ("click that did nothing", "clicks that did nothing"),
        "not judged": ("move not judged", "moves not judged"),
    }
)


def counted(kinds: Counter[Kind]) -> str:
    """`31 certain moves, 2 guesses`."""
    parts = [f"{kinds[kind]} {words[kinds[kind] > 1]}" for kind, words in JUDGED.items() if kinds[kind]]
    return ", ".join(parts) or "no move"


def said(verdict: Verdict) -> str:
    """What is to be said of a move, in a sentence or two."""
    hit = " It was a mine." if verdict.hit else ""
    match verdict.kind:
        case "certain":
            words = f"Certain, and safe. {_because(verdict)}"
        case "first click":
            promised = ": no first click of this game hits a mine" if verdict.risk == 0.0 else ""
            words = f"The first click{promised}.{hit}"
        case "flag" | "wrong flag":
            words = _mark(verdict)
        case "no effect":
            words = f"{verdict.move.text(verdict.board)} did nothing."
        case "not judged":
            words = "The board as it was read cannot be: nothing can be said of this move."
        case "mistake":
            words = f"A mistake: {_what(verdict)} certainly hits a mine."
        case "unnecessary guess":
            risk = f"An unnecessary guess: {_what(verdict)} hits a mine with {_risk(verdict)}."
            words = f"{risk}{hit} {_certain(verdict)}"
        case "guess":
            words = (
                f"A guess: {_what(verdict)} hits a mine with {_risk(verdict)}.{hit} {_against_best(verdict)}"
            )
    return words.strip()


def _mark(verdict: Verdict) -> str:
    cell = verdict.board.name(verdict.move.cell)
    if verdict.move.kind == "unflag":
        return f"The flag on {cell} is taken away."
    if verdict.kind == "wrong flag":
        return f"A wrong flag: {cell} is certainly safe. {_because(verdict)}"
    if verdict.proven is None:
        return f"A flag on {cell}, of which nothing was certain."
    return f"Certainly a mine. {_because(verdict)}"


def _what(verdict: Verdict) -> str:
    return f"{verdict.move.kind} {verdict.board.name(verdict.move.cell)}"


def _risk(verdict: Verdict) -> str:
    return percent(verdict.risk) if verdict.risk is not None else "unknown risk"


def _because(verdict: Verdict) -> str:
    """Why it is certain; of a long proof the last steps."""
    if verdict.proven is None:
        return ""
    sentences = verdict.proven.sentences
    left = len(sentences) - MOST_SENTENCES
    start = f"({left} earlier steps are left out.) " if left > 0 else ""
    return start + " ".join(sentences[-MOST_SENTENCES:])


def _certain(verdict: Verdict) -> str:
    """What was certain, and why."""
    if verdict.proven is None:
        return f"Safe cells were certain: {', '.join(verdict.board.names(verdict.certain))}."
    count = verdict.certain.bit_count()
    others = f" ({count} safe cells were certain)" if count > 1 else ""
    return f"{verdict.board.name(verdict.proven.cell)} was certainly safe{others}: {_because(verdict)}"


def _against_best(verdict: Verdict) -> str:
    best = verdict.best
    if best is None:
        return ""
    if best.cell == verdict.move.cell:
        return "No guess was better."
    other = f"{verdict.board.name(best.cell)} hits one with {percent(1.0 - best.safe)}"
    if verdict.win is not None and verdict.best_win is not None:
        lost = f"{percent(verdict.given_away)} given away" if verdict.given_away else "nothing given away"
        return (
            f"With it there were {percent(verdict.win)} to win the game, "
            f"with {verdict.board.name(best.cell)} {percent(verdict.best_win)}: {lost}."
        )
    if verdict.given_away:
        return f"{other}: {percent(verdict.given_away)} given away."
    return f"{other} and leads further, as far as was looked ahead."
