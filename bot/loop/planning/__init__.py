"""From a board to the moves of one sweep: `planner` asks the strategies, `sweep` orders the clicks.

`exploring` decides where a picture may show more than one board, `reasons` writes proofs down when somebody
asks, `reach` says what an act may open beside the cells that it is meant for.
"""
