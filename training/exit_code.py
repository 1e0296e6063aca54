"""Exit codes of the training commands (docs/reference/exit-codes.md)."""

from __future__ import annotations

import sys
from collections.abc import Callable

from games.errors import MissingRequirement, SapperError


def exit_code_of(work: Callable[[], object]) -> int:
    """Run `work`; 0, or the exit code of its error, which is printed on stderr."""
    try:
        work()
    except ModuleNotFoundError as error:
        failure: SapperError = MissingRequirement(
            f"missing package {error.name}: run pip install -e '.[train]'"
        )
    except SapperError as error:
        failure = error
    else:
        return 0
    print(failure, file=sys.stderr)
    return failure.exit_code
