"""Strict reading of TOML tables: checks types, rejects unknown keys and names the key in errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from games.errors import InvalidFile
from games.external import DAMAGE, parse_toml, read_external_text

T = TypeVar("T")
MAX_LIKE_DEPTH = 8  # files in a chain of `like` keys


def text_of(path: Path) -> str:
    """The text of a file. Raises InvalidFile if it cannot be read."""
    try:
        return read_external_text(path)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InvalidFile(f"{path}: {reason}: name a readable program file") from error


def load_values(text: str, source: str, known: Path, deep: int = 0) -> dict[str, Any]:
    """The values of a TOML file, with missing values from the file that its key `like` names.

    That file, NAME.toml, is in the folder of `source` or in the folder `known`. Raises InvalidFile.
    """
    try:
        values = parse_toml(text)
    except ValueError as error:
        raise InvalidFile(f"{source}: {error}: correct the TOML") from error
    if "like" not in values:
        return values
    name = values.pop("like")
    if not isinstance(name, str) or not re.fullmatch(r"[\w.-]{1,60}", name):
        raise InvalidFile(f"{source}: 'like' must be the name of a program")
    if deep == MAX_LIKE_DEPTH:
        raise InvalidFile(
            f"{source}: 'like' forms a cycle or a chain of more than {MAX_LIKE_DEPTH} files: remove it"
        )
    beside = Path(source).parent / f"{name}.toml"
    base = beside if beside.is_file() and beside != Path(source) else known / f"{name}.toml"
    return _merged(load_values(text_of(base), str(base), known, deep + 1), values)


def _merged(base: dict[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    """Merge two tables recursively; `values` has precedence."""
    merged = base | values
    for key in base.keys() & values.keys():
        if isinstance(base[key], dict) and isinstance(values[key], dict):
            merged[key] = _merged(base[key], values[key])
    return merged


class TomlTable:
    """A TOML table that is read key by key; `reject_unknown_keys` reports the unread keys.

    All errors are InvalidFile and name the file `source` and the keys in `path`.
    """

    def __init__(self, source: str, values: Mapping[str, Any], path: str = "") -> None:
        self._source = source
        self._values = dict(values)
        self._path = path

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def string(self, key: str, default: T | None, parse: Callable[[str], T]) -> T:
        """A parsed string; the key is required if `default` is None."""
        if key not in self._values and default is not None:
            return default
        return self._parsed(key, self._take(key, str, "a string"), parse)

    def strings(
        self, key: str, default: Iterable[str] | Iterable[T] | None, parse: Callable[[str], T]
    ) -> tuple[T, ...]:
        """A list of parsed strings; the key is required if `default` is None."""
        if key not in self._values and default is not None:
            return tuple(parse(item) if isinstance(item, str) else item for item in default)
        items = self._take(key, list, "a list of strings")
        if not all(isinstance(item, str) for item in items):
            raise self._wrong(key, "must be a list of strings")
        return tuple(self._parsed(key, item, parse) for item in items)

    def pattern(self, key: str) -> str:
        """A regular expression; the key is required."""
        text: str = self._take(key, str, "a string")
        try:
            re.compile(text)
        except (re.error, *DAMAGE) as error:
            raise self._wrong(key, f"is not a regular expression ({error})") from error
        return text

    def choice(self, key: str, default: T, allowed: Iterable[T]) -> T:
        """One of the allowed words."""
        value: T = self._values.pop(key, default)
        words = list(allowed)
        if value not in words:
            raise self._wrong(key, f"must be one of {', '.join(map(str, words))}")
        return value

    def flag(self, key: str) -> bool:
        """A boolean; false if the key is missing."""
        return bool(self._take(key, bool, "true or false")) if key in self._values else False

    def seconds(self, key: str, default: float) -> float:
        """A number of seconds, 0 to 60."""
        if key not in self._values:
            return default
        value = self._take(key, (int, float), "a number of seconds")
        if isinstance(value, bool) or not 0 <= value <= 60:
            raise self._wrong(key, "must be a number of seconds, 0 to 60")
        return float(value)

    def span(self, key: str) -> tuple[int, int] | None:
        """Two integers, minimum and maximum; None if the key is missing."""
        if key not in self._values:
            return None
        value = self._take(key, list, "[minimum, maximum]")
        if len(value) != 2 or not all(type(n) is int for n in value) or not 0 < value[0] <= value[1]:
            raise self._wrong(key, "must be [minimum, maximum], two positive integers")
        return value[0], value[1]

    def table(self, key: str) -> TomlTable:
        """A nested table; empty if the key is missing."""
        values = self._take(key, dict, "a table") if key in self._values else {}
        return TomlTable(self._source, values, self._path + key + ".")

    def tables(self, key: str) -> list[TomlTable]:
        """A list of tables; empty if the key is missing."""
        items = self._take(key, list, "a list of tables") if key in self._values else []
        if not all(isinstance(item, dict) for item in items):
            raise self._wrong(key, "must be a list of tables")
        return [TomlTable(self._source, item, f"{self._path}{key}[{n}].") for n, item in enumerate(items)]

    def texts(self) -> dict[str, str]:
        """All keys of the table, whose values must be strings."""
        return {key: str(self._take(key, str, "a string")) for key in list(self._values)}

    def reject_unknown_keys(self) -> None:
        """Raise InvalidFile if a key was not read."""
        for key in self._values:
            raise self._wrong(key, "is not a known key: correct its spelling or remove it")

    def _take(self, key: str, kind: type | tuple[type, ...], kind_name: str) -> Any:
        if key not in self._values:
            raise self._wrong(key, f"is missing: give {kind_name}")
        value = self._values.pop(key)
        if not isinstance(value, kind):
            raise self._wrong(key, f"must be {kind_name}")
        return value

    def _parsed(self, key: str, text: str, parse: Callable[[str], T]) -> T:
        try:
            return parse(text)
        except ValueError as error:
            raise self._wrong(key, f"has the invalid value '{text}'") from error

    def _wrong(self, key: str, what: str) -> InvalidFile:
        return InvalidFile(f"{self._source}: '{self._path}{key}' {what}")
