"""Draw desktops with and without a board; all lines are known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from training.drawings.backgrounds import draw_desktop
from training.drawings.board_images import OPEN, DrawnBoard, draw_rim
from training.drawings.camera import photograph
from training.drawings.letters import choose_letters
from training.drawings.signs import contrasting_colour
from training.drawings.surfaces import Colour, Floats, Rng, Surface, mix
from training.drawings.textures import texture
from training.drawings.theme_choice import choose_badge, choose_theme
from training.drawings.themes import Theme, ThemeResources
from training.grids.random_looks import mean_colour, random_look
from training.grids.scene_parts import DistractorGrid, Lines, colour, draw_grid, draw_message, draw_window
from training.splits import FILLS, families
from vision.frame import Pixels

SIDES = ("left", "top", "right", "bottom")
GAPPED = ("tile", "pillow")  # edges with a gap on every side
OBLONG, LONGEST = 0.25, 3.4  # share of boards whose cells are no squares; largest ratio of their sides
SQUARE_COVERS = 0.4  # share of these boards whose covers are squares
LINE = 2  # pixels; a wider space between two cells is a gap


@dataclass(frozen=True, eq=False)
class DrawnScene:
    """A picture, the lines of its board (`xs` is empty without one), its clipped sides, and other grids.

    The lines of a clipped board belong to its complete cells. In a board with gaps, each line is in the
    middle of a gap; `gaps` are their widths in pixels, across and down, or 0 for lines of at most two pixels.
    """

    pixels: Pixels
    xs: Lines
    ys: Lines
    cut: tuple[str, ...]
    others: tuple[DistractorGrid, ...]
    theme: Theme | None = None
    gaps: tuple[float, float] = (0.0, 0.0)

    def has_lines(self, xs: Sequence[float], ys: Sequence[float], near: float, gap_part: float) -> bool:
        """Whether these are the lines of the board.

        A line may differ by 5 % of a cell, or `near` pixels if that is more, plus `gap_part` of a gap.
        """
        return all(
            len(found) == len(true)
            and float(np.abs(np.array(found) - true).max())
            <= max(near, 0.05 * float(np.diff(true).mean())) + gap_part * gap
            for found, true, gap in ((xs, self.xs, self.gaps[0]), (ys, self.ys, self.gaps[1]))
        )


NONE = np.zeros(0, np.float32)


def draw_scene(rng: Rng, split: str, with_board: bool, has_looks: bool = False) -> DrawnScene:
    """A picture of 240x200 to 1000x760 pixels."""
    return next(draw_scenes(rng, ThemeResources.load(split), (with_board,), has_looks))


def draw_scenes(
    rng: Rng, resources: ThemeResources, with_boards: Sequence[bool], has_looks: bool = False
) -> Iterator[DrawnScene]:
    """Pictures of one desktop, one for each of `with_boards`, with its own board or none.

    The boards use random looks if `has_looks`, otherwise themes.
    """
    wide, high = int(rng.integers(240, 1000)), int(rng.integers(200, 760))
    ground = draw_desktop(rng, resources, (wide, high))
    for with_board in with_boards:
        canvas = ground.copy()
        others = []
        for _ in range(int(rng.integers(0, 2)) + (not with_board)):
            left, top = int(rng.integers(-50, wide - 60)), int(rng.integers(-50, high - 50))
            others.append(draw_grid(rng, resources, canvas, left, top))
        drawn = DrawnScene(canvas, NONE, NONE, (), tuple(others))
        if with_board:
            drawn = _add_board(rng, resources, drawn, has_looks)
            if rng.random() < 0.3:
                drawn = _clip_board(rng, drawn)
        yield change_picture(rng, drawn) if rng.random() < 0.6 else drawn


def change_picture(rng: Rng, drawn: DrawnScene) -> DrawnScene:
    """Apply the changes of `camera.photograph`: scale, compression, blur, colours."""
    xs, ys = (lines if len(lines) else np.array((0.0, 40.0)) for lines in (drawn.xs, drawn.ys))
    seen = photograph(rng, DrawnBoard(drawn.pixels, tuple(xs), tuple(ys), ()))
    across, down = (seen.pixels.shape[k] / drawn.pixels.shape[k] for k in (1, 0))
    others = tuple(DistractorGrid(each.xs * across, each.ys * down) for each in drawn.others)
    pixels = np.ascontiguousarray(seen.pixels)
    gaps = drawn.gaps[0] * across, drawn.gaps[1] * down
    return replace(drawn, pixels=pixels, xs=drawn.xs * across, ys=drawn.ys * down, others=others, gaps=gaps)


def choose_scene_theme(rng: Rng, resources: ThemeResources, size: tuple[int, int]) -> Theme:
    """A random theme with more checkerboards, plain covers and drawings on covers than `choose_theme`."""
    theme = choose_theme(resources, rng, size)
    lot = rng.random()
    if not theme.badge and rng.random() < 0.08:
        theme.badge = choose_badge(resources, rng, theme.size, theme.cover.colour)
    if lot < 0.1:  # a checkerboard without lines
        strength = float(rng.uniform(0.06, 0.45))
        to: Colour = (0, 0, 0) if rng.random() < 0.7 else (255, 255, 255)
        theme.cover = _checkered(theme.cover, to, strength)
        if rng.random() < 0.8:
            theme.ground = _checkered(theme.ground, to, strength * float(rng.uniform(0.4, 1.0)))
    elif lot < 0.14:
        theme.cover = replace(theme.cover, edge="dots", texture=None)
    elif lot < 0.26:  # all covers show the same picture
        fill = str(rng.choice(families(FILLS, resources.split)))
        field = texture(rng, fill, theme.size, float(rng.uniform(0.1, 0.7)))
        edge = str(rng.choice(("none", "outline")))
        theme.cover = replace(theme.cover, fill="picture", edge=edge, texture=field, is_seamless=False)
    elif lot < 0.32:
        _make_text_theme(rng, resources, theme)
    if rng.random() < 0.25:  # opened cells of one colour without lines
        theme.ground = replace(theme.ground, edge="none", texture=None)
    return theme


def _make_text_theme(rng: Rng, resources: ThemeResources, theme: Theme) -> None:
    """Change a theme to text: one colour without lines, and a letter on each covered cell."""
    base: Colour = theme.ground.colour if rng.random() < 0.4 else (float(rng.choice((0, 255))),) * 3
    theme.cover, theme.ground, theme.accent = (
        replace(each, edge="none", texture=None, other=None)
        for each in (theme.cover, theme.ground, theme.accent)
    )
    theme.cover, theme.ground = replace(theme.cover, colour=base), replace(theme.ground, colour=base)
    ink = contrasting_colour(rng, base, ((0, 0, 0), (255, 255, 255), theme.inks[0]), 60)
    letters = choose_letters(rng, resources.face(rng), min(theme.size))
    sign = str(rng.choice(list("???#.+-=~oO*X")))
    theme.badge = tuple(letters.layers(rng, sign, theme.size, ink, base))
    theme.inks = tuple(contrasting_colour(rng, base, (each,), 60) for each in theme.inks)


def _checkered(surface: Surface, to: Colour, strength: float) -> Surface:
    return replace(surface, edge="none", texture=None, other=mix(surface.colour, to, strength))


def random_states(rng: Rng, rows: int, columns: int, is_plain: bool, is_bare: bool = False) -> list[str]:
    """Random states of a board as rows: fresh (unless `is_plain`), in play, lost or won.

    `is_bare`: open cells have one colour; more of them are empty, and few boards are fresh.
    """
    is_begun = is_plain or (is_bare and rng.random() < 0.7)
    part = float(rng.choice((0.15, 0.4, 0.7, 0.9) if is_begun else (0.0, 0.0, 0.15, 0.4, 0.7, 0.9, 1.0)))
    small = rng.random((int(rng.integers(2, 6)), int(rng.integers(2, 6)))).astype(np.float32)
    blob = cv2.resize(small, (columns, rows), interpolation=cv2.INTER_CUBIC)
    is_open = (blob < np.quantile(blob, part)) if 0 < part < 1 else np.full((rows, columns), part == 1.0)
    few = rng.random() < (0.6 if is_bare else 0.25)  # most opened cells are empty
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


def _add_board(rng: Rng, resources: ThemeResources, drawn: DrawnScene, has_looks: bool) -> DrawnScene:
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
    more = (0, 0)  # space around square covers
    if rng.random() < SQUARE_COVERS:
        more = size[0] - min(size), size[1] - min(size)
        size = min(size), min(size)
    painter = _choose_painter(rng, resources, size, has_looks)
    face = None
    if rng.random() < 0.85:
        box = int(xs[0]), int(ys[0]), int(xs[-1]), int(ys[-1])
        face = draw_window(rng, canvas, box, (across, down), painter.colour)
    spacing = _choose_spacing(rng, min(size), face, more)
    states = random_states(rng, rows, columns, painter.is_plain, painter.is_bare)
    _draw(rng, canvas, painter, xs, ys, states, spacing)
    if rng.random() < 0.06:
        draw_message(rng, canvas, xs, ys)
    off_x, off_y = ((before - behind) / 2 for before, behind in spacing.spaces)
    wide_x, wide_y = (painter.gap + before + behind for before, behind in spacing.spaces)
    gaps = float(wide_x if wide_x > LINE else 0), float(wide_y if wide_y > LINE else 0)
    return replace(drawn, xs=xs + off_x, ys=ys + off_y, theme=painter.theme, gaps=gaps)


@dataclass(frozen=True, eq=False)
class _Painter:
    """Draws the cells of a board in a theme or in a random look (`theme` is None).

    `colour` is the colour of the covers. `is_plain` means that covers alone show no lines, `is_bare` that
    open cells have one colour. `gap` is the space between two cells in pixels. `rim` is as in Theme.
    """

    draw: Callable[[str, tuple[int, int], Rng], Floats]
    colour: Colour
    is_plain: bool = False
    is_bare: bool = False
    gap: int = 0
    rim: tuple[Colour, int, float] | None = None
    theme: Theme | None = None


def _choose_painter(rng: Rng, resources: ThemeResources, size: tuple[int, int], has_looks: bool) -> _Painter:
    if has_looks:
        look = random_look(rng, resources, *size)
        return _Painter(look.draw, mean_colour(look.covers[0]))
    theme = choose_scene_theme(rng, resources, size)
    cover = theme.cover
    is_plain = cover.edge == "none" and cover.other is None and cover.texture is None and not theme.badge
    gap = theme.zoom * max(1, cover.width) if cover.edge in GAPPED else 0
    is_bare = theme.ground.edge == "none" and theme.ground.texture is None and theme.ground.other is None
    return _Painter(theme.draw, cover.colour, is_plain, is_bare, gap, theme.rim, theme)


@dataclass(frozen=True)
class CellSpacing:
    """Space around each cell, its colour, and whether open cells have it, too.

    `spaces` are the pixels before and behind a cell, across and down.
    """

    spaces: tuple[tuple[int, int], tuple[int, int]]
    colour: Floats
    is_everywhere: bool


def _choose_spacing(rng: Rng, side: int, face: Floats | None, more: tuple[int, int]) -> CellSpacing:
    """Random space between cells: none, one or two pixels, or up to three tenths of `side`; and `more`."""
    lot = rng.random()
    wide = int(side * rng.uniform(0.06, 0.3))
    behind = int(rng.choice((1, 1, 2, wide, wide))) if lot < 0.24 else 0
    before = int(0.24 <= lot < 0.3) or (behind // 2 if lot < 0.06 else 0)
    own = (face if face is not None else colour(rng)) if rng.random() < 0.5 else colour(rng)
    behind -= before if lot < 0.06 else 0
    across, down = ((before + extra // 2, behind + extra - extra // 2) for extra in more)
    return CellSpacing((across, down), own, any(more) or bool(rng.random() < 0.7))


def _draw(
    rng: Rng, canvas: Pixels, painter: _Painter, xs: Lines, ys: Lines, rows: list[str], spacing: CellSpacing
) -> None:
    if any(map(any, spacing.spaces)):
        canvas[int(ys[0]) : int(ys[-1]), int(xs[0]) : int(xs[-1])] = spacing.colour
    for r, row in enumerate(rows):
        for c, state in enumerate(row):
            cell = painter.draw(state, (c, r), rng)
            draw_rim(cell, painter.rim, rows, (c, r))
            is_spaced = spacing.is_everywhere or state not in OPEN
            across, down = spacing.spaces if is_spaced else ((0, 0), (0, 0))
            left, right = int(xs[c]) + across[0], int(xs[c + 1]) - across[1]
            top, bottom = int(ys[r]) + down[0], int(ys[r + 1]) - down[1]
            size = (right - left, bottom - top)
            if (cell.shape[1], cell.shape[0]) != size:  # larger or smaller by a pixel, or enlarged
                cell = np.asarray(cv2.resize(cell, size, interpolation=cv2.INTER_NEAREST), np.float32)
            canvas[top:bottom, left:right] = cell


def _clip_board(rng: Rng, drawn: DrawnScene) -> DrawnScene:
    """Hide a part of the outer cells behind a cover or beyond the border of the picture."""
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
    others = tuple(DistractorGrid(each.xs - left, each.ys - top) for each in drawn.others)
    ordered = tuple(side for side in SIDES if side in cut)
    return DrawnScene(pixels, xs - left, ys - top, ordered, others, drawn.theme, drawn.gaps)
