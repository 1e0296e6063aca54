"""What somebody may have meant who wrote a name that nobody has."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` (did you mean 'x'?)` with the known name nearest to a word; empty when none is near."""
    names = {name.lower(): name for name in known}
    near = get_close_matches(word.lower(), names, n=1)
    return f" (did you mean '{names[near[0]]}'?)" if near else ""
