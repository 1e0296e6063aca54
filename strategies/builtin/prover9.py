"""Prove certain cells with Prover9: the hint proving of Minesweeper Mace4, as a strategy.

The models (`strategies.provers`) show which cells to prove; Prover9 runs once per group of clues, with all
goals joined by `&`. A proved cell is reported with a second proof that Sapper's checker accepts. Not in the
default order: it serves to demonstrate Prover9 and to compare.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from games.logic import Constraint, Deduction, Knowledge, bits, union_cells
from strategies import provers
from strategies.hookspecs import hookimpl
from strategies.search.solver import prove_cells

NAME = "prover9"
PROVED = "Prover9 proves it from these clues"


@hookimpl
def deduce(knowledge: Knowledge, changed: int) -> Iterator[Deduction]:
    """Yield what Prover9 proves of each changed group; the mine total is left out.

    Raises MissingRequirement without Prover9: the reasoner reports it and continues without this strategy.
    """
    program = provers.find_prover9()
    for group in provers.changed_groups(knowledge, changed):
        models = provers.enumerate_models(group)
        if models is None:
            provers.NOTES.info(provers.TOO_MANY, union_cells(group).bit_count(), provers.MAX_MODELS)
        if not models:
            continue
        cells = union_cells(group)
        agreed = provers.reduce_cell_state_variation(models, cells)
        hints = [Constraint(1 << k, 1, 1) for k in bits(agreed.mines)]
        hints += [Constraint(1 << k, 0, 0) for k in bits(agreed.safe)]
        if not hints:
            provers.NOTES.info(provers.NO_COMMON, cells.bit_count(), len(models))
            continue
        proof = provers.prove_all(program, group, hints)
        if proof is None:
            provers.NOTES.info(
                "Prover9 finds no proof for %d cells that are the same in all models", len(hints)
            )
            continue
        account = re.sub(r"\bm_0_(\d+)\b", r"{\1}", str(proof))
        yield from prove_cells(group, agreed.mines, True, PROVED, account=account)
        yield from prove_cells(group, agreed.safe, False, PROVED, account=account)
