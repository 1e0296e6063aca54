"""Screenshots that belong to no recording, each with a text beside it that says what it shows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bot.recording.comparing import Change, Compared
from bot.sight import Sight
from games.errors import Contradiction, InvalidFile
from games.logic import bits
from games.minesweeper import Board, knowledge_of
from strategies import Reasoner, Strategy
from vision.labels import format_labels, load_labelled


def compare_picture(picture: Path, strategies: Sequence[Strategy], sight: Sight) -> Compared:
    """A screenshot read and reasoned on again, and what its text says.

    The board is looked for where the text says. Raises InvalidFile for a picture without a text.
    """
    labelled = load_labelled(picture)
    recorded = labelled.board
    now = sight.look(labelled.frame, labelled.lattice)[1].board.knowing(recorded.mines)
    changes = [
        Change(1, "reading", now.name(k), recorded[k], now[k])
        for k in range(len(now))
        if recorded[k] not in (now[k], "~")
    ]
    if changes:
        was, is_now = (_certain(board, strategies) for board in (recorded, now))
        changes += [
            Change(1, "certain", cell, was.get(cell, "-"), is_now.get(cell, "-"))
            for cell in sorted({*was, *is_now})
            if was.get(cell) != is_now.get(cell)
        ]
    return Compared(1, labelled.frame, recorded, now, tuple(changes))


def update_picture(picture: Path, compared: Compared) -> None:
    """Write what is read now into the text. Raises InvalidFile where it cannot be written."""
    lattice = load_labelled(picture).lattice
    try:
        picture.with_suffix(".txt").write_text(format_labels(lattice, compared.now), encoding="utf-8")
    except OSError as error:
        raise InvalidFile(f"{picture}: {error.strerror}: its text cannot be written") from error


def _certain(board: Board, strategies: Sequence[Strategy]) -> dict[str, str]:
    """What is certain on a board; nothing on one that cannot be."""
    try:
        known = Reasoner(strategies).deduce(knowledge_of(board)).knowledge
    except Contradiction:
        return {}
    mines = {board.name(k): "mine" for k in bits(known.true & board.not_open)}
    return mines | {board.name(k): "safe" for k in bits(known.false & board.not_open)}
