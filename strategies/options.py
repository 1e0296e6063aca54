"""Strategy options: declared in the strategy's file, set behind its name: `mine.py:depth=3,wide=yes`."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from games.errors import InvalidFile, UsageError
from games.names import did_you_mean

Value = bool | int | float | str
YES_NO: Mapping[str, bool] = {"yes": True, "no": False, "true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Option:
    """One option. The type of `default` is the type of its values: bool, int, float or str.

    `about` describes it in one line. `least` and `most` bound a number; `choices` are the permitted words,
    any word if empty.
    """

    name: str
    default: Value
    about: str = ""
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """The permitted values: `a whole number from 1 to 5`, `one of fast, slow`."""
        if isinstance(self.default, bool):
            return "yes or no"
        if isinstance(self.default, str):
            return f"one of {', '.join(self.choices)}" if self.choices else "a word"
        what = "a whole number" if isinstance(self.default, int) else "a number"
        least = f" from {self.least:,.12g}" if self.least is not None else ""
        most = f" {'to' if least else 'up to'} {self.most:,.12g}" if self.most is not None else ""
        return f"{what}{least}{most}"

    def read(self, text: str) -> Value:
        """Parse a value. Raises ValueError."""
        if isinstance(self.default, bool):
            return YES_NO[_among(YES_NO, text.lower())]
        if isinstance(self.default, str):
            return _among(self.choices, text) if self.choices else text
        number = int(text) if isinstance(self.default, int) else float(text)
        least = number if self.least is None else self.least
        most = number if self.most is None else self.most
        if not least <= number <= most:
            raise ValueError
        return number

    def written(self, value: Value) -> str:
        """A value as text that `read` parses."""
        return ("yes" if value else "no") if isinstance(value, bool) else str(value)

    def as_json(self) -> dict[str, Any]:
        """A JSON object."""
        return {name: getattr(self, name) for name in ("name", "default", "about", "kind")}


def parse_spec(text: str) -> tuple[str, dict[str, str]]:
    """Split `mine.py:depth=3,wide=yes` into the strategy's name and its options as text."""
    match = re.fullmatch(r"(.+?):([A-Za-z_][\w-]*=[^,]*(?:,[A-Za-z_][\w-]*=[^,]*)*)", text, re.DOTALL)
    if not match:
        return text, {}
    pairs = (each.partition("=") for each in match[2].split(","))
    return match[1], {name.strip(): value.strip() for name, _, value in pairs}


def declared_options(plugin: object, origin: str) -> tuple[Option, ...]:
    """The OPTIONS of a plugin. Raises InvalidFile if they are invalid."""
    found = getattr(plugin, "OPTIONS", ())
    options = tuple(found) if isinstance(found, list | tuple) else (found,)
    for option in options:
        if not isinstance(option, Option):
            raise InvalidFile(
                f"{origin}: OPTIONS contains a {type(option).__name__}: use Option(name, default)"
            )
        try:
            if not re.fullmatch(r"[A-Za-z_][\w-]*", option.name):
                raise ValueError
            option.read(option.written(option.default))
        except (ValueError, TypeError) as error:
            raise InvalidFile(
                f"{origin}: option '{option.name}' cannot be {option.default!r}: its values are {option.kind}"
            ) from error
    if len({option.name for option in options}) < len(options):
        raise InvalidFile(f"{origin}: two options have the same name: rename one")
    return options


def resolve_options(options: Sequence[Option], written: Mapping[str, str], who: str) -> Mapping[str, Value]:
    """The value of each option, as written or its default. Raises UsageError for unknown names and values."""
    known = {option.name: option for option in options}
    values = {option.name: option.default for option in options}
    for name, text in written.items():
        if name not in known:
            has = "; ".join(f"{option.name}, {option.kind}" for option in options)
            remedy = f"its options are {has}" if has else "it has no options, so leave this one out"
            raise UsageError(f"{who} has no option '{name}'{did_you_mean(name, known)}: {remedy}")
        try:
            values[name] = known[name].read(text)
        except ValueError as error:
            meant = did_you_mean(text, known[name].choices)
            raise UsageError(
                f"'{text}' is not a value of {who}:{name}{meant}: use {known[name].kind}"
            ) from error
    return MappingProxyType(values)


def format_options(options: Sequence[Option], values: Mapping[str, Value]) -> str:
    """The suffix that sets these values, `:depth=3`; empty if all are defaults."""
    other = [f"{o.name}={o.written(values[o.name])}" for o in options if values[o.name] != o.default]
    return f":{','.join(other)}" if other else ""


def _among(known: Collection[str], text: str) -> str:
    if text not in known:
        raise ValueError
    return text
