"""Reads what every cell shows, with a skin; a cell of which it is not sure is UNKNOWN, never a guess."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

import numpy as np

from games.errors import InvalidFile, Unplayable
from games.minesweeper.board import UNKNOWN, Board
from vision.frame import Frame, Pixels
from vision.labels import Labelled
from vision.lattice import Lattice
from vision.learning import improve
from vision.likeness import apart, coarse, signatures
from vision.reading import Reading
from vision.recalling import recalled
from vision.skin import Skin

SURE = 0.4  # of the way to the nearest tile of another state; below one half no other tile can be nearer
CANDIDATES = 6  # roughly nearest tiles that are compared in full
REMEMBERED = 4096  # exact cell pictures kept in mind

Key = tuple[int, bytes]  # width and pixels of a cell


class Matcher:
    """A skin made ready for cells of one size (height, width in pixels)."""

    def __init__(self, skin: Skin, height: int, width: int) -> None:
        same = {
            t.state
            for t in skin.tiles
            if max(abs(t.pixels.shape[0] - height), abs(t.pixels.shape[1] - width)) <= 1
        }
        reach = np.array([skin.near if tile.state in same else skin.far for tile in skin.tiles])
        self._states = [tile.state for tile in skin.tiles]
        self._signed = skin.signed
        self._coarse = skin.coarse
        self._squares = (self._coarse**2).sum(axis=1)
        self._gaps = skin.gaps
        self._limits = np.minimum(SURE * skin.gaps, reach)

    def match(self, pictures: Pixels) -> list[tuple[str, float]]:
        """State and confidence of each picture, (n, height, width, 3)."""
        signed = signatures(pictures)
        rough = coarse(signed)
        distance = self._squares - 2.0 * (rough @ self._coarse.T)
        if len(self._states) > CANDIDATES:
            likely = np.argpartition(distance, CANDIDATES - 1, axis=1)[:, :CANDIDATES]
        else:
            likely = np.broadcast_to(np.arange(len(self._states)), distance.shape)
        off = apart(self._signed[likely], signed[:, None, :])
        excess = off / np.maximum(self._limits[likely], 1e-6)
        rows = np.arange(len(pictures))
        best = excess.argmin(axis=1)
        tiles = likely[rows, best]
        confidence = 1.0 - off[rows, best] / np.maximum(self._gaps[tiles], 1e-6)
        return [
            (self._states[tile], float(sure)) if within else (UNKNOWN, 0.0)
            for tile, sure, within in zip(tiles, confidence, excess[rows, best] <= 1.0, strict=True)
        ]


class Reader:
    """Reads frame after frame of one board; remembers the exact pictures that it has seen before."""

    def __init__(self, skin: Skin, lattice: Lattice) -> None:
        self.skin = skin
        self.move(lattice)
        self._matchers: dict[tuple[int, int], Matcher] = {}
        self._seen: dict[Key, tuple[str, float]] = {}

    def move(self, lattice: Lattice) -> None:
        """From now on the cells lie here; the next frame is to be read whole."""
        self.lattice = lattice
        self._boxes = [lattice.rectangle(k) for k in range(lattice.rows * lattice.columns)]

    def recall(self, frame: Frame, known: Board) -> None:
        """Learn how cells look at this size: numbers of `known` still stand where they stood."""
        still = recalled(frame, self.lattice, known)
        if still is None:
            return  # that is another board, and is read as it is
        with suppress(InvalidFile):  # so alike at this size that nobody can tell
            self.skin = improve(self.skin, [Labelled(frame, self.lattice, still)])
        self._matchers, self._seen = {}, {}

    def read(self, frame: Frame) -> Reading:
        """Read every cell. Raises Unplayable when the board reaches beyond the frame."""
        shown = self.read_cells(frame, range(len(self._boxes)))
        cells = "".join(state for state, _ in shown)
        sure = np.array([confidence for _, confidence in shown], np.float32)
        rows, columns = self.lattice.rows, self.lattice.columns
        board = Board(rows, columns, cells)
        return Reading(board, sure.reshape(rows, columns), has_ended=bool(board.shown_mines))

    def sample(self, frame: Frame, cells: Iterable[int]) -> float:
        """The mean confidence of some cells, at least one. Raises as `read` does."""
        return float(np.mean([confidence for _, confidence in self.read_cells(frame, cells)]))

    def update(self, reading: Reading, before: Frame, now: Frame) -> Reading:
        """Read again only the cells whose pixels differ between two frames of the same place.

        `reading` is what `before` shows; it is returned itself when nothing changed. Raises Unplayable when
        the board reaches beyond the frame.
        """
        changed = self.changed(before, now)
        if not changed:
            return reading
        shown = self.read_cells(now, changed)
        confidence = reading.confidence.copy()
        confidence.flat[changed] = [sure for _, sure in shown]
        states = {k: state for k, (state, _) in zip(changed, shown, strict=True)}
        board = reading.board.showing(states)
        return Reading(board, confidence, has_ended=bool(board.shown_mines))

    def changed(self, before: Frame, now: Frame) -> list[int]:
        """The cells whose pixels differ, rising; all of them when the frames differ in size."""
        if before.pixels.shape != now.pixels.shape:
            return list(range(len(self._boxes)))
        left, top, width, height = self.lattice.box
        old = before.pixels[top : top + height, left : left + width]
        new = now.pixels[top : top + height, left : left + width]
        rows = [
            r
            for r, (y, y2) in enumerate(zip(self.lattice.ys, self.lattice.ys[1:], strict=False))
            if not np.array_equal(old[y - top : y2 - top], new[y - top : y2 - top])
        ]
        found = []
        starts = np.array(self.lattice.xs[:-1]) - left
        for r in rows:
            y, y2 = self.lattice.ys[r] - top, self.lattice.ys[r + 1] - top
            differs = (old[y:y2] != new[y:y2]).any(axis=(0, 2))
            columns = np.flatnonzero(np.logical_or.reduceat(differs, starts))
            found += [r * self.lattice.columns + int(c) for c in columns]
        return found

    def read_cells(self, frame: Frame, cells: Iterable[int]) -> list[tuple[str, float]]:
        """State and confidence of some cells, in their order."""
        if (
            self.lattice.xs[-1] > frame.width
            or self.lattice.ys[-1] > frame.height
            or self.lattice.xs[0] < 0
            or self.lattice.ys[0] < 0
        ):
            raise Unplayable(
                f"the board ({self.lattice.size}) reaches beyond the picture ({frame.width}x{frame.height} "
                "pixels): show all of it"
            )
        pixels, boxes = frame.pixels, self._boxes
        keys: list[Key] = []
        for k in cells:
            x, y, x2, y2 = boxes[k]
            keys.append((x2 - x, pixels[y:y2, x:x2].tobytes()))
        new = {key for key in keys if key not in self._seen}
        if len(self._seen) + len(new) > REMEMBERED:
            self._seen, new = {}, set(keys)
        self._seen.update(self._match(sorted(new)))
        return [self._seen[key] for key in keys]

    def _match(self, keys: list[Key]) -> dict[Key, tuple[str, float]]:
        """Match distinct pictures, those of one size together."""
        by_size: dict[tuple[int, int], list[Key]] = {}
        for key in keys:
            width, data = key
            by_size.setdefault((len(data) // (3 * width), width), []).append(key)
        result: dict[Key, tuple[str, float]] = {}
        for (height, width), group in by_size.items():
            joined = np.frombuffer(b"".join(data for _, data in group), np.uint8)
            matcher = self._matchers.get((height, width)) or Matcher(self.skin, height, width)
            self._matchers[height, width] = matcher
            shown = matcher.match(joined.reshape(len(group), height, width, 3))
            result.update(zip(group, shown, strict=True))
        return result


def read(frame: Frame, lattice: Lattice, skin: Skin) -> Reading:
    """Read every cell of one picture. Raises Unplayable when the board reaches beyond it."""
    return Reader(skin, lattice).read(frame)


def update(reading: Reading, before: Frame, now: Frame, lattice: Lattice, skin: Skin) -> Reading:
    """Read again only what changed between two pictures; keep a `Reader` where this is done often."""
    return Reader(skin, lattice).update(reading, before, now)
