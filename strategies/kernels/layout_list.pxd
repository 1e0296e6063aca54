cimport cython
from strategies.kernels.arrays cimport PositionArrays
from strategies.kernels.memory cimport Memory, ints_t, octets_t, words_t

cdef long long LANE_BITS, MINE, NUMBERS
cdef unsigned long long ONE_EACH

cdef class RowCounts:
    cdef ints_t start, rows, held, left

cdef class LayoutSet:
    cdef long long cells, count, width, work
    cdef octets_t shown
    cdef words_t words
    cdef ints_t stack

cdef RowCounts row_counts(PositionArrays position, Memory memory)
@cython.locals(can_hold=cython.bint)
cdef long long enumerate_into(
    PositionArrays position, ints_t cells, ints_t counted, long long most_layouts, long long most_steps,
    octets_t found, Memory memory) except? -2
cdef void adjust_rows(ints_t numbers, RowCounts counts, long long cell, long long by) noexcept
@cython.locals(differs=cython.bint)
cdef (ints_t, long long) cell_values(
    octets_t layouts, long long count, ints_t cells, PositionArrays position, octets_t shown, Memory memory)
cdef LayoutSet make_layout_set(octets_t shown, long long cells, long long count, Memory memory)
@cython.locals(word=cython.ulonglong)
cdef void summarize(
    LayoutSet layouts, long long begin, long long end, words_t numbers, words_t mines) noexcept
cdef long long lane_bits(words_t sums, long long cell) noexcept
cdef bint is_informative(words_t numbers, long long cell) noexcept
cdef long long partition(
    LayoutSet layouts, long long cell, long long begin, long long end, long long free, ints_t ends) noexcept
cdef long long greedy_wins(LayoutSet layouts, long long begin, long long end, Memory memory) except -1
