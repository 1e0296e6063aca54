"""Verdicts in plain words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from bot.report.story import percent
from bot.review.judging import Kind, Verdict

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
    cell = verdict.board.name(verdict.move.cell)
    hit = " It was a mine." if verdict.hit else ""
    match verdict.kind:
        case "certain":
            return f"Certain: {cell} is safe{_because(verdict)}."
        case "first click":
            promised = ": no first click of this game hits a mine" if verdict.risk == 0.0 else ""
            return f"The first click{promised}.{hit}"
        case "flag" if verdict.move.kind == "unflag":
            return f"The flag on {cell} is taken away."
        case "flag" if verdict.reason is None:
            return f"A flag on {cell}, of which nothing was certain."
        case "flag":
            return f"Certain: {cell} is a mine{_because(verdict)}."
        case "wrong flag":
            return f"A wrong flag: {cell} is certainly safe{_because(verdict)}."
        case "no effect":
            return f"{verdict.move.text(verdict.board)} did nothing."
        case "not judged":
            return "The board as it was read cannot be: nothing can be said of this move."
        case "mistake":
            return f"A mistake: {_what(verdict)} certainly hits a mine."
        case "unnecessary guess":
            return f"An unnecessary guess: {_what(verdict)} hits a mine with {_risk(verdict)}.{hit} {_certain(verdict)}"
        case "guess":
            return f"A guess: {_what(verdict)} hits a mine with {_risk(verdict)}.{hit} {_against_best(verdict)}".strip()


def _what(verdict: Verdict) -> str:
    return f"{verdict.move.kind} {verdict.board.name(verdict.move.cell)}"


def _risk(verdict: Verdict) -> str:
    return percent(verdict.risk) if verdict.risk is not None else "unknown risk"


def _because(verdict: Verdict) -> str:
    reason = verdict.reason
    if reason is None or not reason.because:
        return ""
    return f" by {', '.join(reason.because)} ({reason.rule})" if reason.rule else f" by {', '.join(reason.because)}"


def _certain(verdict: Verdict) -> str:
    """What was certain, and why."""
    if verdict.told is None:
        return f"Safe cells were certain: {', '.join(verdict.board.names(verdict.certain))}."
    count = verdict.certain.bit_count()
    others = f" ({count} safe cells were certain)" if count > 1 else ""
    why = " ".join(verdict.told.sentences)
    return f"{verdict.board.name(verdict.told.cell)} was certainly safe{others}: {why}"


def _against_best(verdict: Verdict) -> str:
    best = verdict.best
    if best is None:
        return ""
    if best.cell == verdict.move.cell:
        return "No guess was better."
    other = f"{verdict.board.name(best.cell)} hits one with {percent(1.0 - best.safe)}"
    if verdict.win is not None and verdict.best_win is not None:
        chances = f"{percent(verdict.win)} to win the game, and with {verdict.board.name(best.cell)} {percent(verdict.best_win)}"
        lost = f"{percent(verdict.given_away)} given away" if verdict.given_away else "nothing given away"
        return f"With it there were {chances}: {lost}."
    if verdict.given_away:
        return f"{other}: {percent(verdict.given_away)} given away."
    return f"{other} and leads further, as far as was looked ahead."
