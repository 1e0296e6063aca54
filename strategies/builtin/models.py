"""Every layout of each group of clues is listed; what is the same in all is certain (Minesweeper Mace4).

On a `mace4` where one is on the PATH, else on our own enumeration; either is believed only where it listed
all models. Not in the default order: `backtracking` counts what this lists.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from games.logic import Constraint, Deduction, Knowledge, affected_components, bits, connected_components
from strategies.hookspecs import hookimpl
from strategies.provers import enumerate_models, models_by_mace4, reduce_cell_state_variation
from strategies.search.solver import refute

NAME = "models"
ALL_MODELS = "all models of these clues agree"
NO_MODEL = "these clues have no model"
FEW = 8  # models that an account lists


@hookimpl
def deduce(knowledge: Knowledge, changed: int) -> Iterator[Deduction]:
    """What all models agree on, group by group where something is new; the mine total is left out."""
    mace4 = shutil.which("mace4")
    for group in connected_components(
        affected_components((c for c in knowledge.stated if not c.is_global), changed)
    ):
        found = models_by_mace4(Path(mace4), group) if mace4 else None
        if found is None:  # no Mace4, or none that got to the end
            found = enumerate_models(group)
        if found is None:
            continue
        if not found:
            shown = refute(group, Constraint(0, 0, 0))
            if shown is not None:
                yield Deduction.bounds(0, 1, 0, shown.premises, NO_MODEL, shown.method)
            continue
        cells = 0
        for constraint in group:
            cells |= constraint.cells
        agreed = reduce_cell_state_variation(found, cells)
        account = count_and_list(found, cells)
        for certain, is_mine in ((agreed.mines, 1), (agreed.safe, 0)):
            for k in bits(certain):
                shown = refute(group, Constraint(1 << k, 1 - is_mine, 1 - is_mine))
                if shown is not None:
                    yield Deduction.bounds(
                        1 << k, is_mine, is_mine, shown.premises, ALL_MODELS, shown.method, account
                    )


def count_and_list(models: Sequence[int], cells: int) -> str:
    """How many models the clues about these cells (a set) have; of the first few the mines."""
    lines = [f"models of the clues about {cells.bit_count()} cells: {len(models)}, with mines in"]
    for number, model in enumerate(models[:FEW], 1):
        lines.append(f"{number}. {' '.join(f'{{{k}}}' for k in bits(model)) or 'none'}")
    return "\n".join([*lines, f"and {len(models) - FEW} more"] if len(models) > FEW else lines)
