"""The table of a run: one line a game, written at once, gone on with where it ends."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Self

from bot.simulation.simulated import Score
from games.errors import InvalidFile

COLUMNS = ("game", "won", "guesses", "decisions", "seconds")
Run = Mapping[str, object]  # what a run is of: boards, opening, strategies; as JSON writes it


class Results:
    """A CSV file of `COLUMNS` and, beside it, `FILE.run`: which run it is of, and its slowest decision.

    Opening one that is there goes on where it ends: a last line that is cut off is dropped. Raises
    InvalidFile when it is of another run, damaged, or cannot be written. A context manager.
    """

    def __init__(self, path: Path, run: Run) -> None:
        self.path = path
        self._run = json.loads(json.dumps(run))
        self.scores: dict[int, Score] = {}
        self.slowest = 0.0
        try:
            if path.exists() and path.stat().st_size:
                self._go_on()
            else:
                path.write_text(",".join(COLUMNS) + "\n", encoding="utf-8")
                self._write_run()
            self._file = path.open("a", encoding="utf-8", newline="")
        except OSError as error:
            raise InvalidFile(
                f"{path}: {error.strerror}: name a file that can be written to with --out"
            ) from error

    def add(self, score: Score) -> None:
        """Write one game down, for good."""
        if score.slowest > self.slowest:
            self.slowest = score.slowest
            self._write_run()
        self.scores[score.game] = score
        row = (score.game, int(score.won), score.guesses, score.decisions, f"{score.seconds:.6f}")
        self._file.write(",".join(map(str, row)) + "\n")
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._file.close()

    def _go_on(self) -> None:
        text = self.path.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        known = read_run(self.path)
        if known is None or known["run"] != self._run:
            raise InvalidFile(
                f"{self.path} is of another run ({_difference(known, self._run)}): "
                "name another file with --out, or delete it"
            )
        if whole != text:
            self.path.write_bytes(whole)
        lines = whole.decode("utf-8", errors="replace").splitlines()
        if lines[:1] != [",".join(COLUMNS)]:
            raise InvalidFile(f"{self.path}, line 1: write '{','.join(COLUMNS)}'")
        for number, line in enumerate(lines[1:], 2):
            try:
                game, won, guesses, decisions, seconds = line.split(",")
                score = Score(int(game), bool(int(won)), int(guesses), int(decisions), float(seconds))
            except ValueError as error:
                raise InvalidFile(
                    f"{self.path}, line {number}: this is no game: correct it, or delete the file"
                ) from error
            self.scores[score.game] = score
        self.slowest = float(str(known["slowest_move_ms"])) / 1000

    def _write_run(self) -> None:
        place = run_file(self.path)
        new = place.with_name(place.name + ".new")
        known = {"run": self._run, "slowest_move_ms": round(1000 * self.slowest, 3)}
        new.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
        new.replace(place)


def run_file(path: Path) -> Path:
    """Where it is kept which run a table is of."""
    return path.with_name(path.name + ".run")


def read_run(path: Path) -> dict[str, object] | None:
    """What is kept beside a table: `run`, `slowest_move_ms`; None when nothing is. Raises InvalidFile."""
    place = run_file(path)
    if not place.exists():
        return None
    try:
        known = json.loads(place.read_text(encoding="utf-8"))
        return {"run": dict(known["run"]), "slowest_move_ms": float(known["slowest_move_ms"])}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InvalidFile(f"{place}: damaged: delete it and {path.name}, and start again") from error


def read_wins(path: Path) -> dict[int, bool]:
    """Which games were won, by number: the columns `game` and `won` (0 or 1) of any CSV file.

    Lines that begin with `#` and a last line that is cut off are left out. Raises InvalidFile with the line
    number.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise InvalidFile(
            f"{path}: cannot be read ({why}): name a CSV with the columns game and won"
        ) from error
    rows = csv.reader(line if line.strip() and not line.startswith("#") else "" for line in text.splitlines())
    head = [word.strip().lower() for word in next((row for row in rows if row), [])]
    if "game" not in head or "won" not in head:
        raise InvalidFile(f"{path}: this is no table of games: write a first line with 'game' and 'won'")
    game, won = head.index("game"), head.index("won")
    is_cut = not text.endswith("\n")
    wins = {}
    for row in rows:
        if not row:
            continue
        try:
            wins[int(row[game])] = {"0": False, "1": True}[row[won].strip()]
        except (ValueError, IndexError, KeyError) as error:
            if is_cut and rows.line_num == len(text.splitlines()):
                break
            raise InvalidFile(
                f"{path}, line {rows.line_num}: no game's number with a 0 or 1 under 'won'"
            ) from error
    if not wins:
        raise InvalidFile(f"{path}: holds no game: play some first")
    return wins


def _difference(known: Mapping[str, object] | None, run: Run) -> str:
    """The first thing in which two runs differ, in words."""
    if known is None:
        return "nothing beside it says which"
    was = known["run"]
    assert isinstance(was, dict)
    return next(
        (
            f"{name}: {_short(was.get(name))}, now {_short(value)}"
            for name, value in run.items()
            if was.get(name) != value
        ),
        "it says more of it than this one does",
    )


def _short(value: object) -> str:
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ", ".join(map(_short, value)) or "none"
    return str(value)
