"""Labelled screenshots from recordings: `python tools/collect_recorded.py recordings/kmines-001 …`.

Late in a game reasoning knows the mines around a cell that was opened and could not be read, and so its
number. The last look in which that holds for every unread cell is kept, when there is one. Learning then
refuses labels that contradict each other; look at the pictures all the same.
"""

from __future__ import annotations

import sys
from pathlib import Path

import cv2

from bot.recording.recording import Recording
from games.logic import bits
from games.minesweeper import Board, board_knowledge
from strategies import Reasoner, load_strategies
from vision.annotations import format_labels

SCREENS = Path(__file__).resolve().parents[1] / "fixtures" / "screens"
MOST_UNREAD = 6  # more at once are a message over the board, not new tiles


def counted(board: Board) -> Board | None:
    """The board with every unread cell counted; None when there is none, or one cannot be known."""
    if not 0 < board.unread.bit_count() <= MOST_UNREAD or board.shown_mines:
        return None
    known = Reasoner(load_strategies()).deduce(board_knowledge(board)).knowledge
    numbers = {}
    for k in bits(board.unread):
        around = board.around[k] & board.not_open
        if not known.false >> k & 1 or around & ~(known.true | known.false):
            return None
        numbers[k] = str((around & known.true).bit_count())
    return board.with_states(numbers)


def main(folders: list[str]) -> None:
    """Write a labelled picture for each recording that teaches something."""
    for folder in folders:
        recording = Recording(Path(folder))
        for frame, board in reversed(list(recording.looks())):
            truth = counted(board.with_mines(recording.meta.rules.mines))
            if truth is None:
                continue
            numbers = "".join(sorted({truth[k] for k in bits(board.unread)}))
            program = recording.meta.program or "unknown"
            picture = SCREENS / program / f"recorded_{numbers}_{recording.folder.name}.png"
            cv2.imwrite(str(picture), frame.pixels, [cv2.IMWRITE_PNG_COMPRESSION, 9])
            picture.with_suffix(".txt").write_text(
                format_labels(recording.meta.lattice, truth.with_mines(None))
            )
            print(f"{picture.name}: {', '.join(board.names(board.unread))}", file=sys.stderr)
            break


if __name__ == "__main__":
    main(sys.argv[1:])
