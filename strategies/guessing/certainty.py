"""Whether anything can be certain: counted in a moment, so that no proof of it is looked for in vain."""

from __future__ import annotations

import numpy as np

from games.logic import Knowledge
from strategies.compiled import kernels
from strategies.counting import total_of
from strategies.guessing.situation import Situation


def may_be_certain(knowledge: Knowledge) -> bool:
    """False only where all layouts were counted, and of no undecided cell do all of them agree.

    Only compiled code that is there already counts, and only where the mine total is known: without that
    the answer is True. Nothing is certain by this; it saves looking for what is not there.
    """
    return knowledge.once(_may_be)


def _may_be(knowledge: Knowledge) -> bool:
    loops = kernels()
    total = total_of(knowledge)
    if total is None or not loops.is_ready:
        return True
    situation = Situation.of(knowledge, total.cells)
    found = loops["survey"](situation.field, loops.tables)
    if not found.worked:
        return True
    has_rest = len(situation.cells) > situation.field.bound
    is_open = bool(np.all((found.risks > 0.0) & (found.risks < 1.0)))
    return not is_open or (has_rest and not 0.0 < found.rest_risk < 1.0)
