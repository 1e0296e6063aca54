"""The inner loops: functions on arrays that run as they stand in Python, and compiled where numba is."""

from strategies.compiled.compiling import digest
from strategies.compiled.field import Field
from strategies.compiled.keeping import find_directory, is_under_way, share_done
from strategies.compiled.kernels import Kernels, kernels
from strategies.compiled.settings import Settings
from strategies.compiled.tables import Floats, Ints

__all__ = [
    "Field",
    "Floats",
    "Ints",
    "Kernels",
    "Settings",
    "digest",
    "find_directory",
    "is_under_way",
    "kernels",
    "share_done",
]
