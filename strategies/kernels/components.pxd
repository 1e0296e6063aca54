cimport cython
from libc cimport math
from strategies.kernels cimport classes, layouts
from strategies.kernels.arrays cimport ConstraintRows, PositionArrays
from strategies.kernels.classes cimport CellClasses, ClassOrder
from strategies.kernels.layouts cimport ClassShares, CountingLevels, CountingMemory, StateBuffers
from strategies.kernels.memory cimport Memory, floats_t, ints_t

cdef double SMALLEST, ALMOST
cdef long long LARGEST

cdef class OutsideWeights:
    cdef floats_t every, mine, safe
    cdef double scale

cdef class Component:
    cdef CountingLevels levels
    cdef long long length, before_length
    cdef floats_t numbers, before

cdef class RiskSurvey:
    cdef bint is_valid
    cdef double rest_risk, size
    cdef floats_t risks, differs
    cdef ints_t component, of_cell
    cdef list components

cdef double normalize(floats_t numbers, long long length) noexcept
cdef void convolve(
    floats_t one, long long length, floats_t other, long long other_length, floats_t result) noexcept
cdef void correlate(
    floats_t numbers, long long length, floats_t weights, long long weights_length, floats_t result,
    long long result_length) noexcept
cdef double shifted_sum(
    floats_t numbers, long long length, floats_t weights, long long weights_length, long long m) noexcept
cdef OutsideWeights empty_weights(long long length, Memory memory)
cdef OutsideWeights rest_weights(
    long long rest, long long least, long long most, double odds, long long length, Memory memory)
cdef double log_factorial(long long n) noexcept
@cython.locals(component=Component)
cdef list ordered_components(ClassOrder placing, ints_t component_of, Memory memory)
@cython.locals(component=Component)
cdef double count_components(
    CellClasses groups, list components, ConstraintRows rows, StateBuffers buffers,
    CountingMemory memory) except? -2
cpdef object survey(PositionArrays position, CountingMemory memory)
@cython.locals(component=Component)
cdef RiskSurvey survey_risks(PositionArrays position, ConstraintRows rows, CountingMemory memory)
@cython.locals(component=Component)
cdef int component_shares(
    CellClasses groups, list components, floats_t outside, long long length, CountingMemory memory,
    ClassShares shares) except -1
cdef double risk_of(double mine, double safe) noexcept
