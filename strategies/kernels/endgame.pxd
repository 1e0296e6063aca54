cimport cython
from strategies.kernels cimport layout_list, lookahead
from strategies.kernels.arrays cimport PositionArrays
from strategies.kernels.layout_list cimport LayoutSet
from strategies.kernels.lookahead cimport CellFigures
from strategies.kernels.memory cimport Memory, floats_t, ints_t, words_t

cdef long long FEWEST_SLOTS, MAX_LAYOUTS, MAX_STEPS, MINE, MOST_SLOTS, RANKED, SLOTS_PER_LAYOUT

cdef class LayoutMarks:
    cdef ints_t values
    cdef Memory memory

cdef class SearchFrame:
    cdef long long begin, end, mark, best, worth, bounded, at, hoped, number, start, free, behind
    cdef bint is_exact, is_tried, is_solving
    cdef ints_t ends, lost, cells, hopes
    cdef words_t numbers, mines

cdef class EndgameSearch:
    cdef LayoutSet layouts
    cdef LayoutMarks marks
    cdef long long slots
    cdef ints_t kept_mark, kept_wins
    cdef list frames

cdef EndgameSearch make_search(LayoutSet layouts, LayoutMarks marks, Memory memory)
cdef SearchFrame add_frame(EndgameSearch search, Memory memory)
@cython.locals(most=cython.longlong)
cdef (long long, bint) solve_endgame(
    PositionArrays position, double most_layouts, floats_t order, object settings, Memory memory,
    CellFigures figures)
@cython.locals(marks=LayoutMarks, top=SearchFrame)
cdef (long long, bint) best_opening(
    LayoutSet layouts, floats_t order, object settings, Memory memory, floats_t shares)
cdef long long wins_after_opening(LayoutSet layouts, long long cell, ints_t ends, Memory memory) except -1
cdef long long solve_exactly(EndgameSearch search, long long top) noexcept
@cython.locals(frame=SearchFrame)
cdef long long try_shortcut(EndgameSearch search, long long depth) noexcept
cdef long long list_cells(EndgameSearch search, SearchFrame frame) noexcept
@cython.locals(frame=SearchFrame, below=SearchFrame)
cdef bint next_group(EndgameSearch search, long long depth) noexcept
cdef void bound_group(SearchFrame frame, long long won) noexcept
@cython.locals(frame=SearchFrame, is_tried=cython.bint)
cdef bint next_cell(EndgameSearch search, long long depth) noexcept
cdef void enter_group(EndgameSearch search, SearchFrame frame, long long cell, bint is_tried) noexcept
@cython.locals(frame=SearchFrame)
cdef long long store_result(EndgameSearch search, long long depth) noexcept
cdef long long slot_of(EndgameSearch search, long long mark) noexcept
