"""The observers that a command line names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strategies.watching import Watching


@contextmanager
def observing(names: Sequence[str], trust: bool) -> Iterator[Watching]:
    """These observers, in processes of their own, which end with this. Raises Usage, InvalidFile."""
    from strategies import load_observer
    from strategies.watching import Watching

    watching = Watching([load_observer(name, trust) for name in names])
    try:
        yield watching
    finally:
        watching.close()
