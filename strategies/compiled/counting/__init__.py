"""Counting: classes of cells, layouts of each component, the mine total, the risk of every cell."""

from strategies.compiled.counting.classes import Classes, classes_of
from strategies.compiled.counting.layouts import Levels, clear, forward
from strategies.compiled.counting.order import order_classes
from strategies.compiled.counting.states import room_for
from strategies.compiled.counting.survey import Survey, all_risks, risk, risk_of, survey
from strategies.compiled.counting.total import meet, product, rest_weights, scale
from strategies.compiled.counting.weights import Shares, backward, most_held, no_shares, weigh

__all__ = [
    "Classes",
    "Levels",
    "Shares",
    "Survey",
    "all_risks",
    "backward",
    "classes_of",
    "clear",
    "forward",
    "meet",
    "most_held",
    "no_shares",
    "order_classes",
    "product",
    "rest_weights",
    "risk",
    "risk_of",
    "room_for",
    "scale",
    "survey",
    "weigh",
]
