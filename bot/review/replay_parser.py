"""Print the contents of one replay file as JSON. Runs as a separate process.

Some damaged files crash ms_toollib, so it never runs in the process of Sapper.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

MINE = -1  # in the boards of ms_toollib
MOST_MEMORY = 1 << 30  # bytes of address space; a damaged file may request any amount
KINDS = {"avf": "AvfVideo", "evf": "EvfVideo", "mvf": "MvfVideo", "rmv": "RmvVideo"}


def main(path: str) -> None:
    """Print the game of a file."""
    import ms_toollib

    if sys.platform != "win32":  # there, the job of this process has the limit
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    video = getattr(ms_toollib, KINDS[path.rsplit(".", 1)[-1].lower()])(path)
    video.parse()
    video.analyse()
    moves = list(click_events(video))
    mines = [k for k, number in enumerate(n for row in video.board for n in row) if number == MINE]
    video.current_time = video.video_end_time + 1.0  # the last event may follow the end
    parsed = {
        "rows": video.row,
        "columns": video.column,
        "mines": mines,
        "moves": moves,
        "seconds": video.rtime,
        "clicks": video.cl,
        "program": video.software,
    }
    print(json.dumps(parsed))  # noqa: T201 - the output of this program


def click_events(video: Any) -> Iterator[tuple[float, str, int]]:
    """Yield (seconds, kind, cell) for every click on the board that ms_toollib counts.

    Right clicks are `flag`, even if they remove a flag.
    """
    left = right = double = 0
    flags: list[tuple[float, str, int]] = []  # right clicks that may still begin a chord
    for event in video.events:
        if not event.event.is_mouse():
            continue
        mouse, now = event.event.unwrap_mouse(), event.key_dynamic_params
        row, column = mouse.y // video.pix_size, mouse.x // video.pix_size
        is_on_board = row < video.row and column < video.column
        cell = row * video.column + column
        if now.right < right and flags:
            flags.pop()
        if now.right > right and is_on_board:
            flags.append((event.time, "flag", cell))
        if now.left > left or now.double > double:
            yield from flags
            flags = []
            if is_on_board:
                yield event.time, "chord" if now.double > double else "open", cell
        left, right, double = now.left, now.right, now.double
    yield from flags


if __name__ == "__main__":
    main(sys.argv[1])
