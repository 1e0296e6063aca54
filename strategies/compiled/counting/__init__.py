"""Counting: classes of cells, layouts of each component, the mine total, the risk of every cell."""

from strategies.compiled.counting.classes import group_classes, link_classes, order_classes
from strategies.compiled.counting.layouts import backward, forward, last_states, weigh
from strategies.compiled.counting.survey import Survey, all_risks, risk, risk_of, survey
from strategies.compiled.counting.total import meet, product, rest_weights, scaled

__all__ = [
    "Survey",
    "all_risks",
    "backward",
    "forward",
    "group_classes",
    "last_states",
    "link_classes",
    "meet",
    "order_classes",
    "product",
    "rest_weights",
    "risk",
    "risk_of",
    "scaled",
    "survey",
    "weigh",
]
