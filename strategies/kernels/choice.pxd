cimport cython
from libc cimport math
from strategies.kernels cimport arrays, components, endgame, lookahead
from strategies.kernels.arrays cimport PositionArrays, Renumbering
from strategies.kernels.components cimport Component, RiskSurvey
from strategies.kernels.layouts cimport CountingMemory
from strategies.kernels.lookahead cimport CellFigures
from strategies.kernels.memory cimport Memory, floats_t, ints_t

cdef long long FAILED, ISOLATED, PLAYED, SAFE, SCORED, SOLVED

cpdef object choose_cell(PositionArrays position, object settings, CountingMemory memory)
@cython.locals(most=double, order=floats_t, is_fixed=cython.bint)
cdef (long long, long long) choose(
    PositionArrays position, object settings, CountingMemory memory, CellFigures figures)
cpdef object win_share(PositionArrays position, long long cell, object settings, CountingMemory memory)
@cython.locals(component=Component)
cdef long long solve_isolated_component(
    PositionArrays position, RiskSurvey found, object settings, CountingMemory memory,
    CellFigures figures) except -2
cdef long long only_mine_count(Component component) noexcept
@cython.locals(is_own=cython.bint)
cdef bint is_isolated(PositionArrays position, ints_t component, long long own) noexcept
cdef PositionArrays component_position(
    PositionArrays position, ints_t members, long long count, long long mines, Memory memory)
