"""Exact counts of the layouts that the constraints allow, and from them the risk of every cell.

Component by component (`census`), joined through the mine total (`joining`); boards that a variant ties
together cannot be taken apart (`tied`).
"""

from strategies.counting.census import Census, Component, count_component, take_census, total_of
from strategies.counting.joining import PRIOR_ODDS, Possible, Risks, possible, risks
from strategies.counting.layout_counts import LayoutCounts, count_layouts
from strategies.counting.tied import beside_clues, tied_risks

__all__ = [
    "PRIOR_ODDS",
    "Census",
    "Component",
    "LayoutCounts",
    "Possible",
    "Risks",
    "beside_clues",
    "count_component",
    "count_layouts",
    "possible",
    "risks",
    "take_census",
    "tied_risks",
    "total_of",
]
