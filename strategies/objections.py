"""What is wrong with an answer of a strategy: the cells, the clues, and a layout that refutes it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from games.logic import Constraint, Deduction, Knowledge, bits
from games.logic.writing import Words, joined
from games.minesweeper import Guess, Position

MOST_TRIED = 16  # cells of one claim for which a layout is looked for
MOST_CLUES = 6  # that are named; of more, how many there are


@dataclass(frozen=True, slots=True)
class Objection:
    """What is wrong with one answer.

    `what` is the whole of it in one sentence. `cells` (a set) are those that the answer is about, `clues` the
    sources that it follows from, as its strategy says. `layout` is a counterexample: the mines (a set) of a
    layout that keeps everything that is given and refutes the answer; None where none was looked for or
    found.
    """

    what: str
    cells: int = 0
    clues: tuple[str, ...] = ()
    layout: int | None = None


def objection_to(
    deduction: Deduction, knowledge: Knowledge, derived: Collection[Constraint], words: Words
) -> Objection:
    """Why the checker does not accept this deduction.

    `derived` are the conclusions that were accepted before it in the same call.
    """
    claim, step = deduction.constraint, deduction.step
    rule = f"'{step.rule}'" if step.rule else "a rule without a name"
    if claim.cells < 0:
        return Objection(f"{rule} speaks of a set of cells below 0")
    strangers = claim.cells & ~knowledge.universe
    if strangers:
        are = "is" if strangers.bit_count() == 1 else "are"
        what = f"{rule} speaks of {words.listing(strangers)}, which {are} not in play"
        return Objection(what, claim.cells)
    said = words.fact(claim)
    unknown = [c for c in step.premises if c not in derived and not knowledge.knows(c)]
    known = [c for c in step.premises if knowledge.knows(c)]
    log, _ = knowledge.logged
    sources = list(map(str, log.sources(known, 0, knowledge.history)))
    stated = {str(c.source): words.given(c) for c in knowledge.given if c.source is not None}
    grounds = [stated.get(source, source) for source in sources]
    clues = joined(grounds) if len(grounds) <= MOST_CLUES else f"{len(grounds)} clues"
    layout = counterexample(claim, knowledge)
    if unknown:
        why = (
            f"but '{words.fact(unknown[0])}', which it names, is not known: name constraints of knowledge, "
            "or conclusions that were yielded before"
        )
    elif layout is not None:
        why = f"but everything given also holds where {_shown(layout, claim, knowledge, words)}"
    else:
        why = "but these do not show it: name more in 'because', or say by which method"
    named = f" from {clues}" if clues else " from nothing" if not step.premises else ""
    return Objection(f"{rule} concludes{named} that {said}, {why}", claim.cells, tuple(sources), layout)


def counterexample(claim: Constraint, knowledge: Knowledge) -> int | None:
    """The mines (a set) of a layout that keeps all that is given, and that the claim forbids.

    None when there is none, or none is found within the caps of the search.
    """
    from strategies.search import find_layout  # takes numpy, and nothing is wrong as a rule

    given, universe = knowledge.given, knowledge.universe
    seen = 0
    for constraint in given:
        seen |= constraint.cells
    gone = seen & ~universe  # opened since it was stated, so safe
    trials: list[tuple[tuple[Constraint, ...], int, int]] = []
    if claim.all_true or claim.all_false:
        cells = [1 << k for k in bits(claim.cells)][:MOST_TRIED]
        trials += [(given, 0, cell) if claim.all_true else (given, cell, 0) for cell in cells]
    else:
        trials += [((*given, Constraint(claim.cells, 0, claim.low - 1)), 0, 0)] if claim.low > 0 else []
        above = Constraint(claim.cells, claim.high + 1, claim.size)
        trials += [((*given, above), 0, 0)] if claim.high < claim.size else []
    for constraints, true, false in trials:
        layout = find_layout(universe | gone, constraints, true, false | gone)
        if layout is not None and _refutes(layout, claim, given):
            return layout & universe
    return None


def objection_to_guess(guess: object, before: int, position: Position, words: Words) -> Objection | None:
    """What disqualifies a guess that comes behind those of other cells (a set); None when it may be made."""
    cell = guess.cell if isinstance(guess, Guess) else 0
    if not isinstance(guess, Guess) or not 0 <= cell < position.cells:
        is_none = f"its guess is a {type(guess).__name__}, not a Guess"
        is_off = f"it guessed cell {cell}, which is not on the board of {position.cells} cells"
        return Objection(is_off if isinstance(guess, Guess) else is_none)
    name, known = words.cell(cell), 1 << cell
    if position.knowledge.true & known:
        return Objection(f"it guessed {name}, which is known to be a mine", known)
    if not position.openable & known:
        return Objection(f"it guessed {name}, which may not be opened: take cells of 'openable'", known)
    if before & known:
        return Objection(f"it guessed {name} twice: name each cell once, the best first", known)
    if 0 <= guess.safe <= 1:
        return None
    return Objection(f"it gave {name} the probability {guess.safe}: take one from 0 to 1", known)


def _refutes(layout: int, claim: Constraint, given: Sequence[Constraint]) -> bool:
    keeps = all(c.low <= (c.cells & layout).bit_count() <= c.high for c in given)
    return keeps and not claim.low <= (claim.cells & layout).bit_count() <= claim.high


def _shown(layout: int, claim: Constraint, knowledge: Knowledge, words: Words) -> str:
    """What shows it in a layout: the cells of the claim that refute it, and the mines beside them."""
    wrong = claim.cells & (layout if claim.all_false else ~layout if claim.all_true else 0)
    near = claim.cells
    for constraint in knowledge.given:
        if constraint.cells & claim.cells and not constraint.is_global:
            near |= constraint.cells
    beside = layout & near & ~wrong
    said = [words.state(wrong, claim.all_false)] if wrong else []
    said += [words.state(beside, is_true=True)] if beside else []
    return " and ".join(said) or words.state(claim.cells, is_true=False)
