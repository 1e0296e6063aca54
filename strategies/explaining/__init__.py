"""Certain cells explained to a person: each by as little as can be (`explanations`), all as a `lesson`."""

from strategies.explaining.explanations import Explanation, Explanations
from strategies.explaining.lessons import FEW, lesson

__all__ = ["FEW", "Explanation", "Explanations", "lesson"]
