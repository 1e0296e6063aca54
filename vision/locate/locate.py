"""Locate Minesweeper boards in a picture of the screen, for any program.

Boards with visible lines are found first, and the cell judge scores them; other lines replace theirs only if
they are far likelier, since decorations show lines as well. If none of these boards is whole and likely,
boards of text are searched, and without one, a network that sees the whole picture proposes boards, which the
judge also scores. If none of them is a whole board, doubtful ones count. `is_preferred` decides between
candidates that overlap.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from games.errors import AmbiguousBoard, BoardNotFound, BoardUnplayable
from vision.frame import Frame, Pixels
from vision.lattice import Lattice
from vision.locate.boxes import LONGEST, SQUARE, STRETCH, find_box_lattices
from vision.locate.extension import cut_sides, straighten
from vision.locate.fit import change_extent, fit, move_lines
from vision.locate.gaps import center_lines_in_gaps, narrow_gaps
from vision.locate.grid import (
    BEYOND,
    FEWEST,
    SIDES,
    Grid,
    has_one_colour,
    have_same_cells,
    lattices_overlap,
    to_grid,
    to_lattice,
    to_pixel,
)
from vision.locate.judge import LINES, CellJudge, ScoredGrid, odds, score_grid
from vision.locate.letters import propose_from_letters
from vision.locate.lines import CERTAIN, LinedGrid, complete_lattices, propose_from_lines
from vision.locate.names import without_names
from vision.locate.overview import propose_from_overview


@dataclass(frozen=True)
class BoardCandidate:
    """A possible board. `probability`, 0 to 1, comes from the cell judge.

    `clipped` names the sides ("left", "top", "right", "bottom") on which the picture or a window clips it,
    `ends` those beyond which the judge sees no cell.
    `shows_lines`: line-based, that is, proposed because most sides of its cells are visible.
    """

    lattice: Lattice
    probability: float
    clipped: tuple[str, ...] = ()
    shows_lines: bool = False
    ends: tuple[str, ...] = ()


def is_preferred(pixels: Pixels, one: BoardCandidate, other: BoardCandidate) -> bool:
    """Whether to prefer `one` to an overlapping candidate.

    The odds decide. A line-based `other` that is not clipped yields only to LINES times its odds, and not
    to a candidate without its last cells at the picture's border.
    """
    limits = {"left": 0, "top": 0, "right": pixels.shape[1], "bottom": pixels.shape[0]}
    ends, others = (
        dict(zip(limits, (*lines.xs[:1], *lines.ys[:1], lines.xs[-1], lines.ys[-1]), strict=True))
        for lines in (one.lattice, other.lattice)
    )
    if not other.clipped:
        # the judge may call cells cut that the picture's border clips by a single pixel
        leaves_out = any(
            abs(others[side] - limits[side]) <= BEYOND
            and abs(ends[side] - limits[side]) >= one.lattice.pitch - 2 * BEYOND
            for side in one.clipped
        )
        is_likelier = odds(one.probability) > (LINES if other.shows_lines else 1.0) * odds(other.probability)
        return is_likelier and not (other.shows_lines and leaves_out)
    if one.probability <= other.probability and one.lattice != other.lattice:
        return False
    pitch = one.lattice.pitch
    for side in other.clipped:
        # on a clipped side of `other`, `one` must be clipped too, or extend further, or end visibly, or be
        # much likelier without a partial cell between it and the picture's border
        out = (others[side] - ends[side]) * (1 if side in ("left", "top") else -1)
        room = abs(limits[side] - ends[side])
        is_doubtful = odds(one.probability) < LINES * odds(other.probability) or pitch / 8 < room < pitch
        if side not in (*one.clipped, *one.ends) and out < pitch / 2 and is_doubtful:
            return False
    return True


DOUBTED = 0.2  # probability of a line-based board below which other candidates are searched
ASTRAY = 0.01  # minimum probability of a line-based board; of 920 true ones, scaled or packed, two had less
REQUIRED = 0.7  # minimum probability of other boards, and of line-based ones with oblong cells
SUSPECTED = 0.1  # the same of oblong line-based ones if nothing else is found; captioned icons have 0.07
CLEANED = 3  # likeliest grids of a proposal that are examined further
EVEN = 0.5  # maximum probability of the latter; that of boards of text
SETTLED = 0.9  # probability from which lines and gaps are not examined further


def locate_lattice(frame: Frame) -> Lattice:
    """The lattice of the only board in the picture. Raises like `locate`."""
    return locate(frame).lattice


def locate(frame: Frame) -> BoardCandidate:
    """The only board in the picture, with its probability.

    Raises BoardNotFound, AmbiguousBoard for several boards, BoardUnplayable for a clipped one.
    """
    seen = locate_all(frame)
    if not seen:
        raise BoardNotFound("no board found: make sure the whole board is visible and try again")
    if len(seen) > 1:
        places = ", ".join(f"{s.lattice.size} at ({s.lattice.xs[0]}, {s.lattice.ys[0]})" for s in seen)
        raise AmbiguousBoard(
            f"{len(seen)} boards found ({places}): leave one visible, or name its window with --window"
        )
    if seen[0].clipped:
        sides = " and ".join(seen[0].clipped)
        raise BoardUnplayable(f"the board is cut at the {sides}: enlarge its window or move it into view")
    return seen[0]


def locate_all(frame: Frame) -> tuple[BoardCandidate, ...]:
    """All boards in the picture; empty if there is none. The description of the module gives the steps."""
    judge = CellJudge(frame.pixels)
    proposed = propose_from_lines(frame.pixels, find_box_lattices(frame.pixels))
    seen = [each for each in (_judged(judge, grid) for grid in proposed) if each.probability >= _least(each)]
    if all(each.clipped or each.probability < DOUBTED for each in seen):
        seen = _with_text_boards(frame.pixels, seen) or _search_wider(judge, seen)
    return tuple(seen)


def _oblong_by_lines(judge: CellJudge) -> list[BoardCandidate]:
    """Whole line-based boards that are not very unlikely, with cells of an aspect ratio up to LONGEST.

    The judge cannot tell oblong cells from those of a table, so it gives them even odds at most; their
    content decides.
    """
    pixels, seeds = judge.pixels, find_box_lattices(judge.pixels, LONGEST)
    seen = [_judged(judge, each) for each in propose_from_lines(pixels, seeds) if each.shown >= CERTAIN]
    for grid in complete_lattices(seeds):
        sure = score_grid(judge, grid)
        if len(sure.ends) == len(SIDES):  # otherwise it may be a part of a board
            seen.append(BoardCandidate(to_lattice(grid, pixels), sure.probability, shows_lines=True))
    best: list[BoardCandidate] = []
    for each in sorted(seen, key=lambda board: -board.probability):
        is_free = not any(lattices_overlap(each.lattice, other.lattice) for other in best)
        if is_free and not each.clipped and each.probability >= SUSPECTED and _is_oblong(each.lattice):
            best.append(replace(each, probability=min(each.probability, EVEN)))
    return best


def _with_text_boards(pixels: Pixels, seen: list[BoardCandidate]) -> list[BoardCandidate]:
    """The boards of text, and the candidates elsewhere; empty without text, or if it is on likely candidates.

    The judge does not know their cells, so they get even odds; their content decides.
    """
    found: list[BoardCandidate] = []
    for grid in propose_from_letters(pixels):
        lattice = to_lattice(grid, pixels)
        rivals = [other for other in (*seen, *found) if lattices_overlap(lattice, other.lattice)]
        if all(other.probability < DOUBTED for other in rivals):
            found.append(BoardCandidate(lattice, EVEN))
            seen = [other for other in seen if other not in rivals]
    return [*found, *seen] if found else []


def _search_wider(judge: CellJudge, seen: list[BoardCandidate]) -> list[BoardCandidate]:
    """The boards after all other proposals were tried as well, because no line-based board is sure.

    Proposals of known cells or on the place of a whole board are not tried. If no board is likely, the
    likeliest is also tried with a row or column more or less.
    Without a whole board, doubtful ones count, and their content decides. One without visible lines must be
    the likeliest on its place, and the judge must have left its cells as proposed: two witnesses agree.
    """
    pixels = judge.pixels
    fitted: list[tuple[ScoredGrid, Grid]] = []
    lined = [to_grid(each.lattice) for each in seen]

    def is_needless(grid: Grid) -> bool:
        tried = [proposed for each, proposed in fitted if each.probability >= DOUBTED or grid in lined]
        whole = [each.grid for each, _ in fitted if not each.cut and each.probability >= REQUIRED]
        return any(have_same_cells(grid, proposed) for proposed in tried) or any(
            lattices_overlap(to_lattice(each, pixels), to_lattice(grid, pixels)) for each in whole
        )

    for grid in (*propose_from_overview(pixels), *lined):
        if not is_needless(grid):
            likely = [each for each in fit(judge, grid) if _may_be_board(pixels, each)]
            likely.sort(key=lambda each: -each.probability)
            fitted += [(each, grid) for each in likely[:CLEANED]]
    if fitted:
        likeliest, grid = max(fitted, key=lambda each: each[0].probability)
        if likeliest.probability < REQUIRED:
            fitted.append((change_extent(judge, likeliest), grid))
    cleaned = [(_cleaned(judge, each), have_same_cells(each.grid, grid)) for each, grid in fitted]
    found = [(each, is_same) for each, is_same in cleaned if _may_be_board(pixels, each)]
    best, doubtful = (
        choose(pixels, seen, [each for each, _ in found], required) for required in (REQUIRED, DOUBTED)
    )
    if any(not each.clipped and each.probability >= DOUBTED for each in best):
        return best
    agreed = {to_lattice(each.grid, pixels) for each, is_same in found if is_same}
    oblong = [] if best else _oblong_by_lines(judge)
    return oblong or [each for each in doubtful if each.shows_lines or each.lattice in agreed] or best


def choose(
    pixels: Pixels, seen: Sequence[BoardCandidate], found: Iterable[ScoredGrid], required: float
) -> list[BoardCandidate]:
    """The line-based boards `seen`, some replaced by better grids of `found` of at least this probability.

    The most likely one comes first.
    """
    best = list(seen)
    for grid in sorted(found, key=lambda each: -each.probability):
        if grid.probability < required:
            break
        board = BoardCandidate(to_lattice(grid.grid, pixels), grid.probability, grid.cut, ends=grid.ends)
        rivals = [other for other in best if lattices_overlap(board.lattice, other.lattice)]
        if all(is_preferred(pixels, board, other) for other in rivals):
            kept = [other for other in best if other not in rivals and other.probability >= ASTRAY]
            best = [*kept, board]
    return sorted(best, key=lambda each: -each.probability)


def _cleaned(judge: CellJudge, found: ScoredGrid) -> ScoredGrid:
    """The grid without row and column names, judged in a picture without them and without wide gaps."""
    less = without_names(judge.pixels, found.grid)
    if less:
        judge = CellJudge(less.pixels)
        found = score_grid(judge, less.grid)
    return _with_narrow_gaps(judge, found)


def _judged(judge: CellJudge, proposal: LinedGrid) -> BoardCandidate:
    """The proposal as a candidate, with its lines centred in gaps or straightened if the judge prefers that.

    Row and column names are neither cells, nor do they clip a side.
    The proposal may call a side clipped because text or a picture next to the board looks like further lines.
    If the judge accepts the board and sees it end on that side, it is not.
    """
    grid, clipped = to_grid(proposal.lattice), proposal.clipped
    less = without_names(judge.pixels, grid)
    if less:
        cut = {*clipped} - less.sides | {*cut_sides(less.pixels, less.grid)} & less.sides
        grid, clipped = less.grid, tuple(side for side in SIDES.values() if side in cut)
        judge = CellJudge(less.pixels)
    pixels = judge.pixels
    tried = (grid, center_lines_in_gaps(pixels, grid), straighten(pixels, grid))
    scored = [score_grid(judge, each) for each in dict.fromkeys(tried)]
    sure = _with_narrow_gaps(judge, max(scored, key=lambda each: each.probability))
    if DOUBTED <= sure.probability < SETTLED:  # less likely boards are fitted if none is sure
        moved = move_lines(judge, sure.grid)
        sure = moved if moved and odds(moved.probability) > LINES * odds(sure.probability) else sure
    if clipped and sure.ends and sure.probability >= DOUBTED:
        clipped = tuple(side for side in clipped if side not in sure.ends)
    lattice = to_lattice(sure.grid, pixels)
    if sure.grid != grid:
        lattice = lattice.clamped(pixels.shape[1], pixels.shape[0])
    return BoardCandidate(lattice, sure.probability, clipped, shows_lines=True)


def _with_narrow_gaps(judge: CellJudge, found: ScoredGrid) -> ScoredGrid:
    """The grid with lines in the middle of wide gaps, if it is likelier in a picture without most of them."""
    less = narrow_gaps(judge.pixels, found.grid) if found.probability < SETTLED else None
    narrow = score_grid(CellJudge(less.pixels), less.grid) if less else found
    return replace(narrow, grid=less.centred) if less and narrow.probability > found.probability else found


def _least(board: BoardCandidate) -> float:
    """Minimum probability of a line-based board: higher for oblong cells, because most are in tables."""
    if _is_oblong(board.lattice):
        return REQUIRED
    return 0.0 if board.clipped else ASTRAY


def _is_oblong(lattice: Lattice) -> bool:
    _, _, width, height = lattice.box
    return not 1 / SQUARE < width * lattice.rows / (height * lattice.columns) < SQUARE


def _may_be_board(pixels: Pixels, found: ScoredGrid) -> bool:
    """Whether a grid lies in the picture, has enough cells and several colours, and is no part of a table.

    A grid of oblong cells that neither ends nor is clipped on each side may be a part of a table.
    """
    grid = found.grid
    ratio = max(grid.pitch(1) / grid.pitch(0), grid.pitch(0) / grid.pitch(1))
    is_part = ratio > SQUARE and len({*found.ends, *found.cut}) < len(SIDES)
    if ratio > STRETCH or is_part or min(len(grid.xs), len(grid.ys)) <= FEWEST:
        return False
    (left, right), (top, bottom) = ((to_pixel(each[1]), to_pixel(each[-2])) for each in (grid.xs, grid.ys))
    if min(left, top) <= 0 or right >= pixels.shape[1] or bottom >= pixels.shape[0]:
        return False
    inner = pixels[top:bottom, left:right]
    return bool(inner.size) and not has_one_colour(inner)
