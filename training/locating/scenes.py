"""Pictures of desktops with a board of a made-up look in a window, and of desktops without any."""

from __future__ import annotations

import string
from dataclasses import dataclass

import cv2
import numpy as np

from training.locating.surfaces import FACES, Floats, Picture, Rng, apart, colour, patch, random_look

SIDES = ("left", "top", "right", "bottom")
MARGIN = 40  # pixels between a board and the border of its picture at most


@dataclass(frozen=True)
class Grid:
    """Lines of a grid that is no board: a table, a keyboard, icons, a chess board."""

    xs: Floats
    ys: Floats


@dataclass(frozen=True)
class Scene:
    """A picture, the lines of its board (none where `xs` is empty), the sides that are cut, other grids.

    Where a board is cut, the lines are those of the whole cells that show.
    """

    pixels: Picture
    xs: Floats
    ys: Floats
    cut: tuple[str, ...]
    others: tuple[Grid, ...]


def scene(rng: Rng, with_board: bool = True) -> Scene:
    """A picture of 240x200 to 1000x760 pixels."""
    wide, high = int(rng.integers(240, 1000)), int(rng.integers(200, 760))
    canvas = _background(rng, high, wide)
    others = [
        found for _ in range(int(rng.integers(0, 4)) + (not with_board)) if (found := _clutter(rng, canvas))
    ]
    xs = ys = np.zeros(0, np.float32)
    cut: tuple[str, ...] = ()
    is_cropped = False
    if with_board:
        is_cropped = rng.random() < 0.5
        xs, ys, cut = _board(rng, canvas, is_cropped)
    drawn = Scene(canvas, xs, ys, cut, tuple(others))
    return photographed(rng, _cropped(rng, drawn) if cut and is_cropped else drawn)


def _cropped(rng: Rng, drawn: Scene) -> Scene:
    """The same where the border of the picture cuts the board, not a window."""
    ends = []
    for names, lines, limit in (
        (("left", "right"), drawn.xs, drawn.pixels.shape[1]),
        (("top", "bottom"), drawn.ys, drawn.pixels.shape[0]),
    ):
        part = int(float(rng.uniform(0.15, 0.85)) * np.diff(lines).mean())
        low = max(0, int(lines[0]) - part) if names[0] in drawn.cut else 0
        high = min(limit, int(lines[-1]) + part) if names[1] in drawn.cut else limit
        ends.append((low, high))
    (left, right), (top, bottom) = ends
    others = tuple(Grid(each.xs - left, each.ys - top) for each in drawn.others)
    pixels = np.ascontiguousarray(drawn.pixels[top:bottom, left:right])
    return Scene(pixels, drawn.xs - left, drawn.ys - top, drawn.cut, others)


def photographed(rng: Rng, drawn: Scene) -> Scene:
    """The same as a scaled screen, a packed picture or a monitor with another gamma shows it."""
    pixels, lot = drawn.pixels, rng.random()
    factor = 1.0
    if lot < 0.25:
        factor = float(rng.choice((0.75, 0.8, 1.25, 1.5, 1.75, 2.0)))
        if len(drawn.xs) > 1 and factor * min(np.diff(drawn.xs).min(), np.diff(drawn.ys).min()) < 9:
            factor = 1.5
        smooth = cv2.INTER_AREA if factor < 1 else int(rng.choice((cv2.INTER_LINEAR, cv2.INTER_CUBIC)))
        way = cv2.INTER_NEAREST if factor > 1 and rng.random() < 0.4 else smooth
        pixels = cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=way).astype(np.uint8)
    if rng.random() < 0.15:
        packed = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(65, 96))])[1]
        pixels = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    if rng.random() < 0.15:
        curve = 255 * (np.arange(256) / 255) ** float(rng.uniform(0.75, 1.35))
        pixels = curve.round().astype(np.uint8)[pixels]
    others = tuple(Grid(each.xs * factor, each.ys * factor) for each in drawn.others)
    return Scene(np.ascontiguousarray(pixels), drawn.xs * factor, drawn.ys * factor, drawn.cut, others)


def _background(rng: Rng, high: int, wide: int) -> Picture:
    lot = rng.random()
    base = colour(rng)
    canvas = np.empty((high, wide, 3), np.float32)
    canvas[:] = base
    if lot < 0.2:
        small = rng.uniform(0, 255, (int(rng.integers(2, 12)), int(rng.integers(2, 12)), 3)).astype(
            np.float32
        )
        canvas = np.asarray(cv2.resize(small, (wide, high), interpolation=cv2.INTER_CUBIC), np.float32)
    elif lot < 0.35:
        canvas = patch(rng, high, wide, base, float(rng.uniform(2, 25))).copy()
    return np.ascontiguousarray(np.clip(canvas, 0, 255), np.uint8)


def _write(canvas: Picture, text: str, at: tuple[int, int], rng: Rng, ink: Floats, size: float) -> None:
    cv2.putText(
        canvas, text, at, int(rng.choice(FACES)), size, ink.tolist(), int(rng.integers(1, 3)), cv2.LINE_AA
    )


def _clutter(rng: Rng, canvas: Picture) -> Grid | None:
    """Something on a desktop, at any place; its lines where it is a grid."""
    high, wide = canvas.shape[:2]
    kind = int(rng.integers(4))
    left, top = int(rng.integers(-50, wide - 60)), int(rng.integers(-50, high - 50))
    ground = colour(rng)
    ink = apart(rng, ground, 70)
    right, bottom = left + int(rng.integers(100, 600)), top + int(rng.integers(80, 500))
    if kind == 0:  # a page of text
        canvas[max(0, top) : bottom, max(0, left) : right] = ground
        size = float(rng.uniform(0.35, 0.8))
        step = int(size * rng.uniform(28, 44))
        for y in range(top + step, bottom - 4, step):
            words = "".join(
                rng.choice(list(string.ascii_letters + "     0123456789"), int(rng.integers(5, 50)))
            )
            _write(canvas[:, : max(1, right)], words, (left + 6, y), rng, ink, size)
        return None
    if kind == 1:  # buttons in a row
        canvas[max(0, top) : bottom, max(0, left) : right] = ground
        size = int(rng.integers(16, 60))
        for x in range(left + 8, right - size, size + int(rng.integers(0, 14))):
            cv2.rectangle(
                canvas, (x, top + 8), (x + size, top + 8 + size), ink.tolist(), int(rng.choice((-1, 1, 2)))
            )
        return None
    return table(rng, canvas, left, top)


def table(rng: Rng, canvas: Picture, left: int, top: int) -> Grid:
    """A grid of something else, drawn with its corner here: letters, numbers, squares, icons, men."""
    rows, columns = int(rng.integers(3, 14)), int(rng.integers(3, 16))
    side = int(rng.integers(12, 60))
    wide = int(side * rng.choice((1, 1, 1, 1.5, 2, 3)))
    ground, line = colour(rng), colour(rng)
    inks = [apart(rng, ground, 60) for _ in range(int(rng.integers(1, 6)))]
    texts = (
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ", [str(n) for n in range(1, 32)], ["total", "n/a", "12.50", "3,100", ""],
        "BEIOSZ", ["10", "25", "37", "100", ""], "",
    )[int(rng.integers(6))]  # fmt: skip
    kind, filled, face = int(rng.integers(5)), float(rng.uniform(0.3, 1.0)), int(rng.choice(FACES))
    gap = int(rng.choice((0, 0, 1, 2, 4, side // 5)))
    for row in range(rows):
        for column in range(columns):
            x, y = left + column * wide, top + row * side
            if x < 0 or y < 0 or x + wide > canvas.shape[1] or y + side > canvas.shape[0]:
                continue
            cell = canvas[y : y + side, x : x + wide]
            cell[:] = line
            inner = cell[: side - gap, : wide - gap]
            inner[:] = ground
            if kind == 0 and (row + column) % 2:
                inner[:] = inks[0]
            elif kind == 1 and rng.random() < 0.6:
                inner[:] = inks[int(rng.integers(len(inks)))]
            if rng.random() > filled:
                continue
            ink = inks[int(rng.integers(len(inks)))]
            if texts:
                text = str(rng.choice(list(texts)))
                size = side / 44 * float(rng.uniform(0.8, 1.1))
                part = np.ascontiguousarray(inner)
                cv2.putText(part, text, (3, side - side // 4), face, size, ink.tolist(), 1, cv2.LINE_AA)
                inner[:] = part
            else:
                part = np.ascontiguousarray(inner)
                middle, radius = (part.shape[1] // 2, part.shape[0] // 2), max(2, min(part.shape[:2]) // 3)
                if kind < 3:
                    cv2.circle(part, middle, radius, ink.tolist(), -1, cv2.LINE_AA)
                else:
                    part[
                        part.shape[0] // 4 : -part.shape[0] // 4, part.shape[1] // 4 : -part.shape[1] // 4
                    ] = ink
                inner[:] = part
    return Grid(
        left + wide * np.arange(columns + 1, dtype=np.float32),
        top + side * np.arange(rows + 1, dtype=np.float32),
    )


def _pitches(rng: Rng, wide: int, high: int) -> tuple[float, float]:
    largest = min(wide, high) / 4.8
    pitch = float(np.exp(rng.uniform(np.log(10), np.log(min(90, largest)))))
    pitch = pitch if rng.random() < 0.3 else float(round(pitch))
    ratio = float(rng.uniform(1 / 1.5, 1.5)) if rng.random() < 0.12 else 1.0
    down = pitch * ratio if rng.random() < 0.5 else float(round(pitch * ratio))
    return pitch, max(9.0, min(down, high / 4.8))


def states(rng: Rng, rows: int, columns: int) -> list[str]:
    """What the cells of a board show: fresh, in the middle, lost or won."""
    part = float(rng.choice((0.0, 0.0, 0.15, 0.4, 0.7, 0.9, 1.0)))
    small = rng.random((int(rng.integers(2, 6)), int(rng.integers(2, 6)))).astype(np.float32)
    blob = cv2.resize(small, (columns, rows), interpolation=cv2.INTER_CUBIC)
    is_open = (blob < np.quantile(blob, part)) if 0 < part < 1 else np.full((rows, columns), part == 1.0)
    mines = rng.random((rows, columns)) < float(rng.uniform(0.08, 0.25))
    is_open &= ~mines
    counts = cv2.filter2D(mines.astype(np.float32), -1, np.ones((3, 3)), borderType=cv2.BORDER_CONSTANT)
    is_lost, flags = rng.random() < 0.15 and part > 0, float(rng.choice((0.0, 0.3, 0.9))) * (part > 0)
    found = []
    for row in range(rows):
        for column in range(columns):
            lot = rng.random()
            if is_open[row, column]:
                found.append(str(int(counts[row, column])))
            elif mines[row, column] and lot < flags:
                found.append("F")
            elif mines[row, column] and is_lost:
                found.append("*")
            else:
                found.append("?" if lot > 0.995 and part else ".")
    return found


def _board(rng: Rng, canvas: Picture, is_cropped: bool) -> tuple[Floats, Floats, tuple[str, ...]]:
    high, wide = canvas.shape[:2]
    across, down = _pitches(rng, wide, high)
    most = int((wide - 4) / across), int((high - 4) / down)
    columns, rows = (min(limit, max(4, int(rng.integers(4, 1 + min(limit, 32))))) for limit in most)
    left = float(round(rng.uniform(0, wide - columns * across)))
    top = float(round(rng.uniform(0, high - rows * down)))
    floor = np.floor if rng.random() < 0.5 else np.round
    xs, ys = floor(left + across * np.arange(columns + 1)), floor(top + down * np.arange(rows + 1))
    xs, ys = xs.astype(np.int64), ys.astype(np.int64)
    face = colour(rng)
    if rng.random() < 0.85:
        _window(rng, canvas, (int(xs[0]), int(ys[0]), int(xs[-1]), int(ys[-1])), face)
    look = random_look(rng, int(np.diff(xs).max()), int(np.diff(ys).max()))
    cells = states(rng, rows, columns)
    for index, state in enumerate(cells):
        row, column = divmod(index, columns)
        x0, x1, y0, y1 = xs[column], xs[column + 1], ys[row], ys[row + 1]
        picture = look.cell(state, row + column)[: y1 - y0, : x1 - x0]
        by = rng.normal(0, look.drift) if look.drift else 0.0
        canvas[y0:y1, x0:x1] = np.clip(picture + by, 0, 255)
    if rng.random() < 0.06:  # a message over the middle
        _dialog(rng, canvas, xs, ys)
    whole_x, whole_y = xs.astype(np.float32), ys.astype(np.float32)
    return (whole_x, whole_y, ()) if rng.random() > 0.2 else _cut(rng, canvas, whole_x, whole_y, is_cropped)


def _window(rng: Rng, canvas: Picture, box: tuple[int, int, int, int], face: Floats) -> None:
    x0, y0, x1, y1 = box
    margin, bar = int(rng.integers(0, MARGIN)), int(rng.integers(0, 90))
    if rng.random() < 0.25:
        margin = 0
    left, top, right, bottom = x0 - margin, y0 - bar, x1 + margin, y1 + margin
    cv2.rectangle(canvas, (left, top), (right - 1, bottom - 1), face.tolist(), -1)
    if rng.random() < 0.25:  # a picture around the board
        part = canvas[max(0, top) : bottom, max(0, left) : right]
        if rng.random() < 0.5:
            part[:] = np.clip(
                patch(rng, part.shape[0], part.shape[1], face, float(rng.uniform(5, 40))), 0, 255
            )
        else:
            part[:] = _background(rng, part.shape[0], part.shape[1])
            for _ in range(int(rng.integers(0, 30))):
                at = int(rng.integers(part.shape[1])), int(rng.integers(part.shape[0]))
                axes = int(rng.integers(2, 60)), int(rng.integers(2, 60))
                cv2.ellipse(
                    canvas,
                    (max(0, left) + at[0], max(0, top) + at[1]),
                    axes,
                    0,
                    0,
                    360,
                    colour(rng).tolist(),
                    -1,
                    cv2.LINE_AA,
                )
    ink = apart(rng, face, 60)
    cv2.rectangle(canvas, (left, top - 24), (right - 1, top), apart(rng, face, 20).tolist(), -1)
    _write(canvas, "Mines   File Edit Help", (left + 6, top - 7), rng, ink, 0.5)
    if bar > 40:
        for nth in range(int(rng.integers(0, 5))):
            x = x0 + nth * int(rng.integers(38, 60))
            cv2.rectangle(
                canvas, (x, y0 - bar + 6), (x + 30, y0 - bar + 34), ink.tolist(), int(rng.choice((-1, 1)))
            )
        _write(
            canvas,
            str(rng.choice(("010  0:42", "Mines: 40", "099", "Time 12"))),
            (x0 + 40, y0 - bar + 32),
            rng,
            ink,
            0.6,
        )
    lot = rng.random()
    if lot < 0.35:  # a frame around the board, sunken or plain
        for step in range(int(rng.integers(1, 6))):
            shade = np.clip(face + float(rng.choice((-60.0, -30.0, 30.0, 60.0))), 0, 255)
            cv2.rectangle(canvas, (x0 - 1 - step, y0 - 1 - step), (x1 + step, y1 + step), shade.tolist(), 1)
    elif lot < 0.41:  # posts at every cell
        pitch = (x1 - x0) / max(1, round((x1 - x0) / float(rng.uniform(20, 60))))
        size = int(rng.integers(1, 5))
        for k in range(int((x1 - x0) / pitch) + 1):
            for y in (y0 - 2 * size, y1 + 2 * size):
                cv2.circle(canvas, (int(x0 + pitch * k), y), size, ink.tolist(), -1)
    elif lot < 0.49:  # letters and numbers beside rows and columns
        pitch = max(12, (y1 - y0) // 10)
        for y in range(y0, y1, pitch):
            _write(canvas, str(rng.integers(1, 20)), (max(0, x0 - 20), y + pitch), rng, ink, 0.4)


def _dialog(rng: Rng, canvas: Picture, xs: Floats, ys: Floats) -> None:
    x0, x1, y0, y1 = int(xs[0]), int(xs[-1]), int(ys[0]), int(ys[-1])
    left, top = int(x0 + (x1 - x0) * rng.uniform(0.2, 0.4)), int(y0 + (y1 - y0) * rng.uniform(0.25, 0.45))
    right, bottom = (
        int(x0 + (x1 - x0) * rng.uniform(0.6, 0.85)),
        int(y0 + (y1 - y0) * rng.uniform(0.55, 0.75)),
    )
    ground = colour(rng)
    cv2.rectangle(canvas, (left, top), (right, bottom), ground.tolist(), -1)
    _write(canvas, "Game over", (left + 8, (top + bottom) // 2), rng, apart(rng, ground, 80), 0.5)


def _cut(
    rng: Rng, canvas: Picture, xs: Floats, ys: Floats, is_cropped: bool
) -> tuple[Floats, Floats, tuple[str, ...]]:
    """The window's border, or something before it, hides a part of the last cells on one or two sides."""
    chosen = [str(side) for side in rng.choice(SIDES, int(rng.integers(1, 3)), replace=False)]
    cover, cut, plain = colour(rng), [], is_cropped
    for side in chosen:
        lines = xs if side in ("left", "right") else ys
        if len(lines) < 7:
            continue
        at_end = side in ("right", "bottom")
        pitch = float(np.diff(lines).mean())
        share = float(rng.uniform(0.15, 0.85)) * pitch
        edge = int(lines[-2] + share) if at_end else int(lines[1] - share)
        area = np.s_[edge:] if at_end else np.s_[:edge]
        part = canvas[:, area] if side in ("left", "right") else canvas[area]
        if not plain:
            part[:] = cover
        kept = lines[:-1] if at_end else lines[1:]
        xs, ys = (kept, ys) if side in ("left", "right") else (xs, kept)
        cut.append(side)
    return xs, ys, tuple(side for side in SIDES if side in cut)
