"""Pictures: one observation as PNG, a game as GIF or video, two readings side by side, a drawn board.

Games without screenshots, such as replay files, are shown as drawn boards.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from math import isqrt
from pathlib import Path

import cv2
import numpy as np

from bot.recording.compare import RecordedChange
from bot.recording.embedded import embed_recording
from bot.show.coordinates import rename_cells
from bot.show.story import GameStory, StoryStep, format_percent
from games.errors import InvalidFile, UsageError
from games.external import file_errors
from games.logic import bits
from games.minesweeper import (
    DIGITS,
    EXPLODED,
    FLAG,
    HIDDEN,
    MINE,
    MINES_SHOWN,
    QUESTION,
    WRONG_FLAG,
    Board,
    Move,
)
from vision.annotations import format_labels
from vision.frame import Frame, Pixels, add_png_text
from vision.lattice import Lattice
from vision.skins import Skin, Tile, train_skin_from_tiles

MIN_PICTURE_CELL = 24  # pixels; smaller cells are enlarged
MOST_FRAMES = 200  # of a GIF; observations of longer games are skipped
MOST_PIXELS = 60_000_000  # of an enlarged picture, and of all frames of a GIF
FRAME_MS, LAST_MS = 250, 3000
RATE = 8.0  # frames per second of a video; an observation takes two
VIDEOS = {".mp4": "mp4v", ".webm": "VP80"}
CAPTION, LETTERS = 26, 0.5  # height of the line below a picture in pixels; scale of its letters
FONT = cv2.FONT_HERSHEY_SIMPLEX
BAR, INK = (40, 36, 33), (235, 235, 235)
SAFE, MINE_MARK = (60, 160, 20), (40, 40, 200)  # blue, green, red
OPEN, MARK, GUESS = (208, 80, 0), (176, 0, 122), (0, 123, 224)


def write_png(story: GameStory, path: Path, look: int) -> None:
    """Write observation `look` (from 0) with its certain cells and moves.

    The file also contains the board as text, because the marks make the picture unreadable.
    """
    meta = story.recording.meta
    board = story.steps[look].board.with_variant(meta.rules.variant).with_mines(meta.rules.mines)
    frame = next(islice(story.frames(), look, None))
    _, data = cv2.imencode(".png", picture_with_caption(story, look, frame))
    with file_errors(path, "name a writable file"):
        path.write_bytes(add_png_text(bytes(data), format_labels(scaled(meta.lattice), board)))


def write_gif(story: GameStory, path: Path) -> None:
    """Write the whole game, one frame per observation; the last one is shown longer."""
    size = picture_with_caption(story, 0, next(story.frames()))[..., 0].size
    most = min(MOST_FRAMES, max(2, MOST_PIXELS // size))
    last = len(story.steps) - 1
    chosen = {*range(0, last, -(-len(story.steps) // most)), last}
    animation = cv2.Animation()
    animation.frames = [
        cv2.cvtColor(picture_with_caption(story, look, frame), cv2.COLOR_BGR2BGRA)
        for look, frame in enumerate(story.frames())
        if look in chosen
    ]
    animation.durations = [FRAME_MS] * (len(chosen) - 1) + [LAST_MS]
    with file_errors(path, "name a writable file"):
        path.write_bytes(bytes(cv2.imencodeanimation(".gif", animation)[1]))


def write_video(story: GameStory, path: Path) -> None:
    """Write the whole game as MP4 (MPEG-4) or WebM (VP8), with the recording inside the file.

    Raises UsageError for other file types.
    """
    code = VIDEOS.get(path.suffix.lower())
    if code is None:
        raise UsageError(f"{path}: unknown video format: name an .mp4 or .webm file with --video")
    first = picture_with_caption(story, 0, next(story.frames()))
    height, width = (side + side % 2 for side in first.shape[:2])
    with _without_stderr():
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*code), RATE, (width, height))
    if not writer.isOpened():
        raise InvalidFile(f"{path}: the video cannot be written: name a writable file")
    for look, frame in enumerate(story.frames()):
        shown = picture_with_caption(story, look, frame)
        even = cv2.copyMakeBorder(
            shown, 0, height - shown.shape[0], 0, width - shown.shape[1], cv2.BORDER_REPLICATE
        )
        seconds = (LAST_MS if look == len(story.steps) - 1 else FRAME_MS) / 1000
        for _ in range(round(seconds * RATE)):
            writer.write(even)
    writer.release()
    with file_errors(path, "name a writable file"):
        embed_recording(story.recording.folder, path)


@contextlib.contextmanager
def _without_stderr() -> Iterator[None]:
    """Discard what libraries print; OpenCV warns about every code of a WebM file."""
    sys.stderr.flush()
    try:
        kept = os.dup(2)
    except OSError:  # closed
        yield
        return
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def scaled(lattice: Lattice) -> Lattice:
    """The lattice of an enlarged picture."""
    zoom = _zoom(lattice)
    return Lattice(tuple(x * zoom for x in lattice.xs), tuple(y * zoom for y in lattice.ys))


def _zoom(lattice: Lattice, least: int = MIN_PICTURE_CELL) -> int:
    """The integer scale at which cells are about `least` pixels wide, unless the picture is too large."""
    wanted = round(least * lattice.columns / (lattice.xs[-1] - lattice.xs[0]))
    return max(1, min(wanted, isqrt(MOST_PIXELS // (lattice.xs[-1] * lattice.ys[-1]))))


def picture_with_caption(story: GameStory, look: int, frame: Frame) -> Pixels:
    """Draw observation `look` (from 0), with this board area, and its caption."""
    picture = annotated_picture(story.recording.meta.lattice, story.steps[look], frame)
    width = picture.shape[1]
    bar = np.full((CAPTION, width, 3), BAR, np.uint8)
    text = caption(story, look)
    (wide, high), _ = cv2.getTextSize(text, FONT, LETTERS, 1)
    size = LETTERS * min(1.0, (width - 12) / max(wide, 1))
    cv2.putText(bar, text, (6, (CAPTION + high) // 2), FONT, size, INK, 1, cv2.LINE_AA)
    return np.concatenate([picture, bar])


def caption(story: GameStory, look: int) -> str:
    """The caption of an observation, such as `move 12   3.4 s   open r3c5   risk 11.7 %`."""
    step = story.steps[look]
    parts = [f"{step.seconds:.1f} s"]
    if step.moves:
        count = len(step.moves)
        numbers = f"{step.before + 1}" if count == 1 else f"{step.before + 1} to {step.before + count}"
        parts = [f"move {numbers}", *parts, step.moves[0] + (f" and {count - 1} more" if count > 1 else "")]
    risk = _risk(step)
    if risk:
        parts.append(f"risk {format_percent(risk)}")
    ended = story.result.get("result", "")
    if look == len(story.steps) - 1 and ended:
        parts.append(str(ended))
    return rename_cells("   ".join(parts), story.coordinates)


def _risk(step: StoryStep) -> float:
    if step.judged:
        return max(one.risk or 0.0 for one in step.judged)
    return 1.0 - float(step.guess["safe"]) if step.guess else 0.0


def annotated_picture(lattice: Lattice, step: StoryStep, frame: Frame) -> Pixels:
    """Draw the board area with certain cells tinted, risks as coloured bars, and moves framed."""
    zoom = _zoom(lattice)
    board = frame.pixels[: lattice.ys[-1], : lattice.xs[-1]]
    pixels = cv2.resize(board, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_NEAREST)
    tints = dict.fromkeys(bits(step.true & step.board.not_open), MINE_MARK)
    tints |= dict.fromkeys(bits(step.false & step.board.not_open), SAFE)
    for k, colour in tints.items():
        left, top, right, bottom = (v * zoom for v in lattice.rectangle(k))
        area = pixels[top:bottom, left:right]
        pixels[top:bottom, left:right] = (0.6 * area + 0.4 * np.array(colour)).astype(np.uint8)
    for k, risk in step.risks.items() if step.guess else ():
        left, top, right, bottom = (v * zoom for v in lattice.rectangle(k))
        high = max(3, (bottom - top) // 6)  # a bar, so that the cell keeps its colour
        cv2.rectangle(pixels, (left + 1, bottom - 2 - high), (right - 2, bottom - 2), BAR, -1)
        end = left + 2 + round(risk * (right - left - 5))
        cv2.rectangle(pixels, (left + 2, bottom - 1 - high), (end, bottom - 3), _heat(risk), -1)
    for text in step.moves:
        move = Move.parse(text, step.board)
        colour = GUESS if step.guess else OPEN if move.kind in ("open", "chord") else MARK
        left, top, right, bottom = (v * zoom for v in lattice.rectangle(move.cell))
        cv2.rectangle(pixels, (left + 1, top + 1), (right - 2, bottom - 2), colour, max(2, zoom))
    return np.asarray(pixels, np.uint8)


def _heat(risk: float) -> tuple[int, int, int]:
    return 30, round(220 * (1 - min(1.0, 1.3 * risk))), 230


MIN_SIDE_CELL = 28  # pixels; smaller cells are enlarged
GAP, HEAD = 16, 28  # pixels between two pictures, and above them
COLOURS = {"reading": (200, 0, 200), "certain": (0, 140, 255)}  # blue, green, red
WHITE, BLACK = (255, 255, 255), (0, 0, 0)


def side_by_side(lattice: Lattice, frame: Frame, changes: Sequence[RecordedChange], board: Board) -> Pixels:
    """Draw the recorded and the current reading; each changed cell is framed and labelled."""
    across, down = lattice.xs[-1] - lattice.xs[0], lattice.ys[-1] - lattice.ys[0]
    zoom = _zoom(lattice, MIN_SIDE_CELL)
    area = frame.pixels[lattice.ys[0] : lattice.ys[-1], lattice.xs[0] : lattice.xs[-1]]
    seen = cv2.resize(area, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_NEAREST)
    width = across * zoom
    picture = np.full((HEAD + down * zoom, 2 * width + GAP, 3), 255, np.uint8)
    for side, title in enumerate(("recorded", "now")):
        left = side * (width + GAP)
        picture[HEAD:, left : left + width] = seen
        cv2.putText(picture, title, (left + 4, HEAD - 9), FONT, 0.6, BLACK, 1, cv2.LINE_AA)
        for change in changes:
            if not change.cell:
                continue
            x0, y0, x1, y1 = lattice.rectangle(board.cell(change.cell))
            columns = [(v - lattice.xs[0]) * zoom + left for v in (x0, x1)]
            rows = [(v - lattice.ys[0]) * zoom + HEAD for v in (y0, y1)]
            label = change.now if side else change.recorded
            _mark(picture, columns, rows, label[:1] if change.what == "certain" else label, change.what)
    return np.asarray(picture, np.uint8)


def _mark(picture: Pixels, columns: Sequence[int], rows: Sequence[int], label: str, what: str) -> None:
    """Frame a cell and label it in large letters with a light edge."""
    colour = COLOURS[what]
    cv2.rectangle(picture, (columns[0] + 1, rows[0] + 1), (columns[1] - 2, rows[1] - 2), colour, 3)
    size = (rows[1] - rows[0]) / 40
    (wide, high), _ = cv2.getTextSize(label, FONT, size, 2)
    at = ((columns[0] + columns[1] - wide) // 2, (rows[0] + rows[1] + high) // 2)
    cv2.putText(picture, label, at, FONT, size, WHITE, 5, cv2.LINE_AA)
    cv2.putText(picture, label, at, FONT, size, colour, 2, cv2.LINE_AA)


CELL = 24  # pixels
SCALE = 0.6  # of letters
# blue, green, red; the numbers have the colours of Windows Minesweeper
NUMBERS = (
    (0, 0, 0), (255, 0, 0), (0, 128, 0), (0, 0, 255), (128, 0, 0), (0, 0, 128), (128, 128, 0), (0, 0, 0),
    (96, 96, 96),
)  # fmt: skip
COVER, LIGHT, DARK = (200, 200, 200), (245, 245, 245), (140, 140, 140)
FLOOR, LINE = (225, 225, 225), (170, 170, 170)
RED, PEN = (30, 30, 210), (20, 20, 20)


def lattice_of(rows: int, columns: int) -> Lattice:
    """The lattice of a drawn board of this size."""
    return Lattice(tuple(range(0, CELL * columns + 1, CELL)), tuple(range(0, CELL * rows + 1, CELL)))


def draw_board(board: Board) -> Frame:
    """Draw a board with cells of `CELL` pixels."""
    pixels = np.zeros((CELL * board.rows, CELL * board.columns, 3), np.uint8)
    for k, state in enumerate(board.cells):
        row, column = divmod(k, board.columns)
        pixels[CELL * row : CELL * (row + 1), CELL * column : CELL * (column + 1)] = _cell(state)
    return Frame(pixels)


def drawn_skin() -> Skin:
    """The appearance of boards by `draw_board`."""
    states = HIDDEN + DIGITS + FLAG + QUESTION + MINES_SHOWN
    return train_skin_from_tiles("drawn", (Tile(state, _cell(state)) for state in states))


@lru_cache(maxsize=32)
def _cell(state: str) -> Pixels:
    if state in DIGITS or state in MINES_SHOWN:
        cell = np.full((CELL, CELL, 3), RED if state == EXPLODED else FLOOR, np.uint8)
        cv2.rectangle(cell, (0, 0), (CELL - 1, CELL - 1), LINE, 1)
    else:
        cell = np.full((CELL, CELL, 3), COVER, np.uint8)
        cell[:2], cell[:, :2] = LIGHT, LIGHT
        cell[-2:], cell[:, -2:] = DARK, DARK
    middle = CELL // 2
    if state in DIGITS[1:]:
        _letter(cell, state, NUMBERS[int(state)])
    elif state in (MINE, EXPLODED):
        cv2.circle(cell, (middle, middle), CELL // 4, PEN, cv2.FILLED, cv2.LINE_AA)
    elif state in (FLAG, WRONG_FLAG):
        pole = np.array([[middle - 3, 5], [middle + 6, 9], [middle - 3, 13]])
        cv2.fillPoly(cell, [pole], RED, cv2.LINE_AA)
        cv2.line(cell, (middle - 3, 5), (middle - 3, CELL - 6), PEN, 2)
    elif state == QUESTION:
        _letter(cell, state, PEN)
    if state == WRONG_FLAG:
        cv2.line(cell, (4, 4), (CELL - 5, CELL - 5), PEN, 2, cv2.LINE_AA)
    return cell


def _letter(cell: Pixels, letter: str, colour: tuple[int, int, int]) -> None:
    (width, height), _ = cv2.getTextSize(letter, FONT, SCALE, 2)
    at = ((CELL - width) // 2, (CELL + height) // 2)
    cv2.putText(cell, letter, at, FONT, SCALE, colour, 2, cv2.LINE_AA)
