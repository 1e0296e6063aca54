from strategies.kernels.arrays cimport ConstraintRows
from strategies.kernels.memory cimport Memory, ints_t

cdef long long OUTSIDE, BEGUN, DONE

cdef class CellClasses:
    cdef long long cells, count, rows
    cdef ints_t of_cell, size, is_counted, of_row_start, of_row, of_class_start, of_class

cdef class ClassOrder:
    cdef long long components
    cdef ints_t order, starts, is_placed, state, left, met, queue, waiting, begins

cdef CellClasses cell_classes(ints_t counted, long long cells, ConstraintRows rows, Memory memory)
cdef long long group_cells(
    ints_t counted, long long cells, ConstraintRows rows, ints_t of_cell, Memory memory) except -1
cdef ClassOrder order_classes(CellClasses groups, long long last, Memory memory)
cdef void place_all(CellClasses groups, ClassOrder placing, long long last) noexcept
cdef long long far_end(CellClasses groups, ClassOrder placing, long long begin, long long mark) noexcept
cdef long long shortest(long long rows, ints_t state, ints_t left) noexcept
cdef long long place_row(CellClasses groups, ClassOrder placing, long long row, long long placed) noexcept
