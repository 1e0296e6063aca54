cimport cython
from strategies.kernels.arrays cimport ConstraintRows
from strategies.kernels.classes cimport CellClasses
from strategies.kernels.memory cimport Memory, floats_t, ints_t

cdef long long FIELD, HASH_SIZE, MAX_MOVES, MAX_NUMBERS, MAX_STATES, ONE, STATE_BITS

cdef class CountingMemory(Memory):
    cdef ints_t key, least, most, offset, source, target, value, hashed, stamps
    cdef floats_t ahead, behind
    cdef long long stamp, states, numbers, moves

cdef class BoundChecks:
    cdef long long count
    cdef ints_t shift, mask, low, high

cdef class StateBuffers:
    cdef ints_t shift, mask, left
    cdef BoundChecks bounds, loose
    cdef long long taken, add, clear

cdef class CountingLevels:
    cdef long long count
    cdef ints_t order, states, moves

cdef class ClassShares:
    cdef floats_t mine, safe, differ

cpdef CountingMemory make_memory()
cdef void reset_memory(CountingMemory memory) noexcept
cdef StateBuffers state_buffers(ConstraintRows rows, Memory memory)
cdef BoundChecks empty_checks(long long most, Memory memory)
cdef void class_transition(
    CellClasses groups, long long b, ConstraintRows rows, long long probe, long long taken,
    StateBuffers buffers) noexcept
cdef CountingLevels make_levels(ints_t order, long long begin, long long end, Memory memory)
cdef long long count_forward(
    CellClasses groups, CountingLevels levels, ConstraintRows rows, long long probe, StateBuffers buffers,
    CountingMemory memory) noexcept
cdef void add_first_state(CountingMemory memory) noexcept
cdef bint make_moves(
    long long begin, long long end, long long cells, long long is_counted, StateBuffers buffers,
    CountingMemory memory) noexcept
cdef bint make_numbers(long long begin, CountingMemory memory) noexcept
cdef void count_ahead(long long begin, long long cells, long long is_counted, CountingMemory memory) noexcept
cdef double ways_to_hold(long long cells, long long mines) noexcept
cdef ClassShares empty_shares(long long count, Memory memory)
cdef long long most_mines(CountingLevels levels, CountingMemory memory) noexcept
cdef void add_layouts(CountingLevels levels, CountingMemory memory, floats_t numbers) noexcept
cdef double weigh_backward(
    CellClasses groups, CountingLevels levels, floats_t weights, long long probe_bit, long long wanted,
    CountingMemory memory, ClassShares shares) noexcept
@cython.locals(fits=cython.bint)
cdef double weigh_total(
    CountingLevels levels, floats_t weights, long long probe_bit, long long wanted,
    CountingMemory memory) noexcept
cdef void weigh_class(
    CellClasses groups, CountingLevels levels, long long p, CountingMemory memory,
    ClassShares shares) noexcept
