cimport cython
from libc cimport math
from strategies.kernels cimport components
from strategies.kernels.arrays cimport ConstraintRows, PositionArrays
from strategies.kernels.components cimport RiskSurvey
from strategies.kernels.layouts cimport CountingMemory
from strategies.kernels.memory cimport Memory, floats_t, ints_t

cdef long long MAX_SQUARES, MAX_DECIDING, MULTIPLIER, INCREMENT, MODULUS

cdef class FiftyFifties:
    cdef long long count, room
    cdef ints_t cells, deciding_count, deciding
    cdef floats_t chance

cdef FiftyFifties no_fifty_fifties(long long most, long long width, long long room, Memory memory)
cdef FiftyFifties find_pair_fifty_fifties(
    PositionArrays position, RiskSurvey found, long long most_deciding, double least, Memory memory)
cdef void add_around(PositionArrays position, long long cell, ints_t numbers, long long by) noexcept
cdef FiftyFifties find_square_fifty_fifties(
    PositionArrays position, RiskSurvey found, double least, CountingMemory memory)
cdef void add_square(
    FiftyFifties squares, ints_t square, ints_t deciding, long long count, double chance) noexcept
cdef ints_t constraint_marks(PositionArrays position, Memory memory) except NULL
cdef long long neighbour_pairs(
    PositionArrays position, RiskSurvey found, ints_t marks, ints_t first, ints_t second) noexcept
@cython.locals(same=cython.longlong)
cdef bint contains_square(FiftyFifties squares, ints_t square) noexcept
cdef long long deciding_cells(PositionArrays position, ints_t square, ints_t sees, ints_t deciding) noexcept
cdef double all_mines(
    PositionArrays position, RiskSurvey found, ints_t cells, long long count, bint only_unbound) noexcept
cdef double square_probability(
    PositionArrays position, RiskSurvey found, ints_t square, ints_t deciding, long long count,
    CountingMemory memory) except -1
cdef ConstraintRows rows_assuming(
    ConstraintRows rows, ints_t mines, long long mine_count, ints_t safe, long long safe_count, Memory memory)
cdef ints_t find_isolated_groups(PositionArrays position, long long most, Memory memory) except NULL
cdef void union(ints_t root, long long one, long long other) noexcept
cdef long long find_root(ints_t root, long long cell) noexcept
