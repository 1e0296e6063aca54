"""What a recording of one game consists of: what was seen, concluded and done, to be replayed offline.

A folder with

- `meta.json`: format, program, lattice, what was known of the game, the strategies and their versions;
- `look.skin`: what was remembered of the program, where anything was;
- `first.png`: the board area as the first observation saw it, whole;
- `cells.png.bin`: PNG pictures one behind the other, each a strip of the cells that changed in one
  observation;
- `events.jsonl`: observations (`look`; with new lines, `lattice`, where the board was found again), plans,
  acts, notes, what became of a board that could not be read (`witness`), that a
  message over it was answered (`answer`) and the end, one JSON object a line, with seconds since the start.
  `corrected` follows an observation that reads cells otherwise than an earlier one although they cannot have
  changed: what each was read as, and is.

Everything is written at once, line by line, so a recording that breaks off is complete up to that moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.loop import Rules
from vision.lattice import Lattice

FORMAT = 1
META, SKIN, FIRST, CELLS, EVENTS = "meta.json", "look.skin", "first.png", "cells.png.bin", "events.jsonl"


@dataclass(frozen=True)
class Meta:
    """What holds for the whole of a recording.

    `strategies` are (name, version) in the order of trial.
    """

    program: str | None
    lattice: Lattice
    rules: Rules
    strategies: tuple[tuple[str, str], ...]
    sapper: str

    def as_json(self) -> dict[str, Any]:
        """A dictionary for `meta.json`."""
        rules = {name: getattr(self.rules, name) for name in Rules.__slots__}
        return {
            "format": FORMAT,
            "program": self.program,
            "lattice": lines_of(self.lattice),
            "rules": rules,
            "strategies": self.strategies,
            "sapper": self.sapper,
        }

    @classmethod
    def of_json(cls, data: dict[str, Any]) -> Meta:
        """Read what `as_json` wrote. Raises KeyError, TypeError or ValueError when something is missing."""
        if data["format"] != FORMAT:
            raise ValueError(f"format {data['format']} is not known")
        return cls(
            data["program"],
            lattice_in(data["lattice"]),
            Rules(**data["rules"]),
            tuple((str(name), str(version)) for name, version in data["strategies"]),
            str(data["sapper"]),
        )


def lines_of(lattice: Lattice) -> dict[str, Sequence[int]]:
    """Where the lines run, for a recording."""
    return {"x": lattice.xs, "y": lattice.ys}


def lattice_in(lines: Any) -> Lattice:
    """Read what `lines_of` wrote. Raises KeyError, TypeError or ValueError when it is damaged."""
    return Lattice(tuple(int(x) for x in lines["x"]), tuple(int(y) for y in lines["y"]))
