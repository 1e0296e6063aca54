"""The inner loops: functions on arrays that run as they stand in Python, and compiled where numba is."""

from strategies.compiled.kernels import Kernels, kernels

__all__ = ["Kernels", "kernels"]
