"""What somebody may have meant who wrote a name that nobody has.

Names as a person types them at the table: any case, shortened, and when wrong, the nearest known one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import MappingProxyType


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` (did you mean 'x'?)` with the known name nearest to a word; empty when none is near."""
    names = {name.lower(): name for name in known}
    near = get_close_matches(word.lower(), names, n=1)
    return f" (did you mean '{names[near[0]]}'?)" if near else ""


class UnknownName(ValueError):
    """A name that stands for nothing, or for several things; the message says which names there are."""


@dataclass(frozen=True, slots=True)
class NameTable:
    """Names of one sort ("card", "player"), numbered from 0."""

    sort: str
    names: tuple[str, ...]
    synonyms: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))  # plain form -> name

    def number(self, text: str) -> int:
        """The number of the one name that is meant: in full, or the beginning of any of its words.

        Case, signs that are neither letter nor digit, and titles in front ("Mrs. White") do not matter; what
        other editions call a card is understood.
        Raises UnknownName.
        """
        wanted = normalize_name(text)
        whole = [k for k, name in enumerate(self.names) if normalize_name(name) == wanted]
        if whole:
            return whole[0]
        if wanted in self.synonyms:
            return self.names.index(self.synonyms[wanted])
        begun = [k for k, name in enumerate(self.names) if wanted and _begins(wanted, name)]
        if len(begun) == 1:
            return begun[0]
        if begun:
            either = " or ".join(self.names[k] for k in begun)
            raise UnknownName(f"'{text}' can be {either}: write more of it")
        title, _, rest = text.strip().partition(" ")
        if normalize_name(title) and normalize_name(rest) in {
            *map(normalize_name, self.names),
            *self.synonyms,
        }:
            return self.number(rest)
        near = self.nearest(text)
        hint = f"did you mean {near}?" if near else f"known are {', '.join(self.names)}"
        raise UnknownName(f"no {self.sort} is called '{text}': {hint}")

    def nearest(self, text: str) -> str | None:
        """The known name that is spelled most like this; None when none does."""
        spelled = {normalize_name(word): name for name in self.names for word in (*name.split(), name)}
        found = get_close_matches(normalize_name(text), spelled, 1)
        return spelled[found[0]] if found else None


def normalize_name(text: str) -> str:
    """A name in the form that compares: `Mrs. White` is `mrswhite`."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _begins(wanted: str, name: str) -> bool:
    """Whether the name, from the beginning of any of its words on, begins so."""
    words = name.split()
    return any(normalize_name("".join(words[k:])).startswith(wanted) for k in range(len(words)))
