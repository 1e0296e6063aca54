"""Exact counts of the layouts that the constraints allow, and from them the risk of every cell.

Component by component (`census`), joined through the mine total (`joining`); boards that a variant ties
together cannot be taken apart (`tied`).
"""
