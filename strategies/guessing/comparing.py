"""Why one guess and not another: their figures side by side, in a sentence."""

from __future__ import annotations

from games.minesweeper import Guess

LEAST_SAFER = 0.0005  # a difference that is named
EQUAL = 1e-9  # scores that differ less are equal
# figures by name, how they are said, and from which difference on they count
SAID = (
    ("safe", "{0:.1f} % against {1:.1f} % safe", 100.0, LEAST_SAFER),
    ("second", "{0:.0f} % against {1:.0f} % to survive the next move as well", 100.0, 0.005),
    ("certain", "{0:.1f} against {1:.1f} certain cells expected", 1.0, 0.05),
)
# figures of games that were followed to their end, and why no other cell was taken
TO_THE_END = (
    ("clear", "solved to the end: this group is a game of its own, and waiting shows nothing about it"),
    ("win", "solved to the end: no other cell wins in more of the layouts that are left"),
    ("least", "played on to the end: no other cell is known to win in more of the layouts that are left"),
)


def instead(chosen: Guess, other: Guess) -> str:
    """Why `chosen` was put before `other`, both being answers of one strategy to the same question."""
    for name, said in TO_THE_END:
        if name in chosen.figures:
            return said
    if "score" in chosen.figures and "score" not in other.figures:
        if chosen.safe - other.safe < LEAST_SAFER:
            return "no safer, and less likely to open anything: not looked at further"
        return f"{100 * chosen.safe:.1f} % against {100 * other.safe:.1f} % safe: not looked at further"
    better: list[str] = []
    worse: list[str] = []
    for name, said, scale, least in SAID:
        one, two = _figure(chosen, name), _figure(other, name)
        if one is None or two is None or abs(one - two) < least:
            continue
        (better if one > two else worse).append(said.format(scale * one, scale * two))
    one, two = _figure(chosen, "score"), _figure(other, "score")
    is_equal = one is not None and two is not None and abs(one - two) < EQUAL
    if not better and not worse and is_equal:
        return "equal in all that was weighed"
    words = ", ".join(better) or "nothing is better at once"
    if worse:
        words += f", which outweighs {', '.join(worse)}"
    if one is None or two is None:
        return words
    return f"{words}; all weighed, {100 * one:.1f} against {100 * two:.1f}"


def _figure(guess: Guess, name: str) -> float | None:
    return guess.safe if name == "safe" else guess.figures.get(name)
