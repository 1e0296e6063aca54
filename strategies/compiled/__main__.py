"""`python -m strategies.compiled`: compile the inner loops now, instead of during a game."""

from __future__ import annotations

import sys

from strategies.compiled.kernels import kernels


def main() -> int:
    """Compile and keep; 0, or 1 and why there will be no compiled loops."""
    if kernels().wait():
        return 0
    sys.stderr.write(f"not compiled, so guesses take longer: {kernels().error}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
