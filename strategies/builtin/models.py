"""List all models of each group of clues; cells with the same value in all are certain (Minesweeper Mace4).

Uses `mace4` if it is on the PATH, else Sapper's own enumeration; incomplete lists are ignored. Not in the
default order, because `backtracking` counts the same models.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from games.logic import Deduction, Knowledge, bits, union_cells
from strategies import provers
from strategies.hookspecs import hookimpl
from strategies.search.solver import prove_cells, prove_contradiction

NAME = "models"
ALL_MODELS = "all models of these clues agree"
NO_MODEL = "these clues have no model"
MAX_LISTED = 8  # models in an account


@hookimpl
def deduce(knowledge: Knowledge, changed: int) -> Iterator[Deduction]:
    """Yield what all models of each changed group agree on; the mine total is left out."""
    mace4 = shutil.which("mace4")
    for group in provers.changed_groups(knowledge, changed):
        found = provers.models_by_mace4(Path(mace4), group) if mace4 else None
        if found is None:  # no Mace4, or its list is incomplete
            found = provers.enumerate_models(group)
        if found is None:
            provers.NOTES.info(provers.TOO_MANY, union_cells(group).bit_count(), provers.MAX_MODELS)
            continue
        if not found:
            yield from prove_contradiction(group, NO_MODEL)
            continue
        cells = union_cells(group)
        agreed = provers.reduce_cell_state_variation(found, cells)
        if not agreed.mines and not agreed.safe:
            provers.NOTES.info(provers.NO_COMMON, cells.bit_count(), len(found))
        account = count_and_list(found, cells)
        yield from prove_cells(group, agreed.mines, True, ALL_MODELS, account=account)
        yield from prove_cells(group, agreed.safe, False, ALL_MODELS, account=account)


def count_and_list(models: Sequence[int], cells: int) -> str:
    """Describe the models of the clues about a cell set: how many, and the mines of the first ones."""
    lines = [f"models of the clues about {cells.bit_count()} cells: {len(models)}, with mines in"]
    for number, model in enumerate(models[:MAX_LISTED], 1):
        lines.append(f"{number}. {' '.join(f'{{{k}}}' for k in bits(model)) or 'none'}")
    if len(models) > MAX_LISTED:
        lines.append(f"and {len(models) - MAX_LISTED} more")
    return "\n".join(lines)
