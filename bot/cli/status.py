"""Status of long operations on stderr: slow starts, and reruns with `--reload`."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from bot.cli.common_options import echo, print_json, print_status
from games.errors import SapperError, UsageError
from strategies.options import parse_spec

QUICK = 1.5  # seconds; faster operations are not announced
ASKING = "waiting for the desktop: if it asks whether to share the screen, choose the one with the board"


@contextmanager
def announce_if_slow(what: str, report: Callable[[str], object] = print_status) -> Iterator[None]:
    """Report an operation, such as "looking for a board", once if it is slow."""
    timer = threading.Timer(QUICK, report, [what])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


POLL_INTERVAL = 0.2  # seconds
SETTLE_INTERVAL = 0.1  # seconds without a change, because some editors write a file in several steps
MOST_CHANGES = 8  # printed changes

Outcomes = Mapping[str, str]  # outcome of each compared cell or game, by name


def rerun_on_change(names: Iterable[str], run: Callable[[], Outcomes], as_json: bool = False) -> None:
    """Run, and run again after each change of these strategy files or their folders, until Ctrl+C.

    Prints the changed outcomes. Errors are printed and do not end the loop. Raises UsageError if no name is
    that of a file.
    """
    files = [Path(name) for name, _ in map(parse_spec, names) if name.endswith(".py")]
    if not files:
        raise UsageError("--reload watches files: name one with --strategy ./mine.py")
    before: Outcomes | None = None
    seen = _file_versions(files)
    while True:
        try:
            now = run()
        except SapperError as error:
            print_status(str(error))
        else:
            if before is not None:
                _print_changes(before, now, as_json)
            before = now
        print_status(f"waiting for changes of {', '.join(map(str, files))}; press Ctrl+C to stop")
        while (versions := _file_versions(files)) == seen:
            time.sleep(POLL_INTERVAL)
        while versions != seen:
            seen = versions
            time.sleep(SETTLE_INTERVAL)
            versions = _file_versions(files)


def _print_changes(before: Outcomes, now: Outcomes, as_json: bool) -> None:
    names = [name for name in sorted(before.keys() | now.keys()) if before.get(name) != now.get(name)]
    changed = [f"{name}: {before.get(name, 'nothing')} -> {now.get(name, 'nothing')}" for name in names]
    if as_json:
        print_json({"changed": changed})
        return
    echo(f"changed: {len(changed) or 'nothing'}")
    for line in changed[:MOST_CHANGES]:
        echo(f"  {line}")
    if len(changed) > MOST_CHANGES:
        echo(f"  and {len(changed) - MOST_CHANGES} more")


def _file_versions(files: Sequence[Path]) -> dict[Path, tuple[int, int]]:
    """Time and size of all Python files in the folders of these files, because the files may import them."""
    versions = {}
    for path in (path for folder in {file.parent for file in files} for path in folder.glob("*.py")):
        with suppress(OSError):  # an editor is replacing the file
            about = path.stat()
            versions[path] = about.st_mtime_ns, about.st_size
    return versions
