"""Pictures of desktops with a drawn board in a window, and of desktops without any; all lines are known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from training.drawing.boards import CLOSED, OPEN, Drawn
from training.drawing.camera import photograph
from training.drawing.choosing import choose_badge, choose_theme
from training.drawing.desktop import desktop
from training.drawing.lettering import choose_lettering
from training.drawing.signs import contrasting
from training.drawing.surfaces import Colour, Floats, Surface, mix
from training.drawing.textures import texture
from training.drawing.themes import Supply, Theme
from training.locating.looks import random_look
from training.locating.surroundings import Lines, Rng, Table, colour, message, table, window
from training.splits import FILLS, families
from vision.frame import Pixels

SIDES = ("left", "top", "right", "bottom")
GAPPED = ("tile", "pillow")  # edges that leave a gap on every side
OBLONG, LONGEST = (
    0.25,
    2.1,
)  # of the boards have cells that are no squares; the longer side by the shorter, at most
LINE = 2  # pixels; what is wider between two cells is a gap


@dataclass(frozen=True, eq=False)
class Scene:
    """A picture, the lines of its board (none where `xs` is empty), the sides that are cut, other grids.

    Where a board is cut, the lines are those of the whole cells that show. Where gaps part the cells, a line
    lies in the middle of a gap; `gap` is how wide that is, pixels, 0 for a line of a pixel or two, or none.
    """

    pixels: Pixels
    xs: Lines
    ys: Lines
    cut: tuple[str, ...]
    others: tuple[Table, ...]
    theme: Theme | None = None
    gap: float = 0.0


NONE = np.zeros(0, np.float32)


@lru_cache(maxsize=3)
def supply_of(split: str) -> Supply:
    """The families of a split; read once in each process."""
    return Supply.load(split)


def scene(rng: Rng, supply: Supply, with_board: bool = True) -> Scene:
    """A picture of 240x200 to 1000x760 pixels."""
    return next(scenes(rng, supply, (with_board,)))


def scenes(rng: Rng, supply: Supply, with_boards: Sequence[bool], has_looks: bool = False) -> Iterator[Scene]:
    """So many pictures of one desktop, each with a board of its own (by a theme or by chance) or none."""
    wide, high = int(rng.integers(240, 1000)), int(rng.integers(200, 760))
    ground = desktop(rng, supply, (wide, high))
    for with_board in with_boards:
        canvas = ground.copy()
        others = [
            table(rng, supply, canvas, int(rng.integers(-50, wide - 60)), int(rng.integers(-50, high - 50)))
            for _ in range(int(rng.integers(0, 2)) + (not with_board))
        ]
        drawn = Scene(canvas, NONE, NONE, (), tuple(others))
        if with_board:
            drawn = _with_board(rng, supply, drawn, has_looks)
            if rng.random() < 0.3:
                drawn = _cut(rng, drawn)
        yield photographed(rng, drawn) if rng.random() < 0.6 else drawn


def photographed(rng: Rng, drawn: Scene) -> Scene:
    """The same as a scaled screen, a packed picture or a monitor with another gamma shows it."""
    xs, ys = (lines if len(lines) else np.array((0.0, 40.0)) for lines in (drawn.xs, drawn.ys))
    seen = photograph(rng, Drawn(drawn.pixels, tuple(xs), tuple(ys), ()))
    across, down = (seen.pixels.shape[k] / drawn.pixels.shape[k] for k in (1, 0))
    others = tuple(Table(each.xs * across, each.ys * down) for each in drawn.others)
    pixels = np.ascontiguousarray(seen.pixels)
    gap = drawn.gap * (across + down) / 2
    return replace(drawn, pixels=pixels, xs=drawn.xs * across, ys=drawn.ys * down, others=others, gap=gap)


def theme_of(rng: Rng, supply: Supply, size: tuple[int, int]) -> Theme:
    """A theme as `choosing` makes it; checkerboards, plain covers and things on covers more often."""
    theme = choose_theme(supply, rng, size)
    lot = rng.random()
    if not theme.badge and rng.random() < 0.08:
        theme.badge = choose_badge(supply, rng, theme.size, theme.cover.colour)
    if lot < 0.1:  # a checkerboard and no lines
        strength = float(rng.uniform(0.06, 0.45))
        to: Colour = (0, 0, 0) if rng.random() < 0.7 else (255, 255, 255)
        theme.cover = _checkered(theme.cover, to, strength)
        if rng.random() < 0.8:
            theme.ground = _checkered(theme.ground, to, strength * float(rng.uniform(0.4, 1.0)))
    elif lot < 0.14:
        theme.cover = replace(theme.cover, edge="dots", texture=None)
    elif lot < 0.26:  # all covers are one picture, with an outline or without
        fill = str(rng.choice(families(FILLS, supply.split)))
        field = texture(rng, fill, theme.size, float(rng.uniform(0.1, 0.7)))
        edge = str(rng.choice(("none", "outline")))
        theme.cover = replace(theme.cover, fill="picture", edge=edge, texture=field, is_seamless=False)
    elif lot < 0.32:
        _written(rng, supply, theme)
    if rng.random() < 0.15:  # opened cells of one colour, no lines
        theme.ground = replace(theme.ground, edge="none", texture=None)
    return theme


def _written(rng: Rng, supply: Supply, theme: Theme) -> None:
    """Makes all cells of one colour without lines, and covered ones a letter: boards that are text."""
    base: Colour = theme.ground.colour if rng.random() < 0.4 else (float(rng.choice((0, 255))),) * 3
    theme.cover, theme.ground, theme.accent = (
        replace(each, edge="none", texture=None, other=None)
        for each in (theme.cover, theme.ground, theme.accent)
    )
    theme.cover, theme.ground = replace(theme.cover, colour=base), replace(theme.ground, colour=base)
    ink = contrasting(rng, base, ((0, 0, 0), (255, 255, 255), theme.inks[0]), 60)
    letters = choose_lettering(rng, supply.face(rng), min(theme.size))
    sign = str(rng.choice(list("???#.+-=~oO*X")))
    theme.badge = tuple(letters.layers(rng, sign, theme.size, ink, base))
    theme.inks = tuple(contrasting(rng, base, (each,), 60) for each in theme.inks)


def _checkered(surface: Surface, to: Colour, strength: float) -> Surface:
    return replace(surface, edge="none", texture=None, other=mix(surface.colour, to, strength))


def states(rng: Rng, rows: int, columns: int, is_plain: bool) -> list[str]:
    """What the cells of a board show, row by row: fresh (unless all is `is_plain`), in play, lost or won."""
    part = float(rng.choice((0.15, 0.4, 0.7, 0.9) if is_plain else (0.0, 0.0, 0.15, 0.4, 0.7, 0.9, 1.0)))
    small = rng.random((int(rng.integers(2, 6)), int(rng.integers(2, 6)))).astype(np.float32)
    blob = cv2.resize(small, (columns, rows), interpolation=cv2.INTER_CUBIC)
    is_open = (blob < np.quantile(blob, part)) if 0 < part < 1 else np.full((rows, columns), part == 1.0)
    few = rng.random() < 0.25  # so that most opened cells show nothing
    mines = rng.random((rows, columns)) < float(rng.uniform(0.02, 0.08) if few else rng.uniform(0.08, 0.25))
    is_open &= ~mines
    counts = cv2.filter2D(mines.astype(np.float32), -1, np.ones((3, 3)), borderType=cv2.BORDER_CONSTANT)
    is_lost, flags = rng.random() < 0.15 and part > 0, float(rng.choice((0.0, 0.3, 0.9))) * (part > 0)
    found = []
    for row in range(rows):
        text = ""
        for column in range(columns):
            lot = rng.random()
            if is_open[row, column]:
                text += str(int(counts[row, column]))
            elif mines[row, column] and lot < flags:
                text += "F"
            elif mines[row, column] and is_lost:
                text += "*" if lot < 0.97 else "!"
            else:
                text += "?" if lot > 0.995 and part else "."
        found.append(text)
    return found


def _sizes(rng: Rng, wide: int, high: int) -> tuple[float, float]:
    largest = min(wide, high) / 4.8
    across = float(np.exp(rng.uniform(np.log(10), np.log(min(90, largest)))))
    ratio = LONGEST ** float(rng.uniform(-1, 1)) if rng.random() < OBLONG else 1.0
    down = max(9.0, min(across * ratio, high / 4.8))
    if rng.random() < 0.75:
        return float(round(across)), float(round(down))
    return across, down


def _with_board(rng: Rng, supply: Supply, drawn: Scene, has_looks: bool) -> Scene:
    canvas = drawn.pixels
    high, wide = canvas.shape[:2]
    across, down = _sizes(rng, wide, high)
    most = int((wide - 4) / across), int((high - 4) / down)
    columns, rows = (min(limit, max(4, int(rng.integers(4, 1 + min(limit, 32))))) for limit in most)
    left, top = round(rng.uniform(0, wide - columns * across)), round(rng.uniform(0, high - rows * down))
    rounding = np.floor if rng.random() < 0.5 else np.round
    xs = rounding(left + across * np.arange(columns + 1)).astype(np.float32)
    ys = rounding(top + down * np.arange(rows + 1)).astype(np.float32)
    size = round(across), round(down)
    how = _drawing(rng, supply, size, has_looks)
    face = None
    if rng.random() < 0.85:
        box = int(xs[0]), int(ys[0]), int(xs[-1]), int(ys[-1])
        face = window(rng, canvas, box, (across, down), how.colour)
    parting = _parting(rng, min(across, down), face)
    _draw(rng, canvas, how, (xs, ys), states(rng, rows, columns, how.is_plain), parting)
    if rng.random() < 0.06:
        message(rng, canvas, xs, ys)
    off = (parting.before - parting.behind) / 2
    gap = how.gap + parting.before + parting.behind
    gap = gap if gap > LINE else 0
    return replace(drawn, xs=xs + off, ys=ys + off, theme=how.theme, gap=float(gap))


@dataclass(frozen=True, eq=False)
class _Drawing:
    """How the cells of a board are drawn: by a theme, or by chance (`theme` is None then).

    `colour` is that of the covers; `is_plain`, whether covers alone show no lines; `gap`, the pixels between
    two cells that belong to none; `rim` as in Theme.
    """

    draw: Callable[[str, tuple[int, int], Rng], Floats]
    colour: Colour
    is_plain: bool = False
    gap: int = 0
    rim: tuple[Colour, int, float] | None = None
    theme: Theme | None = None


def _drawing(rng: Rng, supply: Supply, size: tuple[int, int], has_looks: bool) -> _Drawing:
    if has_looks:
        look = random_look(rng, *size)
        return _Drawing(look.draw, look.colour)
    theme = theme_of(rng, supply, size)
    cover = theme.cover
    is_plain = cover.edge == "none" and cover.other is None and cover.texture is None and not theme.badge
    gap = theme.zoom * max(1, cover.width) if cover.edge in GAPPED else 0
    return _Drawing(theme.draw, cover.colour, is_plain, gap, theme.rim, theme)


@dataclass(frozen=True)
class Parting:
    """Pixels `before` and `behind` each cell that no cell has, in which colour, and if open cells part so."""

    before: int
    behind: int
    colour: Floats
    is_everywhere: bool


def _parting(rng: Rng, pitch: float, face: Floats | None) -> Parting:
    """Lines or gaps between cells: none, a pixel or two, or up to three tenths of a cell."""
    lot = rng.random()
    wide = int(pitch * rng.uniform(0.06, 0.3))
    behind = int(rng.choice((1, 1, 2, wide, wide))) if lot < 0.24 else 0
    before = int(0.24 <= lot < 0.3) or (behind // 2 if lot < 0.06 else 0)
    own = (face if face is not None else colour(rng)) if rng.random() < 0.5 else colour(rng)
    return Parting(before, behind - before if lot < 0.06 else behind, own, rng.random() < 0.7)


def _draw(
    rng: Rng,
    canvas: Pixels,
    how: _Drawing,
    lines: tuple[Lines, Lines],
    rows: list[str],
    parting: Parting,
) -> None:
    xs, ys = (each.astype(int).tolist() for each in lines)
    if parting.before or parting.behind:
        canvas[ys[0] : ys[-1], xs[0] : xs[-1]] = parting.colour

    def is_closed(column: int, row: int) -> bool:
        return 0 <= row < len(rows) and 0 <= column < len(rows[0]) and rows[row][column] in CLOSED

    for r, row in enumerate(rows):
        for c, state in enumerate(row):
            cell = how.draw(state, (c, r), rng)
            if how.rim is not None and state in OPEN:
                shade, width, part = how.rim
                views = (cell[:width], cell[-width:], cell[:, :width], cell[:, -width:])
                near = (is_closed(c, r - 1), is_closed(c, r + 1), is_closed(c - 1, r), is_closed(c + 1, r))
                for view, is_near in zip(views, near, strict=True):
                    if is_near:
                        view[:] = view + part * (np.array(shade, np.float32) - view)
            is_parted = parting.is_everywhere or state not in OPEN
            first, last = (parting.before, parting.behind) if is_parted else (0, 0)
            left, right, top, bottom = xs[c] + first, xs[c + 1] - last, ys[r] + first, ys[r + 1] - last
            size = (right - left, bottom - top)
            if (cell.shape[1], cell.shape[0]) != size:  # a pixel more or less, or magnified
                cell = np.asarray(cv2.resize(cell, size, interpolation=cv2.INTER_NEAREST), np.float32)
            canvas[top:bottom, left:right] = cell


def _cut(rng: Rng, drawn: Scene) -> Scene:
    """The window, something before it or the border of the picture hides a part of the last cells."""
    xs, ys, is_cropped = drawn.xs, drawn.ys, rng.random() < 0.5
    canvas, cover, cut = drawn.pixels, colour(rng), []
    limits = {"left": 0, "top": 0, "right": canvas.shape[1], "bottom": canvas.shape[0]}
    for side in (str(each) for each in rng.choice(SIDES, int(rng.integers(1, 3)), replace=False)):
        lines = xs if side in ("left", "right") else ys
        if len(lines) < 7:
            continue
        at_end = side in ("right", "bottom")
        share = float(rng.uniform(0.15, 0.85) * np.diff(lines).mean())
        edge = int(lines[-2] + share) if at_end else int(lines[1] - share)
        area = np.s_[edge:] if at_end else np.s_[:edge]
        if is_cropped:
            limits[side] = edge
        else:
            (canvas[:, area] if side in ("left", "right") else canvas[area])[:] = cover
        kept = lines[:-1] if at_end else lines[1:]
        xs, ys = (kept, ys) if side in ("left", "right") else (xs, kept)
        cut.append(side)
    left, top = limits["left"], limits["top"]
    pixels = np.ascontiguousarray(canvas[top : limits["bottom"], left : limits["right"]])
    others = tuple(Table(each.xs - left, each.ys - top) for each in drawn.others)
    ordered = tuple(side for side in SIDES if side in cut)
    return Scene(pixels, xs - left, ys - top, ordered, others, drawn.theme, drawn.gap)
