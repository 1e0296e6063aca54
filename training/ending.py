"""How a program of the training ends: what went wrong in one line, and the exit code (docs/errors.md)."""

from __future__ import annotations

import sys
from collections.abc import Callable

from games.errors import MissingRequirement, SapperError


def exit_code_of(work: Callable[[], object]) -> int:
    """Do it; 0, or the exit code of the error, which is said on stderr."""
    try:
        try:
            work()
        except ModuleNotFoundError as error:
            raise MissingRequirement(
                f"there is no {error.name}: pip install -e '.[train]' brings it"
            ) from error
    except SapperError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0
