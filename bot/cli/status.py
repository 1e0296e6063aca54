"""Status of long operations on stderr: slow starts, and reruns with `--reload`."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from bot.cli.common_options import print_json, print_status
from games.errors import SapperError, UsageError
from strategies.options import parse_spec

QUICK = 1.5  # seconds; what takes no longer is not named
ASKING = "waiting for the desktop: if it asks whether to share the screen, choose the one with the board"


@contextmanager
def announce_if_slow(what: str, report: Callable[[str], object] = print_status) -> Iterator[None]:
    """Say once what is being done, such as "looking for a board", if it is not soon done."""
    timer = threading.Timer(QUICK, report, [what])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


POLL = 0.2  # seconds between two looks at the files
SETTLED = 0.1  # seconds without a change, for editors that write in pieces

Moves = Mapping[str, str]  # what is compared from one run to the next: name -> outcome
MOST_LISTED = 8  # changes


def rerun_on_change(
    names: Iterable[str], run: Callable[[], Moves], as_json: bool = False, looks: int | None = None
) -> None:
    """Run; then again after each change of these files, or of Python files beside them, until Ctrl+C.

    An error is printed, and the next change waited for. `looks` ends it after so many polls, for tests.
    Raises Usage when no file is among the names.
    """
    files = [Path(name) for name, _ in map(parse_spec, names) if name.endswith(".py")]
    if not files:
        raise UsageError("--reload watches files: name one with --strategy ./mine.py")
    before: Moves | None = None
    seen = _state(files)
    while True:
        now = _run(run)
        if now is not None:
            if before is not None:
                _say_changes(before, now, as_json)
            before = now
        print_status(f"waiting for {', '.join(map(str, files))} to be saved; Ctrl+C ends it")
        while (state := _state(files)) == seen:
            if looks is not None:
                looks -= 1
                if looks < 0:
                    return
            time.sleep(POLL)
        while state != seen:
            seen = state
            time.sleep(SETTLED)
            state = _state(files)


def _run(run: Callable[[], Moves]) -> Moves | None:
    try:
        return run()
    except SapperError as error:
        print_status(str(error))
        return None


def _say_changes(before: Moves, now: Moves, as_json: bool) -> None:
    names = [name for name in sorted(before.keys() | now.keys()) if before.get(name) != now.get(name)]
    changed = [f"{name}: {before.get(name, 'nothing')} -> {now.get(name, 'nothing')}" for name in names]
    if as_json:
        print_json({"changed": changed})
        return
    click.echo(f"changed: {len(changed)}" if changed else "changed: nothing")
    for line in changed[:MOST_LISTED]:
        click.echo(f"  {line}")
    if len(changed) > MOST_LISTED:
        click.echo(f"  and {len(changed) - MOST_LISTED} more")


def _state(files: Sequence[Path]) -> dict[str, tuple[int, int]]:
    """Size and time of each file, and of the Python files beside it: what it may import."""
    found: dict[str, tuple[int, int]] = {}
    for folder in {file.parent for file in files}:
        for path in folder.glob("*.py"):
            try:
                about = path.stat()
            except OSError:  # just being replaced
                continue
            found[str(path)] = (about.st_mtime_ns, about.st_size)
    return found
