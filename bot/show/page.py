"""The report page of a recording: its story with images.

An atlas contains each cell image once, so the page needs two images instead of one per observation.
"""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from bot.recording.recorder import encode_png
from bot.recording.recording import EVENTS
from bot.show.coordinates import rename_cells
from bot.show.story import GameStory, StoryStep, format_percent
from bot.show.webpage import render_page
from games.external import LARGEST_FILE, read_external
from games.minesweeper import Guess
from strategies.guesser import describe_guess
from vision.frame import Frame, Pixels
from vision.lattice import Lattice, changed_cells

ATLAS_WIDTH = 2048  # pixels; every browser supports images of this width


@dataclass(frozen=True, slots=True)
class TileAtlas:
    """All distinct cell images of a game in one image.

    `places` are (x, y, width, height) in `pixels`; `changes` contains for each frame the (cell, place number)
    of the cells that differ from the previous frame; nothing for the first.
    """

    pixels: Pixels
    places: tuple[tuple[int, int, int, int], ...]
    changes: tuple[tuple[tuple[int, int], ...], ...]


def build_atlas(lattice: Lattice, frames: Iterable[Frame]) -> TileAtlas:
    """Collect the cells that change between frames."""
    numbers: dict[tuple[tuple[int, ...], bytes], int] = {}
    tiles: list[Pixels] = []
    changes: list[tuple[tuple[int, int], ...]] = [()]
    for before, now in pairwise(frames):
        found = []
        for k in () if before is now else changed_cells(lattice, before.pixels, now.pixels):
            left, top, right, bottom = lattice.rectangle(k)
            tile = now.pixels[top:bottom, left:right].copy()  # a view would keep the whole frame
            key = tile.shape, tile.tobytes()
            if key not in numbers:
                numbers[key] = len(tiles)
                tiles.append(tile)
            found.append((k, numbers[key]))
        changes.append(tuple(found))
    places, height = _laid_out(tiles)
    pixels = np.zeros((height, ATLAS_WIDTH if tiles else 1, 3), np.uint8)
    for (x, y, w, h), tile in zip(places, tiles, strict=True):
        pixels[y : y + h, x : x + w] = tile
    return TileAtlas(pixels, tuple(places), tuple(changes))


def _laid_out(tiles: Sequence[Pixels]) -> tuple[list[tuple[int, int, int, int]], int]:
    """Arrange tiles row by row; return their places and the total height."""
    places = []
    x = y = height = 0
    for tile in tiles:
        h, w = tile.shape[:2]
        if x + w > ATLAS_WIDTH:
            x, y, height = 0, y + height, 0
        places.append((x, y, w, h))
        x, height = x + w, max(height, h)
    return places, max(y + height, 1)


NO_RISK = "zz"
# texts for the figures of a guess; `%` is a share, `#` a number; "" for figures without a meaning for players
FIGURES: Mapping[str, str] = {
    "win": "% to win the game from here with best play",
    "least": "at least % to win the game from here",
    "second": "% to survive the move after it as well",
    "certain": "# certain cells to be expected after it",
    "score": "",
}


def report_page(story: GameStory) -> str:
    """Render the page. Raises InvalidFile if the images of the recording are damaged."""
    heading = f"{story.recording.meta.program or 'Minesweeper'} {story.recording.meta.lattice.size}"
    return render_page(
        "bot.show",
        f"Sapper: {heading}",
        _data(story),
        heading=html.escape(heading),
        headline=html.escape(story.headline),
        facts=html.escape(_facts(story)),
        figures="".join(
            f"<div><dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd></div>"
            for name, value in story.figures
        ),
        unknown=_unknown(story),
    )


def _unknown(story: GameStory) -> str:
    facts = "".join(
        f"<li>{html.escape(rename_cells(each, story.coordinates))}</li>" for each in story.unknown
    )
    return f'<ul class="unknown" aria-label="What the source does not show">{facts}</ul>' if facts else ""


def _facts(story: GameStory) -> str:
    meta, result = story.recording.meta, story.result
    known = [
        f"{meta.rules.mines} mines" if meta.rules.mines is not None else "mine total not known",
        f"{len(story.steps)} observations",
        f"{result['seconds']:.2f} s" if "seconds" in result else "",
        f"3BV {result['bv3']}" if result.get("bv3") else "",
        "strategies " + ", ".join(name for name, _ in meta.strategies) if meta.strategies else "",
        f"Sapper {meta.sapper}",
    ]
    return " · ".join(filter(None, known))


def _data(story: GameStory) -> dict[str, Any]:
    lattice = story.recording.meta.lattice
    atlas = build_atlas(lattice, story.frames())
    first = next(story.frames())
    events = read_external(story.recording.folder / EVENTS, LARGEST_FILE).decode(errors="replace")
    return {
        "coordinates": story.coordinates,
        "rows": lattice.rows,
        "columns": lattice.columns,
        "xs": lattice.xs,
        "ys": lattice.ys,
        "size": [first.width, first.height],
        "first": _uri(first.pixels),
        "atlas": _uri(atlas.pixels),
        "tiles": atlas.places,
        "steps": [_step(step, changes) for step, changes in zip(story.steps, atlas.changes, strict=True)],
        "played": bool(story.recording.meta.strategies),  # by Sapper, which recorded its durations
        "events": events,
    }


def _uri(pixels: Pixels) -> str:
    return "data:image/png;base64," + base64.b64encode(encode_png(pixels, compression=9)).decode()


def _step(step: StoryStep, changes: tuple[tuple[int, int], ...]) -> dict[str, Any]:
    board = step.board
    data: dict[str, Any] = {
        "t": round(step.seconds, 4),
        "shown": [number for change in changes for number in change],
        "read": board.cells,
        "before": step.before,
        "moves": step.moves,
        "notes": step.notes,
        "took": [round(1000 * s, 1) for s in (step.reason_s, step.act_s, step.wait_s)],
        "known": "".join(
            "m" if step.true >> k & 1 else "s" if step.false >> k & 1 else "." for k in range(len(board))
        ),
        "risk": "".join(
            f"{round(254 * step.risks[k]):02x}" if k in step.risks else NO_RISK for k in range(len(board))
        ) if step.risks else "",
        "certain": [
            {
                "cell": c.cell, "mine": c.is_mine, "rule": c.rule, "because": c.because, "proof": c.sentences,
                "by": c.by,
            }
            for c in step.certain
        ],
        "judged": [
            {
                "cell": one.cell, "kind": one.kind, "text": one.text, "risk": one.risk,
                "inferred": one.is_inferred,
            }
            for one in step.judged
        ],
    }  # fmt: skip
    if step.guess:
        guess = step.guess
        data["guess"] = {
            "cell": board.cell(guess["cell"]),
            "safe": guess["safe"],
            "by": step.guess_by,
            "text": describe_guess(Guess(0, guess["safe"], str(guess["reason"]), guess.get("figures", {}))),
            "figures": [
                text
                for name, each in guess.get("figures", {}).items()
                if (text := metric_text(str(name), float(each)))
            ],
        }
    return data


def metric_text(name: str, value: float) -> str:
    """Describe a figure of a guess; an unknown one by its name."""
    words = FIGURES.get(name, f"{name}: #")
    return words.replace("%", format_percent(value)).replace("#", f"{value:.4g}")
