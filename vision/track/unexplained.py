"""Changes that no move explains: covers, and mines that a lost game reveals.

A move or a cascade explains why cells open. A cover (a banner, tooltip, toast or dialog that the program
draws over its own board) changes other cells as well, and it ignores the lines of the board. Its edge cuts
cells: part of a cell stays as it was, along one straight line through several cells. Its inside has one
colour across the border of two cells, where the board shows a line. Revealed mines may have any drawing, but
every number touches as many of them as it says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from games.logic import bits, cell_set
from games.minesweeper import DIGITS, HIDDEN, Board
from vision.frame import Frame, Pixels
from vision.lattice import Lattice
from vision.track.belief import changed_with, neighbours

EVERYTHING = 0.95  # share of cells; if more have changed, the whole board was drawn again
ROUGH = 2  # pixels by which margins of opened cells may differ
FRAME = 0.05  # fraction of a cell's side that the frame of the board may cover at its outer edge
DEEP = 0.25  # fraction of a cell's side that must have changed beyond a cut; less may be a shadow
MOST_CUTS = 2  # parallel cuts on the same side; more of them are how the cells are drawn
BAND = 0.3  # fraction of a cell's side on each side of a border; digits keep this margin
INNER = 0.15  # fraction of a cell's side at its corners that is not compared
EQUAL = 4  # grey levels; maximum difference within one colour: two shades of hidden cells may differ by 8
EXACT = 1  # grey levels; the same between empty cells, whose texture may hide some of the lines
HALF = 0.5  # fraction of a border that must have one colour across it
DOTS = 4  # pixels; maximum distance of the dots of a line: the gaps between them belong to the line
CLUES = 3  # numbers; the counts of fewer may match by chance
VEILED = 0.95  # brightness factor; a cover that darkens more than this is recognised
VEILED_SHARE = 0.6  # share of the pixels that a veil darkens equally: a dialog may hide the others
SAMPLES = 16  # cells whose margins are compared
SOME, LINED = 2, 0.8  # pairs of empty cells, and their share, with a line between them on ruled boards
LONG = 0.8  # fraction of a border that a line takes, at least

Sides = tuple[int, int, int, int]  # pixels at the left, top, right and bottom


def explained_cells(before: Board, now: Board, changed: int, opened: int, known: int) -> int:
    """The changed cells that moves, cascades or clicks of the user explain.

    `opened` is the cell set that the moves opened; a cascade continues at empty and at unread cells. Other
    changes are explained if they are a complete opening, whose empty cells have no closed neighbour, or a
    number of a `known` appearance.
    """
    shut = changed & ~before.open
    empty = (now.cells_showing("0") | now.unread) & ~_beside_closed(before, changed)
    cells = changed_with(opened, shut, now.around, through=empty)
    numbers, zeros = now.cells_showing(DIGITS[1:]) & shut, now.cells_showing("0") & shut
    rest = (zeros | numbers) & ~cells
    while True:
        settled = cells | rest | before.open
        broken = cell_set(k for k in bits(rest & zeros) if now.around[k] & ~settled)
        broken |= rest & numbers & ~known & ~neighbours(rest & zeros & ~broken, now.around)
        if not broken:
            return cells | rest
        rest &= ~broken


def _beside_closed(before: Board, changed: int) -> int:
    """The cells that are not empty because a neighbour is closed; 0 if the program may not cascade."""
    beside_empty = neighbours(before.cells_showing("0"), before.around)
    if not beside_empty or beside_empty & before.closed:
        return 0
    return neighbours(before.closed & ~changed, before.around)


def revealed_mines(before: Board, now: Board, changed: int, hit: int, total: int | None = None) -> int:
    """The unread cells that are mines, if a guess lost the game; 0 if that is not certain.

    `changed` are cells that no move explains, or all changed cells if `total` is given, and `hit` is the
    unread cell that the guess opened. It is certain if every number of the board touches exactly as many of
    these cells and flags as it says, and at least CLUES numbers touch one, or one number if these cells and
    flags are as many as the mine `total`. Where open cells disappeared, a message may also hide safe covers.
    A program may flag the mines of a game that was won; then no cover is left, and `hit` is no mine.
    `Tracker` marks the mines, so that the game has visibly ended.
    """
    mines = (changed | hit) & now.unread
    known = before.open | before.flagged & now.unread
    numbers = now.with_states({k: before[k] for k in bits(known)})
    message = _message(before, now)
    hidden = mines & (message | neighbours(message, now.around))
    mines, hit = mines & ~hidden, hit & ~hidden
    sure = mines & (neighbours(numbers.open, now.around) | hit)  # other cells may be below a message
    is_total = (mines | hidden | numbers.flagged).bit_count() == total
    proves_hit = neighbours(hit, now.around) & numbers.open & ~neighbours(hidden, now.around)
    may_be_won = not (now.closed or is_total or proves_hit)
    if not hit & mines or not mines & ~hit or may_be_won:
        return 0
    return sure if _fit_numbers(numbers, mines, 1 if is_total else CLUES, hidden) else 0


def _message(before: Board, now: Board) -> int:
    """The cells of the smallest rectangle around open cells that are unread now; 0 if most of it is read."""
    gone = before.open & now.unread
    if not gone:
        return 0
    rows, columns = zip(*(divmod(k, now.columns) for k in bits(gone)), strict=True)
    box = cell_set(
        row * now.columns + column
        for row in range(min(rows), max(rows) + 1)
        for column in range(min(columns), max(columns) + 1)
    )
    return box if 2 * (box & now.unread).bit_count() >= box.bit_count() else 0


def is_cleared(now: Board, total: int | None) -> bool:
    """Whether all cells that are not open are mines: they fit every number, and the mine total.

    No cover matters then. Programs may show the mines of a game that was won.
    """
    mines = now.not_open
    return (total is None or mines.bit_count() == total) and _fit_numbers(now, mines)


def watched_mines(now: Board, changed: int, looks: Sequence[int]) -> int:
    """The unread cells that are mines, if the user has lost the game; 0 if that is not certain.

    It is certain if they fit the numbers, and some of them lie away from all numbers but look like the
    others, so that they are not flags. `looks` is the cluster of each cell.
    """
    new = changed & now.unread
    beside = new & neighbours(now.open, now.around)
    near = {looks[k] for k in bits(beside)}
    mines = beside | cell_set(k for k in bits(new) if looks[k] in near)
    return mines if mines != beside and _fit_numbers(now, mines) else 0


def are_scattered(cells: int, columns: int) -> bool:
    """Whether a rectangle around these cells contains more other cells, unlike that of a cover."""
    if not cells:
        return False
    high, wide = np.ptp([divmod(k, columns) for k in bits(cells)], axis=0) + 1
    return bool(2 * cells.bit_count() < high * wide)


def _fit_numbers(board: Board, mines: int, least: int = CLUES, hidden: int = 0) -> bool:
    """Whether each number touches as many of these cells and flags as it says; at least `least` touch any.

    Any of the `hidden` cells may be mines as well.
    """
    shown = mines | board.flagged
    fits = all(
        0 <= int(board[k]) - (board.around[k] & shown).bit_count() <= (board.around[k] & hidden).bit_count()
        for k in bits(board.open)
    )
    return fits and (neighbours(mines, board.around) & board.open).bit_count() >= least


def covered_cells(
    earlier: Frame,
    frame: Frame,
    lattice: Lattice,
    before: Board,
    now: Board,
    changed: int,
    opened: int,
    explained: int,
) -> int:
    """The cell set under a cover; 0 if there is none.

    `earlier` and `frame` are the pictures before and after the last moves, `before` and `now` the boards,
    `changed` the cells that differ, `opened` those opened by the moves and `explained` those with an
    explanation.
    """
    shut = changed & before.closed & ~now.flagged
    if changed.bit_count() > EVERYTHING * len(now):
        if _is_veiled(earlier.pixels, frame.pixels, lattice, shut & ~now.open):
            return shut
        explained = now.everything  # a restyled board: only lines between cells count
    numbers = now.cells_showing(DIGITS[1:]) & explained
    found = 0
    if explained != now.everything:
        adjacent = neighbours(explained & now.open, now.around)
        margins = _usual_margins(earlier.pixels, frame.pixels, lattice, before, numbers & shut)
        found = _cut_cells(earlier.pixels, frame.pixels, lattice, shut & ~numbers, margins, adjacent)
    edge = shut & ~opened & _beside_closed(before, changed)
    blank = cell_set(k for k in bits(edge & explained) if _is_blank(frame.pixels, lattice, k))
    unexplained = shut & ~explained
    still = before.closed & now.closed & ~changed  # two shades of cells may hide the border of a cover
    wholes = [(unexplained, unexplained), (blank, blank), (unexplained, still)]
    pairs = {pair for first, second in wholes for pair in _pairs(lattice, first, second)}
    plain = shut & (now.cells_showing("0") | now.unread)
    lined = _line_directions(earlier.pixels, lattice, before.cells_showing("0")) | _line_directions(
        frame.pixels, lattice, now.cells_showing("0") & explained
    )
    among = {pair for pair in _pairs(lattice, plain, plain) if pair[1] - pair[0] in lined}
    for pair in {*pairs, *among}:
        most = EQUAL if pair in pairs else EXACT
        if _is_even(frame.pixels, lattice, *pair, most) and not _is_even(earlier.pixels, lattice, *pair):
            found |= cell_set(pair)
    return found | unexplained if found else 0


def _usual_margins(earlier: Pixels, pixels: Pixels, lattice: Lattice, before: Board, numbers: int) -> Sides:
    """The margins, pixels, that stay the same when a cell opens, such as the gaps between cells.

    They are measured on the `numbers` that the moves opened. Without any, they are the usual margins in which
    cells that were open already equal a hidden one.
    """
    if numbers:
        inset = [_unchanged_sides(_changed_pixels(earlier, pixels, lattice, k)) for k in bits(numbers)]
        left, top, right, bottom = (max(side) for side in zip(*inset, strict=True))
        return left, top, right, bottom
    hidden = {each.shape: each for each in _some_cells(earlier, lattice, before.cells_showing(HIDDEN))}
    inset = [
        _unchanged_sides(_without_corners((each != hidden[each.shape]).any(axis=2)))
        for each in _some_cells(earlier, lattice, before.open)
        if each.shape in hidden
    ]
    left, top, right, bottom = np.median(inset or [(0, 0, 0, 0)], axis=0).astype(int).tolist()
    return left, top, right, bottom


def _without_corners(differs: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The pixels that differ, except those of the corners, which depend on the neighbours of a cell."""
    high, wide = (round(INNER * length) for length in differs.shape)
    inner = differs.copy()
    for rows in (slice(high), slice(len(differs) - high, None)):
        inner[rows, :wide] = inner[rows, inner.shape[1] - wide :] = False
    return inner


def _some_cells(pixels: Pixels, lattice: Lattice, cells: int) -> list[Pixels]:
    """Pictures of at most SAMPLES of these cells."""
    chosen = list(bits(cells))
    return [lattice.picture(pixels, k) for k in chosen[:: 1 + len(chosen) // SAMPLES]]


def _cut_cells(
    earlier: Pixels, pixels: Pixels, lattice: Lattice, shut: int, usual: Sides, adjacent: int
) -> int:
    """The cells that one straight edge cuts together with a neighbour.

    The edge must reach the border between both cells, unlike the edges of two flags side by side, and lie
    further inside than the `usual` margins. Hidden cells that are `adjacent` to opened ones may change their
    margin. At the outer edge of the board, cells have a wider margin if the board has a frame.
    """
    last = lattice.columns - 1, lattice.rows - 1
    differs = {k: _changed_pixels(earlier, pixels, lattice, k) for k in bits(shut)}
    inset = {k: _unchanged_sides(each) for k, each in differs.items()}
    lines: list[dict[int, list[int]]] = [{}, {}, {}, {}]  # by side: the cut cells by the position of the cut
    for k in bits(shut):
        box = lattice.rectangle(k)
        for side in range(4):
            length = box[2 + side % 2] - box[side % 2]
            cut, opposite = inset[k][side], inset[k][(side + 2) % 4]
            deep = DEEP * length if adjacent >> k & 1 else ROUGH
            is_outer = divmod(k, lattice.columns)[1 - side % 2] == (0 if side < 2 else last[side % 2])
            rough = max(ROUGH, FRAME * length) if is_outer else ROUGH
            if cut > usual[side] + rough and length - cut - opposite >= deep:
                place = box[side] + cut if side < 2 else box[side] - cut
                lines[side].setdefault(place, []).append(k)
    found = 0
    for side, cuts in enumerate(lines):
        step = lattice.columns if side % 2 == 0 else 1
        long = [
            cells
            for cells in cuts.values()
            if any(
                k + step in cells
                and _reaches(differs[k], side, inset[k][side], -1)
                and _reaches(differs[k + step], side, inset[k + step][side], 0)
                for k in cells
            )
        ]
        if len(long) <= MOST_CUTS:
            found |= cell_set(k for cells in long for k in cells)
    return found


def _is_veiled(earlier: Pixels, pixels: Pixels, lattice: Lattice, cells: int) -> bool:
    """Whether most of these cells are darker (or brighter) by one factor, as below a translucent cover."""
    if not cells:
        return False
    before, now = (
        np.concatenate([lattice.picture(each, k).ravel() for k in bits(cells)]).astype(np.float32)
        for each in (earlier, pixels)
    )
    for end in (0, 255):
        old, new = np.abs(before - end), np.abs(now - end)
        factor = float(np.median(new / np.maximum(1.0, old)))
        if factor < VEILED and (np.abs(new - factor * old) <= EQUAL).mean() >= VEILED_SHARE:
            return True
    return False


def _changed_pixels(earlier: Pixels, pixels: Pixels, lattice: Lattice, cell: int) -> NDArray[np.bool_]:
    """Which pixels of a cell have changed."""
    return np.asarray((lattice.picture(earlier, cell) != lattice.picture(pixels, cell)).any(axis=2))


def _unchanged_sides(differs: NDArray[np.bool_]) -> Sides:
    """The width of the unchanged margin of a cell at each side; 0 for an unchanged cell."""
    columns, rows = np.flatnonzero(differs.any(axis=0)), np.flatnonzero(differs.any(axis=1))
    if not columns.size:
        return 0, 0, 0, 0
    high, wide = differs.shape
    return int(columns[0]), int(rows[0]), wide - 1 - int(columns[-1]), high - 1 - int(rows[-1])


def _reaches(differs: NDArray[np.bool_], side: int, cut: int, end: Literal[0, -1]) -> bool:
    """Whether a change that begins at a cut reaches one end of the cut."""
    across = differs if side % 2 == 0 else differs.T
    along = np.asarray((across if side < 2 else across[:, ::-1])[:, cut : cut + ROUGH + 1].any(axis=1))
    near = max(ROUGH + 1, round(INNER * len(along)))
    return bool(along[-near:].any() if end else along[:near].any())


def _line_directions(pixels: Pixels, lattice: Lattice, empty: int) -> set[int]:
    """The directions, as steps from cell to cell, in which the board shows lines between most empty cells.

    A line has the same distance from each border, and takes most of it; the joints of a brick texture do not.
    """
    lined: dict[int, list[NDArray[np.bool_]]] = {}  # by direction, for each pair: the places of lines
    for one, other in _pairs(lattice, empty, empty):
        band = _border_band(pixels, lattice, one, other).astype(np.int16)
        changes = np.abs(np.diff(band, axis=1)).max(axis=2) > EQUAL
        shown = [_length(each) >= LONG * len(each) for each in changes.T]
        near = np.convolve(shown, np.ones(3), "same") > 0  # a line may be off by a pixel
        lined.setdefault(other - one, []).append(near)
    found = set()
    for step, each in lined.items():
        narrowest = min(map(len, each))
        counts = np.sum([near[(len(near) - narrowest) // 2 :][:narrowest] for near in each], axis=0)
        if counts.max() >= max(SOME, LINED * len(each)):
            found.add(step)
    return found


def _length(shown: NDArray[np.bool_]) -> int:
    """The length of a line that shows at these places, including the gaps between its dots."""
    places = np.flatnonzero(shown)
    steps = np.diff(places)
    return int(np.where(steps <= DOTS, steps, 1).sum()) + 1 if places.size else 0


def _pairs(lattice: Lattice, first: int, second: int) -> Iterator[tuple[int, int]]:
    """The pairs of neighbours in a row or column, one of each cell set."""
    for k in bits(first | second):
        for after, is_beside in ((k + 1, (k + 1) % lattice.columns), (k + lattice.columns, True)):
            is_pair = first >> k & second >> after & 1 or second >> k & first >> after & 1
            if is_beside and is_pair:
                yield k, after


def _is_even(pixels: Pixels, lattice: Lattice, one: int, other: int, most: int = EQUAL) -> bool:
    """Whether the colour changes by at most `most` grey levels across the border of two neighbours."""
    band = _border_band(pixels, lattice, one, other)
    return _length(_spread(band) > most) <= (1 - HALF) * len(band)


def _border_band(pixels: Pixels, lattice: Lattice, one: int, other: int) -> Pixels:
    """The picture on both sides of the border of two neighbours, (along, across, 3), without its ends."""
    left, top, right, bottom = lattice.rectangle(one)
    wide, high = round(BAND * (right - left)), round(BAND * (bottom - top))
    if other == one + 1:
        skip = round(INNER * (bottom - top))
        return pixels[top + skip : bottom - skip, right - wide : right + wide]
    skip = round(INNER * (right - left))
    return pixels[bottom - high : bottom + high, left + skip : right - skip].swapaxes(0, 1)


def _is_blank(pixels: Pixels, lattice: Lattice, cell: int) -> bool:
    """Whether a cell has one colour, apart from its margin."""
    left, top, right, bottom = lattice.rectangle(cell)
    x, y = round(INNER * (right - left)), round(INNER * (bottom - top))
    inner = pixels[top + y : bottom - y, left + x : right - x].reshape(1, -1, 3)
    return bool(_spread(inner) <= EQUAL)


def _spread(band: Pixels) -> NDArray[np.int16]:
    """The largest difference of colour along each row, grey levels."""
    spread = band.max(axis=1).astype(np.int16) - band.min(axis=1)
    return np.asarray(spread.max(axis=-1))
