"""Prover9 proves what all models agree on: the hint proving of Minesweeper Mace4, as a strategy.

What is worth proving is read off the list of models (`strategies.provers`); Prover9 is asked once for each
group of clues, all goals joined by `&`. A cell is claimed only if Prover9 proved it, and with a proof that
our checker can follow. Not in the default order: it is for seeing Prover9 at work, and for comparing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from games.logic import Constraint, Deduction, Knowledge, affected_components, bits, connected_components
from strategies.hookspecs import hookimpl
from strategies.provers import enumerate_models, find_prover9, prove_all, reduce_cell_state_variation
from strategies.search.solver import refute

NAME = "prover9"
PROVED = "Prover9 proves it from these clues"


@hookimpl
def deduce(knowledge: Knowledge, changed: int) -> Iterator[Deduction]:
    """What Prover9 proves, group by group where something is new; the mine total is left out.

    Raises MachineLacks when there is no Prover9: the reasoner reports it and goes on without this strategy.
    """
    program = find_prover9()
    for group in connected_components(
        affected_components((c for c in knowledge.stated if not c.is_global), changed)
    ):
        models = enumerate_models(group)
        if not models:
            continue
        cells = 0
        for constraint in group:
            cells |= constraint.cells
        agreed = reduce_cell_state_variation(models, cells)
        hints = [Constraint(1 << k, 1, 1) for k in bits(agreed.mines)]
        hints += [Constraint(1 << k, 0, 0) for k in bits(agreed.safe)]
        proof = prove_all(program, group, hints) if hints else None
        if proof is None:
            continue
        account = re.sub(r"\bm_0_(\d+)\b", r"{\1}", str(proof))
        for hint in hints:
            shown = refute(group, Constraint(hint.cells, 1 - hint.low, 1 - hint.low))
            if shown is not None:
                yield Deduction.bounds(
                    hint.cells, hint.low, hint.high, shown.premises, PROVED, shown.method, account
                )
