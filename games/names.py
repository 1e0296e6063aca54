"""Name lookup: case-insensitive, abbreviated, with suggestions for misspelled names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` (did you mean 'x'?)` with the closest known name, or the first that starts with the word; else ""."""
    names = {name.lower(): name for name in known}
    near = get_close_matches(word.lower(), names, n=1) or [
        name for name in names if word and name.startswith(word.lower())
    ]
    return f" (did you mean '{names[near[0]]}'?)" if near else ""


class UnknownName(ValueError):
    """An unknown or ambiguous name; the message lists the candidates."""


@dataclass(frozen=True, slots=True)
class NameTable:
    """Names of one sort ("card", "player"), numbered from 0."""

    sort: str
    names: tuple[str, ...]
    synonyms: Mapping[str, str] = field(default_factory=dict)  # normalized -> name

    def number(self, text: str) -> int:
        """The number of the name that equals `text`, or the only one with a word that starts with it.

        Case, punctuation and a leading title ("Mrs. White") are ignored; synonyms are recognized.
        Raises UnknownName.
        """
        wanted = normalize_name(text)
        normalized = [normalize_name(name) for name in self.names]
        if wanted in normalized:
            return normalized.index(wanted)
        if wanted in self.synonyms:
            return self.names.index(self.synonyms[wanted])
        matches = [k for k, name in enumerate(self.names) if wanted and _has_prefix(name, wanted)]
        if len(matches) == 1:
            return matches[0]
        if matches:
            either = " or ".join(self.names[k] for k in matches)
            raise UnknownName(f"'{text}' can be {either}: write more of it")
        title, _, rest = text.strip().partition(" ")
        if normalize_name(title) and normalize_name(rest) in {*normalized, *self.synonyms}:
            return self.number(rest)
        near = self.nearest(text)
        hint = f"did you mean {near}?" if near else f"known are {', '.join(self.names)}"
        raise UnknownName(f"no {self.sort} is called '{text}': {hint}")

    def nearest(self, text: str) -> str | None:
        """The known name with the closest spelling; None if none is close."""
        spelled = {normalize_name(word): name for name in self.names for word in (*name.split(), name)}
        found = get_close_matches(normalize_name(text), spelled, 1)
        return spelled[found[0]] if found else None


def normalize_name(text: str) -> str:
    """Letters and digits only, case-folded: `Mrs. White` becomes `mrswhite`."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _has_prefix(name: str, wanted: str) -> bool:
    """Whether the rest of the name, from the start of any of its words, starts with `wanted`."""
    words = name.split()
    return any(normalize_name("".join(words[k:])).startswith(wanted) for k in range(len(words)))
