"""Exit codes of the training commands (docs/reference/exit-codes.md)."""

from __future__ import annotations

import sys
from collections.abc import Callable

from games.errors import MissingRequirement, SapperError


def exit_code_of(work: Callable[[], object]) -> int:
    """Run `work`; 0, or the exit code of its error, which is printed on stderr."""
    try:
        try:
            work()
        except ModuleNotFoundError as error:
            raise MissingRequirement(
                f"missing package {error.name}: run pip install -e '.[train]'"
            ) from error
    except SapperError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0
