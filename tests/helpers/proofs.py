"""Confirmation of exported proofs by the independent text checker."""

from __future__ import annotations

from games.logic import Knowledge
from games.logic.veripb import export_veripb
from tools import check_proof


def confirmed(known: Knowledge, cells: int | None = None) -> list[str]:
    """The literals of the exported proof that the text checker confirms."""
    written = export_veripb(known, cells)
    return [line.split()[1] for line in check_proof.check(written.problem, written.proof).confirmed]
