"""Context managers whose end is that they are closed."""

from __future__ import annotations

from typing import Self


class Closing:
    """A context manager that is closed at its end; `close` may be called twice."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of what is held; a second time does nothing."""
        raise NotImplementedError
