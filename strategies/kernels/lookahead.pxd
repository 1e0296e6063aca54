cimport cython
from libc cimport math
from strategies.kernels cimport arrays, classes, components, fifty_fifty, layouts
from strategies.kernels.arrays cimport PositionArrays, Renumbering
from strategies.kernels.classes cimport CellClasses
from strategies.kernels.components cimport Component, OutsideWeights, RiskSurvey
from strategies.kernels.fifty_fifty cimport FiftyFifties
from strategies.kernels.layouts cimport ClassShares, CountingLevels, CountingMemory
from strategies.kernels.memory cimport Memory, floats_t, ints_t

cdef long long MAX_SHOWN
cdef double NO_CANDIDATE, BEHIND, EPSILON

cdef class CellFigures:
    cdef double best
    cdef floats_t safe, score, second, progress

cdef class Outcomes:
    cdef long long count
    cdef floats_t share, best, certain, stuck

cdef class LookaheadContext:
    cdef Renumbering after
    cdef CellClasses groups
    cdef CountingLevels levels
    cdef long long probe_bit, rest
    cdef OutsideWeights outside
    cdef double elsewhere
    cdef ClassShares shares

cdef CellFigures make_figures(long long cells, Memory memory)
cdef Outcomes make_outcomes(Memory memory)
@cython.locals(is_counted=cython.bint)
cdef bint look_ahead(
    PositionArrays position, RiskSurvey found, long long cell, FiftyFifties pairs, CountingMemory memory,
    Outcomes outcomes) except -1
cdef LookaheadContext count_after(
    PositionArrays position, RiskSurvey found, long long cell, long long shown, CountingMemory memory)
cdef bint weigh_numbers(
    PositionArrays position, RiskSurvey found, long long cell, LookaheadContext context, long long shown,
    FiftyFifties pairs, CountingMemory memory, Outcomes outcomes) noexcept
cdef void safety_after(
    PositionArrays position, LookaheadContext context, double rest_risk, Outcomes outcomes,
    long long v) noexcept
cdef ints_t components_in_play(
    PositionArrays position, RiskSurvey found, long long cell, Memory memory) except NULL
@cython.locals(component=Component)
cdef OutsideWeights weigh_outside(
    PositionArrays position, RiskSurvey found, ints_t in_play, long long rest, long long length, Memory memory)
cdef double safest_elsewhere(PositionArrays position, RiskSurvey found, ints_t in_play) noexcept
cdef double fifty_fifty_chance_after(
    PositionArrays position, RiskSurvey found, long long cell, LookaheadContext context, double whole,
    double rest_risk, FiftyFifties pairs) noexcept
@cython.locals(gain=double, by_risk=double, weight=double, unlikely=double, rest_left=cython.longlong)
cdef long long score_candidates(
    PositionArrays position, RiskSurvey found, double most_tried, double pockets, object settings,
    CountingMemory memory, CellFigures figures) except -2
cdef long long lowest(floats_t values, long long count) noexcept
cdef long long highest(floats_t values, long long count) noexcept
cdef floats_t copy_floats(floats_t values, long long count, Memory memory) except NULL
cdef int defer_isolated_groups(
    PositionArrays position, long long most, floats_t priority, Memory memory) except -1
cdef floats_t unavoidable_loss(
    long long cells, FiftyFifties pairs, FiftyFifties squares, double weight, double due,
    Memory memory) except NULL
@cython.locals(is_resolved=cython.bint)
cdef void discount_resolved_squares(
    Outcomes outcomes, long long cell, FiftyFifties squares, double weight) noexcept
cdef floats_t priorities(
    PositionArrays position, RiskSurvey found, double near, CellFigures figures, floats_t loss,
    Memory memory) except NULL
@cython.locals(gain=double, quick_gain=double, stuck=double)
cdef int score_outcomes(Outcomes outcomes, object settings, long long cell, CellFigures figures) except -1
cdef double score_bound(double safe, double gain) noexcept
@cython.locals(gain=double)
cdef long long look_ahead_twice(
    PositionArrays position, RiskSurvey found, long long chosen, object settings, CountingMemory memory,
    CellFigures figures) except -2
@cython.locals(gain=double)
cdef double value_opened(
    PositionArrays position, RiskSurvey found, long long cell, double need, object settings,
    CountingMemory memory) except? -2
@cython.locals(is_open=cython.bint, value=double)
cdef double position_value(PositionArrays position, object settings, CountingMemory memory) except? -2
