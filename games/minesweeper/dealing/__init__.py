"""Where the mines of a simulated game come from: an order of cells, from a seed, a boards file or MBF.

`deal` is the order and the boards file; `laying` draws layouts by the rules of a variant; `mbf` is a form of
the community's programs.
"""

from games.minesweeper.dealing.deal import LEVELS, MOST_CELLS, Deal, forbidden_by, read_deals, start_in
from games.minesweeper.dealing.mbf import from_mbf, to_mbf

__all__ = ["LEVELS", "MOST_CELLS", "Deal", "forbidden_by", "from_mbf", "read_deals", "start_in", "to_mbf"]
