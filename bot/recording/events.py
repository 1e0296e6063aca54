"""What an event of a recording may hold: checked when it is read, so that nobody is surprised later."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

NUMBER, TEXT, WHOLE, ANYTHING = "a number", "a text", "a whole number", "anything"
LINES = {"x": [WHOLE], "y": [WHOLE]}
REASON = {"cell": TEXT, "is": TEXT, "rule": TEXT, "because": [TEXT], "by?": TEXT}
GUESS = {"cell": TEXT, "safe": NUMBER, "reason": TEXT, "figures": {"*": NUMBER}}
# kind of event -> what it must hold, and may ("?"); [x] is a list of such, {"*": x} holds such by name
SHAPES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "look": {
            "t": NUMBER, "confidence?": NUMBER, "board?": [TEXT], "read?": {"*": TEXT}, "strip?": [WHOLE],
            "cells?": [TEXT], "lattice?": LINES,
        },
        "plan": {
            "t": NUMBER, "moves": [TEXT], "certain": [REASON], "guess?": GUESS, "guess_by?": TEXT,
            "wrong_flags?": [TEXT],
        },
        "act": {"t": NUMBER, "moves": [TEXT]},
        "note": {"t": NUMBER, "text": TEXT},
        "corrected": {"cells": {"*": [TEXT]}},
        "end": {"t": NUMBER, "result": {"result": TEXT}, "stopped?": ANYTHING},
    }
)  # fmt: skip


def wrong_with(event: object) -> str:
    """What is wrong with an event, in words; empty when nothing is. Unknown kinds may hold anything."""
    if not isinstance(event, dict) or not isinstance(event.get("event"), str):
        return "not an event"
    return _wrong(event, SHAPES.get(event["event"], {}), event["event"])


def _wrong(thing: object, shape: Any, name: str) -> str:
    if isinstance(shape, Mapping):
        return _wrong_object(thing, shape, name)
    if isinstance(shape, list):
        if not isinstance(thing, list):
            return f"'{name}' is no list"
        return next((wrong for each in thing if (wrong := _wrong(each, shape[0], name))), "")
    fits = {
        NUMBER: type(thing) in {int, float},
        WHOLE: type(thing) is int,
        TEXT: type(thing) is str,
        ANYTHING: True,
    }
    return "" if fits[shape] else f"'{name}' is not {shape}"


def _wrong_object(thing: object, shape: Mapping[str, Any], name: str) -> str:
    if not isinstance(thing, dict):
        return f"'{name}' holds nothing by name"
    if "*" in shape:
        return next((wrong for value in thing.values() if (wrong := _wrong(value, shape["*"], name))), "")
    for key, inner in shape.items():
        plain = key.rstrip("?")
        if plain in thing and (wrong := _wrong(thing[plain], inner, plain)):
            return wrong
        if plain == key and key not in thing:
            return f"'{name}' lacks '{key}'"
    return ""
