from strategies.kernels.memory cimport Memory, ints_t

cdef class ConstraintRows:
    cdef long long count
    cdef ints_t start, members, low, high

cdef class PositionArrays:
    cdef readonly long long bound, cells, least, most
    cdef ConstraintRows rows
    cdef ints_t counted, openable, around_start, around
    cdef double odds
    cdef Memory memory

cdef class Renumbering:
    cdef long long bound
    cdef ints_t number, cells

cpdef PositionArrays make_position(
    object counted, object openable, object start, object members, object low, object high,
    object around_start, object around, long long least, long long most, double odds)
cdef Renumbering renumber_after(PositionArrays position, long long cell, ints_t is_kept, Memory memory)
cdef ints_t counted_after(PositionArrays position, Renumbering after, Memory memory) except NULL
cdef ConstraintRows renumber_rows(ConstraintRows rows, ints_t number, long long more, Memory memory)
cdef ConstraintRows rows_after(
    PositionArrays position, long long cell, ints_t number, long long mines, Memory memory)
cdef PositionArrays position_after(PositionArrays position, long long cell, long long mines, Memory memory)
cdef PositionArrays renumbered_position(
    PositionArrays position, Renumbering after, long long cells, ConstraintRows rows, Memory memory)
